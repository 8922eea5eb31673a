"""What DeepEval notes of a case: calls of tools with what these gave, what was retrieved, what is true."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.trace.parts import Part, Thought, ToolCall, ToolResult
from trace_inspector.core.trace.trace import Event
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import ABSENT, Json
from trace_inspector.formats.common.content import is_failure
from trace_inspector.formats.common.fields import Fields, objects_in, or_null
from trace_inspector.formats.common.span_attributes import from_text

BESIDE = ("context", "comments", "tags", "additional_metadata", "metadata", "source_file", "custom_column_key_values")
_RETRIEVED = "retrieval_context"
_BETWEEN = "|"  # joins texts in the cells of a table


def calls_in(owner: Fields, name: str) -> list[Event] | None:
    """The calls of a list, which a cell of a table holds as JSON; None where none is stated at all."""
    value = from_text(owner.text(name) or "") if isinstance(owner.get(name), str) else owner.get(name)
    if not isinstance(value, list):
        return None
    return [event for call in objects_in(value, owner.pointer(name)) for event in _events(call)]


def retrieved_in(owner: Fields) -> Iterator[Event]:
    """What was retrieved, as a result that nobody states a call of: answers can be checked against it."""
    texts = texts_in(owner, _RETRIEVED)
    if texts:
        place = owner.pointer(_RETRIEVED)
        yield Event("retriever", (ToolResult(_RETRIEVED, texts, place=place),), "tool", place=place)


def texts_in(owner: Fields, name: str) -> list[Json]:
    """The texts of a list, which a cell of a table holds as JSON or with bars between."""
    value = owner.get(name)
    if isinstance(value, str):
        seen = from_text(value)
        return seen if isinstance(seen, list) else [text for text in value.split(_BETWEEN) if text]
    return value if isinstance(value, list) else []


def beside_golden(owner: Fields) -> Iterator[Extra]:
    """What else is said of a golden: how it is meant, what is true of it, where it is from."""
    for name in BESIDE:
        value = texts_in(owner, name) if name == "context" else or_null(owner.get(name))
        if value not in (None, "", [], {}) and name != "tags":
            yield Extra(owner.key(name) or name, value, owner.pointer(name))


def _events(call: Fields) -> Iterator[Event]:
    name = call.text("name") or ""
    thought = call.text("reasoning")
    before: tuple[Part, ...] = (Thought(thought, call.pointer("reasoning")),) if thought else ()
    place = call.place
    yield Event(
        "assistant", (*before, ToolCall(name, call.get("input_parameters"), place=place)), "model", place=place
    )
    output = call.get("output")
    if output is not ABSENT and output is not None:
        at = call.pointer("output")
        failed = is_failure(output)
        yield Event("assistant", (ToolResult(name, output, is_error=failed, place=at),), "tool", place=at)
