"""ADK sessions: `adk-session`, as the web server, `adk run` and the first releases write them, and `/run` answers."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from trace_inspector.core.finding import warning
from trace_inspector.core.rows.contents import Contents, Item
from trace_inspector.core.trace.trace import Agent, Trace, Turn
from trace_inspector.formats.adk.common.recognisers import OF_AN_OLD_SESSION
from trace_inspector.formats.adk.session import session_schemas as schemas
from trace_inspector.formats.adk.session.session_events import SessionEvent, noting_times, session_event, turns_of
from trace_inspector.formats.common.fields import Fields, Report
from trace_inspector.formats.common.format import Implementation, Source, Written
from trace_inspector.formats.common.schema import check

_OLD_REST = ("past_events", "pending_events", "artifacts", "event_logs", "current_agent_name")


def read(source: Source) -> Iterator[Item]:
    """Each session as a trace."""
    report = Report()
    items = [Fields(source.value, "")] if isinstance(source.value, dict) else report.bounded_list(source.value, "")
    if items and items[0].key("events") is None:  # the answer of /run: events without a head
        yield from session_items(Trace(source.stem or "session"), items, source, report)
    else:
        for fields in items:
            yield from _session(fields, source, report)
    yield from report.drain()


def _session(fields: Fields, source: Source, report: Report) -> Iterator[Item]:
    is_old = any(fields.key(name) is not None for name in OF_AN_OLD_SESSION)
    if is_old:
        _report_old(fields, report)
    else:
        check(fields, schemas.SESSION, report)
    yield from session_items(
        Trace(
            id=fields.text("id") or source.stem or "session",
            session_id=fields.text("id") or None,
            app=fields.text("app_name"),
            user=fields.text("user_id"),
            final_state=fields.mapping("context" if is_old else "state"),
            place=fields.place,
        ),
        report.bounded(fields, "events"),
        source,
        report,
        is_old=is_old,
    )


def session_items(
    head: Trace, listed: list[Fields], source: Source, report: Report, *, is_old: bool = False
) -> Iterator[Trace | Turn]:
    """The head of a trace with its agents' names, then the turns that its events make."""
    head, turns = trace_of(head, listed, source, report, is_old=is_old)
    yield head
    yield from noting_times(turns, report)


def trace_of(
    head: Trace, listed: list[Fields], source: Source, report: Report, *, is_old: bool = False
) -> tuple[Trace, Iterator[Turn]]:
    """The head with its agents, and the turns, without a finding yet where times are derived."""
    events = []
    for event in listed:
        source.tick()
        events.append(session_event(event, report, is_old=is_old))
    return replace(head, agents=tuple(_agents(events))), turns_of(events, report)


def _agents(events: list[SessionEvent]) -> Iterator[Agent]:
    """The authors, and whoever stands on the paths of their events."""
    below: dict[str, dict[str, None]] = {}
    for event in events:
        if event.event.author and not event.is_users:
            below.setdefault(event.event.author, {})
        for upper, lower in event.below:
            below.setdefault(upper, {})[lower] = None
            below.setdefault(lower, {})
    for name, lower_ones in below.items():
        yield Agent(name, sub_agents=tuple(lower_ones))


def _report_old(fields: Fields, report: Report) -> None:
    named = ", ".join(f"“{key}”" for name in _OLD_REST if (key := fields.key(name)) and fields.value[key])
    rest = f" {named} {'are' if ', ' in named else 'is'} not shown here." if named else ""
    message = f"This session has the schema from before ADK's first release, which no current ADK can read.{rest}"
    report.add(warning("older-schema", message, fields.place))


def _write(contents: Contents) -> Written:
    from trace_inspector.formats.adk.session.session_writer import write

    return write(contents)


IMPLEMENTATION = Implementation(read=read, write=_write)
