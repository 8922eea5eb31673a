"""What Details shows: one row of a file with everything around it that its blocks ask for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from trace_inspector.core.alignment.turn_alignment import CallPair, Policy
from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.trace.long_turn import TurnPart
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.trace.summary import call_line
from trace_inspector.core.trace.trace import Turn, calls_of
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, TurnVerdict
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.row_table import TOP, RowTable, Thing
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.evaluation.sentence_verdicts import shown_sentences
from trace_inspector.models.golden.golden_finder import golden_file
from trace_inspector.models.workspace.workspace import Workspace


class Place(Struct, frozen=True):
    """A row, looked up once. A ghost has a kind and a label, and nothing of its own in the file."""

    workspace: Workspace
    file: OpenFile
    row: int
    kind: Kind
    thing: Thing
    turn: Turn | None  # of a long one without its events and spans: they are read by their rows

    @property
    def mark(self) -> str:
        """The row's mark."""
        return self.workspace.verdicts.mark_of(self.file.number, self.row)

    @property
    def turn_verdict(self) -> TurnVerdict | None:
        """The verdict on its turn."""
        return self.workspace.verdicts.turn(self.file.number, self.row)

    @property
    def case_verdict(self) -> CaseVerdict | None:
        """The verdict on its case or trace."""
        return self.workspace.verdicts.case(self.file.number, self.row)

    @property
    def reported_turn(self) -> TurnVerdict | None:
        """What the file itself reports of its turn."""
        return self.file.reported.turn(self.row)

    @property
    def reported_case(self) -> CaseVerdict | None:
        """What the file itself reports of its trace."""
        return self.file.reported.case(self.row)

    def metrics(self) -> tuple[MetricVerdict, ...]:
        """What was decided about the turn it lies in, else about the case or trace."""
        verdict = self.turn_verdict if self.file.table.turn_of(self.row) != TOP else None
        if verdict is not None:
            return verdict.metrics
        case = self.case_verdict if self.file.table.turn_of(self.row) == TOP else None
        return case.metrics if case else ()

    def judged_sentences(self) -> MetricVerdict | None:
        """The verdict that judges sentences."""
        return shown_sentences(self.metrics())


def place_of(workspace: Workspace, selection: Selection | None) -> Place | None:
    """Look a selection up; None when it is a file as a whole, or gone."""
    file = workspace.files.get(selection.file) if selection else None
    if selection is None or file is None or selection.row == TOP or not file.table.has(selection.row):
        return None
    table, row = file.table, selection.row
    kind = table.kind(row)
    ghost = table.ghost(row) is not None
    body = None if ghost else table.body(row)
    if isinstance(body, TurnPart):
        body = table.body(table.turn_of(row))
    return Place(
        workspace, file, row, kind, None if ghost else table.thing(row), body if isinstance(body, Turn) else None
    )


class Calls(Protocol):
    """The calls of a turn by their number."""

    def get(self, number: int | None) -> ToolCall | None:
        """That call; None when there is none."""

    def lines(self) -> list[str]:
        """Each in a line."""


class TurnCalls:
    """The calls of a turn at hand."""

    def __init__(self, turn: Turn) -> None:
        self._calls = calls_of(turn)

    def get(self, number: int | None) -> ToolCall | None:
        """That call; None when there is none."""
        return self._calls[number] if number is not None and number < len(self._calls) else None

    def lines(self) -> list[str]:
        """Each in a line."""
        return [call_line(call) for call in self._calls]


class RowCalls:
    """The calls of a row's turn, each opened when it is asked for; of no turn, none."""

    def __init__(self, table: RowTable, turn: int) -> None:
        self._table = table
        self._rows = table.calls(turn) if turn != TOP else ()

    def get(self, number: int | None) -> ToolCall | None:
        """That call; None when there is none."""
        thing = self._table.thing(self._rows[number]) if number is not None and number < len(self._rows) else None
        return thing if isinstance(thing, ToolCall) else None

    def lines(self) -> list[str]:
        """Each in a line."""
        return [self._table.label(row) for row in self._rows]


class CallCompared(Struct, frozen=True):
    """A call beside the golden's, and the verdict that compared them."""

    pair: CallPair
    verdict: MetricVerdict
    expected: ToolCall | None
    observed: ToolCall | None
    rule: str = ""  # how calls are matched, in the criterion's own word


def _any(_pair: CallPair) -> bool:
    return True


def compared_calls(place: Place, counts: Callable[[CallPair], bool] = _any) -> list[CallCompared]:
    """The comparisons of the place's turn that count, in order."""
    verdict = next((metric for metric in place.metrics() if metric.calls), None)
    if verdict is None or place.turn is None:
        return []
    expected, made = golden_calls(place), RowCalls(place.file.table, place.file.table.turn_of(place.row))
    rule = _rule(place, verdict.metric)
    return [
        CallCompared(pair, verdict, expected.get(pair.expected), made.get(pair.observed), rule)
        for pair in verdict.calls
        if counts(pair)
    ]


def differing_pairs(place: Place) -> list[CallPair]:
    """Those that differ from the golden's."""
    verdict = next((metric for metric in place.metrics() if metric.calls), None)
    return [pair for pair in verdict.calls if pair.counts(Policy.EXACT)] if verdict else []


def golden_turn(place: Place) -> Turn | None:
    """The golden's turn that the place's turn was compared with, when the golden is still open."""
    edited = _edited_golden_turn(place)
    if edited is not None:
        return edited
    table, row = _golden_place(place)
    body = table.body(row) if row != TOP else None
    return body if isinstance(body, Turn) else None


def golden_calls(place: Place) -> Calls:
    """The calls of that turn."""
    edited = _edited_golden_turn(place)
    return TurnCalls(edited) if edited is not None else RowCalls(*_golden_place(place))


def _edited_golden_turn(place: Place) -> Turn | None:
    """That turn after an edit that its rows do not show yet: verdicts follow edits sooner than rows do."""
    case, verdict = place.case_verdict, place.turn_verdict
    file = _golden_file(place)
    if case is None or verdict is None or file is None or verdict.golden_index is None:
        return None
    edited, top = place.workspace.goldens.edited(file.number), _golden_top(place, file)
    now = file.table.place_now(top) if edited is not None and top != TOP else None
    turns = edited.cases[now].turns if edited is not None and now is not None and now in edited.cases else ()
    return turns[verdict.golden_index] if verdict.golden_index < len(turns) else None


def _golden_place(place: Place) -> tuple[RowTable, int]:
    file, verdict = _golden_file(place), place.turn_verdict
    if file is None or verdict is None or verdict.golden_index is None:
        return place.file.table, TOP
    top = _golden_top(place, file)
    rows = file.table.turns(top) if top != TOP else ()
    return file.table, rows[verdict.golden_index] if verdict.golden_index < len(rows) else TOP


def _golden_file(place: Place) -> OpenFile | None:
    workspace = place.workspace
    return golden_file(workspace.files, workspace.run.value, Selection(place.file.number, place.row))


def _golden_top(place: Place, file: OpenFile) -> int:
    case, run = place.case_verdict, place.workspace.run.value
    return run.on(file).row_at(case.golden_place, case.case_id) if run is not None and case is not None else TOP


def _rule(place: Place, metric: str) -> str:
    run = place.workspace.run.value
    criteria = run.verdict.criteria if run and run.verdict else ()
    options = next((options for name, _threshold, options in criteria if name == metric), {})
    match_type = options.get("match_type", options.get("matchType", "EXACT"))
    ignoring = options.get("ignore_args", options.get("ignoreArgs"))
    return f"{match_type}, arguments ignored" if ignoring is True else str(match_type)
