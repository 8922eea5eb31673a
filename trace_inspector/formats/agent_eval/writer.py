"""Writes recorded conversations as agent-eval's rows, or cases alone as its golden questions."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.finding import Finding, error, info
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.values.json_numbers import json_text
from trace_inspector.core.values.values import Json, JsonObject, strict
from trace_inspector.core.verdict.verdict import CaseVerdict
from trace_inspector.formats.agent_eval.question_writer import question_json, reference_json
from trace_inspector.formats.agent_eval.recognisers import SCORE
from trace_inspector.formats.agent_eval.row_writer import row_json
from trace_inspector.formats.common.format import Written


def write(contents: Contents) -> Written:
    """A row for each conversation with what its case expects; golden questions where nothing was recorded."""
    losses: list[Finding] = []
    cases = [case for suite in contents.suites for case in suite.cases]
    if contents.criteria is not None and contents.criteria.items:
        losses.append(error("criteria-lost", "Criteria have no place in a file of conversations; they are left out."))
    if not contents.traces:
        losses += [loss for case in cases for loss in _of_questions(case)]
        return Written(
            json_text(strict({"golden_questions": [question_json(case) for case in cases]})), tuple(losses)
        )
    goldens = {(case.suite_id, case.id): case for case in cases}
    reported = {(verdict.trace_id, verdict.trace_place): verdict for verdict in contents.reported}
    rows: list[Json] = []
    for trace in contents.traces:
        golden = goldens.get((trace.suite_id or "", trace.case_id or ""))
        verdict = reported.get((trace.id, trace.place))
        row, lost = row_json(trace, contents.format)
        losses += lost
        rows.append(_judged(row, golden, verdict, losses))
    recorded = {(trace.suite_id or "", trace.case_id or "") for trace in contents.traces}
    unheld = len(goldens.keys() - recorded)
    if unheld:
        message = f"Cases without a recording are left out ({unheld}); a row is a recorded conversation."
        losses.append(error("cases-lost", message))
    return Written(json_text(strict(rows)), tuple(losses))


def _judged(row: JsonObject, golden: Case | None, verdict: CaseVerdict | None, losses: list[Finding]) -> JsonObject:
    """A row with what is expected of it and how it was scored."""
    row["reference_data"] = reference_json(golden) if golden else {}
    if golden is not None and len(golden.turns) > 1:
        losses.append(error("golden-turns-lost", _ONE_REFERENCE, golden.place))
    for metric in verdict.metrics if verdict else ():
        row[SCORE + metric.metric] = metric.score
    if verdict is not None and verdict.turns:
        message = "Scores of single turns, statuses and reasons have no place in a row; the scores of the case have."
        losses.append(error("verdicts-lost", message, verdict.trace_place))
    return row


_ONE_REFERENCE = (
    "What is expected turn by turn has no place here: the reference of a row is of the whole conversation, with "
    "the calls of all turns and the last answer."
)


def _of_questions(case: Case) -> Iterator[Finding]:
    if case.scenario is not None:
        message = f"Case “{case.id}” is a scenario; only its first message is carried over."
        yield error("scenario-lost", message, case.place)
    if len(case.turns) > 1:
        yield error("golden-turns-lost", _ONE_REFERENCE, case.place)
    if case.rubrics or any(turn.rubrics for turn in case.turns):
        yield error("rubrics-lost", f"Rubrics of case “{case.id}” have no place in a question.", case.place)
    if case.session is not None or case.final_state is not None:
        message = f"The session and the final state of case “{case.id}” have no place in a question."
        yield error("session-lost", message, case.place)
    if case.matchers:
        message = f"How arguments of case “{case.id}” are compared has no place in a question."
        yield info("matchers-left", message, case.place)
