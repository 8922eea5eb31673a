"""What was done to a document and can be undone, in one form for a journal and for a session."""

from __future__ import annotations

import enum
from collections import deque
from collections.abc import Iterable
from typing import TypeAlias

from msgspec import Struct

from trace_inspector.core.values.values import ABSENT, Absent, Json
from trace_inspector.documents.text.patch import Patch

Patches: TypeAlias = tuple[Patch, ...]  # one step of undo: patches made one after the other

MAX_STEPS = 100_000  # enough for any session; their memory is bounded by the bytes
MAX_BYTES = 1 << 28


class Step(Struct, frozen=True):
    """A change, and the value of the document on its other side: where it leads when it is taken back, or made again.

    ABSENT where nobody knows it without reading the document again. Steps of one `group` other than 0 that follow
    each other are one edit to the person who made them, like the letters of a word.
    """

    change: Patches
    value: Json | Absent = ABSENT
    group: int = 0


class Move(enum.Enum):
    """How a change came to be made."""

    EDIT = "e"
    UNDO = "u"
    REDO = "r"


class History:
    """The steps that undo takes back, the last one last, and those that redo makes again, the last one last."""

    def __init__(self, done: Iterable[Step] = ()) -> None:
        self.done: deque[Step] = deque(done)
        self.undone: list[Step] = []
        self._bytes = sum(map(_weight, self.done))

    def take(self, move: Move, change: Patches, before: Json | Absent = ABSENT, group: int = 0) -> None:
        """A change is made of a document with that value. The oldest steps go when they are too many or too large.

        What is undone need not be a step that is known here: a journal may begin in the middle of a history.
        """
        if move is Move.UNDO:
            if self.done:
                self._bytes -= _weight(self.done.pop())
            self.undone.append(Step(inverse(change), before, group))
            return
        if move is Move.EDIT:
            self.undone.clear()
        elif self.undone:
            self.undone.pop()
        self.done.append(step := Step(change, before, group))
        self._bytes += _weight(step)
        while len(self.done) > MAX_STEPS or (len(self.done) > 1 and self._bytes > MAX_BYTES):
            self._bytes -= _weight(self.done.popleft())

    @property
    def edit_sizes(self) -> tuple[int, ...]:
        """Of how many steps each edit is that undo can take back, the oldest first."""
        sizes: list[int] = []
        before = 0
        for step in self.done:
            if step.group and step.group == before:
                sizes[-1] += 1
            else:
                sizes.append(1)
            before = step.group
        return tuple(sizes)


def inverse(change: Patches) -> Patches:
    """The change that takes another back."""
    return tuple(patch.inverse for patch in reversed(change))


def _weight(step: Step) -> int:
    return sum(len(patch.old) + len(patch.new) for patch in step.change)
