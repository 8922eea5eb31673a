"""Aligns the runs of open files and finds what failing ones have in common, in a child that ends with its answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

if TYPE_CHECKING:
    from trace_inspector.engine.braid.attempts import Attempt
    from trace_inspector.engine.braid.columns import Braid
    from trace_inspector.engine.braid.findings import Explanation
    from trace_inspector.engine.braid.first_wrong import WrongCall


class ExplainOpen(Struct, frozen=True):
    """Explain open files, by the verdicts of a run where it is about them; all cases, or one."""

    paths: tuple[str, ...]
    run_id: str = ""
    case: str = ""


class Strand(Struct, frozen=True):
    """How many runs go from a step to another one, each as (column, branch), and how many of these passed."""

    start: tuple[int, int]
    end: tuple[int, int]
    runs: int
    passed: int


class BraidShown(Struct, frozen=True):
    """An explanation as it is painted: the steps of single runs are left out."""

    explanation: Explanation
    strands: tuple[Strand, ...]
    notes: tuple[str, ...]
    cases: tuple[str, ...]
    wrong: Mapping[str, tuple[WrongCall, ...]] = {}  # the first wrong calls of runs, by the sentence of the finding


def explain_service() -> Callable[[ExplainOpen], BraidShown]:
    """Answers with what was found."""
    from trace_inspector.flows.runs.explain_files import explain_open

    def explained(asked: ExplainOpen) -> BraidShown:
        found = explain_open(asked.paths, asked.run_id, asked.case)
        whole = found.explanation
        shown = replace(
            whole,
            attempts=tuple(replace(attempt, steps=()) for attempt in whole.attempts),
            braid=replace(whole.braid, visits=()),
        )
        strands = tuple(_strands(whole.braid, whole.attempts))
        return BraidShown(shown, strands, found.notes, found.cases, _wrong(whole))

    return explained


def _wrong(whole: Explanation) -> dict[str, tuple[WrongCall, ...]]:
    from trace_inspector.engine.braid.first_wrong import wrong_calls
    from trace_inspector.engine.braid.words import sentence

    listed = (one for lead in whole.findings for one in (lead, *lead.same, *lead.follows))
    return {sentence(one): wrong_calls(one, whole.attempts, whole.braid) for one in listed}


def _strands(braid: Braid, attempts: Sequence[Attempt]) -> Iterator[Strand]:
    """The ways between steps."""
    branch_of = [{branch.label: number for number, branch in enumerate(column.branches)} for column in braid.columns]
    runs: Counter[tuple[tuple[int, int], tuple[int, int]]] = Counter()
    passed: Counter[tuple[tuple[int, int], tuple[int, int]]] = Counter()
    for attempt, visits in zip(attempts, braid.visits, strict=True):
        way = [
            (column, branch_of[column][step.label])
            for step, column in zip(attempt.steps, visits, strict=True)
            if column is not None
        ]
        for ends in pairwise(way):
            runs[ends] += 1
            passed[ends] += not attempt.failed
    for (start, end), count in sorted(runs.items()):
        yield Strand(start, end, count, passed[start, end])
