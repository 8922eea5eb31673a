"""Places after values were written anew: each value stands where the codec puts it, and references follow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar, cast

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.matcher import Matcher, Note
from trace_inspector.core.rows.codec import name_in_json
from trace_inspector.core.values.pointer import join
from trace_inspector.core.verdict.verdict import CaseVerdict, ExpectationVerdict, MetricVerdict, Sentence

Value = TypeVar("Value", bound=Struct)
_REFERRING = (Matcher, Note, Sentence, ExpectationVerdict)  # their places are those of other values


def at(value: Value, pointer: str, moved: dict[str, str]) -> Value:
    """The value with the places that its parts have when it stands at a pointer; old places are noted in `moved`."""
    return cast("Value", _placed(value, pointer, moved))


def referring(verdict: CaseVerdict, traces: Mapping[str, str], goldens: Mapping[str, str]) -> CaseVerdict:
    """The verdict with the new places of its conversation and golden, and of what it says of their parts."""
    turns = tuple(
        replace(turn, metrics=tuple(_metric(metric, traces, goldens) for metric in turn.metrics))
        for turn in verdict.turns
    )
    return replace(
        verdict,
        trace_place=traces.get(verdict.trace_place, ""),
        golden_place=goldens.get(verdict.golden_place, ""),
        metrics=tuple(_metric(metric, traces, goldens) for metric in verdict.metrics),
        turns=turns,
    )


def _metric(metric: MetricVerdict, traces: Mapping[str, str], goldens: Mapping[str, str]) -> MetricVerdict:
    if not metric.sentences and not metric.expectations:
        return metric
    sentences = tuple(replace(sentence, place=traces.get(sentence.place, "")) for sentence in metric.sentences)
    expectations = tuple(
        replace(
            expectation,
            place=traces.get(expectation.place, ""),
            golden_place=goldens.get(expectation.golden_place, ""),
        )
        for expectation in metric.expectations
    )
    return replace(metric, sentences=sentences, expectations=expectations)


def _placed(value: object, pointer: str, moved: dict[str, str]) -> object:
    if isinstance(value, tuple):
        items = tuple(_placed(item, join(pointer, index), moved) for index, item in enumerate(value))
        return items if any(new is not old for new, old in zip(items, value, strict=True)) else value
    if not isinstance(value, Struct) or isinstance(value, _REFERRING):
        return value
    changed: dict[str, object] = {}
    for name in value.__struct_fields__:
        old = getattr(value, name)
        if name == "place" and isinstance(old, str):
            moved.setdefault(old, pointer)
            changed[name] = pointer
        elif old and isinstance(old, Struct | tuple):
            new = _placed(old, join(pointer, name_in_json(type(value), name)), moved)
            if new is not old:
                changed[name] = new
    if isinstance(value, Case):
        changed |= _beside(value, pointer, moved)
    return replace(value, **changed) if changed else value


def _beside(case: Case, pointer: str, moved: Mapping[str, str]) -> dict[str, object]:
    """What a person wrote beside a golden names the places of its parts."""
    return {
        "matchers": tuple(replace(matcher, place=_followed(matcher.place, moved)) for matcher in case.matchers),
        "notes": tuple(replace(note, place=_followed(note.place, moved)) for note in case.notes),
        "final_state_place": join(pointer, "final_state") if case.final_state is not None else "",
    }


def _followed(place: str, moved: Mapping[str, str]) -> str:
    """Where a place inside a value that moved is now; it is the same way down, as arguments keep their names."""
    head, rest = place, ""
    while head and head not in moved:
        head, _slash, last = head.rpartition("/")
        rest = f"/{last}{rest}"
    return moved.get(head, head) + rest
