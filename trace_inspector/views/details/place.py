"""What Details shows: one row of a file with everything around it that its blocks ask for."""

from __future__ import annotations

from dataclasses import dataclass

from trace_inspector.core.align import CallPair, Policy
from trace_inspector.core.parts import ToolCall
from trace_inspector.core.rows import Kind
from trace_inspector.core.trace import Turn, calls_of
from trace_inspector.core.verdict import CaseVerdict, MetricVerdict, TurnVerdict
from trace_inspector.models.open_file import OpenFile
from trace_inspector.models.row_table import TOP, Thing
from trace_inspector.models.selection import Selection
from trace_inspector.models.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Place:
    """A row, looked up once. A ghost has a kind and a label, and nothing of its own in the file."""

    workspace: Workspace
    file: OpenFile
    row: int
    kind: Kind
    thing: Thing
    turn: Turn | None

    @property
    def mark(self) -> str:
        """The row's mark."""
        return self.workspace.mark_of(self.file.number, self.row)

    @property
    def turn_verdict(self) -> TurnVerdict | None:
        """The verdict on its turn."""
        return self.workspace.turn_verdict(self.file.number, self.row)

    @property
    def case_verdict(self) -> CaseVerdict | None:
        """The verdict on its case or trace."""
        return self.workspace.case_verdict(self.file.number, self.row)

    @property
    def reported_turn(self) -> TurnVerdict | None:
        """What the file itself says of its turn."""
        return self.file.reported.turn(self.row)

    @property
    def reported_case(self) -> CaseVerdict | None:
        """What the file itself says of its trace."""
        return self.file.reported.case(self.row)

    def metrics(self) -> tuple[MetricVerdict, ...]:
        """What was decided about the turn it lies in, else about the case or trace."""
        verdict = self.turn_verdict if self.file.table.turn_of(self.row) != TOP else None
        if verdict is not None:
            return verdict.metrics
        case = self.case_verdict if self.file.table.turn_of(self.row) == TOP else None
        return case.metrics if case else ()

    def judged_sentences(self) -> MetricVerdict | None:
        """The verdict that speaks about sentences."""
        return next((metric for metric in self.metrics() if metric.sentences), None)


def place_of(workspace: Workspace, selection: Selection | None) -> Place | None:
    """Look a selection up; None when it is a file as a whole, or gone."""
    file = workspace.file(selection.file) if selection else None
    if selection is None or file is None or selection.row == TOP or not file.table.has(selection.row):
        return None
    table, row = file.table, selection.row
    kind = table.kind(row)
    ghost = table.ghost(row) is not None
    body = None if ghost else table.body(row)
    return Place(
        workspace, file, row, kind, None if ghost else table.thing(row), body if isinstance(body, Turn) else None
    )


@dataclass(frozen=True, slots=True)
class CallCompared:
    """A call beside the golden's, and the verdict that compared them."""

    pair: CallPair
    verdict: MetricVerdict
    expected: ToolCall | None
    observed: ToolCall | None
    rule: str = ""  # how calls are matched, in the criterion's own word


def compared_calls(place: Place) -> list[CallCompared]:
    """How the calls of the place's turn fared, in order."""
    verdict = next((metric for metric in place.metrics() if metric.calls), None)
    if verdict is None or place.turn is None:
        return []
    golden = golden_turn(place)
    wanted, made = calls_of(golden) if golden else [], calls_of(place.turn)
    rule = _rule(place, verdict.metric)
    return [
        CallCompared(pair, verdict, _at(wanted, pair.expected), _at(made, pair.observed), rule)
        for pair in verdict.calls
    ]


def differing_calls(place: Place) -> list[CallCompared]:
    """Those that are not as the golden wants them."""
    return [call for call in compared_calls(place) if call.pair.counts(Policy.EXACT)]


def golden_turn(place: Place) -> Turn | None:
    """The golden's turn that the place's turn was held against, when the golden is still open."""
    case, verdict, run = place.case_verdict, place.turn_verdict, place.workspace.run
    if case is None or verdict is None or verdict.golden_index is None or run is None:
        return None
    for file in place.workspace.files:
        if str(file.path) != case.golden_path:
            continue
        top = run.on(file).row_at(case.golden_place, case.case_id)
        rows = file.table.turns(top) if top != TOP else ()
        body = file.table.body(rows[verdict.golden_index]) if verdict.golden_index < len(rows) else None
        return body if isinstance(body, Turn) else None
    return None


def _rule(place: Place, metric: str) -> str:
    run = place.workspace.run
    criteria = run.verdict.criteria if run and run.verdict else ()
    options = next((options for name, _threshold, options in criteria if name == metric), {})
    told = options.get("match_type", options.get("matchType", "EXACT"))
    ignoring = options.get("ignore_args", options.get("ignoreArgs"))
    return f"{told}, arguments ignored" if ignoring is True else str(told)


def _at(calls: list[ToolCall], index: int | None) -> ToolCall | None:
    return calls[index] if index is not None and index < len(calls) else None
