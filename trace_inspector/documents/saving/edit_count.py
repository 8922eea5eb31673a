"""How many edits a person made: the letters of a word are many steps, and one edit."""

from __future__ import annotations

from collections.abc import Iterable

from trace_inspector.documents.saving.history import MAX_STEPS, Move
from trace_inspector.documents.saving.journal_format import Record


class EditCount:
    """How many edits, as a person counts them, lie between a file and what is edited of it.

    A session counts them as they are made, and whoever recovers them from its journal comes to the same number. What
    is taken back behind a save counts as well: the file has it.
    """

    def __init__(self) -> None:
        self._done: list[int] = []  # the group of each step
        self._undone: list[int] = []
        self._behind: list[int] = []  # taken back though the file has it

    @classmethod
    def of(cls, records: Iterable[Record], before: EditCount | None = None) -> EditCount:
        """The count after the records of a journal; `before` is what it goes on from, and stays as it is."""
        count = cls()
        if before is not None:
            count._done, count._undone, count._behind = before._done[:], before._undone[:], before._behind[:]
        for record in records:
            count.take(record.move, record.group, record.edits)
        return count

    def take(self, move: Move, group: int = 0, edits: int = 1) -> None:
        """A step is made; `edits` is more than 1 where it stands for several that cannot be separated any more."""
        if move is Move.EDIT:
            self._undone.clear()
            self._done += [group] if edits == 1 else [0] * min(edits, MAX_STEPS)
        elif move is Move.UNDO and self._done:
            self._undone.append(self._done.pop())
        elif move is Move.UNDO:
            self._behind.append(group)
        elif self._undone or not self._behind:
            self._done.append(self._undone.pop() if self._undone else group)
        else:
            self._behind.pop()

    @property
    def edits(self) -> int:
        """How many they are now."""
        return _runs(self._done) + _runs(self._behind)


def _runs(groups: list[int]) -> int:
    """Steps of one group in a row are one edit; a step of no group is one by itself."""
    return sum(not group or group != before for group, before in zip(groups, [0, *groups], strict=False))
