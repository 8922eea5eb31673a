"""Calls and results as Codex writes them: arguments in texts, exit codes in what was printed, patches as text."""

from __future__ import annotations

import re

from trace_inspector.core.trace.parts import ToolCall, ToolResult
from trace_inspector.core.values.values import ABSENT, Absent, Json
from trace_inspector.formats.coding.codex.records import OUTPUTS, RolloutRecord, text_in
from trace_inspector.formats.common.content import is_failure
from trace_inspector.formats.common.fields import Fields, or_null
from trace_inspector.formats.common.span_attributes import from_text

_EXIT = re.compile(r"^(?:Exit code:|Process exited with code) (-?\d+)", re.MULTILINE)
_HEAD = 2_000  # characters in which an exit code stands
_FAILED = (
    "failed",
    "error",
    "execution error",
    "apply_patch verification failed",
    "aborted by user",
    "patch rejected",
)
_BAD = ("failed", "incomplete", "error", "declined")


def call_in(payload: Fields) -> ToolCall:
    """A call of any kind; one without a name is named by its kind."""
    kind = (payload.text("type") or "").removesuffix("_call")
    function = payload.object("function")
    name = payload.text("name") or (function.text("name") if function is not None else None) or kind
    given: Json | Absent = ABSENT
    for key in ("arguments", "input", "action", "query"):
        given = payload.get(key)
        if given is not ABSENT:
            break
    return ToolCall(name, given if given is ABSENT else from_text(or_null(given)), call_id_in(payload), payload.place)


def call_id_in(payload: Fields) -> str | None:
    """What a call and its result are joined by."""
    is_output = payload.value.get("type") in OUTPUTS  # its own id is not that of the call
    return payload.text("call_id") or (None if is_output else payload.text("id"))


def result_in(payload: Fields, name: str) -> ToolResult:
    """What a tool answered, and whether it failed: nothing says so but an exit code or the first words."""
    output = payload.get("output")
    if output is ABSENT:
        output = payload.get("result") if payload.key("result") is not None else payload.get("tools")
    value = from_text(or_null(output))
    failed = is_failure(value) or payload.text("status") in _BAD or has_failed(value)
    return ToolResult(payload.text("name") or name, value, call_id_in(payload), failed, payload.place)


def has_failed(value: Json) -> bool:
    """Whether what a command printed, or what stands around it, says that it failed."""
    if isinstance(value, dict):
        metadata = value.get("metadata")
        held = metadata if isinstance(metadata, dict) else value
        codes = (held.get(key) for key in ("exit_code", "exitCode"))
        stated = next((code for code in codes if isinstance(code, int)), None)
        return stated not in (None, 0) or value.get("success") is False
    printed = text_in(value)[:_HEAD]
    found = _EXIT.search(printed)
    return found[1] != "0" if found is not None else printed.lstrip().lower().startswith(_FAILED)


def displayed_call(record: RolloutRecord) -> tuple[ToolCall, ToolResult | None]:
    """A call that only the user's view tells, and what came back where that is told."""
    payload, place = record.payload, record.payload.place
    inner = payload.object("invocation") or payload
    name = inner.text("tool") or inner.text("name") or _NAMED.get(record.type, record.type)
    given = next((inner.get(key) for key in _GIVEN if inner.get(key) is not ABSENT), ABSENT)
    call = ToolCall(name, given, payload.text("call_id"), place)
    if record.type == "tool_call":
        return call, None
    answer = next((payload.get(key) for key in _ANSWERED if payload.get(key) is not ABSENT), ABSENT)
    failed = has_failed(payload.value) or (isinstance(answer, dict) and ("Err" in answer or has_failed(answer)))
    return call, ToolResult(name, answer, call.call_id, failed, place)


_NAMED = {"exec_command_end": "exec_command", "patch_apply_end": "apply_patch"}
_GIVEN = ("command", "arguments", "changes", "input")
_ANSWERED = ("aggregated_output", "stdout", "result", "content_items")
