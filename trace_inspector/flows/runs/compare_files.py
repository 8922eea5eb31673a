"""Compare the conversations of two or three files: pair them, then list their differences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from trace_inspector.core.errors import UsageError
from trace_inspector.core.golden.golden import Case, as_case, as_trace
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.summary import one_line
from trace_inspector.engine.pairing.pairing import Golden, Pairing, Recorded, agreement, pair
from trace_inspector.engine.trace_diff.compared import compared
from trace_inspector.engine.trace_diff.rule import ComparisonRule
from trace_inspector.engine.trace_grid.comparison import Differences, SidePair
from trace_inspector.flows.opening.given_files import open_given
from trace_inspector.flows.opening.input_notes import input_notes, is_broken
from trace_inspector.flows.runs.criteria_files import criteria_by_case

if TYPE_CHECKING:
    from trace_inspector.engine.trace_grid.table import ConversationTable


class FileSide(Struct, frozen=True, dict=True):  # a dict for the cached properties
    """The conversations of a file or folder, notes on its problems, and whether all of it could be read."""

    path: str
    cases: tuple[Case, ...]
    notes: tuple[str, ...]
    is_whole: bool

    @cached_property
    def ids(self) -> Counter[str]:
        """The number of conversations with each id."""
        return Counter(case.id for case in self.cases)


def compare(paths: Sequence[Path], rule: ComparisonRule, *, tables: bool = True) -> Differences:
    """Compare two files, or each pair of three files, the first being the golden.

    `tables`: build the grids with common rows, which only some reports show.
    """
    sides = [_side(path, golden=index == 0 and len(paths) > 2) for index, path in enumerate(paths)]
    letters = "ABC"
    pairings = {
        (index, other): _together(sides[index], sides[other]) for index, other in combinations(range(len(sides)), 2)
    }
    return Differences(
        rule,
        tuple(
            SidePair(
                f"{letters[index]}–{letters[other]}" if len(pairings) > 1 else "",
                sides[index].path,
                sides[other].path,
                tuple(compared(here, there, rule) for here, there in together.rows),
                tuple(together.doubts()),
            )
            for (index, other), together in pairings.items()
        ),
        tuple(dict.fromkeys(note for side in sides for note in side.notes)),
        tables=_tables(pairings, rule) if tables else (),
        is_whole=all(side.is_whole for side in sides),
    )


def _tables(pairings: Mapping[tuple[int, int], _Together], rule: ComparisonRule) -> tuple[ConversationTable, ...]:
    from trace_inspector.engine.trace_grid.table import tables_of

    return tables_of({both: together.rows for both, together in pairings.items()}, rule)


def _side(path: Path, *, golden: bool) -> FileSide:
    """The recordings of a file, else its scripted cases; the other way round for the golden of three files.

    In a folder each file is decided by itself: one recording says nothing about the goldens of others.
    """
    given = open_given([path])
    conversations: list[Case] = []
    for file in given:
        cases = list(_goldens(file.contents))
        traces = [as_case(trace) for trace in file.contents.traces]
        conversations += (cases or traces) if golden else (traces or cases)
    if not conversations:
        raise UsageError("It contains no conversation to compare.", path=str(path))
    notes = input_notes((file.path, file.contents) for file in given)
    return FileSide(
        str(path), tuple(conversations), tuple(notes), not any(is_broken(file.contents) for file in given)
    )


def _goldens(contents: Contents) -> Iterator[Case]:
    """The scripted cases, each with its own criteria, then those of its result or its file."""
    of_file = contents.criteria.items if contents.criteria else ()
    by_case = criteria_by_case(contents)
    for suite in contents.suites:
        for case in suite.cases:
            if case.scenario is None:
                stated = by_case.get((case.place, case.id), of_file)
                yield replace(case, criteria=(*case.criteria, *stated)) if stated else case


class _Together(Struct):
    """The pairs of conversations; `alike` fit several equally well, `again` fit one that is already paired."""

    rows: list[tuple[Case | None, Case | None]]
    alike: list[Case] = field(default_factory=list)
    again: list[Case] = field(default_factory=list)

    def doubts(self) -> Iterator[str]:
        """Notes on doubtful pairs."""
        if self.alike:
            yield (
                f"{_named(self.alike, 'fits', 'fit')} several equally well; they were paired in the order of the "
                "files."
            )
        if self.again:
            yield (
                f"{_named(self.again, 'stands', 'stand')} without a counterpart: what they would pair with is "
                "paired already."
            )


def _together(left: FileSide, right: FileSide) -> _Together:
    """Pair each conversation with at most one other, in the order of the left side; one each are always paired."""
    if len(left.cases) == len(right.cases) == 1:
        return _Together([(left.cases[0], right.cases[0])])
    together = _Together([])
    partner: dict[int, int] = {}
    free, waiting = list(range(len(left.cases))), list(range(len(right.cases)))
    for _round in range(_MOST_ROUNDS):  # those whose counterpart is taken try the remaining ones
        chosen = _choices(left, right, free, waiting, together.alike)
        partner.update(chosen)
        free = [left_index for left_index in free if left_index not in chosen]
        waiting = [right_index for right_index in waiting if right_index not in chosen.values()]
        if not chosen or not free or not waiting:
            break
    pairings = pair(
        [_recorded(left, right, right_index) for right_index in waiting],
        [Golden(case, left.path) for case in left.cases],
    )
    together.again += (
        right.cases[right_index]
        for right_index, pairing in zip(waiting, pairings, strict=True)
        if pairing.golden is not None or pairing.among
    )
    together.rows += (
        (case, right.cases[partner[left_index]] if left_index in partner else None)
        for left_index, case in enumerate(left.cases)
    )
    together.rows += ((None, right.cases[right_index]) for right_index in waiting)
    return together


_MOST_ROUNDS = 16


def _choices(
    left: FileSide, right: FileSide, free: Sequence[int], waiting: Sequence[int], alike: list[Case]
) -> dict[int, int]:
    """The best pairs. Conversations that fit several equally well are noted in `alike`."""
    goldens = [Golden(left.cases[index], left.path) for index in free]
    recorded = [_recorded(left, right, right_index) for right_index in waiting]
    pairings = pair(recorded, goldens)
    by_id = [pairing.golden is not None or bool(pairing.among) for pairing in pair(recorded, goldens, "id")]

    def surest(right_index: int) -> tuple[bool, int, int, bool]:
        best = next(iter(_fitting(pairings[right_index])), None)
        shared, apart = agreement(goldens[best].case, recorded[right_index].trace) if best is not None else (0, 0)
        return not by_id[right_index], -shared, -apart, pairings[right_index].golden is None

    taken: dict[int, int] = {}
    left_over: dict[int, Iterator[int]] = {}  # candidates that several share; all of them have the same tuple
    # The same id goes before the same questions, and all questions before some of them.
    for right_index in sorted(range(len(pairings)), key=surest):
        fits = iter(_fitting(pairings[right_index]))
        fits = left_over.setdefault(id(pairings[right_index].among), fits) if pairings[right_index].among else fits
        index = next((index for index in fits if free[index] not in taken), None)
        if index is not None:
            taken[free[index]] = waiting[right_index]
            if pairings[right_index].among:
                alike.append(right.cases[waiting[right_index]])
    return taken


def _fitting(pairing: Pairing) -> tuple[int, ...]:
    return pairing.among if pairing.golden is None else (pairing.golden,)


def _recorded(left: FileSide, right: FileSide, index: int) -> Recorded:
    """A conversation of the right side. An id that each side has once matches in any suite."""
    trace = as_trace(right.cases[index])
    is_one = left.ids[right.cases[index].id] == right.ids[right.cases[index].id] == 1
    return Recorded(replace(trace, suite_id=None) if is_one else trace, right.path)


def _named(cases: Sequence[Case], does: str, do: str) -> str:
    """The subject of a sentence: the first case by name, and the number of the others."""
    first = f"“{one_line(cases[0].id, 60)}”"
    return f"{first} {does}" if len(cases) == 1 else f"{first} and {len(cases) - 1:,} more {do}"
