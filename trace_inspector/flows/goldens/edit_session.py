"""An editing session of one document: every change is journalled before it is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.errors import EditError
from trace_inspector.core.values.edit import Edit
from trace_inspector.core.values.values import ABSENT, Absent, Json
from trace_inspector.documents.base.document import Document
from trace_inspector.documents.editing.splice import patched
from trace_inspector.documents.saving.edit_count import EditCount
from trace_inspector.documents.saving.history import History, Move, Patches, inverse
from trace_inspector.documents.saving.journal import JournalWriter, begin, refusal
from trace_inspector.documents.saving.journal_format import Record
from trace_inspector.documents.saving.saving import save
from trace_inspector.documents.text.patch import difference
from trace_inspector.flows.goldens.edit_file import edited
from trace_inspector.flows.goldens.renewal import renewal
from trace_inspector.settings import JOURNALS, data_folder, ready_data_folder

Written: TypeAlias = Callable[[JournalWriter], None]
_Made: TypeAlias = tuple[Patches, Document, int]  # the patches, the document after them, and the group


class EditState(Struct, frozen=True):
    """A document between two edits. `change` holds the patches of the last step; empty at the beginning."""

    document: Document
    is_changed: bool  # differs from what was last opened or saved
    can_undo: bool
    can_redo: bool
    change: Patches = ()


class EditSession:
    """Edits, undo and saving of one document. A method that raises an error has changed nothing.

    `written` is called with every journal that was written to, and has it synced within a second.
    """

    def __init__(self, document: Document, written: Written) -> None:
        self._saved = document
        self._document = document
        self._history = History()
        self._journal: JournalWriter | None = None
        self._written = written
        self._records = 0
        self._count = EditCount()
        self.group = 0  # of the edits that are made from now on

    @classmethod
    def recovered(
        cls, saved: Document, document: Document, history: History, journal: JournalWriter,
        records: Sequence[Record], written: Written,
    ) -> EditSession:  # fmt: skip
        """A session that continues the journal of one that ended."""
        session = cls(saved, written)
        session._document, session._history = document, history
        session._journal, session._records = journal, len(records)
        session._count = EditCount.of(records)
        return session

    @property
    def state(self) -> EditState:
        """The document as it is now."""
        return self._state(())

    @property
    def journal(self) -> Path | None:
        """The journal of the unsaved changes; None while there are none."""
        return self._journal.path if self._journal is not None else None

    @property
    def records(self) -> int:
        """The number of changes in its journal, undone ones included."""
        return self._records if self._journal is not None else 0

    @property
    def edits(self) -> int:
        """The number of unsaved edits as a person counts them, the same as its journal gives."""
        return max(self._count.edits, 1) if self.state.is_changed else 0

    @property
    def edit_sizes(self) -> tuple[int, ...]:
        """The number of steps of each edit that can be undone."""
        return self._history.edit_sizes

    @property
    def depth(self) -> int:
        """The number of steps that can be undone."""
        return len(self._history.done)

    @property
    def depth_ahead(self) -> int:
        """The number of steps that can be redone."""
        return len(self._history.undone)

    @property
    def saved(self) -> Document:
        """The document as last opened or saved."""
        return self._saved

    def revert(self) -> EditState:
        """Go back to what was last opened or saved, as one undo step."""
        if self._document.data == self._saved.data:
            return self.state
        change = (difference(self._document.data, self._saved.data),)
        return self.make(change, replace(self._saved, path=self._document.path))

    def apply(self, *edits: Edit) -> EditState:
        """Apply edits as one undo step: all or none."""
        document, change = edited(self._document, edits)
        if document.data == self._document.data:
            return self.state
        return self.make(change, document)

    def make(self, change: Patches, document: Document) -> EditState:
        """Take over a document that the caller changed, as one undo step."""
        return self._make(Move.EDIT, [(change, document, self.group)])[-1] if change else self.state

    def undo(self) -> EditState:
        """Undo the last step."""
        return self.go(-1)[-1]

    def redo(self) -> EditState:
        """Redo the step that was undone last."""
        return self.go(1)[-1]

    def go(self, steps: int) -> list[EditState]:
        """Undo (below 0) or redo that many steps, all or none. Returns a state for each."""
        back = steps < 0
        history = self._history.done if back else self._history.undone
        if len(history) < abs(steps):
            raise EditError(f"There is nothing to {'undo' if back else 'redo'}.", path=str(self._document.path))
        made: list[_Made] = []
        document = self._document
        for index in range(1, abs(steps) + 1):
            step = history[-index]
            change = inverse(step.change) if back else step.change
            document = patched(document, *change, value=step.value)
            made.append((change, document, step.group))
        return self._make(Move.UNDO if back else Move.REDO, made)

    def save(
        self, path: Path | None = None, *, force: bool = False, note: Callable[[str], object] = lambda _: None
    ) -> EditState:
        """Save in place, or under another name and continue with that. Undo still works across it.

        Under another name, resources that a service lets nobody change are renewed, in an undo step of their own.
        """
        document, change = edited(self._document, renewal(self._saved, self._document, path))
        before, self._document = self._history_value, save(document, path, force=force, note=note)
        self._saved = self._document
        if change:
            self._history.take(Move.EDIT, change, before)
        self._remove_journal()
        self._count = EditCount()
        return self._state(change)

    def discard(self) -> EditState:
        """Go back to what was last opened or saved, without undo."""
        self._document, self._history, self._count = self._saved, History(), EditCount()
        self._remove_journal()
        return self.state

    def onto(self, disk: Document, change: Patches, document: Document) -> EditSession:
        """A session of the file as it is on disk now, with the changes of this one applied in one step.

        This session ends. Its journal is removed once that of the new one is on disk.
        """
        new = EditSession(disk, self._written)
        if change:
            new._make(Move.EDIT, [(change, document, 0)], self._journal)
            self._journal = None
        self._remove_journal()
        return new

    def close(self) -> None:
        """End the session. Unsaved changes stay in the journal and can be recovered."""
        if self.state.is_changed and self._journal:
            self._journal.close()
            self._journal = None
        self._remove_journal()

    def _make(self, move: Move, made: Sequence[_Made], replaced: JournalWriter | None = None) -> list[EditState]:
        """Journal changes in order, each with the document after it, then take them over."""
        records = [Record(move, change, group) for change, _document, group in made]
        if self._journal is None:
            self._journal, self._records = self._begin(records, replaced), len(records)
        elif self._journal.is_used_up:
            edits = EditCount.of(records, self._count).edits
            whole = Record(Move.EDIT, (difference(self._saved.data, made[-1][1].data),), edits=max(edits, 1))
            self._journal, self._records = self._begin([whole], self._journal), 1
        else:
            self._journal.append(*records)
            self._records += len(records)
        self._written(self._journal)
        states = []
        for change, document, group in made:
            self._history.take(move, change, self._history_value, group)
            self._count.take(move, group)
            self._document = document
            states.append(self._state(change))
        return states

    @property
    def _history_value(self) -> Json | Absent:
        """The value to keep in the history; ABSENT for other files than strict JSON, which share nothing."""
        return self._document.value if self._document.plain else ABSENT

    def _begin(self, records: Iterable[Record], replaced: JournalWriter | None = None) -> JournalWriter:
        try:
            folder = ready_data_folder() / JOURNALS
        except OSError as problem:
            raise refusal(problem.strerror or str(problem), data_folder()) from problem
        return begin(folder, self._saved, tuple(records), replaced=replaced)

    def _state(self, change: Patches) -> EditState:
        return EditState(
            document=self._document,
            is_changed=self._document.data != self._saved.data,
            can_undo=bool(self._history.done),
            can_redo=bool(self._history.undone),
            change=change,
        )

    def _remove_journal(self) -> None:
        if self._journal:
            self._journal.remove()
            self._journal = None
