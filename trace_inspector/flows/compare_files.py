"""From two or three files to their differences: which conversations belong together, and what sets them apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path

from trace_inspector.core.contents import Contents
from trace_inspector.core.errors import UsageError
from trace_inspector.core.golden import Case, as_case, as_trace
from trace_inspector.core.summary import one_line
from trace_inspector.engine.differences.compared import compared
from trace_inspector.engine.differences.comparison import Differences, SidePair
from trace_inspector.engine.differences.rule import Comparison
from trace_inspector.engine.pairing import Golden, Recorded, pair
from trace_inspector.engine.side_by_side.table import tables_of
from trace_inspector.flows.given_files import open_given
from trace_inspector.flows.input_notes import input_notes


@dataclass(frozen=True, slots=True)
class Side:
    """The conversations of one file, or of a folder, and what is wrong with it."""

    path: str
    cases: tuple[Case, ...]
    notes: tuple[str, ...]


def compare(paths: Sequence[Path], rule: Comparison, *, tables: bool = True) -> Differences:
    """Two files against each other; of three each against each, the first being the golden.

    Without `tables` nothing is put on common rows: lines and data have no use for them.
    """
    sides = [_side(path, golden=at == 0 and len(paths) > 2) for at, path in enumerate(paths)]
    letters = "ABC"
    found = {(at, to): _together(sides[at], sides[to]) for at, to in combinations(range(len(sides)), 2)}
    return Differences(
        rule,
        tuple(
            SidePair(
                f"{letters[at]}–{letters[to]}" if len(found) > 1 else "",
                sides[at].path,
                sides[to].path,
                tuple(compared(here, there, rule) for here, there in together.rows),
                tuple(together.doubts()),
            )
            for (at, to), together in found.items()
        ),
        tuple(dict.fromkeys(note for side in sides for note in side.notes)),
        tables_of({both: together.rows for both, together in found.items()}, rule) if tables else (),
    )


def _side(path: Path, *, golden: bool) -> Side:
    """What was recorded in a file, else what it expects; of the golden of three files the other way round.

    Of a folder each file speaks for itself: one recording says nothing of the goldens of the others.
    """
    given = open_given([path])
    found: list[Case] = []
    for one in given:
        cases = list(_goldens(one.contents))
        traces = [as_case(trace) for trace in one.contents.traces]
        found += (cases or traces) if golden else (traces or cases)
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


@dataclass(slots=True)
class _Together:
    """Which conversations belong together; `alike` could have been others, `again` are further ones of a pair."""

    rows: list[tuple[Case | None, Case | None]]
    alike: list[Case] = field(default_factory=list)
    again: list[Case] = field(default_factory=list)

    def doubts(self) -> Iterator[str]:
        """What a person should know of it."""
        if self.alike:
            yield f"{_named(self.alike, 'fits', 'fit')} several equally well: put together in the order of the files."
        if self.again:
            yield f"{_named(self.again, 'stands', 'stand')} alone: what belongs there has a counterpart already."


def _together(left: Side, right: Side) -> _Together:
    """Each conversation with one other at most, in the order of the first side; one each is meant to be compared."""
    if len(left.cases) == len(right.cases) == 1:
        return _Together([(left.cases[0], right.cases[0])])
    goldens = [Golden(case, left.path) for case in left.cases]
    recorded = [Recorded(as_trace(case), right.path) for case in right.cases]
    found = pair(recorded, goldens)
    has_id = [one.golden is not None or bool(one.among) for one in pair(recorded, goldens, "id")]
    partner: dict[int, int] = {}
    together = _Together([])
    left_over: dict[int, Iterator[int]] = {}  # of what several fit; all of them have the same tuple
    # The surest choose first: what merely asks the same must not take the place of what has the id.
    for to in sorted(range(len(found)), key=lambda to: (not has_id[to], found[to].golden is None)):
        pairing = found[to]
        fits = iter((pairing.golden,)) if pairing.golden is not None else iter(pairing.among)
        fits = left_over.setdefault(id(pairing.among), fits) if pairing.among else fits
        free = next((at for at in fits if at not in partner), None)
        if free is not None:
            partner[free] = to
            if pairing.among:
                together.alike.append(right.cases[to])
        elif pairing.among or pairing.golden is not None:
            together.again.append(right.cases[to])
    taken = set(partner.values())
    together.rows += (
        (case, right.cases[partner[at]] if at in partner else None) for at, case in enumerate(left.cases)
    )
    together.rows += ((None, case) for to, case in enumerate(right.cases) if to not in taken)
    return together


def _named(cases: Sequence[Case], does: str, do: str) -> str:
    """The first by its name, as what a sentence is about."""
    first = f"“{one_line(cases[0].id, 60)}”"
    return f"{first} {does}" if len(cases) == 1 else f"{first} and {len(cases) - 1:,} more {do}"
