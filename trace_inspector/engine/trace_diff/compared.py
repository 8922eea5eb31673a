"""Two conversations compared: turns first, what each pair of turns did, and where they part."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from msgspec import Struct

from trace_inspector.core.alignment.turn_alignment import align_turns
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.trace import Turn, stated_duration_s, total_tokens, turn_usage
from trace_inspector.engine.trace_diff.compared_turn import ComparedTurn, compared_turn
from trace_inspector.engine.trace_diff.moved_calls import with_moved_calls
from trace_inspector.engine.trace_diff.rule import ComparisonRule


class ConversationPair(Struct, frozen=True):
    """A pair of conversations. A name of "" is a side that has none."""

    left_name: str
    right_name: str
    turns: tuple[ComparedTurn, ...]
    problems: tuple[str, ...] = ()  # why matchers could not be asked

    @property
    def parting(self) -> ComparedTurn | None:
        """The turn where other things are done first; only where none is, the first that says it otherwise."""
        first = next((turn for turn in self.turns if turn.parts), None)
        return first or next((turn for turn in self.turns if turn.differs), None)

    @property
    def name(self) -> str:
        """What people call the pair."""
        return self.left_name or self.right_name


def compared(left: Case | None, right: Case | None, rule: ComparisonRule) -> ConversationPair:
    """Both conversations, the first one as what is expected; None for a side that has none."""
    here = left.turns if left else ()
    there = right.turns if right else ()
    test = rule.test(left)
    policy = rule.policy(left)
    turns = [
        compared_turn(
            None if pair.golden is None else here[pair.golden],
            None if pair.observed is None else there[pair.observed],
            policy,
            test,
            recorded=left is not None and left.recorded,
            transfers_are_calls=rule.transfers_are_calls,
        )
        for pair in align_turns(here, there)
    ]
    turns = with_moved_calls(turns, test)
    problems = tuple(test.problems if test else ())
    return ConversationPair(left.id if left else "", right.id if right else "", tuple(turns), problems)


def seconds_of(turns: Sequence[Turn]) -> float | None:
    """How long turns took together; None unless each says so."""
    return _sum_of(turns, stated_duration_s)


def tokens_of(turns: Sequence[Turn]) -> int | None:
    """What turns used together; None unless each says so."""
    return _sum_of(turns, lambda turn: total_tokens(turn_usage(turn)))


_Number = TypeVar("_Number", int, float)


def _sum_of(turns: Sequence[Turn], figure: Callable[[Turn], _Number | None]) -> _Number | None:
    figures: list[_Number] = []
    for turn in turns:
        turn_figure = figure(turn)
        if turn_figure is None:
            return None
        figures.append(turn_figure)
    return sum(figures) if figures else None
