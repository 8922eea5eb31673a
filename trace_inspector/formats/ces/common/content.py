"""Messages, chunks and session inputs of CES as parts; camelCase and snake_case, plain or as Struct."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from trace_inspector.core.finding import error
from trace_inspector.core.trace.parts import Media, Part, Text, ToolCall, ToolResult, Transfer, Unknown
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import ABSENT, Absent, Json, JsonObject
from trace_inspector.formats.ces.common import evaluation_schemas as schemas
from trace_inspector.formats.ces.common.values import plain
from trace_inspector.formats.common.content import decoded_size, is_failure
from trace_inspector.formats.common.extras import extras_of
from trace_inspector.formats.common.fields import Fields, Report, by_spelling, fields_of, kind_of, spellings
from trace_inspector.formats.common.schema import check

AUDIO = "audio"  # bytes without a media type
UPDATED, DEFAULTS, VARIABLES, PAYLOAD, EVENT = (
    "updated variables",
    "default variables",
    "variables",
    "payload",
    "event",
)
# Keys of a session input that only describe another member.
_ASIDE = frozenset({"will_continue"})
_GENERATED = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.ASCII | re.IGNORECASE)


def message_parts(value: Json | Absent, place: str, report: Report) -> tuple[Part, ...]:
    """The parts of a Message in their order; a bare text, as people write it by hand, is one."""
    if value is ABSENT or value is None:
        return ()
    if isinstance(value, str):
        return (Text(value, place),)
    if not isinstance(value, dict):
        report.add(error("wrong-type", f"This should be a message, not {kind_of(value)}.", place))
        return ()
    fields = Fields(value, place)
    check(fields, schemas.MESSAGE, report)
    parts = [part for chunk in report.bounded(fields, "chunks") for part in chunk_parts(chunk, report)]
    return tuple(parts)


def chunk_parts(fields: Fields, report: Report) -> tuple[Part, ...]:
    """The parts of a Chunk; a member that is not known here as it stands."""
    return tuple(_members(fields, _CHUNK, report))


def input_parts(fields: Fields, report: Report) -> tuple[Part, ...]:
    """The parts of a SessionInput: what the user, or the caller in the user's stead, gives to the agent."""
    return tuple(_members(fields, _INPUT, report))


def call_of(fields: Fields) -> ToolCall:
    """A ToolCall. What it is called by is short in `name`, and whole in `resource`."""
    resource = _resource(fields)
    args = fields.get("args")
    return ToolCall(
        name=short_name(resource, fields.text("display_name") or ""),
        args=args if args is ABSENT else plain(args),
        call_id=fields.text("id") or None,
        place=fields.place,
        resource=resource,
        agent=fields.text("agent_name") or "",
        parent_id=fields.text("parent_tool_call_id") or None,
    )


def result_of(fields: Fields) -> ToolResult:
    """A ToolResponse. An `error` in the answer means failure; the answer stays whole, with `output` around it."""
    response = fields.get("response")
    value = response if response is ABSENT else plain(response)
    return ToolResult(
        name=short_name(_resource(fields), fields.text("display_name") or ""),
        value=value,
        call_id=fields.text("id") or None,
        is_error=is_failure(value),
        place=fields.place,
    )


def transfer_of(fields: Fields) -> Transfer:
    """An AgentTransfer."""
    name = short_name(fields.text("target_agent") or "", fields.text("display_name") or "")
    return Transfer(name, fields.place)


def beside_call(fields: Fields) -> tuple[Extra, ...]:
    """The members of a ToolCall that its part does not show; a display name that is shown as its name is none."""
    return _beside(fields, short_name(_resource(fields), fields.text("display_name") or ""), *_OF_A_CALL)


def checked_call(fields: Fields, report: Report) -> ToolCall:
    """A ToolCall, and what is odd in it reported."""
    check(fields, schemas.TOOL_CALL, report)
    return call_of(fields)


def checked_result(fields: Fields, report: Report) -> ToolResult:
    """A ToolResponse, and what is odd in it reported."""
    check(fields, schemas.TOOL_RESPONSE, report)
    return result_of(fields)


def checked_transfer(fields: Fields, report: Report) -> Transfer:
    """An AgentTransfer, and what is odd in it reported."""
    check(fields, schemas.TRANSFER, report)
    return transfer_of(fields)


def beside_result(fields: Fields) -> tuple[Extra, ...]:
    """The members of a ToolResponse that its part does not show."""
    return _beside(fields, short_name(_resource(fields), fields.text("display_name") or ""), *_OF_A_RESULT)


def beside_transfer(fields: Fields) -> tuple[Extra, ...]:
    """The members of an AgentTransfer that its part does not show."""
    return _beside(fields, transfer_of(fields).target, "target_agent")


