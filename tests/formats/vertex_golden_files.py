"""Evaluation items with goldens of every layout, made for tests."""

from __future__ import annotations

import json
import re

from tests.formats.vertex_files import item, request, result, rubric, said, verdict
from trace_inspector.core.values.values import Json, JsonObject

PLACE = "/evaluationRequest"


def event(author: str, *parts: JsonObject, **others: Json) -> JsonObject:
    """One event of a conversation."""
    return {
        "author": author,
        "content": {"role": "user" if author == "user" else "model", "parts": [*parts]},
        **others,
    }


def call(number: int, name: str = "find") -> JsonObject:
    """A part that calls a tool."""
    return {"functionCall": {"id": f"c{number}", "name": name, "args": {"query": name, "seat": number}}}


def answer(number: int, name: str = "find") -> JsonObject:
    """A part with what a tool answers."""
    return {"functionResponse": {"id": f"c{number}", "name": name, "response": {"output": number}}}


def turn(at: int, calls: int = 0, *, has_answer: bool = True) -> JsonObject:
    """A turn of a conversation, two calls an event."""
    events = [event("user", {"text": f"Question {at}"}, eventTime="2026-01-02T03:04:05Z")]
    for first in range(0, calls, 2):
        numbers = range(first, min(first + 2, calls))
        events.append(event("clerk", *(call(one) for one in numbers), activeTools=[{"googleSearch": {}}]))
        events.append(event("clerk", *(answer(one) for one in numbers)))
    if has_answer:
        events.append(event("clerk", {"text": f"Answer {at}"}, unknown=1.50))
    return {"turnIndex": at, "turnId": f"t{at}", "events": [*events], "unknown": {"kept": 1.50}}


def told(*turns: JsonObject) -> JsonObject:
    """Agent data of these turns."""
    return {"agentData": {"agents": {"clerk": {"agentId": "clerk"}}, "turns": [*turns]}}


RUBRICS: JsonObject = {
    "tone": {
        "groupId": "g1",
        "displayName": "Tone",
        "rubrics": [rubric("a", "Is polite."), rubric("b", "Is brief.")],
    },
    "facts": {"groupId": "g2", "rubrics": [rubric("c", "Names the seat.", type="FACT", importance="HIGH", more=1)]},
}
HISTORY = (turn(0, 1), turn(1, 2), turn(2, has_answer=False))


def golden(prompt: Json, expected: Json = None, **others: Json) -> JsonObject:
    """A request with a prompt and what is expected."""
    parts: JsonObject = {"prompt": prompt, "goldenResponse": expected, "rubrics": RUBRICS, **others}
    return {key: value for key, value in parts.items() if value is not None}


REQUESTS: dict[str, JsonObject] = {
    "asked": golden({"text": "Question 0", "unknown": 1}),
    "answered": golden({"text": "Question 0"}, {"candidate": "golden", "text": "Answer 0"}),
    "value": golden({"value": "Question 0"}, {"value": "Answer 0"}),
    "with events": golden(
        {"text": "Question 0"},
        {
            "candidate": "golden",
            "events": [said("Let me see."), {"role": "model", "parts": [call(0), call(1)]}, said("Answer 0")],
            "text": "Answer 0",
        },
    ),
    "history": golden(told(*HISTORY)),
    "history answered": golden(told(*HISTORY), {"text": "Answer 2"}),
    "told": golden({"text": "Question 0"}, {"candidate": "golden", **told(turn(0, 3))}),
    "told after history": golden(told(turn(0, 1), turn(1, has_answer=False)), told(turn(0, 1), turn(1, 2))),
    "told alone": golden(None, told(turn(0, 2), turn(1))),
    "with candidates": request(prompt=told(*HISTORY), goldenResponse={"text": "Answer 2"}, rubrics=RUBRICS),
}
RECORDED = golden(None, None, candidateResponses=[{"candidate": "large", **told(turn(0, 2), turn(1))}])
SCENARIO = golden(
    {"userScenario": {"startingPrompt": "Hello", "conversationPlan": "Book seat 2.", "testCaseTitle": "Seats"}}
)
TEMPLATE = golden({"promptTemplateData": {"values": {"a": said("One", "user"), "b": said("Two", "user")}}})


def whole(held: JsonObject) -> JsonObject:
    """An item with a request, and everything that an item says."""
    return item(
        "evaluationRequest",
        held,
        labels={"team": "seats", "level": "3"},
        metadata={"source": "desk"},
        createTime="2026-01-02T03:04:05Z",
        unknown=[1.50],
    )


def snake(value: Json) -> Json:
    """The same value as the SDK dumps it; names that people gave and what stands in arguments stay."""
    if isinstance(value, list):
        return [snake(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {
        re.sub("[A-Z]", lambda found: f"_{found[0].lower()}", key): one if key in ("args", "response") else snake(one)
        for key, one in value.items()
    }


def files(held: JsonObject) -> dict[str, tuple[str, str, str]]:
    """The text of each kind of file with this request in it, its suffix, and where the entry stands."""
    other = item("evaluationRequest", request(), "q7")
    judged = item("evaluationResponse", result(verdict("small", 1)), "r1")
    listed = {"evaluationItems": [judged, whole(held), other], "nextPageToken": "more"}
    bare = json.dumps(held)
    return {
        "item": (json.dumps(whole(held), indent=2) + "\n", ".json", ""),
        "one line": (json.dumps(whole(held)), ".json", ""),
        "snake": (json.dumps(snake(whole(held)), indent="\t").replace("\n", "\r\n"), ".json", ""),
        "reply": (json.dumps(listed, indent=1), ".json", "/evaluationItems/1"),
        "lines": ("".join(json.dumps(one) + "\n" for one in (other, whole(held), judged)), ".jsonl", "/1"),
        "bare": (bare, ".json", ""),
        "bare lines": (f"{bare}\n{json.dumps(request())}\n", ".jsonl", "/0"),
    }
