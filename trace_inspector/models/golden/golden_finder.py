"""The golden of the selection: the case itself, or the one that the run compared the trace with."""

from __future__ import annotations

from collections.abc import Sequence

from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.trace.trace import Agent, Turn
from trace_inspector.core.values.relocate import relocated
from trace_inspector.core.verdict.verdict import CaseVerdict, TurnVerdict
from trace_inspector.models.base.edited_file import case_of
from trace_inspector.models.base.open_file import FileState, OpenFile
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.base.translation import tr
from trace_inspector.models.evaluation.current_run import CurrentRun
from trace_inspector.models.evaluation.evaluation import Evaluation
from trace_inspector.models.evaluation.shown_run import ShownRun
from trace_inspector.models.files.files import Files
from trace_inspector.models.golden.context import GoldenContext
from trace_inspector.models.golden.sessions import Goldens

MOST_CALLS = 2_000  # of an observed turn that are held beside the golden's


class GoldenFinder:
    """Looks goldens up; the last case is cached, because opening it means unpickling all its turns."""

    def __init__(self, files: Files, shown: ShownRun, evaluation: Evaluation, goldens: Goldens) -> None:
        self._files = files
        self._shown = shown
        self._evaluation = evaluation
        self._goldens = goldens
        self._opened: tuple[object, int, Case | None] = (None, TOP, None)

    def suite(self, selection: Selection | None) -> Suite | None:
        """The suite whose own row is selected, where goldens are in it."""
        file = self._files.get(selection.file) if selection is not None else None
        if selection is None or file is None or not file.has_cases or not file.table.has(selection.row):
            return None
        if file.table.kind(selection.row) is not Kind.SUITE:
            return None
        body = file.table.body(selection.row)
        return body if isinstance(body, Suite) else None

    def find(self, selection: Selection | None) -> GoldenContext | str:
        """The golden of a selection, or a sentence about why there is none and what to do."""
        file = self._files.get(selection.file) if selection is not None else None
        if selection is None or file is None or not file.table.has(selection.row):
            return tr("Choose a case or a turn in the tree to see its golden.")
        top = file.table.top_of(selection.row)
        if top == TOP:
            return tr("Choose a case or a turn in the tree to see its golden.")
        turn = file.table.turn_of(selection.row)
        if file.has_cases and isinstance(file.table.body(top), Case):
            return self._of_case(file, top, file.table.order_of(turn) if turn != TOP else None)
        return self._of_trace(file, top, turn)

    def _of_case(self, file: OpenFile, top: int, index: int | None) -> GoldenContext | str:
        run = self._shown.value
        verdict = run.on(file).case(top) if run is not None else None
        return self._context(file, top, index, verdict)

    def _of_trace(self, file: OpenFile, top: int, turn: int) -> GoldenContext | str:
        run = self._shown.value
        verdict = run.on(file).case(top) if run is not None else None
        if verdict is None:
            return tr("Evaluate (F5) to find the golden that belongs to this conversation.")
        golden = _stands_in(self._files, verdict)
        if golden is None:
            words = tr("No golden belongs to this turn. Promote it with Ctrl+G.")
            closed = tr("The golden was in a file that is closed now. Open it again to edit the golden.")
            return closed if verdict.golden_path else words
        if golden.state is not FileState.READY or run is None:
            return tr("The golden's file is still being read.")
        golden_top = run.on(golden).row_at(verdict.golden_place, verdict.case_id)
        if golden_top == TOP:
            return tr("The golden of this conversation is gone. Evaluate again (F5) to pair what is there now.")
        if turn == TOP:
            return self._context(golden, golden_top, None, verdict)
        judged = run.on(file).turn(turn)
        index = judged.golden_index if judged is not None else None
        if index is None:
            return tr("No golden belongs to this turn. Promote it with Ctrl+G.")
        return self._context(golden, golden_top, index, verdict)

    def _context(
        self, file: OpenFile, top: int, index: int | None, verdict: CaseVerdict | None
    ) -> GoldenContext | str:
        place = file.table.place_now(top)
        case = self._case(file, top, place) if place is not None else None
        if place is None or case is None or (index is not None and not 0 <= index < len(case.turns)):
            return tr("This golden is gone. Ctrl+Z brings it back.")
        if index is None and len(case.turns) == 1:
            index = 0
        judged = _turn_verdict(verdict, index)
        trace = _trace_of(self._files, self._shown.value, verdict)
        observed, calls, agents = _observed(trace, judged)
        own = file.table.agents(top, len(file.table))
        turn = case.turns[index] if index is not None else None
        return GoldenContext(
            self._files, self._shown, self._evaluation, self._goldens, file, place, case, index, turn, observed,
            calls, (*own, *agents), verdict, judged,
        )  # fmt: skip

    def _case(self, file: OpenFile, top: int, place: str) -> Case | None:
        """The case as edited; else as its rows show it."""
        edited = self._goldens.edited(file.number)
        if edited is not None and edited.process and place not in edited.places:
            return None
        if edited is not None and place in edited.cases:
            return edited.cases[place]
        if self._opened[:2] != (file.table, top):
            self._opened = (file.table, top, case_of(file.table, top))
        return relocated(self._opened[2], file.table.place(top), place)


