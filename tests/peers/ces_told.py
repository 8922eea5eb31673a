"""What we read in a file of CES, told in the words in which its client's side tells it."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import Media, Part, Text, ToolCall, ToolResult, Transfer
from trace_inspector.core.trace.trace import SpanKind, Turn, calls_of
from trace_inspector.core.values.values import ABSENT, Absent, Json, JsonObject
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, TurnVerdict
from trace_inspector.formats.ces.common.enums import EXTRA_CALL_BEHAVIOR, HALLUCINATION_BEHAVIOR, SIMILARITY_CHANNEL

_NAMES = {
    "ces_tool_invocation": "invocation",
    "ces_parameter_correctness": "parameters",
    "ces_semantic_similarity": "similarity",
    "ces_hallucination": "hallucination",
    "ces_extra_calls": "extra calls",
    "ces_expectations": "expectations",
    "ces_llm_criteria": "criteria",
    "ces_user_goal": "goal",
    "ces_rubrics": "rubrics",
    "ces_task_completed": "task",
}
_ORDER = "ces_tool_order"
_OPTIONS = {
    "semanticSimilarityChannel": ("channel", SIMILARITY_CHANNEL),
    "extraToolCallBehavior": ("extra calls", EXTRA_CALL_BEHAVIOR),
    "goldenHallucinationMetricBehavior": ("hallucination golden", HALLUCINATION_BEHAVIOR),
    "scenarioHallucinationMetricBehavior": ("hallucination scenario", HALLUCINATION_BEHAVIOR),
    "hallucinationMetricBehavior": ("hallucination", HALLUCINATION_BEHAVIOR),
}


def told(kind: str, contents: Contents) -> Json:
    """What the file says."""
    match kind:
        case "EvaluationResult":
            return _result(contents)
        case "Evaluation":
            return _evaluation(contents.suites[0].cases[0])
        case "Conversation":
            (trace,) = contents.traces
            return {"name": trace.session_id, "turns": [_talk(turn) for turn in trace.turns]}
        case "EvaluationRun":
            return _run(contents)
        case "EvaluationDataset":
            return {"name": contents.suites[0].name, "evaluations": contents.holds["evaluations"]}
    return _app(contents)


def single(number: float | None) -> float | None:
    """A number in 32 bits, as CES's messages hold their scores."""
    return None if number is None else float(struct.unpack("f", struct.pack("f", number))[0])


def as_doubles(value: Json | Absent) -> Json:
    """A value as a Struct holds it; what is absent is null."""
    if isinstance(value, Absent):
        return None
    if isinstance(value, list):
        return [as_doubles(item) for item in value]
    if isinstance(value, dict):
        return {key: as_doubles(item) for key, item in value.items()}
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _result(contents: Contents) -> Json:
    (trace,), (verdict,), ((case,),) = contents.traces, contents.reported, (contents.suites[0].cases,)
    whole: JsonObject = {
        "status": verdict.status.value,
        "thresholds": _thresholds(contents.criteria.items if contents.criteria else ()),
        "metrics": _metrics(verdict.metrics),
    }
    if case.scenario is None:
        pairs = zip(trace.turns, verdict.turns, strict=True)
        return {**whole, "turns": [{**_turn(turn), **_replay(turn, judged)} for turn, judged in pairs]}
    turn = trace.turns[0] if trace.turns else Turn(0)
    return {**whole, **_scenario_result(case, verdict), **_turn(turn)}


def _turn(turn: Turn) -> JsonObject:
    parts = [*_in_order(turn)]
    return {
        "calls": [_call(part) for part in calls_of(turn)],
        "answers": [_answer(part) for part in parts if isinstance(part, ToolResult)],
        "words": [part.text for part in parts if isinstance(part, Text)],
        "transfers": [part.target for part in parts if isinstance(part, Transfer)],
        "spans": sum(span.kind is not SpanKind.TOOL for span in turn.spans),
    }


def _in_order(turn: Turn) -> Iterator[Part]:
    for at, event in enumerate(turn.events):
        yield from event.parts
        if at == turn.final_event:
            yield from turn.final_response or ()
    if turn.final_event is None:
        yield from turn.final_response or ()


def _call(call: ToolCall) -> Json:
    return [call.resource, as_doubles(call.args), call.call_id]


def _answer(result: ToolResult) -> Json:
    return [result.name, as_doubles(result.value), result.call_id]


def _replay(turn: Turn, judged: TurnVerdict) -> JsonObject:
    by_name = {metric.metric: metric for metric in judged.metrics}
    expectations = by_name["ces_expectations"].expectations if "ces_expectations" in by_name else ()
    parameters = by_name.get("ces_parameter_correctness")
    scores = ("ces_semantic_similarity", "ces_tool_invocation", _ORDER, "ces_hallucination")
    return {
        "status": judged.status.value,
        "metrics": _metrics(judged.metrics),
        "scores": [single(by_name[name].score) if name in by_name else None for name in scores],
        "parameters": [single(one.score) for one in parameters.expectations] if parameters else [],
        "outcomes": [one.status.value for one in expectations],
        "unexpected": [one.extra for one in expectations],
        "latency": None if turn.duration_s is None else round(turn.duration_s * 1e9),
    }


def _metrics(metrics: Iterable[MetricVerdict]) -> JsonObject:
    return {_NAMES[metric.metric]: metric.status.value for metric in metrics if metric.metric != _ORDER}


