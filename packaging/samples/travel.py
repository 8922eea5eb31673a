"""A travel desk in agent-eval: one row as its converter writes it, with the spans that the converter invents."""

from __future__ import annotations

from samples.names import hex_id, uuid_of
from samples.story import Json, JsonObject

_START_S = 1_775_988_000
_QUESTION, _ANSWER = "Two seats on the morning train to Graz?", "There are 5 seats left at 07:40."


def row() -> JsonObject:
    """The one row."""
    call: JsonObject = {
        "functionCall": {"id": "c1", "name": "find_seats", "args": {"cityName": "Graz", "seatCount": 2}}
    }
    found: JsonObject = {
        "functionResponse": {"id": "c1", "name": "find_seats", "response": {"seats": 5, "at": "07:40"}}
    }
    events: list[Json] = [
        _event("user", {"text": _QUESTION}, 0),
        _event("travel_desk", call, 1, _usage(640, 24, 320)),
        _event("travel_desk", found, 2),
        _event("travel_desk", {"text": _ANSWER}, 3, _usage(720, 18, 320)),
    ]
    session = uuid_of("travel", "session")
    interaction: JsonObject = {
        "tool_name": "find_seats",
        "input_arguments": {"cityName": "Graz", "seatCount": 2},
        "call_id": "c1",
        "output_result": {"seats": 5, "at": "07:40"},
    }
    expected: JsonObject = {"tool_name": "find_seats", "input_arguments": {"cityName": "Graz", "seatCount": 2}}
    return {
        "question_id": "morning_train",
        "session_id": session,
        "run_id": uuid_of("travel", "run"),
        "app_name": "travel_desk",
        "ADK_USER_ID": "someone",
        "base_url": "simulation",
        "status": {"boolean": "success"},
        "agents_evaluated": ["travel_desk"],
        "user_inputs": [_QUESTION],
        "question_metadata": {"kind": "seats"},
        "reference_data": {"reference_tool_interactions": [expected], "reference_trajectory": ["find_seats"]},
        "interaction_datetime": "2026-04-12T12:00:00",
        "missing_information": {"boolean": False},
        "final_session_state": {
            "id": session,
            "appName": "travel_desk",
            "userId": "someone",
            "state": {"city": "Graz"},
            "events": events,
            "lastUpdateTime": _START_S + 3,
        },
        "session_trace": _spans(),
        "latency_data": [{"name": "invocation", "type": "invocation", "duration_seconds": 4.0}],
        "trace_summary": ["agent:travel_desk", "tool:find_seats"],
        "extracted_data": {"state_variables": {"city": "Graz"}, "tool_interactions": [interaction], "city": "Graz"},
        "final_response": _ANSWER,
        "adk_score.tool_trajectory_avg_score": 1.0,
        "adk_score.response_match_score": None,
    }


def _event(author: str, part: JsonObject, after_s: int, usage: JsonObject | None = None) -> JsonObject:
    event: JsonObject = {
        "content": {"parts": [part], "role": "user" if author == "user" or "functionResponse" in part else "model"},
        "invocationId": "e-1",
        "author": author,
        "actions": {"stateDelta": {}},
        "id": hex_id("travel", after_s, digits=8),
        "timestamp": _START_S + after_s,
    }
    return event if usage is None else {**event, "usageMetadata": usage, "modelVersion": "gemini-2.5-flash"}


def _usage(prompt: int, answer: int, cached: int) -> JsonObject:
    return {"promptTokenCount": prompt, "candidatesTokenCount": answer, "cachedContentTokenCount": cached}


def _spans() -> list[Json]:
    """One of a second for each event, and for the tool one more, as the converter makes them up."""
    names = (
        "invocation",
        "invoke_agent travel_desk",
        "execute_tool find_seats",
        "execute_tool find_seats",
        "call_llm",
    )
    starts_s, lasts_s = (0, 0, 1, 2, 3), (4, 4, 1, 1, 1)
    spans: list[Json] = []
    for at, (name, start_s, last_s) in enumerate(zip(names, starts_s, lasts_s, strict=True)):
        start_ns = (_START_S + start_s) * 1_000_000_000
        spans.append(
            {
                "name": name,
                "span_id": hex_id("travel", "span", at, digits=16),
                "trace_id": hex_id("travel", "trace", digits=32),
                "parent_span_id": hex_id("travel", "span", min(at - 1, 1), digits=16) if at else None,
                "start_time": start_ns,
                "end_time": start_ns + last_s * 1_000_000_000,
                "attributes": {},
            }
        )
    return spans
