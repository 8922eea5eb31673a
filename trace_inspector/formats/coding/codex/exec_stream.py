"""What `codex exec --json` prints: turns of items without times and without the words of the user."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.parts import Part, Text, Thought, ToolCall, ToolResult, Unknown
from trace_inspector.core.trace.trace import Agent, Event, Trace, Turn
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import ABSENT, Json
from trace_inspector.formats.coding.codex.tokens import CumulativeTokens
from trace_inspector.formats.coding.codex.tool_items import has_failed
from trace_inspector.formats.common.fields import Fields, Report, or_null
from trace_inspector.formats.common.format import Source
from trace_inspector.formats.common.record_counts import RecordCounts
from trace_inspector.formats.common.turn_flow import TurnFlow

_PROGRAM = "codex"
_LOOKED_AT = 20
_KINDS = ("thread.", "turn.", "item.")
# Of each kind of item that is a call: its name, its arguments, and where the answer stands.
_CALLS = {
    "command_execution": ("command_execution", ("command",), ("aggregated_output",)),
    "file_change": ("file_change", ("changes",), ("status",)),
    "mcp_tool_call": ("", ("arguments",), ("result", "error")),
    "web_search": ("web_search", ("query", "action"), ()),
    "collab_tool_call": ("", ("prompt", "receiver_thread_ids"), ("agents_states",)),
}
_BAD = ("failed", "declined")


def is_exec_stream(value: Json) -> bool:
    """Whether records are those of such a stream."""
    listed = value[:_LOOKED_AT] if isinstance(value, list) else [value]
    kinds = (record.get("type") for record in listed if isinstance(record, dict))
    return any(isinstance(kind, str) and kind.startswith(_KINDS) for kind in kinds)


def read_exec_stream(source: Source, report: Report, counts: RecordCounts) -> Iterator[Item]:
    """Each thread as a trace; a turn ends where the stream says so."""
    whole = source.value
    records = [Fields(whole, source.place)] if isinstance(whole, dict) else report.bounded_list(whole, source.place)
    reader = _StreamReader(counts)
    yield from reader.begin(source.stem or "thread", records[0].place if records else "")
    for fields in records:
        source.tick()
        yield from reader.take(fields)
    yield from reader.end()


class _StreamReader:
    def __init__(self, counts: RecordCounts) -> None:
        self._counts = counts
        self._flow = TurnFlow()
        self._tokens = CumulativeTokens()
        self._trace: Trace | None = None
        self._open: set[str] = set()
        self._is_stated = False

    def begin(self, name: str, place: str, *, is_stated: bool = False) -> Iterator[Item]:
        """The thread that everything belongs to until another begins."""
        yield from self.end()
        agent = Agent(_PROGRAM, place=place)
        self._trace = Trace(name, agents=(agent,), session_id=name, app=_PROGRAM, place=place)
        self._is_stated = is_stated
        self._tokens = CumulativeTokens()

    def end(self) -> Iterator[Item]:
        """What is still open; a thread that the stream names is told even if nothing happened in it."""
        yield from self._with_trace(self._flow.finish())
        if self._trace is not None and self._is_stated:
            yield self._trace
        self._trace = None

    def take(self, fields: Fields) -> Iterator[Item]:
        """One record."""
        kind = fields.text("type") or ""
        item = fields.object("item")
        if kind == "thread.started":
            self._counts.understood()
            yield from self.begin(fields.text("thread_id") or "thread", fields.place, is_stated=True)
        elif kind == "turn.started":
            self._counts.understood()
        elif kind == "turn.completed":
            self._counts.understood()
            usage = self._tokens.next(fields.object("usage"), None)
            if usage is not None:
                self._flow.happen(Event(_PROGRAM, (), "model", usage=usage, place=fields.place))
            yield from self._with_trace(self._flow.finish())
        elif kind in ("turn.failed", "error"):
            self._counts.understood()
            inner = fields.object("error") or fields
            words = inner.text("message") or "The turn failed."
            self._flow.happen(Event("system", (), "system", error=words, place=fields.place))
            if kind == "turn.failed":
                yield from self._with_trace(self._flow.finish())
        elif item is not None and kind in ("item.started", "item.updated", "item.completed"):
            self._item(item, fields, kind)
        else:
            self._counts.unknown(kind, fields.place)
            shown = Unknown(kind or "record", dict(fields.value), fields.place)
            self._flow.happen(Event("system", (shown,), "system", place=fields.place))

    def _item(self, item: Fields, fields: Fields, moment: str) -> None:
        kind = item.text("type") or item.text("item_type") or ""
        identity = item.text("id") or ""
        is_done = moment == "item.completed"
        self._counts.understood()
        if kind in _CALLS:
            call = _call(item, kind, identity)
            if identity not in self._open:
                self._flow.happen(Event(_PROGRAM, (call,), "model", id=identity, place=fields.place))
                self._open.add(identity)
            if is_done:
                self._open.discard(identity)
                self._flow.happen(Event(_PROGRAM, (_result(item, kind, call),), "tool", place=fields.place))
        elif is_done and kind in ("agent_message", "assistant_message", "reasoning"):
            words, place = item.text("text") or "", item.pointer("text")
            part: Part = Thought(words, place) if kind == "reasoning" else Text(words, place)
            self._flow.happen(Event(_PROGRAM, (part,), "model", id=identity, place=fields.place))
        elif is_done and kind == "error":
            words = item.text("message") or "Something went wrong."
            self._flow.happen(Event("system", (), "system", error=words, place=fields.place))
        elif kind == "todo_list":
            self._flow.add(Extra(kind, item.value, item.place))
        elif is_done:
            shown = Unknown(kind or "item", dict(item.value), item.place)
            self._flow.happen(Event("system", (shown,), "system", place=fields.place))

    def _with_trace(self, turns: Iterator[Turn]) -> Iterator[Item]:
        for turn in turns:
            if self._trace is not None:
                yield self._trace
                self._trace = None
            yield turn


def _call(item: Fields, kind: str, identity: str) -> ToolCall:
    name, given, _answer = _CALLS[kind]
    args: dict[str, Json] = {key: or_null(item.get(key)) for key in given if item.get(key) is not ABSENT}
    only = or_null(item.get(given[0]))
    return ToolCall(
        name or item.text("tool") or kind,
        only if kind == "mcp_tool_call" and isinstance(only, dict) else args,
        identity or None,
        item.place,
        resource=item.text("server") or "",
    )


def _result(item: Fields, kind: str, call: ToolCall) -> ToolResult:
    answers = (item.get(key) for key in _CALLS[kind][2])
    value = next((answer for answer in answers if answer is not ABSENT and answer is not None), ABSENT)
    failed = item.text("status") in _BAD or has_failed(item.value) or item.object("error") is not None
    return ToolResult(call.name, value, call.call_id, failed, item.place)
