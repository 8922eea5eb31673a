"""Cases of ADK eval sets, made for tests: turns in every form in which calls can stand."""

from __future__ import annotations

from trace_inspector.core.values.values import Json, JsonObject


def call(name: str, number: int) -> JsonObject:
    return {"id": f"{name}-{number}", "name": name, "args": {"query": name, "limit": number}}


def answer(name: str, number: int) -> JsonObject:
    return {"id": f"{name}-{number}", "name": name, "response": {"rows": number}}


def in_lists(count: int) -> JsonObject:
    """The old form: a list of calls, and one of what they were answered."""
    return {
        "intermediate_data": {
            "tool_uses": [call("find", at) for at in range(count)],
            "tool_responses": [answer("find", at) for at in range(count)],
        }
    }


def in_events(count: int) -> JsonObject:
    """The new form: a thought, then two calls an event, then their answers."""
    events: list[Json] = [{"author": "host", "content": {"parts": [{"text": "Hm.", "thought": True}]}}]
    for first in range(0, count, 2):
        numbers = range(first, min(first + 2, count))
        calls: list[Json] = [{"function_call": call("find", at)} for at in numbers]
        answers: list[Json] = [{"function_response": answer("find", at)} for at in numbers]
        events.append({"author": "host", "content": {"parts": calls, "role": "model"}})
        events.append({"author": "host", "content": {"parts": answers, "role": "user"}})
    return {"intermediate_data": {"invocation_events": events}}


def in_camel(count: int) -> JsonObject:
    return {"intermediateData": {"toolUses": [call("find", at) for at in range(count)]}}


def case_of(*turns: JsonObject, **more: Json) -> JsonObject:
    said: list[Json] = [
        {
            "user_content": {"role": "user", "parts": [{"text": f"Question {at}"}]},
            **turn,
            "final_response": {"role": "model", "parts": [{"text": f"Answer {at}"}]},
        }
        for at, turn in enumerate(turns)
    ]
    return {"eval_id": "one", "conversation": said, "unknown": {"kept": 1.50}, **more}


RUBRIC: JsonObject = {"rubricId": "old", "rubricContent": {"textProperty": "Polite"}, "type": "TONE"}
SCENARIO: JsonObject = {
    "evalId": "talk",
    "conversationScenario": {"startingPrompt": "Hello", "conversationPlan": "Book a seat.", "userPersona": "EXPERT"},
}


def handing_over() -> JsonObject:
    """A turn that hands over and then calls, after a picture, bytes and words."""
    over: JsonObject = {"name": "transfer_to_agent", "args": {"agent_name": "desk", "why": "asked"}}
    picture: JsonObject = {"file_data": {"file_uri": "gs://a", "mime_type": "image/gif", "display_name": "A"}}
    held: JsonObject = {"inline_data": {"data": "AAAA", "mime_type": "image/png"}}
    return {
        "intermediate_data": {"tool_uses": [over, call("find", 0)]},
        "user_content": {"role": "user", "parts": [{"text": "Look"}, picture, held]},
    }
