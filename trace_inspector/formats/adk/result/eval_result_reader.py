"""Reads ADK's result files: what was recorded, what was expected, and what was reported of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TypeAlias

from msgspec.structs import replace

from trace_inspector.core.finding import error, info, warning
from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.criteria import Criteria
from trace_inspector.core.trace.trace import Trace, Turn, answer_text, calls_of
from trace_inspector.core.values.pointer import join
from trace_inspector.core.verdict.verdict import CaseVerdict
from trace_inspector.formats.adk.result import eval_result_schemas as schemas
from trace_inspector.formats.adk.result.eval_result_verdicts import (
    case_verdict,
    criteria_of,
    criteria_of_case,
    is_word,
)
from trace_inspector.formats.adk.result.own_results import golden_path
from trace_inspector.formats.adk.session.invocation import report_guesses, turn_of
from trace_inspector.formats.adk.session.session import trace_of
from trace_inspector.formats.adk.session.session_events import noting_times
from trace_inspector.formats.common.fields import Fields, Report, fields_of, objects_in
from trace_inspector.formats.common.format import Source
from trace_inspector.formats.common.schema import check
from trace_inspector.formats.common.span_attributes import from_text
from trace_inspector.formats.extension.key import KEY

Named: TypeAlias = tuple[str, str, str]
# What a report of an optimiser measured, of the prompts before and of those it tried.
_PHASES = ("baseline_", "candidate_")


def read(source: Source) -> Iterator[Item]:
    """A trace and a verdict for each case result; a suite and the criteria where they are recorded."""
    report = Report()
    value = from_text(source.value)
    if isinstance(source.value, str):
        if isinstance(value, dict):
            message = (
                "The whole file is one JSON string that contains JSON, as google-adk wrote it before 1.22; that "
                "inner JSON is shown."
            )
            report.add(info("encoded-json", message))
        else:
            message = (
                "The whole file is one JSON string, but the string does not contain a complete JSON object; "
                "nothing of it is read."
            )
            report.add(error("broken-text", message))
    fields = fields_of(value, source.place)
    owners = _owners(fields)
    if isinstance(value, dict) and not owners:
        check(fields, schemas.RESULT_SET, report)
    set_id = fields.text("eval_set_id") or ""
    results = fields.objects("eval_case_results")
    phases = [""] * len(results)
    for owner in owners:
        for result in _by_case(owner):
            results.append(result)
            phases.append(owner.text("phase") or "")
    worded = next((result for result in results if is_word(result)), None)
    if worded is not None:
        message = "Statuses are written as words, as trpc-agent-go does; google-adk 2.13 reads only 1 to 4."
        report.add(warning("other-dialect", message, worded.pointer("final_eval_status")))
    goldens: dict[Named, Case] = {}
    runs: Counter[Named] = Counter()
    names = [_named(result, index, set_id) for index, result in enumerate(results)]
    runs_of = Counter(names)
    criteria = criteria_of(results, report)
    for index, result in enumerate(results):
        source.tick()
        name = names[index]
        trace, verdict = _case_items(result, name, index, goldens, source, report)
        phase = phases[index]
        yield replace(
            trace,
            criteria=criteria_of_case(result, criteria),
            case_runs=runs_of[name],
            candidate=phase or trace.candidate,
        )
        yield replace(verdict, repeat=runs[name], candidate=phase or verdict.candidate)
        runs[name] += 1
    if goldens:
        yield Suite(set_id, cases=tuple(goldens.values()), place=source.place)
    if criteria:
        yield Criteria(criteria, f"recorded in {source.name}")
    yield from report.drain()


def _owners(fields: Fields) -> list[Fields]:
    """What tRPC-Agent's optimiser measured: one phase on one set, or a report with all of them."""
    inside = (fields.object(name) for name in (*fields.value,) if name.startswith(_PHASES))
    return [
        owner
        for owner in (fields, *inside)
        if owner is not None and owner.mapping("eval_results_by_eval_id") is not None
    ]


def _by_case(owner: Fields) -> Iterator[Fields]:
    by_case = owner.object("eval_results_by_eval_id")
    for name, listed in by_case.value.items() if by_case is not None else ():
        yield from objects_in(listed, join(by_case.place, name) if by_case is not None else "")


