"""From two or three files to their differences: which conversations belong together, and what sets them apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

from trace_inspector.core.contents import Contents
from trace_inspector.core.errors import UsageError
from trace_inspector.core.golden import Case, as_case, as_trace
from trace_inspector.engine.differences.compared import compared
from trace_inspector.engine.differences.comparison import Differences, SidePair
from trace_inspector.engine.differences.rule import Comparison
from trace_inspector.engine.pairing import Golden, Recorded, pair
from trace_inspector.flows.given_files import open_given
from trace_inspector.flows.input_notes import input_notes


@dataclass(frozen=True, slots=True)
class Side:
    """The conversations of one file, or of a folder, and what is wrong with it."""

    path: str
    cases: tuple[Case, ...]
    notes: tuple[str, ...]


def compare(paths: Sequence[Path], rule: Comparison) -> Differences:
    """Two files against each other; of three each against each, the first being the golden."""
    sides = [_side(path, golden=at == 0 and len(paths) > 2) for at, path in enumerate(paths)]
    letters = "ABC"
    pairs = list(combinations(range(len(sides)), 2))
    return Differences(
        rule,
        tuple(
            _compared(f"{letters[at]}–{letters[to]}" if len(pairs) > 1 else "", sides[at], sides[to], rule)
            for at, to in pairs
        ),
        tuple(dict.fromkeys(note for side in sides for note in side.notes)),
    )


def _side(path: Path, *, golden: bool) -> Side:
    """What was recorded in a file, else what it expects; of the golden of three files the other way round."""
    given = open_given([path])
    cases = [case for one in given for case in _goldens(one.contents)]
    traces = [as_case(trace) for one in given for trace in one.contents.traces]
    found = (cases or traces) if golden else (traces or cases)
    if not found:
        raise UsageError("There is no conversation in it that could be compared.", path=str(path))
    notes = input_notes((one.path, one.contents) for one in given)
    return Side(str(path), tuple(found), tuple(notes))


def _goldens(contents: Contents) -> Iterator[Case]:
    """The scripted cases, each with what the file states for all of them behind what it states itself."""
    stated = contents.criteria.items if contents.criteria else ()
    for suite in contents.suites:
        for case in suite.cases:
            if case.scenario is None:
                yield replace(case, criteria=(*case.criteria, *stated)) if stated else case


def _compared(label: str, left: Side, right: Side, rule: Comparison) -> SidePair:
    pairs = tuple(compared(here, there, rule) for here, there in _together(left, right))
    return SidePair(label, left.path, right.path, pairs)


def _together(left: Side, right: Side) -> list[tuple[Case | None, Case | None]]:
    """Conversations that belong together, in the order of the first side; one each is meant to be compared."""
    if len(left.cases) == len(right.cases) == 1:
        return [(left.cases[0], right.cases[0])]
    goldens = [Golden(case, left.path) for case in left.cases]
    found = pair([Recorded(as_trace(case), right.path) for case in right.cases], goldens)
    by_golden: dict[int | None, list[Case]] = {}
    for pairing, case in zip(found, right.cases, strict=True):
        by_golden.setdefault(pairing.golden, []).append(case)
    rows: list[tuple[Case | None, Case | None]] = []
    for at, case in enumerate(left.cases):
        rows += [(case, other) for other in by_golden.get(at, [None])]
    return [*rows, *((None, case) for case in by_golden.get(None, []))]
