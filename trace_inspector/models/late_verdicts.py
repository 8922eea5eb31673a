"""Verdicts that arrive on goldens that were edited since the run began: judged again one at a time.

So an edit never waits for more than one of them, however many arrive together.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from trace_inspector.work.golden_requests import ArrivedLate, Judged

Make = Callable[[], Judged | None]  # None where its run is not shown any more
Ask = Callable[[int, ArrivedLate, Callable[[object], None]], None]


@dataclass(slots=True)
class LateVerdicts:
    """By file, those that wait. `ask` asks the child in which goldens are edited."""

    ask: Ask
    _waiting: deque[tuple[int, Make]] = field(default_factory=deque)
    _busy: bool = False

    def add(self, file: int, make: Make) -> None:
        """One more."""
        self._waiting.append((file, make))
        if not self._busy:
            self._next()

    def clear(self) -> None:
        """They are of a run that is not shown any more."""
        self._waiting.clear()

    def _next(self) -> None:
        self._busy = False
        while self._waiting and not self._busy:
            file, make = self._waiting.popleft()
            if (judged := make()) is not None:
                self._busy = True
                self.ask(file, ArrivedLate(file, (judged,)), lambda _answer: self._next())
