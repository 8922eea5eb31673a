"""The databases in which google-adk keeps sessions: `adk-session-db`, in the three layouts that it wrote."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from trace_inspector.core.finding import warning
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.trace import Trace
from trace_inspector.core.values.values import JsonObject
from trace_inspector.formats.adk.common.recognisers import STATES, Layout, layout_of
from trace_inspector.formats.adk.session import session_db_rows as rows
from trace_inspector.formats.adk.session.session import session_items
from trace_inspector.formats.common.fields import Fields, Report, fields_of
from trace_inspector.formats.common.format import Implementation, Source

_METADATA = "adk_internal_metadata"
_KNOWN_VERSION = "1"


def read(source: Source) -> Iterator[Item]:
    """Each session as a trace; the state of its app and its user stands in its own, as google-adk shows it."""
    report = Report()
    tables = fields_of(source.value, "")
    events = tables.objects("events")
    layout = next((stated for row in events if (stated := layout_of(row))), Layout.LOCAL)
    if layout is Layout.LOCAL and tables.key(_METADATA):
        layout = Layout.ONE
    _report_version(tables, report)
    kept = _kept(tables, report)
    by_session: dict[rows.Key, list[Fields]] = {}
    for row in events:
        by_session.setdefault(rows.key_of(row, "session_id"), []).append(row)
    for row in tables.objects("sessions"):
        key = rows.key_of(row, "id")
        yield from session_items(
            kept.trace(row, key, report), _events_of(by_session.pop(key, []), layout, report), source, report
        )
    for key, orphans in by_session.items():
        message = f"{rows.counted(orphans)} to a session that is not in the database; they are shown as one session."
        report.add(warning("session-missing", message, orphans[0].place))
        yield from session_items(kept.trace(None, key, report), _events_of(orphans, layout, report), source, report)
    if layout is Layout.ZERO:
        rows.report_pickles(events, report)
    yield from report.drain()


def _events_of(events: list[Fields], layout: Layout, report: Report) -> list[Fields]:
    return [rows.event_of(row, report) for row in rows.in_order(events, layout)]


class _Kept(Struct, frozen=True):
    """What is kept for whole apps and users."""

    apps: dict[str, JsonObject]
    users: dict[tuple[str, str], JsonObject]

    def trace(self, row: Fields | None, key: rows.Key, report: Report) -> Trace:
        """The head of a session, which may be known from its events only."""
        app, user, session = key
        state = dict((row and rows.json_object(row, "state", report)) or {})
        state.update({f"app:{name}": value for name, value in self.apps.get(app, {}).items()})
        state.update({f"user:{name}": value for name, value in self.users.get((app, user), {}).items()})
        return Trace(
            id=session or "session",
            session_id=session or None,
            app=app or None,
            user=user or None,
            final_state=state,
            place=row.place if row else "",
        )


def _kept(tables: Fields, report: Report) -> _Kept:
    apps, users = (tables.objects(name) for name in STATES)
    return _Kept(
        {rows.key_of(row, "")[0]: rows.json_object(row, "state", report) or {} for row in apps},
        {rows.key_of(row, "")[:2]: rows.json_object(row, "state", report) or {} for row in users},
    )


def _report_version(tables: Fields, report: Report) -> None:
    for row in tables.objects(_METADATA):
        version = row.value.get("value")
        if row.value.get("key") == "schema_version" and version != _KNOWN_VERSION:
            message = f"Version “{version}” of google-adk's tables is unknown; the known parts are shown."
            report.add(warning("unknown-version", message, row.pointer("value")))


IMPLEMENTATION = Implementation(read=read)