def golden_file(files: Files, run: CurrentRun | None, selection: Selection) -> OpenFile | None:
    """The file of the golden that a run held the selected conversation against; None where there is none."""
    file = files.get(selection.file)
    if file is None or run is None or not file.table.has(selection.row):
        return None
    verdict = run.on(file).case(file.table.top_of(selection.row))
    return _stands_in(files, verdict) if verdict is not None else None


def observed_place(files: Files, run: CurrentRun | None, selection: Selection) -> Selection | None:
    """The conversation, or its turn, that a run held the selected golden against; None where there is none."""
    file = files.get(selection.file)
    if file is None or run is None or not file.table.has(selection.row):
        return None
    verdict = run.on(file).case(file.table.top_of(selection.row))
    trace = _trace_of(files, run, verdict)
    if trace is None or verdict is None:
        return None
    turn = file.table.turn_of(selection.row)
    if turn == TOP:
        return Selection(trace[0].number, trace[1])
    judged = _turn_verdict(verdict, file.table.order_of(turn))
    rows = trace[0].table.turns(trace[1])
    if judged is None or judged.index is None or not 0 <= judged.index < len(rows):
        return None
    return Selection(trace[0].number, rows[judged.index])


def _trace_of(files: Files, run: CurrentRun | None, verdict: CaseVerdict | None) -> tuple[OpenFile, int] | None:
    if run is None or verdict is None or not verdict.trace_path:
        return None
    file = next((each for each in files if str(each.path) == verdict.trace_path), None)
    top = run.on(file).row_at(verdict.trace_place, verdict.trace_id or "") if file is not None else TOP
    return (file, top) if file is not None and top != TOP else None


def _stands_in(files: Files, verdict: CaseVerdict) -> OpenFile | None:
    return next((each for each in files if str(each.path) == verdict.golden_path), None)


def _turn_verdict(verdict: CaseVerdict | None, index: int | None) -> TurnVerdict | None:
    if verdict is None or index is None:
        return None
    return next((turn for turn in verdict.turns if turn.golden_index == index), None)


def _observed(
    trace: tuple[OpenFile, int] | None, judged: TurnVerdict | None
) -> tuple[Turn | None, tuple[ToolCall, ...], Sequence[Agent]]:
    """The turn of the trace, its calls, and the agents that the trace describes."""
    if trace is None:
        return None, (), ()
    file, top = trace
    agents = file.table.agents(top, len(file.table))
    rows = file.table.turns(top)
    if judged is None or judged.index is None or not 0 <= judged.index < len(rows):
        return None, (), agents
    row = rows[judged.index]
    body = file.table.body(row)
    things = (file.table.thing(call) for call in file.table.calls(row)[:MOST_CALLS])
    calls = tuple(thing for thing in things if isinstance(thing, ToolCall))
    return body if isinstance(body, Turn) else None, calls, agents
