"""With which call a run first does what a finding tells: what was called before it is known to be right."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TypeAlias

from msgspec import Struct

from trace_inspector.core.values.values import Json
from trace_inspector.engine.braid.attempts import Attempt, AttemptStep
from trace_inspector.engine.braid.columns import Braid, indexes_of
from trace_inspector.engine.braid.features import Feature, FeatureKind, leaves, type_name, value_words
from trace_inspector.engine.braid.findings import Finding

MOST_RUNS = 200  # of a finding

Way: TypeAlias = Sequence[tuple[AttemptStep, int | None]]  # the calls of a run with their columns
_Is: TypeAlias = Callable[[Feature, Json], bool]


class WrongCall(Struct, frozen=True):
    """A call of a run: its turn, and its number among the calls of the turn, both counted from 0."""

    run: int
    turn: int
    call: int


def wrong_calls(finding: Finding, attempts: Sequence[Attempt], braid: Braid) -> tuple[WrongCall, ...]:
    """The first wrong call of each failing run that does it. Without any there is nothing that calls could check."""
    failing = (index for index in indexes_of(finding.bad) if attempts[index].failed)
    found: list[WrongCall] = []
    for index in islice(failing, MOST_RUNS):
        way = [
            (step, column)
            for step, column in zip(attempts[index].steps, braid.visits[index], strict=True)
            if step.call is not None
        ]
        step = next(_steps(finding.feature, way, absent=finding.absent), None)
        if step is not None and step.call is not None:
            found.append(WrongCall(index, step.turn, step.call))
    return tuple(found)


def _steps(feature: Feature, way: Way, *, absent: bool) -> Iterator[AttemptStep]:
    """The steps that show it, the first one first."""
    find = (_ABSENT if absent else _PRESENT).get(feature.kind)
    return iter(()) if find is None else find(feature, way)


def _made(feature: Feature, way: Way) -> Iterator[AttemptStep]:
    return (step for step, _column in way if step.label == feature.label and feature.turn in (-1, step.turn))


def _instead(feature: Feature, way: Way) -> Iterator[AttemptStep]:
    """What was called where others make the step that this run skips."""
    return (
        step
        for step, column in way
        if column is not None and column >= feature.place and feature.turn in (-1, step.turn)
    )


def _times(feature: Feature, way: Way) -> Iterator[AttemptStep]:
    return islice(_made(feature, way), int(feature.number or 1) - 1, None)


def _in_a_row(feature: Feature, way: Way) -> Iterator[AttemptStep]:
    length = 0
    for step, _column in way:
        length = length + 1 if step.label == feature.label else 0
        if length >= (feature.number or 1):
            yield step


def _giving(holds: _Is) -> Callable[[Feature, Way], Iterator[AttemptStep]]:
    def found(feature: Feature, way: Way) -> Iterator[AttemptStep]:
        for step in _made(feature, way):
            if any(path == feature.argument and holds(feature, value) for path, value in leaves(step.args)):
                yield step

    return found


def _is_least(feature: Feature, value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= (feature.number or 0)


def _with_error(feature: Feature, way: Way) -> Iterator[AttemptStep]:
    return (step for step in _made(feature, way) if step.is_error)


def _other(feature: Feature, way: Way) -> Iterator[AttemptStep]:
    return (step for step, _column in way if step.label == feature.other)


# What has no row shows in no single call: times, how many calls, an early stop.
_PRESENT: Mapping[FeatureKind, Callable[[Feature, Way], Iterator[AttemptStep]]] = {
    FeatureKind.STEP: _made,
    FeatureKind.STEP_IN_TURN: _made,
    FeatureKind.TIMES: _times,
    FeatureKind.REPEATS: _in_a_row,
    FeatureKind.ARGUMENT: _giving(lambda _feature, _value: True),
    FeatureKind.VALUE: _giving(lambda feature, value: value_words(value) == feature.value),
    FeatureKind.TYPE: _giving(lambda feature, value: type_name(value) == feature.value),
    FeatureKind.RANGE: _giving(_is_least),
    FeatureKind.ERROR: _with_error,
    FeatureKind.ORDER: _made,
}
_ABSENT: Mapping[FeatureKind, Callable[[Feature, Way], Iterator[AttemptStep]]] = {
    FeatureKind.STEP: _instead,
    FeatureKind.STEP_IN_TURN: _instead,
    FeatureKind.ARGUMENT: _made,
    FeatureKind.VALUE: _made,
    FeatureKind.TYPE: _made,
    FeatureKind.RANGE: _made,
    FeatureKind.ORDER: _other,
}
