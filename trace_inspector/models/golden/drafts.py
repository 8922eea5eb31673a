"""Typed text that is not in the golden yet: on its way there, or not finished. It is kept until the golden has it.

Fields are made for each selection; the text typed into them is kept here, and in a journal on disk.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct
from PySide6.QtCore import QObject, Signal

from trace_inspector.core.golden.recoverable_edits import DraftText, Spot
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.values.value_edits import ValueStep
from trace_inspector.models.base.messages import Messages
from trace_inspector.models.base.moved_places import all_after
from trace_inspector.models.base.translation import tr
from trace_inspector.models.files.files import Files
from trace_inspector.work.golden.draft_keeper import DraftKeeper

Refused = Callable[["Draft", str], None]
_LABEL_CHARS = 60


def _nobody(_draft: Draft, _problem: str) -> None:
    """Do nothing: no field shows the draft."""


class Draft(Struct, eq=False):
    """The newest text of one field. It is `pending` from when it is asked of the golden until that answers.

    `refused` is called when the golden refuses it. Recovered text is neither pending nor has a problem before
    its field shows it.
    """

    file: int
    spot: Spot
    label: str
    text: str
    number: int  # by which the journal reports its progress
    refused: Refused = _nobody
    pending: bool = True
    problem: str = ""


class Drafts(QObject):
    """Changed by fields, and by `Goldens` when a request is answered. `changed` has the number of the file."""

    changed = Signal(int)
    written = Signal()  # more of it is in the journal on disk

    def __init__(self, files: Files, messages: Messages, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._files = files
        self._drafts: dict[int, dict[Spot, Draft]] = {}
        self._keeper = DraftKeeper(self)
        self._keeper.written.connect(self._tell)
        self._is_over = False
        self._keeper.failed.connect(messages.tell)

    def is_written(self, draft: Draft) -> bool:
        """Whether its text is in the journal on disk, or cannot be."""
        return draft.number <= self._keeper.reached

    def draft(self, file: int, spot: Spot) -> Draft | None:
        """The draft of a field."""
        return self._drafts.get(file, {}).get(spot)

    def pending(self, file: int) -> bool:
        """Whether anything typed is on its way to the golden."""
        return any(draft.pending for draft in self._drafts.get(file, {}).values())

    def unfinished(self, file: int) -> list[Draft]:
        """Drafts that are not in the golden, the oldest first."""
        return [draft for draft in self._drafts.get(file, {}).values() if not draft.pending]

    def why_unfinished(self, file: int) -> str:
        """A sentence about text that is in no golden and no file; "" when there is none."""
        drafts = self.unfinished(file)
        if not drafts:
            return ""
        words = tr("The text in “{0}” is not in the golden yet and was not saved. {1}").format(
            one_line(drafts[0].label, _LABEL_CHARS),
            drafts[0].problem or tr("It was typed before Trace Inspector was last closed."),
        )
        return words if len(drafts) == 1 else tr("{0} One of {1} such texts.").format(words, len(drafts))

    def note(self, file: int, spot: Spot, label: str, text: str, refused: Refused = _nobody) -> Draft:
        """Note typed text: it replaces the field's earlier draft."""
        draft = Draft(file, spot, label, text, 0, refused)
        fields = self._drafts.setdefault(file, {})
        fields.pop(spot, None)
        fields[spot] = draft
        draft.number = self._write(file, {spot: DraftText(spot, label, text)})
        self.changed.emit(file)
        return draft

    def refuse(self, draft: Draft, problem: str) -> None:
        """Note that the golden refused the text: it is kept, so that a person can correct it."""
        draft.pending, draft.problem = False, problem
        self.changed.emit(draft.file)

    def settle(self, draft: Draft, problem: str) -> None:
        """Take the golden's answer: it has the text, unless there is a problem. Newer text of the field stays."""
        if self.draft(draft.file, draft.spot) is not draft:
            return
        if not problem:
            self.drop(draft.file, draft.spot)
            return
        self.refuse(draft, problem)
        with suppress(RuntimeError):  # the field was deleted
            draft.refused(draft, problem)

    def drop(self, file: int, spot: Spot) -> None:
        """Drop a draft that was given up."""
        if self._drafts.get(file, {}).pop(spot, None) is not None:
            self._write(file, {spot: None})
            self.changed.emit(file)

    def follow(self, file: int, steps: Sequence[ValueStep]) -> None:
        """Move drafts with the cases and turns that an edit moved; drafts of deleted ones are dropped."""
        drafts = self._drafts.get(file)
        if not drafts or not steps:
            return
        now = all_after((spot.place for spot in drafts), steps)
        if all(place == was for was, place in now.items()):
            return
        texts: dict[Spot, DraftText | None] = dict.fromkeys(drafts)
        moved = {}
        for draft in drafts.values():
            place = now[draft.spot.place]
            if place is not None:
                draft.spot = Spot(place, draft.spot.field)
                moved[draft.spot] = draft
                texts[draft.spot] = DraftText(draft.spot, draft.label, draft.text)
        self._drafts[file] = moved
        self._write(file, texts)
        self.changed.emit(file)

    def restore(self, file: int, drafts: Sequence[DraftText], journal: Path | None) -> None:
        """Restore text that another process left behind; its journal is deleted once this journal has the text."""
        for draft in drafts:
            if self.draft(file, draft.spot) is None:  # what was typed here since is newer
                self.note(file, draft.spot, draft.label, draft.text).pending = False
        if journal is not None:
            self._keeper.taken(journal)
        self.changed.emit(file)

    def leave(self, file: int, *, forget: bool) -> None:
        """Drop the drafts of a closed file."""
        if self._drafts.pop(file, None) is not None:
            self.changed.emit(file)
        self._keeper.leave(file, forget=forget)

    def stop(self) -> None:
        """Stop with the window: unfinished text stays in the journal."""
        self._is_over = True
        self._keeper.stop()

    def _tell(self) -> None:
        if not self._is_over:  # the thread may emit just before it ends
            self.written.emit()

    def _write(self, file: int, texts: dict[Spot, DraftText | None]) -> int:
        shown = self._files.by_number.get(file)
        return self._keeper.put(file, shown.path, texts) if shown is not None else 0


class FieldSpot(Struct, frozen=True):
    """What a field needs to keep what is typed into it."""

    drafts: Drafts
    file: int
    spot: Spot
    label: str

    @property
    def draft(self) -> Draft | None:
        """The draft of the field."""
        return self.drafts.draft(self.file, self.spot)

    def note(self, text: str, refused: Refused) -> Draft:
        """Note typed text."""
        return self.drafts.note(self.file, self.spot, self.label, text, refused)

    def refuse(self, draft: Draft, problem: str) -> None:
        """Note that the text is not a valid value."""
        self.drafts.refuse(draft, problem)

    def drop(self) -> None:
        """Give up a refused draft."""
        draft = self.draft
        if draft is not None and not draft.pending:
            self.drafts.drop(self.file, self.spot)