def beside_chunks(message: Fields) -> Iterator[Extra]:
    """What the calls, answers and transfers in a message say that their parts do not show."""
    for chunk in message.objects("chunks"):
        for name, beside in _BESIDE.items():
            member = chunk.object(name)
            if member is not None:
                yield from beside(member)


def _beside(fields: Fields, name: str, *shown: str) -> tuple[Extra, ...]:
    return tuple(extra for extra in extras_of(fields, *shown) if extra.value != name)


def short_name(resource: str, display: str = "") -> str:
    """The last part of a resource's name; its display name where that part was generated, or there is none."""
    last = resource.rpartition("/")[2]
    return display if display and (not last or _GENERATED.fullmatch(last)) else last


def state_of(parts: Iterable[Part]) -> JsonObject | None:
    """The variables that the parts change, later ones over earlier ones; None where they change none."""
    changed: JsonObject | None = None
    for part in parts:
        if isinstance(part, Unknown) and part.kind == UPDATED and isinstance(part.raw, dict):
            changed = {**(changed or {}), **part.raw}
    return changed


def _resource(fields: Fields) -> str:
    """The whole name of the tool; of one in a toolset that of the set, and its id behind it."""
    toolset = fields.object("toolset_tool")
    if fields.text("tool") or toolset is None:
        return fields.text("tool") or ""
    return "/".join(part for name in ("toolset", "tool_id") if (part := toolset.text(name)))


_Reader = Callable[[Json, str, Report], Iterator[Part]]


def _members(fields: Fields, readers: Mapping[str, tuple[type, _Reader]], report: Report) -> Iterator[Part]:
    for key, value in fields.value.items():
        place = join(fields.place, key)
        if value is None or key in _PASSED:
            continue
        takes, read = readers.get(key, (object, _as_it_stands(key)))
        if isinstance(value, takes):
            yield from read(value, place, report)
        else:
            report.add(error("wrong-type", f"“{key}” is {kind_of(value)}, which CES does not allow here.", place))
            yield Unknown(key, value, place)


def _as_it_stands(kind: str) -> _Reader:
    def read(value: Json, place: str, _report: Report) -> Iterator[Part]:
        yield Unknown(kind, plain(value), place)

    return read


def _words(value: Json, place: str, _report: Report) -> Iterator[Part]:
    yield Text(str(value), place)


def _audio(value: Json, place: str, _report: Report) -> Iterator[Part]:
    yield Media(AUDIO, decoded_size(str(value)), place=place, data=str(value))


def _bytes(value: Json, place: str, report: Report) -> Iterator[Part]:
    fields = fields_of(value, place)
    check(fields, schemas.MEDIA, report)
    data = fields.text("data")
    yield Media(fields.text("mime_type") or "", None if data is None else decoded_size(data), place=place, data=data)
    words = fields.text("alt_text")
    if words:
        yield Unknown("alternative text", words, fields.pointer("alt_text"))


def _results(value: Json, place: str, report: Report) -> Iterator[Part]:
    fields = fields_of(value, place)
    check(fields, schemas.TOOL_RESPONSES, report)
    for response in report.bounded(fields, "tool_responses"):
        yield checked_result(response, report)


def _part(part_of: Callable[[Fields, Report], Part]) -> _Reader:
    def read(value: Json, place: str, report: Report) -> Iterator[Part]:
        yield part_of(fields_of(value, place), report)

    return read


_OF_A_RESULT = ("id", "tool", "response")
_OF_A_CALL = ("id", "tool", "toolset_tool", "args", "agent_name", "parent_tool_call_id")
_BESIDE: dict[str, Callable[[Fields], tuple[Extra, ...]]] = {
    "tool_call": beside_call,
    "tool_response": beside_result,
    "agent_transfer": beside_transfer,
}
_PASSED = spellings(*_ASIDE)
_CHUNK = by_spelling(
    {
        "text": (str, _words),
        "transcript": (str, _words),
        "blob": (dict, _bytes),
        "payload": (dict, _as_it_stands(PAYLOAD)),
        "image": (dict, _bytes),
        "tool_call": (dict, _part(checked_call)),
        "tool_response": (dict, _part(checked_result)),
        "agent_transfer": (dict, _part(checked_transfer)),
        "updated_variables": (dict, _as_it_stands(UPDATED)),
        "default_variables": (dict, _as_it_stands(DEFAULTS)),
    }
)
_INPUT = by_spelling(
    {
        "text": (str, _words),
        "dtmf": (str, _as_it_stands("dtmf")),
        "audio": (str, _audio),
        "tool_responses": (dict, _results),
        "image": (dict, _bytes),
        "blob": (dict, _bytes),
        "variables": (dict, _as_it_stands(VARIABLES)),
        "event": (dict, _as_it_stands(EVENT)),
        "recording_control": (object, _as_it_stands("recording control")),
    }
)
