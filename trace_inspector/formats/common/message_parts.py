"""The parts of a message: ADK and Gemini, chat completions, GenAI conventions, Claude, Bedrock, Vercel."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from trace_inspector.core.trace.parts import Media, Part, Text, Thought, ToolCall, ToolResult, Unknown
from trace_inspector.core.values.values import ABSENT, Absent, Json, JsonObject
from trace_inspector.formats.common.content import decoded_size, is_failure, parts_in
from trace_inspector.formats.common.span_attributes import from_text

_RESULTS = ("response", "result", "output", "content")
_ARGUMENTS = ("arguments", "args", "input")
_CALL_IDS = ("tool_call_id", "toolCallId", "call_id", "tool_use_id", "toolUseId", "id")
_TOOL_NAMES = ("name", "toolName", "tool_name")


def message_parts(raw: JsonObject, place: str) -> Iterator[Part]:
    """The parts of a message, of whatever convention it is."""
    listed = raw.get("parts")
    if isinstance(listed, list):
        for index, item in enumerate(listed):
            typed = isinstance(item, dict) and isinstance(item.get("type"), str)
            if typed and isinstance(item, dict):
                yield typed_part(item, f"{place}/parts/{index}")
            else:
                yield from parts_in([item], f"{place}/parts", index)
        return
    content = raw.get("content")
    if raw.get("role") in ("tool", "function") and not _blocks(content):
        yield _result({**raw, "result": content}, f"{place}/content")
        return
    yield from content_parts(content, f"{place}/content")
    for owner, owner_place in ((raw, place), (raw.get("additional_kwargs"), f"{place}/additional_kwargs")):
        calls = owner.get("tool_calls") if isinstance(owner, dict) else None
        if isinstance(calls, list) and calls:  # beside, as the first versions of LangChain had them
            for index, call in enumerate(calls):
                if isinstance(call, dict):
                    yield named_call(call, f"{owner_place}/tool_calls/{index}")
            return


def typed_part(item: JsonObject, place: str) -> Part:
    """A part with a `type`, or as in Bedrock with a single key that names it."""
    kind = item.get("type")
    if not isinstance(kind, str):
        kind = next((key for key in ("text", *_WRAPPED) if key in item), "part")
        if kind in _WRAPPED and isinstance(inner := item[kind], dict):
            return _WRAPPED[kind](inner, f"{place}/{kind}")
    words = item.get("content", item.get("text", item.get("thinking", item.get("refusal"))))
    if kind in ("text", "input_text", "output_text", "refusal") and isinstance(words, str):
        return Text(words, place)
    if kind in ("reasoning", "thinking") and isinstance(words, str):
        return Thought(words, place)
    if (medium := _media(kind, item, place)) is not None:
        return medium
    read = _result if kind.endswith("_tool_result") else _TYPES.get(kind)
    return read(item, place) if read else Unknown(kind, dict(item), place)


def _media(kind: str, item: JsonObject, place: str) -> Media | None:
    """An image, a sound or a document: bytes in base64, a link, or the name of a file; nothing of it is fetched."""
    if kind not in _MEDIA:
        return None
    inner = _first(item, ("source", kind, "image_url"))
    stated: JsonObject = item if inner is ABSENT else {"url": inner}  # MCP has data and type beside the kind
    source = dict(inner) if isinstance(inner, dict) else stated
    data, link = _text(source.get("data")), _text(_first(source, ("url", "path", "file_uri", "file_id")))
    mime = _text(_first(source, ("media_type", "mime_type", "mimeType"))) or ""
    if link is not None and link.startswith("data:"):
        head, comma, body = link[5:].partition(",")
        if comma and head.endswith(";base64"):
            mime, data, link = mime or head.removesuffix(";base64"), body, None
    if data is None and link is None:
        return None
    return Media(mime, None if data is None else decoded_size(data), link, place, data)


def _blocks(content: Json) -> bool:
    """Whether a tool message has typed results instead of the result itself."""
    return isinstance(content, list) and any(
        isinstance(item, dict) and (item.get("type") in _TYPES or any(key in item for key in _WRAPPED))
        for item in content
    )


def content_parts(content: Json, place: str) -> Iterator[Part]:
    """The parts of the content of a message: a text, or a list of parts."""
    if isinstance(content, str):
        if content:
            yield Text(content, place)
    elif isinstance(content, list):
        for index, item in enumerate(content):
            if isinstance(item, dict):
                yield typed_part(item, f"{place}/{index}")
            elif isinstance(item, str):
                yield Text(item, f"{place}/{index}")


def _first(item: JsonObject, names: tuple[str, ...]) -> Json | Absent:
    return next((item[name] for name in names if name in item), ABSENT)


def _text(value: Json | Absent) -> str | None:
    return value if isinstance(value, str) else None


def named_call(item: JsonObject, place: str) -> ToolCall:
    """A call, with the function's name and arguments in it or in an object of their own."""
    inner = item.get("function")
    named = inner if isinstance(inner, dict) else item
    args = _first(named, _ARGUMENTS)
    return ToolCall(
        _text(_first(named, _TOOL_NAMES)) or "",
        args if args is ABSENT else from_text(args),
        _text(_first(item, _CALL_IDS)),
        place,
    )


def _result(item: JsonObject, place: str) -> ToolResult:
    value = from_text(_plain(_first(item, _RESULTS)))
    failed = is_failure(value) or item.get("is_error") is True or item.get("status") == "error"
    return ToolResult(_text(_first(item, _TOOL_NAMES)) or "", value, _text(_first(item, _CALL_IDS)), failed, place)


def _plain(value: Json | Absent) -> Json:
    """A result, taken out of a single block."""
    if isinstance(value, list) and len(value) == 1 and isinstance(block := value[0], dict):
        inner = block.get("json", block.get("text"))
        return value if inner is None else inner
    if isinstance(value, dict) and value.keys() == {"type", "value"}:
        return value["value"]
    return None if value is ABSENT else value


_MEDIA = ("image", "image_url", "input_image", "document", "audio", "input_audio", "file", "input_file")
_TYPES: dict[str, Callable[[JsonObject, str], Part]] = {
    **dict.fromkeys(
        (
            "tool_call", "tool-call", "tool_use", "function_call", "server_tool_use", "mcp_tool_use",
            "custom_tool_call", "toolCall",
        ),
        named_call,
    ),
    **dict.fromkeys(
        ("tool_call_response", "tool-result", "tool_result", "function_call_output", "custom_tool_call_output"),
        _result,
    ),
}  # fmt: skip
_WRAPPED: dict[str, Callable[[JsonObject, str], Part]] = {"toolUse": named_call, "toolResult": _result}
