"""Vertex AI's evaluation SDK beside us: what each reads in random datasets and results."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping

from tests.peers.ces import opened
from tests.peers.comparison import Comparison
from tests.peers.messages import Maker, Messages, snake
from tests.peers.odd_values import text
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.parts import Part, Text, ToolCall, ToolResult
from trace_inspector.core.trace.trace import Event, Trace, Turn
from trace_inspector.core.values.values import ABSENT, Absent, Json, JsonObject
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict
from trace_inspector.formats.common.fields import Fields

_MESSAGES = {
    "Dataset": "!evalCases:Case[] candidateName:candidate",
    "Case": "evalCaseId:id !prompt:Content responses:Response[] reference:Response systemInstruction:Content "
    "conversationHistory:Message[] rubricGroups:groups intermediateEvents:Step[] agentData:AgentData "
    "?agentInfo:Info ?userScenario:Scenario",
    "Response": "!response:Content",
    "Message": "turnId:id !content:Content creationTimestamp:time author:author",
    "Step": "eventId:id !content:Content creationTimestamp:time author:author",
    "Scenario": "!startingPrompt:words !conversationPlan:words testCaseTitle:words",
    "Info": "name:words !agents:agents rootAgentId:id",
    "AgentData": "agents:agents !turns:Turn[]",
    "Turn": "turnIndex:index turnId:id !events:Event[]",
    "Event": "!author:author !content:Content eventTime:time stateDelta:struct",
    "Content": "!role:role !parts:Part[]",
    "Part": "<!text:words !text:words !functionCall:Call !functionResponse:Answer !inlineData:Blob> ?thought:bool",
    "Blob": "!mimeType:mime !data:bytes",
    "Call": "id:id !name:tool args:struct",
    "Answer": "id:id !name:tool response:struct",
    "Group": "groupId:id displayName:words !rubrics:Rubric[]",
    "Rubric": "!rubricId:id !content:Property type:words importance:importance",
    "Property": "!property:Description",
    "Description": "!description:words",
    "Result": "+evalCaseResults:Scored[] summaryMetrics:Summary[] winRates:wins evaluationDataset:Dataset[] "
    "metadata:Metadata",
    "Scored": "evalCaseIndex:index +responseCandidateResults:Candidate[]",
    "Candidate": "responseIndex:index !metricResults:metrics",
    "Metric": "metricName:metric !score:score explanation:words rubricVerdicts:Verdict[] rawOutput:words[] "
    "?errorMessage:words",
    "Verdict": "!evaluatedRubric:Rubric !verdict:bool reasoning:words",
    "Summary": "!metricName:metric numCasesTotal:index numCasesValid:index numCasesError:index meanScore:rate "
    "stdevScore:rate passRate:rate",
    "Wins": "winRates:rate[] tieRate:rate",
    "Metadata": "candidateNames:candidate[] datasetName:words datasetId:id creationTimestamp:time",
}
_NAMES = ("tone", "facts", "näme")
_METRICS = ("general_quality_v1", "safety_v1", "exact_match")
_AUTHORS = ("user", "clerk", "desk", "User", "model")

_MAKERS: dict[str, Maker] = {
    "words": lambda rng: text(rng, 5),
    "candidate": lambda rng: rng.choice(("small", "large")),
    "metric": lambda rng: rng.choice(_METRICS),
    "id": lambda rng: rng.choice(("c1", "c2", "c3", "")),
    "tool": lambda rng: rng.choice(("search", "book", "näme")),
    "author": lambda rng: rng.choice(_AUTHORS),
    "role": lambda rng: rng.choice(("user", "model")),
    "mime": lambda rng: rng.choice(("image/png", "text/plain")),
    "importance": lambda rng: rng.choice(("HIGH", "MEDIUM", "LOW")),
    "index": lambda rng: rng.choice((0, 0, 1, 1, 2, 3)),
    "score": lambda rng: rng.choice((0, 0.0, 0.5, 1, 1.0, 0.6666666666666666, 4, -1, "0.5")),
    "rate": lambda rng: rng.choice((0.0, 0.25, 0.5, 1.0)),
    "agents": lambda _rng: {name: {"agentId": name} for name in ("clerk", "desk")},
    # No nanoseconds: the SDK's types cut them to microseconds.
    "time": lambda rng: f"2026-01-10T10:20:{rng.randint(10, 59)}{rng.choice(('', '.5', '.123456'))}Z",
}


def _made(rng: random.Random, kind: str) -> JsonObject:
    """One message in one of the spellings, with nothing that the SDK does not know: it refuses that."""

    def named(message: str, names: tuple[str, ...]) -> Maker:
        return lambda rng: {name: messages.make(message) for name in names if rng.random() < 0.5}

    makers: Mapping[str, Maker] = {
        **_MAKERS,
        "groups": named("Group", _NAMES),
        "metrics": named("Metric", _METRICS),
        "wins": named("Wins", _METRICS),
    }
    messages = Messages(_MESSAGES, {}, makers, rng)
    messages.plain = True
    return messages.make(kind)


def _dataset(rng: random.Random) -> Json:
    """A dataset whose first case has an id at least, for by that one it is known."""
    made = _made(rng, "Dataset")
    cases = _list(made, "evalCases")
    first = cases[0] if cases else None
    if not isinstance(first, dict):
        return {"evalCases": [{"evalCaseId": "c1"}]}
    if "eval_case_id" not in first:
        first.setdefault("evalCaseId", "c1")
    return made


def _result(rng: random.Random) -> Json:
    """A result of a case at least, with as many cases in each dataset: the SDK merges no others."""
    made = _made(rng, "Result")
    results = _list(made, "evalCaseResults")
    if not results:
        results.append({"evalCaseIndex": 0, "responseCandidateResults": []})
    cases = [_list(one, "evalCases") for one in _list(made, "evaluationDataset") if isinstance(one, dict)]
    for listed in cases:
        del listed[min(map(len, cases)) :]
    return made


def _list(owner: JsonObject, key: str) -> list[Json]:
    """What a message has under a key in either spelling."""
    listed = owner.get(key, owner.get(snake(key)))
    return listed if isinstance(listed, list) else []


def _read_dataset(value: Json) -> Json:
    contents = opened(value)
    return [_case(case, contents.traces) for suite in contents.suites for case in suite.cases]


def _case(case: Case, traces: Iterable[Trace]) -> Json:
    return {
        "id": case.id,
        "asked": [[*sorted(_words(turn.user))] for turn in case.turns],
        "expected": _texts([part for turn in case.turns for part in turn.final_response or ()]),
        "rubrics": [
            [*one]
            for one in sorted((rubric.group, rubric.id, rubric.text, rubric.importance) for rubric in case.rubrics)
        ],
        "history": [
            {"author": event.author, "id": event.id, **_spoken(event.parts), "times": _times([event])}
            for event in case.context
        ],
        "scenario": [case.scenario.starting_prompt, case.scenario.plan] if case.scenario else None,
        "responses": [_response(trace) for trace in traces if trace.place.startswith(f"{case.place}/")],
    }


def _response(trace: Trace) -> Json:
    instructed = [agent.instruction for agent in trace.agents if agent.name == "model"]
    return {
        "agents": [*sorted(agent.name for agent in trace.agents if agent.name != "model")],
        "asked": [_asked(trace, turn) for turn in trace.turns],
        "instruction": "".join(instructed),
        **_spoken(_answered(trace)),
        "times": _times(event for turn in trace.turns for event in turn.events if not _is_user(trace, event)),
    }


def _asked(trace: Trace, turn: Turn) -> Json:
    """A recorded turn may have more than one message of the user's; the last of them is the question."""
    others = [part for event in turn.events if _is_user(trace, event) for part in event.parts]
    return [*sorted(_words([*turn.user, *others]))]


