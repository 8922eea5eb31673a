"""Results of CES's evaluations: `ces-result`, of a golden or of a scenario, read alone or out of a reply."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.finding import Finding, info, warning
from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.criteria import Criteria, Criterion
from trace_inspector.core.trace.trace import SpanKind, Trace, Turn
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import ABSENT, Absent, Json
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Provenance, Status, TurnVerdict, compose
from trace_inspector.formats.ces.common.content import short_name
from trace_inspector.formats.ces.common.enums import (
    EXECUTION_STATE,
    GOLDEN_RUN_METHOD,
    OUTCOME,
    OUTCOME_METADATA,
    enum_word,
)
from trace_inspector.formats.ces.common.evaluation_entries import entries_in
from trace_inspector.formats.ces.common.recognisers import RESULTS, TURN_RESULTS
from trace_inspector.formats.ces.common.thresholds import OF_RESULT, criteria_in
from trace_inspector.formats.ces.result.conversation import app_of
from trace_inspector.formats.ces.result.result_golden import golden_case, scenario_case
from trace_inspector.formats.ces.result.result_outcomes import outcome_status, scenario_outcome
from trace_inspector.formats.ces.result.result_schemas import RESULT
from trace_inspector.formats.ces.result.result_spans import latency_spans, span_tree, total_s
from trace_inspector.formats.ces.result.result_turns import error_text, observed_turn, replayed
from trace_inspector.formats.ces.result.result_verdicts import (
    Settings,
    criteria_metric,
    derived,
    failing,
    scenario_metrics,
)
from trace_inspector.formats.common.extras import extras_of
from trace_inspector.formats.common.fields import Fields, Report, spellings
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.schema import check

_STATES = {
    "ERROR": Status.ERROR,
    "CANCELLED": Status.NOT_EVALUATED,
    "QUEUED": Status.PENDING,
    "RUNNING": Status.PENDING,
}
_RESULTS = ("golden_result", "scenario_result")
_SCENARIO = (
    "expectation_outcomes", "rubric_outcomes", "hallucination_result", "tool_call_latencies", "span_latencies",
    "all_expectations_satisfied", "user_goal_satisfaction_result", "task_completed", "task_completion_result",
    "evaluation_expectation_results",
)  # fmt: skip
_OWN = ("evaluation_status", "execution_state")
# Members about the run, which belong to the verdict; all others belong to the trace.
_OF_RUN = spellings(
    "evaluation_run", "golden_run_method", "evaluation_metrics_thresholds", "config", "error_info", "error",
    "outcome_metadata", "initiated_by",
)  # fmt: skip
_OUTCOMES = frozenset({"evaluation_status", "evaluationStatus"})
_WORDS = {
    Status.PASSED: "passed",
    Status.FAILED: "failed",
    Status.ERROR: "an error",
    Status.PENDING: "pending",
    Status.NOT_EVALUATED: "no verdict",
}


class _ResultConversation(Struct, frozen=True):
    """The conversation in a result: turns, their verdicts, metrics of the whole, and extras."""

    turns: tuple[Turn, ...]
    verdicts: tuple[TurnVerdict, ...]
    metrics: tuple[MetricVerdict, ...]
    extras: tuple[Extra, ...]
    session: str | None = None


class _Stated(Struct, frozen=True):
    """The status of the whole, in the file's own word where it has one."""

    status: Status
    native: Json | Absent = ABSENT
    provenance: Provenance = Provenance.REPORTED


def read(source: Source) -> Iterator[Item]:
    """Each conversation as far as its result holds it, and the verdict."""
    report = Report()
    entries = list(entries_in(source, RESULTS, "ces-result", report))
    runs = Counter(_case_id(fields) for fields in entries)
    seen: Counter[str] = Counter()
    cases: dict[str, Case] = {}  # what was expected; of repeats the first counts
    suite = source.stem or "results"
    stated: list[tuple[Criterion, ...]] = []
    for index, fields in enumerate(entries):
        source.tick()
        check(fields, RESULT, report)
        criteria = criteria_in(fields, OF_RESULT, report)
        stated.append(criteria)
        conversation = _result_conversation(fields, criteria, report)
        case = _case_id(fields)
        if case not in cases:
            titled = _case_title(fields)
            cases[case] = replace(_case(fields, case, suite, report), title=titled if titled != case else "")
        stem = f"{suite} {index + 1}" if index else suite
        trace = replace(_trace(fields, conversation, stem, report), criteria=criteria, case_runs=runs[case])
        yield trace
        yield from conversation.turns
        verdict = _verdict(fields, trace, conversation, report)
        yield replace(verdict, suite_id=suite, golden_place=cases[case].place, repeat=seen[case])
        seen[case] += 1
    if cases:
        yield Suite(suite, cases=tuple(cases.values()), place=source.place)
    report.take(_differing(stated))
    if stated and stated[0] and all(_plain(criteria) == _plain(stated[0]) for criteria in stated):
        yield Criteria(stated[0], "the thresholds that the result repeats")
    yield from report.drain()


