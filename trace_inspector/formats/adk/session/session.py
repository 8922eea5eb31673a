"""ADK sessions: `adk-session`, as the web server, `adk run` and the first releases write them, and `/run` answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from trace_inspector.core.finding import warning
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.trace import Agent, Trace, Turn
from trace_inspector.core.values.values import Json
from trace_inspector.formats.adk.session import session_shapes as shapes
from trace_inspector.formats.adk.session.session_events import Told, noting_times, told, turns_of
from trace_inspector.formats.adk.session.session_writer import write
from trace_inspector.formats.common.fields import Fields, Report, check, objects_in
from trace_inspector.formats.common.format import Format, Source

_OF_A_SESSION = ("id", "app_name", "user_id", "state", "last_update_time")
# Keys of the schema before ADK's first release; `state` was called `context`, and `actions` `options`.
_OF_AN_OLD_ONE = ("past_events", "pending_events", "event_logs")
_OLD_REST = ("past_events", "pending_events", "artifacts", "event_logs", "current_agent_name")
_LOOKED_AT = 20


def recognise(value: Json) -> int:
    """An object with `events` by authors, or with what else a session has; a list of events; a list of sessions."""
    if isinstance(value, dict):
        return _session_score(Fields(value, ""))
    items = objects_in(value[:_LOOKED_AT], "") if isinstance(value, list) else []
    if not items:
        return 0
    if all(_is_event(item) for item in items):
        return 85
    return min(85, *map(_session_score, items)) if len(items) > 1 else _session_score(items[0])


def _session_score(fields: Fields) -> int:
    events = fields.get("events")
    if not isinstance(events, list):
        return 0
    kin = sum(fields.key(name) is not None for name in _OF_A_SESSION)
    if kin >= 3 or any(fields.key(name) is not None for name in _OF_AN_OLD_ONE):
        return 90
    first = objects_in(events[:_LOOKED_AT], "")
    return 75 if first and all(_is_event(event) for event in first) else 0


def _is_event(fields: Fields) -> bool:
    return fields.text("author") is not None and (
        fields.key("invocation_id") is not None or fields.object("content") is not None
    )


def read(source: Source) -> Iterator[Item]:
    """Each session as a trace."""
    report = Report()
    items = [Fields(source.value, "")] if isinstance(source.value, dict) else report.bounded_list(source.value, "")
    if items and items[0].key("events") is None:  # the answer of /run: events without a head
        yield from told_trace(Trace(_stem(source)), items, source, report)
    else:
        for fields in items:
            yield from _session(fields, source, report)
    yield from report.drain()


def _session(fields: Fields, source: Source, report: Report) -> Iterator[Item]:
    is_old = any(fields.key(name) is not None for name in _OF_AN_OLD_ONE)
    if is_old:
        _report_old(fields, report)
    else:
        check(fields, shapes.SESSION, report)
    yield from told_trace(
        Trace(
            id=fields.text("id") or _stem(source),
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


def told_trace(
    head: Trace, listed: list[Fields], source: Source, report: Report, *, is_old: bool = False
) -> Iterator[Trace | Turn]:
    """The head of a trace with its agents' names, then the turns that its events make."""
    head, turns = trace_of(head, listed, source, report, is_old=is_old)
    yield head
    yield from noting_times(turns, report)


def trace_of(
    head: Trace, listed: list[Fields], source: Source, report: Report, *, is_old: bool = False
) -> tuple[Trace, Iterator[Turn]]:
    """The head with its agents, and the turns, of which nothing is said yet where times are derived."""
    events = []
    for event in listed:
        source.tick()
        events.append(told(event, report, is_old=is_old))
    return replace(head, agents=tuple(_agents(events))), turns_of(events, report)


def _agents(events: list[Told]) -> Iterator[Agent]:
    """The authors, and whoever stands on the paths of their events."""
    below: dict[str, dict[str, None]] = {}
    for one in events:
        if one.event.author and not one.is_users:
            below.setdefault(one.event.author, {})
        for upper, lower in one.below:
            below.setdefault(upper, {})[lower] = None
            below.setdefault(lower, {})
    for name, lower_ones in below.items():
        yield Agent(name, sub_agents=tuple(lower_ones))


def _report_old(fields: Fields, report: Report) -> None:
    named = ", ".join(f"“{key}”" for name in _OLD_REST if (key := fields.key(name)) and fields.value[key])
    rest = f" {named} {'are' if ', ' in named else 'is'} not shown here." if named else ""
    message = f"This session has the schema from before ADK's first release, which no ADK reads today.{rest}"
    report.add(warning("older-schema", message, fields.place))


def _stem(source: Source) -> str:
    return source.name.split(".", maxsplit=1)[0] or "session"


FORMAT = Format(
    name="adk-session",
    title="ADK session",
    system="ADK",
    short="sessions",
    holds="a recorded conversation with its state",
    recognise=recognise,
    read=read,
    write=write,
)
