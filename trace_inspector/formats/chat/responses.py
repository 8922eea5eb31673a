"""Responses of OpenAI: `openai-responses`, one a request, and what was asked where the log has it beside."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.parts import Text
from trace_inspector.core.trace.trace import Agent, Trace
from trace_inspector.formats.chat.conversations import exchange_items
from trace_inspector.formats.chat.items import item_events, take_response
from trace_inspector.formats.chat.recognisers import exchange_in
from trace_inspector.formats.common.chat_flow import ChatFlow, speaker_of
from trace_inspector.formats.common.extras import extras_of
from trace_inspector.formats.common.fields import Fields, Report
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.record_counts import RecordCounts

_READ = (
    "id", "object", "output", "usage", "model", "instructions", "tools", "created_at", "created", "completed_at",
    "status", "error", "incomplete_details", "input",
)  # fmt: skip


def read(source: Source) -> Iterator[Item]:
    """Each response as a conversation of one turn; what was asked is only there where the log has it beside."""
    report, counts = Report(), RecordCounts()
    value = source.value
    whole = [Fields(value, "")] if isinstance(value, dict) else report.bounded_list(value, "")
    for number, fields in enumerate(whole, 1):
        source.tick()
        name = f"{source.stem or 'response'}-{number}"
        exchange = exchange_in(fields)
        if exchange is None:
            yield from _response(fields, name, report, counts)
        else:
            yield from exchange_items(exchange, name, report, counts)
    yield counts.finding()
    yield from report.drain()


def _response(fields: Fields, name: str, report: Report, counts: RecordCounts) -> Iterator[Item]:
    instructions, tools = fields.text("instructions"), fields.get("tools")
    yield Trace(
        fields.text("id") or name,
        agents=(Agent("assistant", instructions or "", tools=tuple(tools) if isinstance(tools, list) else ()),),
        extras=tuple(extra for extra in extras_of(fields, *_READ) if extra.value not in (None, {})),
        place=fields.place,
    )
    chat, asked = ChatFlow(), fields.get("input")
    if isinstance(asked, str):
        yield from chat.flow.ask((Text(asked, fields.pointer("input")),), place=fields.pointer("input"))
    for item in report.bounded(fields, "input") if isinstance(asked, list) else []:
        if speaker_of(item):
            yield from chat.message(item)
        else:
            for event in item_events(item, "assistant"):
                chat.flow.happen(event)
        counts.understood()
    take_response(fields, chat, report, counts)
    yield from chat.flow.finish()


IMPLEMENTATION = Implementation(read=read)
