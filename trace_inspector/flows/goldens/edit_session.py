"""An open document that is being edited: every change is in its journal before anybody sees it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

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
_Made: TypeAlias = tuple[Patches, Document, int]  # where a change leads, and its group


@dataclass(frozen=True, slots=True)
class EditState:
    """A document between two edits. `change` is what the last step did to its bytes; nothing at the beginning."""

    document: Document
    is_changed: bool  # differs from what was opened or saved last
    can_undo: bool
    can_redo: bool
    change: Patches = ()


class EditSession:
    """Edits, undo and saving of one document. A method that raises an error has changed nothing.

    `written` is told of every journal that was written to, and sees to its `sync` within a second.
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
        """A session that goes on with the journal of another that is gone."""
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
        """Where its changes are written down; None while there are none that are not saved."""
        return self._journal.path if self._journal is not None else None

    @property
    def records(self) -> int:
        """How many changes, undone ones too, its journal tells."""
        return self._records if self._journal is not None else 0

    @property
    def edits(self) -> int:
        """How many edits are not saved, as a person counts them; its journal tells the same."""
        return max(self._count.edits, 1) if self.state.is_changed else 0

    @property
    def edit_sizes(self) -> tuple[int, ...]:
        """Of how many steps each edit is that undo can take back."""
        return self._history.edit_sizes

    @property
    def depth(self) -> int:
        """How many steps undo can take back."""
        return len(self._history.done)

    @property
    def depth_ahead(self) -> int:
        """How many steps redo can make again."""
        return len(self._history.undone)

    @property
    def saved(self) -> Document:
        """The document as it was opened or saved last."""
        return self._saved

    def revert(self) -> EditState:
        """Back to what was opened or saved last, as one step of undo."""
        if self._document.data == self._saved.data:
            return self.state
        change = (difference(self._document.data, self._saved.data),)
        return self.make(change, replace(self._saved, path=self._document.path))

    def apply(self, *edits: Edit) -> EditState:
        """Make edits as one step of undo: all or none."""
        document, change = edited(self._document, edits)
        if document.data == self._document.data:
            return self.state
        return self.make(change, document)

    def make(self, change: Patches, document: Document) -> EditState:
        """Take a document that somebody else changed, as one step of undo."""
        return self._make(Move.EDIT, [(change, document, self.group)])[-1] if change else self.state

    def undo(self) -> EditState:
        """Take the last step back."""
        return self.go(-1)[-1]

    def redo(self) -> EditState:
        """Make the step again that was taken back last."""
        return self.go(1)[-1]

    def go(self, steps: int) -> list[EditState]:
        """Take that many steps back, where it is below 0, or make them again: all or none. A state for each."""
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
        """Save in place, or under another name and go on with that. Undo still reaches back behind it.

        What a service lets nobody change becomes something new under another name, in a step of its own.
        """
        document, change = edited(self._document, renewal(self._saved, self._document, path))
        before, self._document = self._history_value, save(document, path, force=force, note=note)
        self._saved = self._document
        if change:
            self._history.take(Move.EDIT, change, before)
        self._drop_journal()
        self._count = EditCount()
        return self._state(change)

    def discard(self) -> EditState:
        """Go back to what was opened or saved last, for good."""
        self._document, self._history, self._count = self._saved, History(), EditCount()
        self._drop_journal()
        return self.state

    def onto(self, disk: Document, change: Patches, document: Document) -> EditSession:
        """A session of the file as it lies on disk now, with what was changed here made there in one step.

        This one ends. Its journal goes once that of the new one is on the disk.
        """
        new = EditSession(disk, self._written)
        if change:
            new._make(Move.EDIT, [(change, document, 0)], self._journal)
            self._journal = None
        self._drop_journal()
        return new

    def close(self) -> None:
        """End the session. What is not saved stays in the journal and can be recovered."""
        if self.state.is_changed and self._journal:
            self._journal.close()
            self._journal = None
        self._drop_journal()

    def _make(self, move: Move, made: Sequence[_Made], replaced: JournalWriter | None = None) -> list[EditState]:
        """Changes made one after the other, each with the document that it leads to."""
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
        """The value as history keeps it: of other files than strict JSON each is a whole one, and is read again."""
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

    def _drop_journal(self) -> None:
        if self._journal:
            self._journal.remove()
            self._journal = None
