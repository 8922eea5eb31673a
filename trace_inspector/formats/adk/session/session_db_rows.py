"""The rows of google-adk's session tables as the events and the states that its session files hold."""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime
from typing import TypeAlias

from trace_inspector.core.finding import error, warning
from trace_inspector.core.values.values import ABSENT, Json, JsonObject
from trace_inspector.formats.adk.common.recognisers import Layout
from trace_inspector.formats.common.fields import Fields, Report, kind_of
from trace_inspector.formats.common.span_attributes import from_text

# App, user and session; whatever stands in the columns.
Key: TypeAlias = tuple[str, str, str]

_KEYS = ("app_name", "user_id")
_PICKLED = "actions"
# Columns of the oldest layout by what an event holds there.
_TEXTS = ("id", "invocation_id", "author", "branch", "error_code", "error_message")
_FLAGS = ("partial", "turn_complete", "interrupted")
_JSON = (
    "content", "grounding_metadata", "custom_metadata", "usage_metadata", "citation_metadata",
    "input_transcription", "output_transcription",
)  # fmt: skip
_TOOL_IDS = "long_running_tool_ids_json"


def key_of(row: Fields, name: str) -> Key:
    """The app, the user and the session of a row."""
    app, user, session = (_text(row.value.get(column)) for column in (*_KEYS, name))
    return app, user, session


def in_order(events: list[Fields], layout: Layout) -> list[Fields]:
    """Events in google-adk's order: by time, then as they were added, or by id where it is SQLAlchemy that sorts."""
    if layout is Layout.LOCAL:
        return sorted(events, key=_time_of)
    return sorted(events, key=lambda row: (_time_of(row), _text(row.value.get("id"))))


def _time_of(row: Fields) -> float:
    stated = time_s(row.value.get("timestamp"))
    return -math.inf if stated is None else stated


def time_s(value: Json) -> float | None:
    """Epoch seconds of a time column: a number, or a date and time without zone, which google-adk means as UTC."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value) if abs(value) < math.inf else None
    try:
        time = datetime.fromisoformat(value) if isinstance(value, str) else None
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp() if time else None
    except (ValueError, OverflowError):
        return None


def event_of(row: Fields, report: Report) -> Fields:
    """One event as a session file holds it, with the places of the row."""
    if "event_data" not in row.value:
        return Fields(_columns(row, report), row.place)
    data = dict(json_object(row, "event_data", report) or {})
    for name in ("id", "invocation_id"):
        if isinstance(row.value.get(name), str):
            data[name] = row.value[name]
    if "timestamp" not in data and (stated := time_s(row.value.get("timestamp"))) is not None:
        data["timestamp"] = stated
    return Fields(data, row.pointer("event_data"))


def _columns(row: Fields, report: Report) -> JsonObject:
    event: JsonObject = {}
    for name in _TEXTS:
        if row.value.get(name) is not None:
            event[name] = _text(row.value[name])
    for name in _FLAGS:
        if row.value.get(name) is not None:
            event[name] = row.value[name] not in (0, False)
    for name in _JSON:
        if (content := json_object(row, name, report)) is not None:
            event[name] = content
    if (stated := time_s(row.value.get("timestamp"))) is not None:
        event["timestamp"] = stated
    ids = from_text(row.value.get(_TOOL_IDS))
    if isinstance(ids, list) and ids:
        event["long_running_tool_ids"] = ids
    return event


def json_object(row: Fields, column: str, report: Report) -> JsonObject | None:
    """The object that a column holds as JSON text; None for null, with a finding for anything else."""
    cell = row.get(column)
    value = from_text(None if cell is ABSENT else cell)
    if value is None or isinstance(value, dict):
        return value
    if value == "null":  # what an old version stored for nothing
        return None
    is_text = isinstance(value, str)
    seen = "text that is no JSON" if is_text else kind_of(value)
    report.add(
        error("wrong-type", f"“{column}” should hold a JSON object, not {seen}; it is left out.", row.pointer(column))
    )
    return None


def report_pickles(events: list[Fields], report: Report) -> None:
    """Report what the oldest layout keeps as pickles, which are never run here."""
    hidden = [row for row in events if row.value.get(_PICKLED) is not None]
    if hidden:
        message = (
            f"“{_PICKLED}” of {counted(hidden)} is a Python pickle, which can run code when it is loaded, so it was "
            "not loaded. "
            "State changes and transfers of these events are not shown. “adk migrate session” makes a file without "
            "pickles."
        )
        report.add(warning("pickled", message, hidden[0].pointer(_PICKLED)))


def counted(events: list[Fields]) -> str:
    """The number of events as text."""
    return "1 event" if len(events) == 1 else f"{len(events)} events"


def _text(value: Json) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value)
