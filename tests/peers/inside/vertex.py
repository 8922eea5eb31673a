"""The types of Vertex AI's evaluation SDK: what they read in an evaluation item."""

from __future__ import annotations

import json
import logging
from typing import Any

from agentplatform._genai import types
from pydantic import ValidationError

from tests.peers.inside import vertex_sdk
from tests.peers.inside.serving import Refused, serve

logging.disable()


def told(case: Any) -> Any:
    """What an item says."""
    try:
        item = types.EvaluationItem.model_validate_json(json.dumps(case))
    except ValidationError as problem:
        raise Refused(str(problem)[:400]) from problem
    if item.evaluation_request is not None:
        return request(item.evaluation_request)
    found = item.evaluation_response
    results = [result(one, found.metric or "") for one in found.candidate_results or []]
    return {"results": sorted(results, key=json.dumps)}


def valid(case: Any) -> Any:
    """Whether the SDK takes items. Its prompts lack the agent data that the service has, which is asked alone."""
    for one in case if isinstance(case, list) else case.get("evaluationItems", [case]):
        data = one.get("evaluationRequest", {}).get("prompt", {}).pop("agentData", None)
        if data is not None:
            types.evals.AgentData.model_validate_json(json.dumps(data))
        types.EvaluationItem.model_validate_json(json.dumps(one))
    return {"takes": True}


def request(one: Any) -> Any:
    return {
        "golden": words(one.golden_response),
        "rubrics": sorted(
            [name, rubric.rubric_id or "", rubric.content.property.description]
            for name, group in (one.rubrics or {}).items()
            for rubric in group.rubrics or []
        ),
        "candidates": [candidate(each, at) for at, each in enumerate(one.candidate_responses or [], 1)],
    }


def words(response: Any) -> Any:
    return None if response is None else response.text


def candidate(one: Any, number: int) -> Any:
    data = one.agent_data
    turns = data.turns or [] if data is not None else []
    agents = sorted(data.agents or {}) if data is not None else []
    return {
        "name": one.candidate or f"candidate {number}",
        "agents": agents,
        "turns": len(turns),
        "said": sorted(part for turn in turns for part in texts(turn))
        if data is not None
        else [one.text] * (one.text is not None),
        "calls": [call for turn in turns for call in calls(turn)],
        "answers": [answer for turn in turns for answer in answers(turn)],
        "times": [event.event_time.timestamp() for turn in turns for event in agent_events(turn) if event.event_time],
        "state": [event.state_delta for turn in turns for event in agent_events(turn) if event.state_delta],
    }


def agent_events(turn: Any) -> Any:
    return [event for event in turn.events or [] if event.author != "user"]


def parts(turn: Any) -> Any:
    return [part for event in agent_events(turn) for part in (event.content.parts or [] if event.content else [])]


def texts(turn: Any) -> Any:
    return [part.text for part in parts(turn) if part.text is not None and not part.thought]


def calls(turn: Any) -> Any:
    return [[call.name or "", call.args, call.id] for part in parts(turn) if (call := part.function_call) is not None]


def answers(turn: Any) -> Any:
    return [
        [answer.name or "", answer.response, answer.id]
        for part in parts(turn)
        if (answer := part.function_response) is not None
    ]


def result(one: Any, of_all: str) -> Any:
    return {
        "candidate": one.candidate,
        "metric": one.metric or of_all,
        "score": one.score,
        "verdicts": [float(bool(each.verdict)) for each in one.rubric_verdicts or []],
    }


if __name__ == "__main__":
    serve({"tell": told, "valid": valid, "dataset": vertex_sdk.dataset, "result": vertex_sdk.result})