def _result_conversation(fields: Fields, criteria: tuple[Criterion, ...], report: Report) -> _ResultConversation:
    settings = {criterion.metric: criterion for criterion in criteria}
    scenario = fields.object("scenario_result")
    if scenario is not None:
        return _scenario(scenario, Settings(settings, "scenario"), report)
    return _golden(fields, Settings(settings, "golden"), report)


def _differing(stated: list[tuple[Criterion, ...]]) -> Iterator[Finding]:
    """That results of one file were judged by different thresholds."""
    first = _plain(next(filter(None, stated), ()))
    other = next((criteria for criteria in stated if criteria and _plain(criteria) != first), None)
    if other is not None:
        message = (
            "This result was judged by different thresholds than the first one in this file; each result is judged "
            "by its own."
        )
        yield info("criteria-differ", message, other[0].place)


def _plain(criteria: tuple[Criterion, ...]) -> list[Criterion]:
    return [replace(criterion, place="") for criterion in criteria]


def _case_id(fields: Fields) -> str:
    """The evaluation's short name; of a result without a name what its title begins with, as the service makes it."""
    evaluation = (fields.text("name") or "").rpartition("/results/")[0]
    return short_name(evaluation) or _case_title(fields) or fields.text("display_name") or "evaluation"


def _case_title(fields: Fields) -> str:
    """The evaluation's title, with which the service begins that of the result; "" where it does not."""
    return (fields.text("display_name") or "").rpartition(" result - ")[0]


def _case(fields: Fields, case_id: str, suite_id: str, report: Report) -> Case:
    """What was expected, as far as the result repeats it."""
    scenario = fields.object("scenario_result")
    if scenario is not None:
        return scenario_case(case_id, suite_id, scenario, report)
    return golden_case(case_id, suite_id, fields.object("golden_result") or fields, report)


def _golden(fields: Fields, settings: Settings, report: Report) -> _ResultConversation:
    """The replayed turns; some exporters leave out the object around them."""
    golden = fields.object("golden_result") or fields
    pairs = [
        replayed(turn, index, settings, report) for index, turn in enumerate(report.bounded(golden, TURN_RESULTS))
    ]
    criteria = criteria_metric(golden, report)
    extras = extras_of(golden, TURN_RESULTS, "evaluation_expectation_results") if golden is not fields else ()
    return _ResultConversation(
        tuple(turn for turn, _verdict in pairs),
        tuple(verdict for _turn, verdict in pairs),
        (criteria,) if criteria else (),
        extras,
    )


def _scenario(scenario: Fields, settings: Settings, report: Report) -> _ResultConversation:
    """Without its conversation only what was observed is known, as one turn whose borders are not known."""
    outcomes = [scenario_outcome(fields, report) for fields in report.bounded(scenario, "expectation_outcomes")]
    observed = [item for outcome in outcomes for item in outcome.observed]
    spans = latency_spans(scenario, report)
    metrics = scenario_metrics(scenario, outcomes, settings, report)
    bare = observed_turn(0, observed, scenario.place)
    turn = replace(
        bare,
        model_duration_s=total_s(spans, SpanKind.MODEL),
        tool_duration_s=total_s(spans, SpanKind.TOOL),
        spans=spans,
        extras=tuple(extra for outcome in outcomes for extra in outcome.extras),
        guessed=frozenset({"borders"}),
    )
    session = scenario.text("conversation")
    return _ResultConversation(
        (turn,) if observed or spans else (), (), metrics, extras_of(scenario, *_SCENARIO), session
    )


