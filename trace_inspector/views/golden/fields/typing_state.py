"""The text typed into a field of a golden: written at once where it is valid, else kept with its problem.

Undo belongs to the golden, not to the field: what was written is undone by the window's own steps. Only text that
could not be written is the field's own, and is dropped first, by Ctrl+Z or Esc. Until then it is a draft, which
outlives the field and the process.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from msgspec import Struct
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from trace_inspector.models.golden.drafts import Draft, FieldSpot

STEPS = (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo)


class Written(Struct, frozen=True):
    """The result of writing a text: how the golden will show it, or why it was not written."""

    text: str = ""
    problem: str = ""


class Typed(Struct, frozen=True):
    """A text to be written, the key of its step of undo, and its draft."""

    text: str
    step: str
    draft: Draft | None = None


Write = Callable[[Typed], Written]
Find = Callable[[], FieldSpot | None]


class Typing:
    """The state of one field between the person and the golden. The widget holds its text.

    `find` returns the field's present place; `mark` is called when the golden refused the text.
    """

    def __init__(
        self, write: Write, find: Find, get: Callable[[], str], put: Callable[[str], None], mark: Callable[[], object]
    ) -> None:
        self._write = write
        self._find = find
        self._get = get
        self._put = put
        self._mark = mark
        self._draft: Draft | None = None  # the newest text of this field, written or not
        self._golden = ""  # the golden's last text
        self._awaited: str | None = None  # its text once the last one is written
        self._began = ""  # the text when the field got the focus
        self._step = ""
        self.problem = ""

    def begin(self) -> None:
        """The field got the focus, or a text was finished: a new step of undo begins."""
        self._began = self._golden if self._awaited is None else self._awaited
        self._step = str(time.monotonic_ns())

    def typed(self) -> None:
        """Write the field's present text."""
        if not self._step:
            self.begin()
        text, spot = self._get(), self._find()
        self._draft = spot.note(text, self._refused) if spot is not None else None
        written = self._write(Typed(text, self._step, self._draft))
        self.problem = written.problem
        if spot is not None and self._draft is not None and written.problem:
            spot.refuse(self._draft, written.problem)
        if not written.problem and written.text != (self._golden if self._awaited is None else self._awaited):
            self._awaited = written.text

    def show(self, text: str, *, busy: bool, focused: bool) -> None:
        """Take the golden's present text, unless newer typing is still being written."""
        if self._take_draft(text):
            return
        if self._is_discarded():
            self.problem, self._golden = "", "\0"
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
        self._discard()
        self._put(text)

    def _take_draft(self, text: str) -> bool:
        """Restore a draft that was typed into this field before."""
        spot = self._find()
        draft = spot.draft if spot is not None else None
        if draft is None or draft is self._draft:
            return False
        self._golden, self._draft = text, draft
        self._put(draft.text)
        if draft.pending or draft.problem:
            draft.refused = self._refused
            self._awaited, self.problem = (draft.text if draft.pending else None), draft.problem
        else:
            self.begin()
            self.typed()  # recovered: now it can become an edit
        return True

    def _is_discarded(self) -> bool:
        """Whether the draft was discarded elsewhere, as with all edits of the file."""
        spot = self._find() if self.problem and self._draft is not None else None
        return spot is not None and spot.draft is None

    def _refused(self, draft: Draft, problem: str) -> None:
        """The last text was refused; it stays, to be corrected."""
        if self._draft is draft:
            self._awaited, self.problem = None, problem
            self._mark()

    def _discard(self) -> None:
        """Discard the text that was not written."""
        if self.problem:
            self.problem = ""
            spot = self._find()
            if spot is not None:
                spot.drop()

    def set_problem(self, problem: str) -> None:
        """Report text that was not inserted; the field's text is unchanged."""
        self.problem = problem

    def forget(self) -> None:
        """Reset: the field shows something else from now on. Its draft is kept elsewhere."""
        self._awaited, self._golden, self.problem, self._step, self._draft = None, "\0", "", "", None

    def end(self) -> None:
        """The field lost the focus, or Enter: valid text is shown as the golden has it."""
        if self._get() == self.now:
            self._discard()
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
        """Restore the text that was there when the field got the focus."""
        if self.problem:
            self._discard()
            self._put(self.now)
        elif self.now != self._began:
            self._put(self._began)
            self.typed()

    @property
    def now(self) -> str:
        """The golden's text, or the one that is being written to it."""
        return self._golden if self._awaited is None else self._awaited

    # Keys

    def takes_key(self, event: QKeyEvent) -> bool:
        """Whether a key is for the field although it is that of an action, too."""
        if event.key() == Qt.Key.Key_Escape:
            return self.can_restore
        return bool(self.problem) and event.matches(STEPS[0])

    def is_step(self, event: QKeyEvent) -> bool:
        """Whether a key undoes or redoes: that is the window's."""
        return any(event.matches(step) for step in STEPS)
