"""Edits of goldens on the stack of what can be undone; words typed one after the other are one step."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from PySide6.QtGui import QUndoCommand, QUndoStack

MOST_DONE = 1000  # of recovered edits that are taken back one by one
_GROUPED = 7  # any number but -1: only of such steps Qt asks whether they belong together


@dataclass(slots=True)
class Tally:
    """How many steps a request made in the child: 0 until it is done, and where it changed nothing."""

    steps: int = 0


class GoldenStep(QUndoCommand):
    """One step as a person sees it. `go` makes so many steps of the file again, or takes so many back."""

    def __init__(self, file: int, words: str, key: str, tally: Tally, go: Callable[[GoldenStep, int], None]) -> None:
        super().__init__(words)
        self.file = file
        self.group = 0  # of its requests, by which the journal tells that they are one edit
        self.key = key  # steps with the same key that follow each other are one; "" never
        self._tallies = [tally]
        self._go = go
        self._is_new = True
        self._waiting = 1  # requests without an answer
        self._into: GoldenStep | None = None  # the step that it became part of
        self.still = False  # moves on the stack alone

    @property
    def whole(self) -> GoldenStep:
        """The step that people see, of which it is a part."""
        return self if self._into is None else self._into.whole

    @property
    def is_empty(self) -> bool:
        """Whether nothing came of it, and nothing will."""
        return not self.steps and not self._waiting

    def answered(self) -> None:
        """The request is through, whatever came of it."""
        self.whole._waiting -= 1

    @property
    def steps(self) -> int:
        """How many steps of the file it is, as far as known."""
        return sum(tally.steps for tally in self._tallies)

    def begin(self, stack: QUndoStack) -> None:
        """Before it is put on a stack: whether it goes on with the edit that is the last one there."""
        last = stack.command(stack.index() - 1) if stack.index() else None
        goes_on = isinstance(last, GoldenStep) and self._goes_on_with(last)
        self.group = last.group if isinstance(last, GoldenStep) and goes_on else secrets.randbits(63) or 1

    def _goes_on_with(self, last: GoldenStep) -> bool:
        return bool(self.key) and (last.file, last.key) == (self.file, self.key)

    def redo(self) -> None:
        """Make it again; it was asked for already when it is put on the stack."""
        if not self._is_new and not self.still:
            self._go(self, 1)
        self._is_new = False

    def undo(self) -> None:
        """Take it back."""
        if not self.still:
            self._go(self, -1)

    def drop(self) -> None:
        """It is none any more."""
        with suppress(RuntimeError):  # Qt may have forgotten it already
            self.setObsolete(True)

    def id(self) -> int:
        """What Qt asks before it merges."""
        return _GROUPED if self.key else -1

    def mergeWith(self, other: QUndoCommand) -> bool:  # noqa: N802
        """Take the next step in, when the person goes on with the same thing."""
        if not isinstance(other, GoldenStep) or not other._goes_on_with(self):
            return False
        self._tallies += other._tallies
        self._waiting += other._waiting
        other._into = self
        self.setText(other.text())
        return True


def is_top(stack: QUndoStack, step: GoldenStep) -> bool:
    """Whether it is what undo would take back: what follows it may become part of it."""
    return stack.index() > 0 and stack.command(stack.index() - 1) is step.whole


def drop_steps(stack: QUndoStack, file: int) -> None:
    """Nothing of a file can be undone any more."""
    for index in range(stack.count()):
        step = stack.command(index)
        if isinstance(step, GoldenStep) and step.file == file:
            step.drop()
    prune(stack)


def put_back(stack: QUndoStack, step: GoldenStep, way: int) -> None:
    """What was undone (-1) or made again (1) and refused stands where it stood, and what of its file followed it."""
    steps = [stack.command(index) for index in range(stack.count())]
    index = next((index for index, other in enumerate(steps) if other is step), None)
    if index is None:
        return  # another edit took its place
    of_file = [other for other in steps if isinstance(other, GoldenStep) and other.file == step.file]
    for other in of_file:
        other.still = True
    while way < 0 and stack.index() <= index:
        stack.redo()
    while way > 0 and stack.index() > index:
        stack.undo()
    for other in of_file:
        other.still = False


def push_done(
    stack: QUndoStack, file: int, words: str, sizes: Sequence[int], go: Callable[[GoldenStep, int], None]
) -> None:
    """Edits that the child made by itself, each of so many steps; of very many, the oldest are one."""
    oldest = max(len(sizes) - MOST_DONE, 0) + 1
    for size in (sum(sizes[:oldest]), *sizes[oldest:]) if sizes else ():
        stack.push(GoldenStep(file, words, "", Tally(size), go))


def prune(stack: QUndoStack) -> None:
    """Take steps away that are none any more, so that nobody undoes or redoes nothing."""
    while stack.index() and stack.command(stack.index() - 1).isObsolete():
        stack.undo()
    while stack.index() < stack.count() and stack.command(stack.index()).isObsolete():
        stack.redo()
