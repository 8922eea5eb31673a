"""What is asked in a review: turns of the open files, by what is seen of them and by a seed."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.review.label import Label, Level
from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.rows.safe_unpickle import unpack
from trace_inspector.core.trace.long_turn import with_whole_turns
from trace_inspector.core.trace.trace import Trace, Turn
from trace_inspector.core.translatable import N_
from trace_inspector.core.verdict.verdict import CaseVerdict, Status
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.row_table import RowTable
from trace_inspector.models.evaluation.current_run import CurrentRun

if TYPE_CHECKING:
    from trace_inspector.flows.review.queue import Candidate

MOST_CANDIDATES = 200_000
_LOOKED_AT = 200  # conversations of a file
_UNDECIDED = (Status.NOT_EVALUATED, Status.PENDING, Status.ERROR)


class Source(Struct, frozen=True):
    """Where a queue is drawn from: `by` is one of the orders of `flows.review.queue`."""

    title: str
    is_wanted: Callable[[Candidate], bool] = lambda _candidate: True
    by: str = ""
    filtered: bool = False  # only what the filter shows
    tells: bool = False  # who is asked about these knows what the judge said


SOURCES: dict[str, Source] = {
    "any": Source(N_("Any turns, at random")),
    "filter": Source(N_("What the filter shows"), filtered=True),
    "failing": Source(N_("What failed"), lambda candidate: candidate.status is Status.FAILED, tells=True),
    "undecided": Source(N_("What is undecided"), lambda candidate: candidate.status in _UNDECIDED),
    "verdict": Source(N_("Equally many of each verdict"), by="verdict"),
    "votes": Source(N_("Where the judge’s votes differ most"), by="votes"),
    "threshold": Source(N_("Scores next to the threshold"), by="threshold"),
    "grounding": Source(N_("Where judge and grounding disagree"), by="grounding"),
}


class Drawing(Struct, frozen=True):
    """What to ask: from where, how many, with which seed; one question, by whom, and whether blind.

    `again` is the share of what other raters have answered that is asked again.
    """

    source: str = "any"
    count: int = 50
    seed: int = 1
    question: str = ""
    rater: str = ""
    blind: bool = True
    again: float = 1.0


class Draw:
    """Goes through the turns a few at a time: `step` is called until it gives a queue."""

    def __init__(
        self,
        drawing: Drawing,
        files: list[OpenFile],
        run: CurrentRun | None,
        answered: Container[tuple[str, str]] = frozenset(),
    ) -> None:
        self._drawing = drawing
        self._answered = answered
        self._source = SOURCES[drawing.source]
        self._found: list[Candidate] = []
        self._steps = self._go(files, run)

    def step(self) -> list[Label] | None:
        """One conversation more. The queue once all were looked at, None before."""
        if next(self._steps, self) is not self and len(self._found) < MOST_CANDIDATES:
            return None
        from trace_inspector.flows.review.queue import asked_again, drawn

        drawing = self._drawing
        asked = asked_again(self._found, self._answered, drawing.again, drawing.seed)
        labels = drawn(asked, drawing.count, drawing.seed, self._source.by)
        return [replace(label, blind=drawing.blind) for label in labels]

    def _go(self, files: list[OpenFile], run: CurrentRun | None) -> Iterator[None]:
        from trace_inspector.flows.review.candidates import Judged, candidates

        for file in files:
            for top in file.table.tops:
                trace = self._trace(file.table, top)
                if trace is not None:
                    judged = Judged(str(file.path), trace, tuple(_verdicts(file, top, run)))
                    found = candidates([judged], Level.TURN, self._drawing.question)
                    self._found += filter(self._source.is_wanted, found)
                    yield

    def _trace(self, table: RowTable, top: int) -> Trace | None:
        """A conversation, of those that the filter leaves the turns that it shows."""
        head = table.body(top) if table.kind(top) is Kind.TRACE else None
        if not isinstance(head, Trace):
            return None
        shown = set(table.visible_children(top)) if self._source.filtered else None
        rows = [row for row in table.turns(top) if shown is None or row in shown]
        turns = [turn for row in rows if (turn := whole_turn(table, row)) is not None]
        return replace(head, turns=tuple(turns)) if turns else None


def criteria_with_rubrics(files: Iterable[OpenFile], run: CurrentRun | None) -> frozenset[str]:
    """The names of criteria that decided by rubrics, in the first conversations of each file."""
    tops = ((file, top) for file in files for top in file.table.tops[:_LOOKED_AT])
    verdicts = (verdict for file, top in tops for verdict in _verdicts(file, top, run))
    metrics = (metric for case in verdicts for turn in case.turns for metric in turn.metrics)
    return frozenset(metric.metric for metric in metrics if metric.rubrics)


def whole_turn(table: RowTable, row: int) -> Turn | None:
    """A turn with all its events, however many bodies it is kept in; None where they cannot be read."""
    bodies = table.bodies()
    whole = with_whole_turns(unpack(bodies[number]) for number in table.turn_bodies(row))
    return next((body for body in whole if isinstance(body, Turn)), None)


def _verdicts(file: OpenFile, top: int, run: CurrentRun | None) -> Iterator[CaseVerdict]:
    if run is not None:
        yield from run.on(file).cases(top)
    reported = file.reported.case(top)
    if reported is not None:
        yield reported