def _case_items(
    fields: Fields, name: Named, index: int, goldens: dict[Named, Case], source: Source, report: Report
) -> tuple[Trace, CaseVerdict]:
    check(fields, schemas.CASE_RESULT, report)
    rows = fields.objects("eval_metric_result_per_invocation")
    for row in rows:
        check(row, schemas.ROW, report)
    suite_id, case_id, _path = name
    own = _golden(case_id, suite_id, rows, fields, report)
    shared = goldens.setdefault(name, own) if own is not None else None
    session_id = fields.text("session_id") or None
    head = Trace(
        id=session_id or f"{case_id} ({index + 1})",
        session_id=session_id,
        user=fields.text("user_id"),
        case_id=case_id,
        suite_id=suite_id,
        place=fields.place,
    )
    trace, unjudged = _recorded(head, fields, rows, source, report)
    report_guesses(sum("order" in turn.guessed for turn in trace.turns), report)
    verdict = case_verdict(fields, trace, shared, own, rows, report)
    return trace, replace(verdict, unjudged_turns=unjudged)


def _named(result: Fields, index: int, set_id: str) -> Named:
    """Suite and case, and the file of the golden, where we wrote it: others may have a case of that name."""
    ours = result.object(KEY)
    case_id = result.text("eval_id") or f"case {index + 1}"
    suite_id = result.text("eval_set_id") or ("" if ours else set_id)
    return suite_id, case_id, golden_path(ours) if ours else ""


def _golden(case_id: str, suite_id: str, rows: list[Fields], fields: Fields, report: Report) -> Case | None:
    expected = [invocation for row in rows if (invocation := row.object("expected_invocation")) is not None]
    if not expected:
        return None
    turns = tuple(turn_of(invocation, index, report) for index, invocation in enumerate(expected))
    return Case(case_id, suite_id, turns, place=fields.pointer("eval_metric_result_per_invocation"))


def _recorded(head: Trace, fields: Fields, rows: list[Fields], source: Source, report: Report) -> tuple[Trace, int]:
    """What was recorded: by the rows, by the session, or by both; and how much of it was not judged."""
    judged = tuple(
        turn_of(row.object("actual_invocation") or Fields({"user_content": {}}, row.place), index, report)
        for index, row in enumerate(rows)
    )
    session = fields.object("session_details")
    if session is None:
        return replace(head, turns=judged), 0
    recorded, events = trace_of(head, report.bounded(session, "events"), source, report)
    turns = tuple(events)
    recorded = replace(recorded, app=session.text("app_name"), final_state=session.mapping("state"))
    shown = _merged(judged, turns, session, report) if rows else turns
    asked = sum(bool(turn.user) for turn in turns)
    return replace(recorded, turns=tuple(noting_times(shown, report))), max(0, asked - len(rows)) if rows else 0


def _merged(
    judged: tuple[Turn, ...], recorded: tuple[Turn, ...], session: Fields, report: Report
) -> tuple[Turn, ...]:
    """Turns as they were judged, with what only the session knows."""
    by_id = {turn.id: turn for turn in recorded if turn.id}
    merged = []
    differing = 0
    for turn in judged:
        other = by_id.pop(turn.id or "", None)
        if other is None or not _agree(turn, other):
            differing += 1
            merged.append(turn)
        else:
            merged.append(_joined(turn, other))
    if differing < len(judged):
        message = (
            "Events, authors, times and state are taken from session_details; agents, durations and rubrics from "
            "the judged invocations."
        )
        report.add(info("two-sources", message, session.place))
    if differing:
        turns = "1 judged turn is" if differing == 1 else f"{differing} judged turns are"
        message = f"{turns} different in session_details, or missing there; the judged turns are shown."
        report.add(warning("sources-differ", message, session.place))
    if by_id:
        turns = "1 turn" if len(by_id) == 1 else f"{len(by_id)} turns"
        message = f"{turns} of session_details were not judged, so they are not shown."
        report.add(info("not-judged", message, session.place))
    return tuple(merged)


def _agree(judged: Turn, recorded: Turn) -> bool:
    """Whether both have the same calls and the same answer."""
    calls = [[(call.name, call.args) for call in calls_of(turn)] for turn in (judged, recorded)]
    return calls[0] == calls[1] and answer_text(judged) == answer_text(recorded)


def _joined(judged: Turn, recorded: Turn) -> Turn:
    states_duration = judged.duration_s is not None
    return replace(
        recorded,
        index=judged.index,
        start_s=recorded.start_s if recorded.start_s is not None else judged.start_s,
        duration_s=judged.duration_s if states_duration else recorded.duration_s,
        guessed=recorded.guessed - {"times"} if states_duration else recorded.guessed,
        model_duration_s=judged.model_duration_s,
        tool_duration_s=judged.tool_duration_s,
        rubrics=judged.rubrics,
        agents=judged.agents,
        place=judged.place,
    )
