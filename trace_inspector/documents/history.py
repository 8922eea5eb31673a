"""What was done to a document and can be taken back, told in the same way by a journal and by a session."""

from __future__ import annotations

import enum
from collections import deque
from collections.abc import Iterable
from typing import TypeAlias

from trace_inspector.documents.patch import Patch

Change: TypeAlias = tuple[Patch, ...]  # one step of undo: patches made one after the other

MAX_STEPS = 100_000  # nobody takes back more; what they weigh is bounded by the bytes
MAX_BYTES = 1 << 28


class Move(enum.Enum):
    """How a change came to be made."""

    EDIT = "e"
    UNDO = "u"
    REDO = "r"


class History:
    """The changes that undo takes back, the last one last, and those that redo makes again, the last one last."""

    def __init__(self, done: Iterable[Change] = (), undone: Iterable[Change] = ()) -> None:
        self.done: deque[Change] = deque(done)
        self.undone: list[Change] = list(undone)
        self._bytes = sum(map(_weight, self.done))

    def take(self, move: Move, change: Change) -> None:
        """A change is made. The oldest steps are forgotten when they are too many or too large.

        What is undone need not be a step that is known here: a journal may begin in the middle of a history.
        """
        if move is Move.UNDO:
            if self.done:
                self._bytes -= _weight(self.done.pop())
            self.undone.append(inverse(change))
            return
        if move is Move.EDIT:
            self.undone.clear()
        elif self.undone:
            self.undone.pop()
        self.done.append(change)
        self._bytes += _weight(change)
        while len(self.done) > MAX_STEPS or (len(self.done) > 1 and self._bytes > MAX_BYTES):
            self._bytes -= _weight(self.done.popleft())


def inverse(change: Change) -> Change:
    """The change that takes another back."""
    return tuple(patch.inverse for patch in reversed(change))


def _weight(change: Change) -> int:
    return sum(len(patch.old) + len(patch.new) for patch in change)