def _scenario_result(case: Case, verdict: CaseVerdict) -> JsonObject:
    by_name = {metric.metric: metric for metric in verdict.metrics}
    rubrics = by_name["ces_rubrics"].rubrics if "ces_rubrics" in by_name else ()
    hallucination = by_name["ces_hallucination"].expectations if "ces_hallucination" in by_name else ()
    expectations = by_name["ces_expectations"].expectations if "ces_expectations" in by_name else ()
    assert case.scenario
    return {
        "task": case.scenario.plan,
        "facts": [[name, value] for name, value in case.scenario.facts],
        "rubrics": [[one.text, single(one.score)] for one in rubrics],
        "hallucination": [single(one.score) for one in hallucination],
        "goal": single(by_name["ces_user_goal"].score) if "ces_user_goal" in by_name else None,
        "outcomes": [one.status.value for one in expectations],
    }


def _thresholds(criteria: Iterable[Criterion]) -> JsonObject:
    """Thresholds and the words of options; a word that no enumeration has says nothing that is known."""
    found: JsonObject = {}
    for criterion in criteria:
        if criterion.threshold is not None:
            found[_NAMES[criterion.metric]] = single(criterion.threshold)
        for option, (name, enumeration) in _OPTIONS.items():
            word = criterion.options.get(option)
            if isinstance(word, str) and word in enumeration.numbers:
                found[name] = word
    return found


def _switches(criteria: Iterable[Criterion]) -> JsonObject:
    return {_NAMES[one.metric]: one.options["enabled"] for one in criteria if "enabled" in one.options}


def _evaluation(case: Case) -> Json:
    found: JsonObject = {
        "id": case.id,
        "tags": [*case.tags],
        "thresholds": _thresholds(case.criteria),
        "switches": _switches(case.criteria),
        "criteria": [one.reference for one in case.expectations if one.kind is Expects.CRITERION],
    }
    if case.scenario is None:
        return {**found, "turns": [_golden_turn(turn) for turn in case.turns]}
    parts = {kind: [one.parts for one in case.expectations if one.kind is kind] for kind in Expects}
    return {
        **found,
        "task": case.scenario.plan,
        "facts": [[name, value] for name, value in case.scenario.facts],
        "most": case.scenario.max_turns,
        "rubrics": [rubric.text for rubric in case.rubrics],
        "goal": _known(case.scenario.goal or ""),
        "variables": as_doubles(ABSENT if case.scenario.variables is None else case.scenario.variables),
        "calls": [_call(part) for listed in parts[Expects.CALL] for part in listed if isinstance(part, ToolCall)],
        "mocks": [_answer(part) for listed in parts[Expects.MOCK] for part in listed if isinstance(part, ToolResult)],
        "answers": [[part.text for part in listed if isinstance(part, Text)] for listed in parts[Expects.ANSWER]],
    }


def _golden_turn(turn: Turn) -> Json:
    found = [(one.kind, part) for one in turn.expectations for part in one.parts if isinstance(part, ToolCall)]
    calls = [part for kind, part in found if kind is Expects.CALL]
    calls += [part for kind, part in found if kind is not Expects.CALL]
    behaviour = [one.options.get("hallucinationMetricBehavior", "") for one in turn.criteria]
    return {
        "said": [part.text for part in turn.user if isinstance(part, Text)],
        "expects": [_expects(one) for one in turn.expectations],
        "calls": [_call(call) for call in calls],
        "thresholds": {
            name: said for name, said in _thresholds(turn.criteria).items() if not name.startswith("hallucination")
        },
        "hallucination": _known(next((str(word) for word in behaviour if word), "")),
        "state": [as_doubles(one.value) for one in turn.expectations if one.kind is Expects.VARIABLES],
        "media": sum(isinstance(part, Media) for part in turn.user),
    }


def _known(word: str) -> str:
    return "" if word in ("FUTURE_VALUE", "77") else word


def _expects(one: Expectation) -> Json:
    limits = {criterion.metric: criterion for criterion in one.criteria}
    parameters = limits.get("ces_parameter_correctness")
    switches = [
        limits[name].options.get("enabled") if name in limits else None
        for name in ("ces_semantic_similarity", "ces_hallucination")
    ]
    limit = single(parameters.threshold) if parameters else None
    return [one.kind.value, one.note, one.skipped, _known(one.compared_by), limit, *switches]


def _talk(turn: Turn) -> Json:
    """A recorded turn by who spoke."""
    asked = [*turn.user, *(part for event in turn.events if event.author == "user" for part in event.parts)]
    own = replace(turn, events=tuple(replace(one, parts=()) if one.author == "user" else one for one in turn.events))
    words = [part.text for part in (*asked, *_in_order(own)) if isinstance(part, Text)]
    return {
        **_turn(own),
        "asked": sum(isinstance(part, ToolCall | ToolResult | Transfer) for part in asked),
        "words": [*sorted(words)],
        "spans": len(turn.spans),
    }


def _run(contents: Contents) -> Json:
    (suite,) = contents.suites
    return {
        "name": suite.name,
        "personas": [[one.id, _count(one.description)] for one in suite.personas],
        "failed": any(finding.code == "run-failed" for finding in contents.findings),
    }


def _count(words: str) -> int | None:
    return int(words.partition(" ")[0]) or None if words else None


def _app(contents: Contents) -> Json:
    (suite,) = contents.suites
    criteria = contents.criteria.items if contents.criteria else ()
    return {
        "name": suite.name,
        "description": suite.description,
        "personas": [persona.id for persona in suite.personas],
        "thresholds": _thresholds(criteria),
        "switches": _switches(criteria),
    }
