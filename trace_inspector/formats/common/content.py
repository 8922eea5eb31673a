"""A google-genai Content, in snake_case and camelCase, as parts; and parts as a Content again."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from trace_inspector.core.trace.parts import Code, Media, Part, Text, Thought, ToolCall, ToolResult, Transfer, Unknown
from trace_inspector.core.trace.trace import Usage
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import ABSENT, Json, JsonObject
from trace_inspector.formats.common.fields import Fields, count_of, fields_of

# Keys that only say more about the part they stand in.
_ASIDE = frozenset(
    {
        "thought", "thoughtSignature", "thought_signature", "videoMetadata", "video_metadata", "partMetadata",
        "part_metadata", "mediaResolution", "media_resolution",
    }
)  # fmt: skip


def parts_of(content: Json, place: str) -> tuple[Part, ...]:
    """The parts of a Content; one part for a plain text, none for anything else."""
    if isinstance(content, str):
        return (Text(content, place),)
    if not isinstance(content, dict):
        return ()
    parts = content.get("parts")
    if isinstance(parts, list):
        return parts_in(parts, place + "/parts")
    words = content.get("content")  # Other agent frameworks write {"role", "content": text}.
    return (Text(words, place + "/content"),) if isinstance(words, str) else ()


def parts_in(parts: list[Json], place: str, first: int = 0) -> tuple[Part, ...]:
    """The parts of a list, or of a slice of one that begins at index `first`."""
    return tuple(part for index, raw in enumerate(parts, first) for part in _part(raw, f"{place}/{index}"))


def role_of(content: Json) -> str | None:
    """The role a Content states."""
    role = content.get("role") if isinstance(content, dict) else None
    return role if isinstance(role, str) else None


def call_of(fields: Fields) -> ToolCall:
    """A FunctionCall; missing `args` stay absent."""
    name = fields.text("name")
    return ToolCall(name or "", fields.get("args"), fields.text("id"), fields.place, nameless=name is None)


def result_of(fields: Fields) -> ToolResult:
    """A FunctionResponse."""
    name, value = fields.text("name"), fields.get("response")
    return ToolResult(
        name or "",
        value,
        fields.text("id"),
        is_error=is_failure(value),
        place=fields.place,
        nameless=name is None,
    )


def is_failure(value: object) -> bool:
    """Whether a tool result states a failure: an `error`, or MCP's `isError`."""
    if not isinstance(value, dict):
        return False
    return bool(value.get("error")) or value.get("isError") is True or value.get("is_error") is True


def decoded_size(data: str) -> int:
    """The number of bytes in a base64 text, without decoding it."""
    return len(data) * 3 // 4 - data.count("=", -2)


def content_json(parts: tuple[Part, ...], role: str) -> JsonObject:
    """Parts as a Content in snake_case. Parts without an equivalent are left out."""
    return {"parts": [raw for part in parts if (raw := part_json(part)) is not None], "role": role}


def part_json(part: Part) -> JsonObject | None:
    """A part as google-genai writes it; None where it has no equivalent."""
    match part:
        case Text():
            return {"text": part.text}
        case Thought():
            return {"thought": True, "text": part.text}
        case ToolCall():
            return {"function_call": call_json(part)}
        case ToolResult():
            return {"function_response": result_json(part)}
        case Code() if part.is_result:
            return {"code_execution_result": {"outcome": "OUTCOME_OK", "output": part.text}}
        case Code():
            return {"executable_code": {"code": part.text, "language": part.language or "LANGUAGE_UNSPECIFIED"}}
        case Media() if part.data is not None:
            return {"inline_data": {"data": part.data, "mime_type": part.mime_type}}
        case Media() if part.uri is not None:
            return {"file_data": {"file_uri": part.uri, "mime_type": part.mime_type}}
        case Media() | Transfer() | Unknown():
            return None


def call_json(call: ToolCall) -> JsonObject:
    """A FunctionCall; google-adk takes an object or null as `args`, so other values are wrapped."""
    written: JsonObject = {} if call.call_id is None else {"id": call.call_id}
    args = call.args
    if args is not ABSENT:
        written["args"] = args if isinstance(args, dict) or args is None else {"value": args}
    if not call.nameless:
        written["name"] = call.name
    return written


def result_json(result: ToolResult) -> JsonObject:
    """A FunctionResponse; google-adk takes an object or null as `response`, so other values are wrapped."""
    written: JsonObject = {} if result.call_id is None else {"id": result.call_id}
    if not result.nameless:
        written["name"] = result.name
    value = result.value
    if value is not ABSENT:
        written["response"] = value if isinstance(value, dict) or value is None else {"result": value}
    return written


def _part(raw: Json, place: str) -> Iterator[Part]:
    if isinstance(raw, str):
        yield Text(raw, place)
        return
    if not isinstance(raw, dict):
        yield Unknown("part", raw, place)
        return
    for key, value in raw.items():
        if value is None or key in _ASIDE:
            continue
        read = _READERS.get(key)
        if read is not None and isinstance(value, _TAKES[read]):
            yield read(raw, value, join(place, key))
        else:
            yield Unknown(key, value, join(place, key))


def _text(raw: JsonObject, value: Json, place: str) -> Part:
    words = str(value)
    return Thought(words, place) if raw.get("thought") is True else Text(words, place)


def _call(_raw: JsonObject, value: Json, place: str) -> Part:
    return call_of(fields_of(value, place))


def _result(_raw: JsonObject, value: Json, place: str) -> Part:
    return result_of(fields_of(value, place))


def _inline(_raw: JsonObject, value: Json, place: str) -> Part:
    fields = fields_of(value, place)
    data = fields.text("data")
    size = None if data is None else decoded_size(data)
    return Media(fields.text("mime_type") or "", size, place=place, data=data)


def _file(_raw: JsonObject, value: Json, place: str) -> Part:
    fields = fields_of(value, place)
    return Media(fields.text("mime_type") or "", uri=fields.text("file_uri"), place=place)


def _code(_raw: JsonObject, value: Json, place: str) -> Part:
    fields = fields_of(value, place)
    return Code(fields.text("code") or "", fields.text("language") or "", place=place)


def _code_result(_raw: JsonObject, value: Json, place: str) -> Part:
    return Code(fields_of(value, place).text("output") or "", is_result=True, place=place)


_Reader = Callable[[JsonObject, Json, str], Part]
_READERS: dict[str, _Reader] = {
    "text": _text,
    "function_call": _call,
    "functionCall": _call,
    "function_response": _result,
    "functionResponse": _result,
    "inline_data": _inline,
    "inlineData": _inline,
    "file_data": _file,
    "fileData": _file,
    "executable_code": _code,
    "executableCode": _code,
    "code_execution_result": _code_result,
    "codeExecutionResult": _code_result,
}
_TAKES: dict[_Reader, type] = {read: str if read is _text else dict for read in _READERS.values()}


def genai_usage(usage: Fields) -> Usage:
    """Usage metadata as google-genai counts it."""
    return Usage(
        count_of(usage.get("prompt_token_count")),
        count_of(usage.get("tool_use_prompt_token_count")),
        count_of(usage.get("candidates_token_count")),
        count_of(usage.get("thoughts_token_count")),
        count_of(usage.get("cached_content_token_count")),
        count_of(usage.get("total_token_count")),
    )
