"""Sessions of the OpenAI Agents SDK as it keeps them in a database: `openai-agents`, an item a row.

The tables are those of SQLiteSession and SQLAlchemySession of openai/openai-agents-python, MIT.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.parts import Unknown
from trace_inspector.core.trace.trace import Agent, Event, Trace, Turn
from trace_inspector.formats.chat.items import item_events
from trace_inspector.formats.common.chat_flow import SYSTEM, ChatFlow, speaker_of
from trace_inspector.formats.common.extras import stated_extras
from trace_inspector.formats.common.fields import Fields, Report, or_null
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.record_counts import RecordCounts
from trace_inspector.formats.common.span_attributes import from_text
from trace_inspector.formats.common.times import seconds_of

_AUTHOR = "agent"


def read(source: Source) -> Iterator[Item]:
    """Each session as a trace, in the order in which they began."""
    report, counts = Report(), RecordCounts()
    tables = Fields(source.value if isinstance(source.value, dict) else {}, "")
    heads = {head.text("session_id") or "": head for head in report.bounded(tables, "agent_sessions")}
    sessions: dict[str, list[Fields]] = {name: [] for name in heads}
    for row in report.bounded(tables, "agent_messages"):
        sessions.setdefault(row.text("session_id") or "", []).append(row)
    for name, rows in sessions.items():
        head = heads.get(name) or Fields({}, rows[0].place)
        yield Trace(
            name or source.stem or "session",
            agents=(Agent(_AUTHOR),),
            session_id=name or None,
            extras=stated_extras(head, "session_id"),
            place=head.place,
        )
        yield from _turns(rows, source, counts)
    yield counts.finding()
    yield from report.drain()


def _turns(rows: list[Fields], source: Source, counts: RecordCounts) -> Iterator[Turn]:
    chat = ChatFlow(_AUTHOR)
    for row in rows:
        source.tick()
        time_s = seconds_of(or_null(row.get("created_at")))
        value, place = from_text(or_null(row.get("message_data"))), row.pointer("message_data")
        item = Fields(value if isinstance(value, dict) else {"message_data": value}, place)
        if speaker_of(item):
            counts.understood()
            yield from chat.message(Fields({**item.value, "timestamp": or_null(row.get("created_at"))}, place))
            continue
        events = list(item_events(item, _AUTHOR)) if isinstance(value, dict) else [_unknown(item)]
        if any(isinstance(part, Unknown) for event in events for part in event.parts):
            counts.unknown(item.text("type") or "item", place)
        else:
            counts.understood()
        for event in events:
            chat.flow.happen(replace(event, time_s=time_s))
    yield from chat.flow.finish()


def _unknown(item: Fields) -> Event:
    return Event(_AUTHOR, (Unknown("item", dict(item.value), item.place),), SYSTEM, place=item.place)


IMPLEMENTATION = Implementation(read=read)
