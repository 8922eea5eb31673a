"""Sides compared with each other, each pair of sides with its conversations, figures and sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from trace_inspector.core.trace.summary import one_line
from trace_inspector.engine.trace_diff.compared import ConversationPair
from trace_inspector.engine.trace_diff.difference_counts import Counted, counted, sentence
from trace_inspector.engine.trace_diff.rule import ComparisonRule

if TYPE_CHECKING:
    from trace_inspector.engine.trace_grid.table import ConversationTable


class SidePair(Struct, frozen=True, dict=True):  # a dict for the cached properties
    """Two files held against each other. `label` tells which, where there are three: "A–B".

    `doubts` are sentences about which conversations belong together.
    """

    label: str
    left_path: str
    right_path: str
    pairs: tuple[ConversationPair, ...]
    doubts: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What to know before one believes the rest."""
        label = f"{self.label}: " if self.label else ""
        return tuple(
            f"{label}{sentence}" for sentence in (*self.doubts, *self._unmatched_notes(), self.unstated) if sentence
        )

    def _unmatched_notes(self) -> Iterator[str]:
        """What of the conversations themselves could not be compared."""
        problems = list(dict.fromkeys(problem for pair in self.pairs for problem in pair.problems))
        if problems:
            more = f"; {len(problems) - 1:,} more like it" if len(problems) > 1 else ""
            yield f"What a matcher cannot decide counts as different: {problems[0]}{more}."
        empty = [pair for pair in self.pairs if not pair.turns]
        yield from _alone("first", [pair.left_name for pair in empty if not pair.right_name])
        yield from _alone("second", [pair.right_name for pair in empty if not pair.left_name])

    @property
    def unstated(self) -> str:
        """Whose calls nobody compared, because one side does not state them; "" where all could be."""
        numbers = [turn.number for pair in self.pairs for turn in pair.turns if turn.unstated]
        if not numbers:
            return ""
        turns = f"of turn {numbers[0]}" if len(numbers) == 1 else f"of {len(numbers):,} turns"
        return f"The calls {turns} were not compared: one side does not state its calls there."

    @cached_property
    def counted(self) -> Counted:
        """What differs, in numbers."""
        return counted(self.pairs)

    @cached_property
    def sentence(self) -> str:
        """The same as a sentence."""
        text = sentence(self.counted)
        return f"{self.label}: {text}" if self.label else text


def _alone(side: str, names: Sequence[str]) -> Iterator[str]:
    """What is told of conversations without turns that the other side does not have."""
    first = f"“{one_line(names[0], 60)}”" if names else ""
    if len(names) == 1:
        yield f"{first} is only on the {side} side; it has no turns."
    elif names:
        yield f"{first} and {len(names) - 1:,} more are only on the {side} side; they have no turns."


class Differences(Struct, frozen=True):
    """One comparison of two or three files by a rule. `broken` are sentences about files that are.

    `is_whole`: all of the files could be read, so that what does not differ is the same.
    `tables` are the same conversations on common rows, for reports that show all of them.
    """

    rule: ComparisonRule
    sides: tuple[SidePair, ...]
    broken: tuple[str, ...] = ()
    tables: tuple[ConversationTable, ...] = ()
    is_whole: bool = True

    @property
    def notes(self) -> tuple[str, ...]:
        """What to know before one believes the rest."""
        return (*self.broken, *(note for side in self.sides for note in side.notes))

    @property
    def differs(self) -> bool:
        """Whether anything counts."""
        return any(side.counted.differs for side in self.sides)

    @property
    def verdict(self) -> str:
        """The heading of a report."""
        if self.differs:
            return "They differ"
        is_whole = self.is_whole and not any(side.unstated for side in self.sides)
        return "They are the same" if is_whole else "No difference in what could be compared"
