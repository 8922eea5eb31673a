"""How ADK's sessions, databases and criteria are recognised, where conditions on keys alone do not say it."""

from __future__ import annotations

import enum

from trace_inspector.core.values.values import Json
from trace_inspector.formats.common.fields import Fields, number_of, objects_in
from trace_inspector.formats.common.recogniser import LOOKED_AT, All, Condition, Either, Has, Holds, Keys, Not, Rules

# Keys of the schema before ADK's first release; `state` was called `context`, and `actions` `options`.
OF_AN_OLD_SESSION = ("past_events", "pending_events", "event_logs")
STATES = ("app_states", "user_states")  # the tables beside those of sessions and events
_OF_A_SESSION = ("id", "app_name", "user_id", "state", "last_update_time")
_EVENT = All(Holds("author", str), Either(Has("invocation_id"), Holds("content", dict)))


def _has_events(fields: Fields) -> bool:
    events = objects_in(_head(fields.get("events")), "")
    return bool(events) and all(map(_EVENT, events))


_SESSION = Rules(
    (0, Not(Holds("events", list))),
    (90, Either(Has(*_OF_A_SESSION, least=3), Has(*OF_AN_OLD_SESSION))),
    (75, _has_events),
)


def sessions(value: Json) -> int:
    """An object with `events` by authors, or with what else a session has; a list of events; a list of sessions."""
    if isinstance(value, dict):
        return _SESSION(Fields(value, ""))
    items = objects_in(_head(value), "")
    if not items:
        return 0
    if all(map(_EVENT, items)):
        return 85
    return min(85, *map(_SESSION, items)) if len(items) > 1 else _SESSION(items[0])


class Layout(enum.Enum):
    """Who wrote the tables of a database: the local service, or one of the two schemas of the database service."""

    LOCAL = "local"
    ONE = "1"
    ZERO = "0"


_OWNER = ("app_name", "user_id")
_SESSION_ROW = Keys("id", "state", *_OWNER)
_EVENT_ROW = Keys("id", "session_id", "invocation_id", "timestamp", *_OWNER)
_LAYOUTS: tuple[tuple[Layout, Condition], ...] = (  # the first two hold the same columns
    (Layout.LOCAL, Keys("event_data")),
    (Layout.ZERO, Keys("author", "content")),
)


def layout_of(row: Fields) -> Layout | None:
    """The layout that a row of `events` shows."""
    if not _EVENT_ROW(row):
        return None
    return next((layout for layout, condition in _LAYOUTS if condition(row)), None)


def session_tables(value: Json) -> int:
    """Tables of sessions and of events, with what google-adk keeps beside them, or with its columns."""
    if not isinstance(value, dict) or not all(isinstance(value.get(name), list) for name in ("sessions", "events")):
        return 0
    has_kin = all(isinstance(value.get(name), list) for name in STATES)
    rows, events = (objects_in(_head(value[name]), "") for name in ("sessions", "events"))
    if not all(map(_SESSION_ROW, rows)) or not all(map(layout_of, events)):
        return 0
    return 95 if has_kin else 80 if rows or events else 0


def eval_config(value: Json) -> int:
    """An object whose `criteria` map metrics to numbers or to objects with a threshold, or stand broken there."""
    if not isinstance(value, dict) or "criteria" not in value:
        return 0
    from trace_inspector.formats.adk.common.schemas import EVAL_CONFIG, METRICS

    criteria = value["criteria"]
    others = value.keys() <= EVAL_CONFIG.by_key.keys()
    if not isinstance(criteria, dict):
        # Nothing ADK reads, but named and laid out like its file: say what is wrong.
        return 30 if others and not isinstance(criteria, str) else 0
    if not criteria:
        return 50
    fitting = sum(threshold_of(raw) is not None for raw in criteria.values())
    if fitting == len(criteria):
        return 85
    return 60 if fitting or not METRICS.isdisjoint(criteria) else 30 if others else 0


def threshold_of(raw: Json) -> float | None:
    """The threshold that a criterion states: alone, or in an object."""
    if isinstance(raw, dict):
        raw = raw.get("threshold")
    return float(raw) if isinstance(raw, bool) else number_of(raw)


def result_in_a_text(value: Json) -> int:
    """A text that holds a result, as google-adk wrote it at first."""
    head = value[:_TEXT_LOOKED_AT] if isinstance(value, str) else ""
    return 90 if any(f'"{key}"' in head for key in ("eval_set_result_id", "evalSetResultId")) else 0


_TEXT_LOOKED_AT = 4096


def _head(value: object) -> list[Json]:
    return value[:LOOKED_AT] if isinstance(value, list) else []
