"""The goldens as an ADK eval set, and the criteria file beside it."""

from __future__ import annotations

from collections.abc import Sequence

from samples.agents import APP, USER
from samples.names import uuid_of
from samples.story import Call, Conversation, Golden, Json, JsonObject, Rubric, Step, Turn, expected_steps

METRIC = "rubric_based_final_response_quality_v1"
RUBRIC_TYPE = "FINAL_RESPONSE_QUALITY"
SAMPLES = 3
EVERYWHERE = (
    Rubric("no_unsourced_numbers", "Every number in the answer comes from the user or from a tool result."),
    Rubric("answers_the_question", "The answer responds to what the user asked in this turn."),
)


def criteria() -> JsonObject:
    """What ADK calls an eval config."""
    return {
        "criteria": {
            "tool_trajectory_avg_score": 1.0,
            "response_match_score": 0.5,
            METRIC: {
                "threshold": 0.95,
                "judge_model_options": {"judge_model": "gemini-2.5-flash", "num_samples": SAMPLES},
                "rubrics": [_rubric(rubric) for rubric in EVERYWHERE],
            },
        }
    }


def eval_set(conversations: Sequence[Conversation], created_s: float) -> JsonObject:
    """One case per conversation that somebody wrote a golden for."""
    return {
        "eval_set_id": "retail",
        "name": "Retail location assistant",
        "description": "What three agents should do for people who look for a place to open a shop.",
        "eval_cases": [_case(conversation, created_s) for conversation in conversations],
        "creation_timestamp": created_s,
    }


def _case(conversation: Conversation, created_s: float) -> JsonObject:
    case: JsonObject = {
        "eval_id": conversation.id,
        "conversation": [
            _invocation(conversation.id, index, turn, turn.golden, created_s)
            for index, turn in enumerate(conversation.turns)
            if turn.golden
        ],
        "session_input": _session(conversation),
        "creation_timestamp": created_s,
    }
    if conversation.rubrics:
        case["rubrics"] = [_typed(rubric) for rubric in conversation.rubrics]
    if conversation.final_state:
        case["final_session_state"] = conversation.final_state
    return case


def _session(conversation: Conversation) -> JsonObject:
    state: JsonObject = {"state": conversation.start_state} if conversation.start_state else {}
    return {"app_name": APP, "user_id": USER, **state}


def _invocation(case_id: str, index: int, turn: Turn, golden: Golden, created_s: float) -> JsonObject:
    name = f"golden/{case_id}/{index}"
    steps = expected_steps(turn)
    invocation: JsonObject = {
        "invocation_id": f"e-{uuid_of(name)}",
        "user_content": {"parts": [{"text": turn.user}], "role": "user"},
        "final_response": {"parts": [{"text": golden.answer}], "role": "model"},
        "intermediate_data": _events(name, steps) if golden.as_events else _lists(name, steps),
        "creation_timestamp": created_s + index * 20.0,
    }
    if golden.rubrics:
        invocation["rubrics"] = [_typed(rubric) for rubric in golden.rubrics]
    return invocation


def _events(name: str, steps: Sequence[Step]) -> JsonObject:
    events: list[Json] = []
    for at, step in enumerate(steps):
        if not step.calls:
            continue
        called: list[Json] = [{"function_call": _call(f"{name}/{at}/{i}", call)} for i, call in enumerate(step.calls)]
        answered: list[Json] = [
            {"function_response": _response(f"{name}/{at}/{i}", call)} for i, call in enumerate(step.calls)
        ]
        events.append({"author": step.agent, "content": {"parts": called, "role": "model"}})
        events.append({"author": step.agent, "content": {"parts": answered, "role": "user"}})
    return {"invocation_events": events}


def _lists(name: str, steps: Sequence[Step]) -> JsonObject:
    calls = [(f"{name}/{at}/{i}", call) for at, step in enumerate(steps) for i, call in enumerate(step.calls)]
    return {
        "tool_uses": [_call(key, call) for key, call in calls],
        "tool_responses": [_response(key, call) for key, call in calls],
    }


def _call(key: str, call: Call) -> JsonObject:
    return {"id": f"adk-{uuid_of(key)}", "args": call.args, "name": call.tool}


def _response(key: str, call: Call) -> JsonObject:
    return {"id": f"adk-{uuid_of(key)}", "name": call.tool, "response": call.result}


def _typed(rubric: Rubric) -> JsonObject:
    return {**_rubric(rubric), "type": RUBRIC_TYPE}


def _rubric(rubric: Rubric) -> JsonObject:
    return {"rubric_id": rubric.id, "rubric_content": {"text_property": rubric.text}}
