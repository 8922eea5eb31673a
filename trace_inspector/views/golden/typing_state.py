"""What is typed into a field of a golden: written at once where it can be, kept and told about where it cannot.

Undo belongs to the golden, not to the field: what was written is undone by the window's own steps. Only text that
could not be written is the field's own, and is dropped first, by Ctrl+Z or Esc.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

STEPS = (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo)


@dataclass(frozen=True, slots=True)
class Written:
    """What came of a text: how the golden will show it, or why it was not written."""

    text: str = ""
    problem: str = ""


Write = Callable[[str, str], Written]  # the text, and the key of the one step that it belongs to


class Typing:
    """The state of one field between the person and the golden. The widget gives and shows its text."""

    def __init__(self, write: Write, get: Callable[[], str], put: Callable[[str], None]) -> None:
        self._write = write
        self._get = get
        self._put = put
        self._golden = ""  # what the golden said last
        self._awaited: str | None = None  # what it will say when it has taken what was written
        self._began = ""  # what stood there when the person came
        self._step = ""
        self.problem = ""

    def begin(self) -> None:
        """The person came, or finished something: what is written from now on is a step of its own."""
        self._began = self._golden if self._awaited is None else self._awaited
        self._step = str(time.monotonic_ns())

    def typed(self) -> None:
        """Write what stands in the field now."""
        if not self._step:
            self.begin()
        written = self._write(self._get(), self._step)
        self.problem = written.problem
        if not written.problem and written.text != (self._golden if self._awaited is None else self._awaited):
            self._awaited = written.text

    def show(self, text: str, *, busy: bool, focused: bool) -> None:
        """What the golden says now; while it is behind the person, the person is right."""
        if self._awaited is not None:
            if busy and text != self._awaited:
                return
            taken = text == self._awaited
            self._awaited = None
            if taken:
                self._golden = text
                if not focused and not self.problem:
                    self._put(text)
                return
        if text == self._golden and (self.problem or focused):
            return
        self._golden = text
        self.problem = ""
        self._put(text)

    def refuse(self, problem: str) -> None:
        """What was written last was not taken; the text stays, to be put right."""
        self._awaited, self.problem = None, problem

    def tell(self, problem: str) -> None:
        """What was to be put in was not; what stands here is as it was."""
        self.problem = problem

    def forget(self) -> None:
        """The field is about something else from now on."""
        self._awaited, self._golden, self.problem, self._step = None, "\0", "", ""

    def end(self) -> None:
        """The person left, or pressed Enter: what is fine shows as the golden has it."""
        if self._get() == self.now:
            self.problem = ""
        if not self.problem:
            text = self._golden if self._awaited is None else self._awaited
            if text != self._get():
                self._put(text)
            self.begin()

    @property
    def can_restore(self) -> bool:
        """Whether Esc would change anything."""
        return bool(self.problem) or (bool(self._step) and self.now != self._began)

    def restore(self) -> None:
        """Back to what stood there when the person came."""
        if self.problem:
            self.problem = ""
            self._put(self.now)
        elif self.now != self._began:
            self._put(self._began)
            self.typed()

    @property
    def now(self) -> str:
        """What the golden says, or will when it has taken what was written."""
        return self._golden if self._awaited is None else self._awaited

    # Keys

    def wants(self, event: QKeyEvent) -> bool:
        """Whether a key is the field's, though the window has an action with it."""
        if event.key() == Qt.Key.Key_Escape:
            return self.can_restore
        return bool(self.problem) and event.matches(STEPS[0])

    def is_step(self, event: QKeyEvent) -> bool:
        """Whether a key undoes or redoes: that is the window's."""
        return any(event.matches(step) for step in STEPS)