def _answered(trace: Trace) -> list[Part]:
    found: list[Part] = []
    for turn in trace.turns:
        found += [part for event in turn.events if not _is_user(trace, event) for part in event.parts]
        found += turn.final_response or ()
    return found


def _is_user(trace: Trace, event: Event) -> bool:
    """Steps of a row are the agent's, whoever is named."""
    return trace.place.endswith(("/agent_data", "/agentData")) and event.author.lower() == "user"


def _times(events: Iterable[Event]) -> Json:
    return [event.time_s for event in events if event.time_s is not None]


def _spoken(parts: Iterable[Part]) -> JsonObject:
    listed = [*parts]
    return {
        "texts": [*sorted(set(_words(listed)))],
        "calls": [[one.name, _known(one.args), one.call_id] for one in listed if isinstance(one, ToolCall)],
        "results": [[one.name, _known(one.value), one.call_id] for one in listed if isinstance(one, ToolResult)],
    }


def _words(parts: Iterable[Part]) -> list[str]:
    return [part.text for part in parts if isinstance(part, Text)]


def _texts(parts: Iterable[Part]) -> Json:
    return [*_words(parts)]


def _known(value: Json | Absent) -> Json:
    return None if value is ABSENT else value


def _read_result(value: Json) -> Json:
    contents = opened(value)
    extras = {
        extra.name.replace("_", "").lower(): Fields({"value": extra.value}, "")
        for suite in contents.suites
        for extra in suite.extras
    }
    rates = extras["winrates"].object("value") if "winrates" in extras else None
    return {
        "scores": [_scored(one, contents) for one in contents.reported],
        "summary": [_summary(one) for one in extras["summarymetrics"].objects("value")]
        if "summarymetrics" in extras
        else [],
        "wins": {name: _wins(rates.object(name)) for name in rates.value} if rates is not None else {},
    }


def _scored(verdict: CaseVerdict, contents: Contents) -> Json:
    judged = [
        trace for trace in contents.traces if (trace.id, trace.place) == (verdict.trace_id, verdict.trace_place)
    ]
    return {
        "case": verdict.case_id,
        "candidate": "" if verdict.candidate.isdecimal() else verdict.candidate,  # a number stands for no name
        "answer": _spoken(_answered(judged[0]))["texts"],
        "metrics": [_metric(metric) for metric in verdict.metrics],
    }


def _metric(metric: MetricVerdict) -> Json:
    return {
        "name": metric.metric,
        "score": metric.score,
        "status": metric.status.value,
        "reason": metric.reason,
        "rubrics": [[one.rubric_id, one.text, one.score, one.rationale] for one in metric.rubrics],
    }


def _summary(one: Fields) -> Json:
    counts = ("num_cases_total", "num_cases_valid", "num_cases_error")
    return [one.text("metric_name"), *(_known(one.get(name)) for name in counts), one.number("mean_score")]


def _wins(one: Fields | None) -> Json:
    return None if one is None else [_known(one.get("win_rates")), one.number("tie_rate")]


COMPARISONS = (
    Comparison("vertex-datasets", "vertex", "dataset", 700, _dataset, _read_dataset),
    Comparison("vertex-results", "vertex", "result", 700, _result, _read_result),
)
