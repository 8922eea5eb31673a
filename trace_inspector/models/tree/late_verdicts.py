"""Verdicts that arrive on goldens that were edited since the run began: judged again one at a time.

So an edit never waits for more than one of them, however many arrive together.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from trace_inspector.models.golden.queue import Task
from trace_inspector.work.processes.request_child import Answer

Make = Callable[[Callable[[Answer], None]], Task | None]  # given what hears of the end; None where nothing is to ask


@dataclass(slots=True)
class LateVerdicts:
    """Those that wait. `put` asks the child in which goldens are edited."""

    put: Callable[[Task], None]
    _waiting: deque[Make] = field(default_factory=deque)
    _asked: bool = False
    _going_on: bool = False

    @property
    def wait(self) -> bool:
        """Whether any are to be asked for."""
        return bool(self._waiting) and not self._asked

    def add(self, make: Make) -> None:
        """One more, for when they are gone on with."""
        self._waiting.append(make)

    def clear(self) -> None:
        """They are of a run that is not shown any more."""
        self._waiting.clear()

    def go_on(self) -> None:
        """Ask for the next one, unless one is asked for. In a loop: thousands may come to nothing at once."""
        if self._going_on:
            return
        self._going_on = True
        while self._waiting and not self._asked:
            self._asked = True
            task = self._waiting.popleft()(self._answered)
            if task is not None:
                self.put(task)
            else:
                self._asked = False
        self._going_on = False

    def _answered(self, _answer: Answer) -> None:
        self._asked = False
        self.go_on()
