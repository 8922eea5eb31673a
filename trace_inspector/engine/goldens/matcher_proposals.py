"""Proposes matchers from several passing runs: an argument that varies among them cannot be compared exactly."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import reduce

from msgspec import Struct

from trace_inspector.core.alignment.turn_alignment import CallMatch, align_calls
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.trace.summary import compact
from trace_inspector.core.trace.trace import Trace, Turn, calls_of
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.value_edits import is_below
from trace_inspector.core.values.values import ABSENT, Absent, Json
from trace_inspector.documents.text.patch import shared_start

LEAST_RUNS = 2
_PAIRED = (CallMatch.SAME, CallMatch.ARGUMENTS)
_LEAST_SHARED = 4  # characters; a shorter shared text may be chance
_WIDEST = 0.5  # of the largest number; a greater tolerance allows nearly everything
_LARGEST = 1e300  # larger integers cannot be converted to the fraction of a tolerance
_MOST_SHOWN = 3
_FORMS = (
    ("an id", re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"),
     "^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$"),
    ("a date", re.compile(r"\d{4}-\d{2}-\d{2}"), r"^\d{4}-\d{2}-\d{2}$"),
    ("a moment", re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}\S*"),
     r"^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}"),
    ("a number", re.compile(r"\d+"), r"^\d+$"),
)  # fmt: skip


class Proposal(Struct, frozen=True):
    """A matcher for an argument. `call` is the call's place, the matcher's own place is relative to its args."""

    turn: str
    call: str
    matcher: Matcher
    because: str
    runs: int
    number: int = 0  # of its row, where a coding agent made it


def proposed(case: Case, runs: Sequence[Sequence[tuple[Turn, Turn]]], least: int = LEAST_RUNS) -> Iterator[Proposal]:
    """Matchers for a case from its runs, given as pairs of golden and observed turns, where it has none yet."""
    for turn in case.turns:
        expected = calls_of(turn)
        seen: dict[int, list[ToolCall]] = {index: [] for index in range(len(expected))}
        for run in runs:
            observed = next((calls_of(made) for golden, made in run if golden.place == turn.place), [])
            for pair in align_calls(expected, observed):
                if pair.match in _PAIRED and pair.expected is not None and pair.observed is not None:
                    seen[pair.expected].append(observed[pair.observed])
        for index, calls in seen.items():
            if len(calls) >= least:
                yield from _of_call(case, turn, expected[index], calls)


def turn_pairs(case: Case, trace: Trace) -> list[tuple[Turn, Turn]]:
    """Golden and observed turns paired by position."""
    return list(zip(case.turns, trace.turns, strict=False))


def _of_call(case: Case, turn: Turn, expected: ToolCall, made: Sequence[ToolCall]) -> Iterator[Proposal]:
    around = f"{expected.place}/args"
    covered = [matcher.place for matcher in case.matchers if is_below(matcher.place, around)]
    expected_args = expected.args if isinstance(expected.args, dict) else {}
    given = [call.args if isinstance(call.args, dict) else {} for call in made]
    for name in dict.fromkeys([*expected_args, *(name for args in given for name in args)]):
        pointer = join("", name)
        if any(is_below(place, around + pointer) or is_below(around + pointer, place) for place in covered):
            continue
        suggestion = _suggestion(expected_args.get(name, ABSENT), [args.get(name, ABSENT) for args in given])
        if suggestion is not None:
            match, text, absolute, because = suggestion
            yield Proposal(turn.place, expected.place, Matcher(pointer, match, text, absolute), because, len(made))


def suggested(expected: Json | Absent, given: Sequence[Json | Absent]) -> Matcher | None:
    """How to compare an argument so that all these values are good; None where they are as expected already."""
    suggestion = _suggestion(expected, given)
    return None if suggestion is None else Matcher("", suggestion[0], suggestion[1], suggestion[2])


_Suggestion = tuple[Match, str, float | None, str]


def _suggestion(expected: Json | Absent, given: Sequence[Json | Absent]) -> _Suggestion | None:
    """How to compare one argument; None where all are as expected."""
    if all(not isinstance(value, Absent) and value == expected for value in given):
        return None
    missing = sum(isinstance(value, Absent) for value in given)
    if isinstance(expected, Absent) or missing:
        return Match.IGNORE, "", None, f"missing in {missing or len(given)} of {len(given)} runs"
    stated = [expected, *(value for value in given if not isinstance(value, Absent))]
    for suggest in _SUGGESTERS:
        suggestion = suggest(stated)
        if suggestion is not None:
            return suggestion
    return Match.IGNORE, "", None, f"another one in each run: {_shown(stated)}"


def _numbers(stated: Sequence[Json]) -> _Suggestion | None:
    numbers = [value for value in stated if isinstance(value, int | float) and not isinstance(value, bool)]
    if len(numbers) < len(stated) or not all(-_LARGEST <= value <= _LARGEST for value in numbers):
        return None
    apart = max(abs(value - numbers[0]) for value in numbers)
    if apart > _WIDEST * max(map(abs, numbers)):
        return None
    return Match.TOLERANCE, "", apart, f"between {min(numbers):g} and {max(numbers):g}"


def _texts(stated: Sequence[Json]) -> _Suggestion | None:
    texts = [value for value in stated if isinstance(value, str)]
    if len(texts) < len(stated):
        return None
    for kind, form, pattern in _FORMS:
        if all(form.fullmatch(text) for text in texts):
            return Match.REGEXP, pattern, None, f"always {kind}: {_shown(stated)}"
    shared = _shared(texts)
    if len(shared) >= _LEAST_SHARED:
        return Match.CONTAINS, shared, None, f"all have “{compact(shared, 60)}” in them"
    return None


def _shared(texts: Sequence[str]) -> str:
    """The shortest text if all others contain it, else the common beginning or end, cut at a word."""
    shortest = min(texts, key=len)
    if all(shortest in text for text in texts):
        return shortest.strip()
    begins = _beginning(texts)
    ends = _beginning([text[::-1] for text in texts])[::-1]
    whole_begin = begins[: begins.rfind(" ") + 1].strip()
    whole_end = ends[ends.find(" ") + 1 :].strip() if " " in ends else ""
    return max(whole_begin, whole_end, key=len)


def _beginning(texts: Sequence[str]) -> str:
    return reduce(lambda left, right: left[: shared_start(left, right)], texts)


def _holders(stated: Sequence[Json]) -> _Suggestion | None:
    expected, *given = stated
    if all(_has(value, expected) for value in given) and isinstance(expected, dict | list):
        return Match.SUBSET, "", None, "each run has at least what is expected"
    return None


def _has(given: Json, expected: Json) -> bool:
    if isinstance(expected, dict):
        return isinstance(given, dict) and all(name in given and given[name] == expected[name] for name in expected)
    return isinstance(expected, list) and isinstance(given, list) and all(item in given for item in expected)


_SUGGESTERS: Sequence[Callable[[Sequence[Json]], _Suggestion | None]] = (_numbers, _texts, _holders)


def _shown(values: Sequence[Json]) -> str:
    different: list[str] = list(dict.fromkeys(compact(value, 30) for value in values))
    return ", ".join(different[:_MOST_SHOWN]) + (" …" if len(different) > _MOST_SHOWN else "")
