"""What was done to a document and can be taken back: a value, so that a journal and a session tell the same story."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TypeAlias

from trace_inspector.documents.patch import Patch

Change: TypeAlias = tuple[Patch, ...]  # one step of undo: patches made one after the other

MAX_STEPS = 1000
MAX_BYTES = 1 << 28


class Move(enum.Enum):
    """How a change came to be made."""

    EDIT = "e"
    UNDO = "u"
    REDO = "r"


@dataclass(frozen=True, slots=True)
class History:
    """The changes that undo takes back, the last one first, and those that redo makes again, the last one first."""

    done: tuple[Change, ...] = ()
    undone: tuple[Change, ...] = ()

    def after(self, move: Move, change: Change) -> History:
        """The history once a change is made. The oldest steps are forgotten when they are too many or too large.

        What is undone need not be a step that is known here: a journal may begin in the middle of a history.
        """
        if move is Move.UNDO:
            return History(self.done[:-1], (*self.undone, inverse(change)))
        undone = self.undone[:-1] if move is Move.REDO else ()
        return History(_bounded((*self.done, change)), undone)


def inverse(change: Change) -> Change:
    """The change that takes another back."""
    return tuple(patch.inverse for patch in reversed(change))


def _bounded(done: tuple[Change, ...]) -> tuple[Change, ...]:
    total, kept = 0, 0
    for change in reversed(done[-MAX_STEPS:]):
        total += sum(len(patch.old) + len(patch.new) for patch in change)
        if kept and total > MAX_BYTES:
            break
        kept += 1
    return done[len(done) - kept :]
