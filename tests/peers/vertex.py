"""Vertex AI's evaluation types beside us: what each reads in a random evaluation item."""

from __future__ import annotations

import json
import random

from tests.peers.adk_invocations import invocation
from tests.peers.ces import opened
from tests.peers.comparison import Comparison
from tests.peers.messages import Maker, Messages
from tests.peers.odd_values import text
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.parts import Part, Text, ToolCall, ToolResult
from trace_inspector.core.trace.trace import Trace, answer_text
from trace_inspector.core.values.values import ABSENT, Absent, Json, JsonObject
from trace_inspector.formats.vertex.item.item_writer import write

_MESSAGES = {
    "Request": "!prompt:prompt goldenResponse:Golden rubrics:rubrics !candidateResponses:Candidate[]",
    "Golden": "candidate:golden !text:words",
    "Candidate": "+candidate:candidate <!text:words !agentData:AgentData>",
    "AgentData": "agents:agents !turns:Turn[]",
    "Turn": "turnId:id !events:Event[]",
    "Event": "!author:author !content:Content eventTime:time stateDelta:struct",
    "Content": "!role:role !parts:Part[]",
    "Part": "<!text:words !text:words !functionCall:Call !functionResponse:Answer>",
    "Call": "id:id !name:tool args:struct",
    "Answer": "id:id !name:tool response:struct",
    "Result": "!evaluationRequest:name evaluationRun:name !request:Request !metric:metric candidateResults:Scored[]",
    "Scored": "+candidate:candidate !metric:metric score:number explanation:words rubricVerdicts:verdicts",
}


def _words(rng: random.Random) -> Json:
    return text(rng, 5) or "x"


def _rubric(rng: random.Random, rubric_id: str) -> Json:
    return {"rubricId": rubric_id, "content": {"property": {"description": _words(rng)}}}


def _verdicts(rng: random.Random) -> Json:
    made: list[Json] = []
    for at in range(rng.randint(0, 3)):
        stated: tuple[dict[str, Json], ...] = ({}, {"verdict": True}, {"verdict": False})
        made.append({"evaluatedRubric": _rubric(rng, f"r{at}"), **rng.choice(stated)})
    return made


_MAKERS: dict[str, Maker] = {
    "words": _words,
    "prompt": lambda rng: {"text": _words(rng)},
    "golden": lambda _rng: "golden",
    "candidate": lambda rng: rng.choice(("small", "large")),
    "metric": lambda rng: rng.choice(("general_quality_v1", "safety_v1")),
    "id": lambda rng: rng.choice(("c1", "c2", "c3")),
    "tool": lambda rng: rng.choice(("search", "book", "näme")),
    "author": lambda rng: rng.choice(("user", "clerk", "desk")),
    "role": lambda rng: rng.choice(("user", "model")),
    "name": lambda _rng: "projects/p/locations/l/evaluationItems/q1",
    "number": lambda rng: rng.choice((0, 0.0, 0.5, 1, 1.0, 0.6666666666666666, 4)),
    "agents": lambda _rng: {name: {"agentId": name} for name in ("clerk", "desk")},
    "rubrics": lambda rng: {name: {"groupId": name, "rubrics": [_rubric(rng, name)]} for name in ("tone", "facts")},
    "verdicts": _verdicts,
    # No nanoseconds: the SDK's types cut them to microseconds.
    "time": lambda rng: (
        f"2026-0{rng.randint(1, 9)}-10T10:20:{rng.randint(10, 59)}{rng.choice(('', '.5', '.123456'))}Z"
    ),
}


def _item(rng: random.Random) -> Json:
    messages = Messages(_MESSAGES, {}, _MAKERS, rng)
    messages.plain = True
    key, kind = rng.choice((("evaluationRequest", "Request"), ("evaluationResponse", "Result")))
    name = "projects/p/locations/l/evaluationItems/q1"
    head: JsonObject = {"name": name, "displayName": "q1", "evaluationItemType": kind.upper()}
    return {**head, key: messages.make(kind)}


def _told(case: Json) -> Json:
    contents = opened(case)
    if isinstance(case, dict) and "evaluationResponse" in case:
        return {"results": _results(contents)}
    (one,) = contents.suites[0].cases
    return {
        "golden": answer_text(one.turns[-1]) if one.turns and one.turns[-1].final_response else None,
        "rubrics": [[*each] for each in sorted((rubric.group, rubric.id, rubric.text) for rubric in one.rubrics)],
        "candidates": [_candidate(trace) for trace in contents.traces],
    }


def _candidate(trace: Trace) -> Json:
    turns = trace.turns
    events = [event for turn in turns for event in turn.events if event.author != "user"]
    last = [part for turn in turns for part in turn.final_response or ()]
    parts: list[Part] = [part for event in events for part in event.parts]
    return {
        "name": trace.candidate,
        "agents": [*sorted(agent.name for agent in trace.agents)],
        "turns": sum("/turns/" in turn.place for turn in turns),
        "said": [*sorted(part.text for part in (*parts, *last) if isinstance(part, Text))],
        "calls": [[part.name, _known(part.args), part.call_id] for part in parts if isinstance(part, ToolCall)],
        "answers": [[part.name, _known(part.value), part.call_id] for part in parts if isinstance(part, ToolResult)],
        "times": [event.time_s for event in events if event.time_s is not None],
        "state": [event.state_delta for event in events if event.state_delta],
    }


def _known(value: Json | Absent) -> Json:
    return None if value is ABSENT else value


def _results(contents: Contents) -> Json:
    found: list[Json] = [
        {
            "candidate": verdict.candidate,
            "metric": metric.metric,
            "score": metric.score,
            "verdicts": [rubric.score for rubric in metric.rubrics],
        }
        for verdict in contents.reported
        for metric in verdict.metrics
    ]
    return sorted(found, key=json.dumps)


def _written(rng: random.Random) -> Json:
    """What we write as Vertex AI's items of a random eval set of ADK."""
    turns: list[Json] = [invocation(rng) for _turn in range(rng.randint(1, 3))]
    made: Json = {"eval_set_id": "s", "eval_cases": [{"eval_id": "c1", "conversation": turns}]}
    value: Json = json.loads(write(opened(made)).text)
    return value


COMPARISONS = (
    Comparison("vertex-items", "vertex", "tell", 1_000, _item, _told),
    Comparison("vertex-written", "vertex", "valid", 500, _written, lambda _case: {"takes": True}),
)
