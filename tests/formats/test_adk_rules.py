"""ADK's rules of eval sets as the reference tells them: what google-adk wrote passes, what it refuses does not."""

from __future__ import annotations

import json
from pathlib import Path

from tests.formats import adk_golden_cases as adk
from tests.formats.adk_files import WRITABLE
from tests.formats.span_files import opened
from tests.helpers.adk_rules import refusals
from tests.helpers.tables import each
from trace_inspector.core.values.json_numbers import parse_exactly
from trace_inspector.core.values.value_paths import with_member
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats import BY_NAME

FORMAT = BY_NAME["adk-eval-set"]

VECTORS = json.loads((Path(__file__).parents[1] / "data" / "adk-2.13.json").read_text(encoding="utf-8"))["vectors"]


def eval_set(*cases: Json, **more: Json) -> JsonObject:
    return {"eval_set_id": "s", "eval_cases": [*cases], **more}


def test_whatever_adk_evaluated_passes() -> None:
    held = [job[side] for one in VECTORS for job in (one["job"],) for side in ("actual", "expected") if job.get(side)]
    assert len(held) > 100
    for turns in held:
        assert refusals(eval_set({"eval_id": "c", "conversation": turns})) == []


@each("name", [name for name in WRITABLE if name != "adk-eval-config"])
def test_what_is_written_of_any_format_passes(name: str) -> None:
    assert FORMAT.write is not None
    contents = opened(parse_exactly(WRITABLE[name]), "made.json")
    assert refusals(json.loads(FORMAT.write(contents).text)) == []


CASE = "/eval_cases/0"
TURN = f"{CASE}/conversation/0"
TAKEN: dict[str, tuple[str, Json]] = {
    "an unknown key at the top": ("/more", 1),
    "an unknown key of a case": (f"{CASE}/more", {"a": 1}),
    "a number as text": (f"{TURN}/duration", "1.5"),
    "no conversation is none": (f"{CASE}/conversationScenario", None),
    "camelCase in a case": (f"{CASE}/sessionInput", {"appName": "a", "userId": "u", "more": 1}),
    "keys of the UI in an event": (f"{CASE}/conversation/1/intermediate_data/invocation_events/0/toolUseIndex", 1),
    "a rubric without words": (f"{CASE}/rubrics", [{"rubric_id": "a", "rubric_content": {"text_property": None}}]),
    "arguments of any kind": (f"{TURN}/intermediate_data/tool_uses/0/args", {"a": [None, {"b": 1}]}),
}
REFUSED: dict[str, tuple[str, Json, str]] = {
    "camelCase at the top": ("", {"evalSetId": "s", "evalCases": []}, "/eval_set_id: missing"),
    "no id": (f"{CASE}/eval_id", None, f"{CASE}/eval_id: no string"),
    "neither conversation nor scenario": (f"{CASE}/conversation", None, f"{CASE}: not one of"),
    "both": (
        f"{CASE}/conversation_scenario",
        {"starting_prompt": "a", "conversation_plan": "b"},
        f"{CASE}: not one of",
    ),
    "an unknown key of a turn": (f"{TURN}/agent_content", {}, f"{TURN}/agent_content: unknown"),
    "an unknown key of a content": (f"{TURN}/user_content/content", "a", f"{TURN}/user_content/content: unknown"),
    "no message of the user": (f"{TURN}/user_content", None, f"{TURN}/user_content: no object"),
    "arguments in a list": (
        f"{TURN}/intermediate_data/tool_uses/0/args",
        [1],
        f"{TURN}/intermediate_data/tool_uses/0/args: no object",
    ),
    "both forms": (
        f"{TURN}/intermediate_data/invocation_events",
        [],
        f"{TURN}/intermediate_data/tool_uses: unknown",
    ),
    "an event of nobody": (
        f"{CASE}/conversation/1/intermediate_data/invocation_events/0/author",
        None,
        "/invocation_events/0/author: no string",
    ),
    "a rubric with importance": (
        f"{CASE}/rubrics",
        [{"rubric_id": "a", "rubric_content": {}, "importance": "HIGH"}],
        f"{CASE}/rubrics/0/importance: unknown",
    ),
    "a session without a user": (
        f"{CASE}/session_input",
        {"app_name": "a"},
        f"{CASE}/session_input/user_id: missing",
    ),
    "a key in both spellings": (f"{TURN}/userContent", {"parts": []}, f"{TURN}/user_content: unknown"),
}


def changed(pointer: str, new: Json) -> Json:
    """A sound set with another value somewhere."""
    sound = eval_set(adk.case_of(adk.in_lists(1), adk.in_events(1)))
    assert refusals(sound) == []
    return with_member(sound, pointer, new) if pointer else new


@each("what", TAKEN)
def test_what_adk_takes(what: str) -> None:
    assert refusals(changed(*TAKEN[what])) == []


@each("what", REFUSED)
def test_what_adk_refuses(what: str) -> None:
    pointer, new, said = REFUSED[what]
    assert any(said in one for one in refusals(changed(pointer, new)))


@each(("persona", "count"), [("NOVICE", 0), ("PIRATE", 1), ({"id": "a"}, 2), (None, 0)])
def test_personas(persona: Json, count: int) -> None:
    told: JsonObject = {"starting_prompt": "a", "conversation_plan": "b", "user_persona": persona}
    assert len(refusals(eval_set({"eval_id": "c", "conversation_scenario": told}))) == count
