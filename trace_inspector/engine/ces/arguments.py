"""Compares arguments of a call with the expected ones, key by key, as `$matchType` says."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.golden.matcher import Match
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.values import pointer as pointers
from trace_inspector.core.values.values import ABSENT, Absent, Json, JsonObject
from trace_inspector.engine.ces.values import same_value
from trace_inspector.engine.scoring.matching import Matchers
from trace_inspector.engine.scoring.metric import CannotJudge


class SemanticArgument(Struct, frozen=True):
    """A value that only a judge can compare, as its meaning counts."""

    name: str  # of the expected argument it belongs to
    expected: Json
    given: Json


class ArgumentComparison(Struct, frozen=True):
    """The expected arguments of one call: how many there are, which differ, and which need a judge.

    `problem` is why they cannot be compared at all, such as a pattern that takes too long.
    """

    expected: int
    differing: tuple[str, ...] = ()
    by_meaning: tuple[SemanticArgument, ...] = ()
    problem: str = ""

    @property
    def undecided(self) -> int:
        """How many arguments wait for a judge."""
        return len({argument.name for argument in self.by_meaning})

    def score(self, means_same: Sequence[bool] = ()) -> float | None:
        """The share that is as expected, 1.0 of none; None until a judge has decided all of `by_meaning`."""
        if self.problem or len(means_same) < len(self.by_meaning):
            return None
        wrong = {argument.name for argument, same in zip(self.by_meaning, means_same, strict=True) if not same}
        met = self.expected - len(self.differing) - len(wrong)
        return met / self.expected if self.expected else 1.0


def compare_arguments(expected: ToolCall, observed: ToolCall, matchers: Matchers) -> ArgumentComparison:
    """Only what is expected counts; arguments beyond it are free."""
    expected_args = expected.args if isinstance(expected.args, dict) else {}
    given = observed.args if isinstance(observed.args, dict) else {}
    try:
        return _compared(expected, expected_args, given, matchers)
    except CannotJudge as problem:
        return ArgumentComparison(len(expected_args), problem=str(problem))


def _compared(
    expected: ToolCall, expected_args: JsonObject, given: JsonObject, matchers: Matchers
) -> ArgumentComparison:
    differing, meant = [], list[SemanticArgument]()
    for name, value in expected_args.items():
        place = pointers.join(f"{expected.place}/args", name)
        waiting: list[tuple[Json, Json]] = []
        if _agrees(value, given.get(name, ABSENT), place, matchers, waiting):
            meant += [SemanticArgument(name, *pair) for pair in waiting]
        else:
            differing.append(name)
    return ArgumentComparison(len(expected_args), tuple(differing), tuple(meant))


def _agrees(
    expected: Json, given: Json | Absent, place: str, matchers: Matchers, waiting: list[tuple[Json, Json]]
) -> bool:
    """Whether a value is as expected, but for those put into `waiting`."""
    matcher = matchers.by_place.get(place)
    if matcher is not None and matcher.match is Match.SEMANTIC:
        if isinstance(given, Absent):
            return False
        if not same_value(expected, given):
            waiting.append((expected, given))
            return True
    elif matcher is not None and matcher.match is not Match.EXACT:
        return replace(matchers, equal=same_value).same(expected, given, place)
    if isinstance(expected, dict) and isinstance(given, dict):
        names = dict.fromkeys((*expected, *given))
        return all(
            _agrees(expected[name], given.get(name, ABSENT), pointers.join(place, name), matchers, waiting)
            for name in names
            if name in expected
        ) and all(name in expected for name in names)
    if isinstance(expected, list) and isinstance(given, list):
        pairs = enumerate(zip(expected, given, strict=False))
        return len(expected) == len(given) and all(
            _agrees(left, right, pointers.join(place, index), matchers, waiting) for index, (left, right) in pairs
        )
    return same_value(expected, given)
