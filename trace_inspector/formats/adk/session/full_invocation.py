"""An invocation with every key that google-adk 2.13 writes into a result file, null where there is nothing."""

from __future__ import annotations

from collections.abc import Callable

from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.adk.common import schemas
from trace_inspector.formats.common.schema import Schema

_BLOB = ("data", "display_name", "mime_type")
_FILE = ("display_name", "file_uri", "mime_type")
_CODE = ("code", "language", "id")
_CODE_RESULT = ("outcome", "output", "id")
_USAGE = (
    "cache_tokens_details",
    "cached_content_token_count",
    "candidates_token_count",
    "candidates_tokens_details",
    "prompt_token_count",
    "prompt_tokens_details",
    "thoughts_token_count",
    "tool_use_prompt_token_count",
    "tool_use_prompt_tokens_details",
    "total_token_count",
    "traffic_type",
)
_PART_KEYS = {
    "inline_data": _BLOB,
    "file_data": _FILE,
    "executable_code": _CODE,
    "code_execution_result": _CODE_RESULT,
    "function_call": tuple(schemas.FUNCTION_CALL.fields),
    "function_response": tuple(schemas.FUNCTION_RESPONSE.fields),
}
# Keys whose default is not null.
_DEFAULTS: JsonObject = {"invocation_id": "", "creation_timestamp": 0.0}


def filled_invocation(written: JsonObject) -> JsonObject:
    """An invocation as the writer makes it, with all keys."""
    filled = {**_filled(written, schemas.INVOCATION)}
    for key, default in _DEFAULTS.items():
        filled[key] = default if filled[key] is None else filled[key]
    for key in ("user_content", "final_response"):
        filled[key] = _content(filled[key])
    filled["intermediate_data"] = _intermediate(filled["intermediate_data"])
    filled["rubrics"] = _each(filled["rubrics"], lambda rubric: _filled(rubric, schemas.RUBRIC))
    return filled


def _intermediate(value: Json) -> Json:
    if not isinstance(value, dict):
        return None
    if "invocation_events" in value:
        return {"invocation_events": _each(value["invocation_events"], _event)}
    responses = value.get("intermediate_responses")
    return {
        "tool_uses": _each(value.get("tool_uses") or [], lambda use: _filled(use, schemas.FUNCTION_CALL)),
        "tool_responses": _each(
            value.get("tool_responses") or [], lambda use: _filled(use, schemas.FUNCTION_RESPONSE)
        ),
        "intermediate_responses": [
            [pair[0], _each(pair[1], _part)]
            for pair in (responses if isinstance(responses, list) else [])
            if isinstance(pair, list)
        ],
    }


def _event(value: JsonObject) -> JsonObject:
    filled = _filled(value, schemas.INVOCATION_EVENT)
    filled["content"] = _content(filled["content"])
    usage = filled["usage_metadata"]
    filled["usage_metadata"] = _keyed(usage, _USAGE) if isinstance(usage, dict) else None
    return filled


def _content(value: Json) -> Json:
    return {"parts": _each(value.get("parts"), _part), "role": value.get("role")} if isinstance(value, dict) else None


def _part(value: JsonObject) -> JsonObject:
    filled = _filled(value, schemas.PART)
    for key, keys in _PART_KEYS.items():
        inner = filled[key]
        if isinstance(inner, dict):
            filled[key] = _keyed(inner, keys)
    return filled


def _each(value: Json, fill: Callable[[JsonObject], JsonObject]) -> Json:
    return [fill(item) for item in value if isinstance(item, dict)] if isinstance(value, list) else None


def _filled(value: JsonObject, schema: Schema) -> JsonObject:
    return _keyed(value, tuple(schema.fields))


def _keyed(value: JsonObject, keys: tuple[str, ...]) -> JsonObject:
    return {key: value.get(key) for key in keys}