def _trace(fields: Fields, conversation: _ResultConversation, stem: str, report: Report) -> Trace:
    persona = fields.object("persona")
    enum_word(fields, "golden_run_method", GOLDEN_RUN_METHOD, report)
    enum_word(fields, "outcome_metadata", OUTCOME_METADATA, report)
    tree = span_tree(fields.object("root_span"), report)
    spans = tree.spans
    others = extras_of(
        fields, *_RESULTS, TURN_RESULTS, "evaluation_expectation_results", "root_span", "display_name", *_OWN
    )
    shown, case_id, case_title = fields.text("display_name") or "", _case_id(fields), _case_title(fields)
    name = short_name(fields.text("name") or "") or shown
    return Trace(
        id=name or stem,
        title=shown if shown != name else "",
        spans=spans,
        span_count=len(spans) + sum(len(turn.spans) for turn in conversation.turns),
        session_id=conversation.session,
        app=app_of(fields.text("name") or ""),
        case_id=case_id,
        case_title=case_title if case_title != case_id else "",
        candidate=fields.text("app_version_display_name") or short_name(fields.text("app_version") or ""),
        persona=(persona.text("display_name") or short_name(persona.text("name") or "")) if persona else "",
        extras=(*(extra for extra in others if extra.name not in _OF_RUN), *conversation.extras, *tree.extras),
        place=fields.place,
    )


def _verdict(fields: Fields, trace: Trace, conversation: _ResultConversation, report: Report) -> CaseVerdict:
    problem = error_text(fields, report)
    ours = compose([*(verdict.status for verdict in conversation.verdicts), derived(conversation.metrics)])
    stated = _stated(fields, problem, report) or _Stated(ours, provenance=Provenance.DERIVED)
    if {stated.status, ours} == {Status.PASSED, Status.FAILED}:
        report.add(_contradiction(fields, conversation, stated.status, ours))
    return CaseVerdict(
        case_id=trace.case_id or "",
        suite_id="",
        trace_id=trace.id,
        status=stated.status,
        metrics=conversation.metrics,
        turns=conversation.verdicts,
        reason=problem or f"turns and criteria amount to {_WORDS[ours]}{_failing(conversation)}",
        trace_place=trace.place,
        session_id=trace.session_id,
        native=stated.native,
        provenance=stated.provenance,
        candidate=trace.candidate,
        persona=trace.persona,
        extras=_beside_verdict(fields),
        criteria=tuple((criterion.metric, criterion.threshold, criterion.options) for criterion in trace.criteria),
    )


def _beside_verdict(fields: Fields) -> tuple[Extra, ...]:
    """Extras of the run, and an outcome that does not count as the execution did not complete."""
    is_stated = OUTCOME.word(fields.get("evaluation_status")) != ""
    is_open = EXECUTION_STATE.word(fields.get("execution_state")) in _STATES
    names = _OF_RUN | (_OUTCOMES if is_stated and is_open else frozenset())
    return tuple(extra for extra in extras_of(fields) if extra.name in names)


def _contradiction(fields: Fields, conversation: _ResultConversation, stated: Status, ours: Status) -> Finding:
    """The finding that the file's own status contradicts its parts."""
    place = fields.pointer("evaluation_status")
    contradiction = (
        f"The file says {_WORDS[stated]}, but its turns and criteria amount to "
        f"{_WORDS[ours]}{_failing(conversation)}."
    )
    hint = "Both are shown; the service may have counted something that is not in the file."
    return warning("verdicts-differ", f"{contradiction} {hint}", place)


def _stated(fields: Fields, problem: str, report: Report) -> _Stated | None:
    """The status that the file states: how the execution ended when it did not complete, else the outcome."""
    state = enum_word(fields, "execution_state", EXECUTION_STATE, report)
    outcome = outcome_status(fields, "evaluation_status", report)
    status = _STATES.get(state, Status.ERROR if problem and outcome is Status.NOT_EVALUATED else None)
    if status is None:
        says_nothing = OUTCOME.word(fields.get("evaluation_status")) == ""
        return None if says_nothing else _Stated(outcome, fields.get("evaluation_status"))
    if outcome is not Status.NOT_EVALUATED:
        message = f"An outcome is stated, although the execution did not complete ({state}); the state counts."
        report.add(warning("outcome-without-completion", message, fields.pointer("evaluation_status")))
    return _Stated(status, fields.get("execution_state"))


def _failing(conversation: _ResultConversation) -> str:
    """Which turns and criteria fail, in brackets."""
    failures = [
        f"turn {verdict.index + 1}"
        for verdict in conversation.verdicts
        if verdict.status is Status.FAILED and verdict.index is not None
    ]
    failures += [words] if (words := failing(conversation.metrics)) else []
    return f" ({', '.join(failures)} failed)" if failures else ""


IMPLEMENTATION = Implementation(read=read)
