"""Chat completions: `openai-completion`, the answers of a service, one a request; also beside what was asked."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.trace import Agent, Trace
from trace_inspector.formats.chat.answers import spoken
from trace_inspector.formats.chat.conversations import exchange_items
from trace_inspector.formats.chat.recognisers import exchange_in
from trace_inspector.formats.common.chat_flow import ChatFlow
from trace_inspector.formats.common.extras import extras_of
from trace_inspector.formats.common.fields import Fields, Report
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.record_counts import RecordCounts

_READ = ("id", "choices", "usage", "model")


def read(source: Source) -> Iterator[Item]:
    """Each choice as a conversation of one turn, which only says what was asked where that stands beside."""
    report, counts = Report(), RecordCounts()
    value = source.value
    whole = [Fields(value, "")] if isinstance(value, dict) else report.bounded_list(value, "")
    for number, fields in enumerate(whole, 1):
        source.tick()
        name = f"{source.stem or 'completion'}-{number}"
        exchange = exchange_in(fields)
        if exchange is None:
            yield from _completion(fields, fields.text("id") or name, counts)
        else:
            yield from exchange_items(exchange, name, report, counts)
    yield counts.finding()
    yield from report.drain()


def _completion(fields: Fields, identity: str, counts: RecordCounts) -> Iterator[Item]:
    messages = spoken(fields)
    for choice, message in enumerate(messages):
        counts.understood()
        yield Trace(
            f"{identity}~{choice + 1}" if choice else identity,
            agents=(Agent("assistant"),),
            extras=extras_of(fields, *_READ),
            candidate=f"choice {choice + 1}" if len(messages) > 1 else "",
            place=fields.place,
        )
        chat = ChatFlow()
        yield from chat.message(message)
        yield from chat.flow.finish()
    if not messages:
        counts.unknown("completion without a message", fields.place)


IMPLEMENTATION = Implementation(read=read)
