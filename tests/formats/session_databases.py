"""Small session databases for tests, in the three layouts that google-adk wrote, by plain statements."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from tests.formats.session_files import call, event, result, said
from trace_inspector.core.values.values import Json, JsonObject

LAYOUTS = ("local", "1", "0")
START_S = 1_770_000_000.0

# What `pickle.dumps` makes of an object that runs a command when it is loaded.
BOMB = b"cos\nsystem\n(S'touch loaded'\ntR."

_KEYED = "app_name TEXT, user_id TEXT"
_STATED = "state TEXT, update_time"
_SHARED = (
    f"CREATE TABLE sessions ({_KEYED}, id TEXT, state TEXT, create_time, update_time)",
    f"CREATE TABLE app_states (app_name TEXT PRIMARY KEY, {_STATED})",
    f"CREATE TABLE user_states ({_KEYED}, {_STATED}, PRIMARY KEY (app_name, user_id))",
)
_HEAD = f"id TEXT, {_KEYED}, session_id TEXT, invocation_id TEXT, timestamp"
_COLUMNS = (
    "author", "actions", "long_running_tool_ids_json", "branch", "content", "grounding_metadata", "custom_metadata",
    "usage_metadata", "citation_metadata", "partial", "turn_complete", "error_code", "error_message", "interrupted",
    "input_transcription", "output_transcription",
)  # fmt: skip
_IN_JSON = frozenset(name for name in _COLUMNS if name.endswith(("_metadata", "_transcription", "content")))


def exchange(number: int) -> list[JsonObject]:
    """Four events of one turn: a question, a call, its result, the answer."""
    at, name = START_S + number * 10, f"e-{number}"
    return [
        event("user", said(f"Where is {number}?"), at=at, invocation=name),
        event("guide", call("look", f"c{number}", q=9007199254740993), at=at + 1, invocation=name),
        event("guide", result("look", {"found": True}, f"c{number}"), at=at + 2, invocation=name),
        event(
            "guide", said(f"There {number}."), at=at + 3, invocation=name,
            usageMetadata={"promptTokenCount": 5, "candidatesTokenCount": 2},
        ),
    ]  # fmt: skip


def time_text(at: float, layout: str) -> float | str:
    """A time as a layout stores it."""
    return at if layout == "local" else datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S.%f")


def create(connection: sqlite3.Connection, layout: str) -> None:
    """The tables, empty."""
    for statement in _SHARED:
        connection.execute(statement)
    if layout == "0":
        connection.execute(f"CREATE TABLE events ({_HEAD}, {', '.join(_COLUMNS)}, PRIMARY KEY (id, session_id))")
        return
    connection.execute(f"CREATE TABLE events ({_HEAD}, event_data TEXT, PRIMARY KEY (id, session_id))")
    if layout == "1":
        connection.execute("CREATE TABLE adk_internal_metadata (key TEXT PRIMARY KEY, value TEXT)")
        connection.execute("INSERT INTO adk_internal_metadata VALUES ('schema_version', '1')")


def add_session(
    connection: sqlite3.Connection, layout: str, *events: JsonObject, session: str = "s-1", state: str = '{"k": 1}'
) -> None:
    """One session of ann in the app “shop”."""
    now = time_text(START_S, layout)
    connection.execute("INSERT INTO sessions VALUES ('shop', 'ann', ?, ?, ?, ?)", (session, state, now, now))
    for each in events:
        add_event(connection, layout, each, session)


def add_event(connection: sqlite3.Connection, layout: str, told: JsonObject, session: str = "s-1") -> None:
    """One event of ann; `told` is in camelCase, and the layouts store snake_case."""
    told = {_snake(name): value for name, value in told.items()}
    at = told["timestamp"]
    assert isinstance(at, float)
    head = (told["id"], "shop", "ann", session, told.get("invocation_id", ""), time_text(at, layout))
    rest: tuple[Json | bytes, ...] = (json.dumps(told),)
    if layout == "0":
        rest = tuple(_cell(name, told) for name in _COLUMNS)
    marks = ", ".join("?" * (len(head) + len(rest)))
    connection.execute(f"INSERT INTO events VALUES ({marks})", (*head, *rest))


def _cell(name: str, told: JsonObject) -> Json | bytes:
    if name == "actions":
        return BOMB
    value = told.get(name)
    return json.dumps(value) if name in _IN_JSON and value is not None else value


def _snake(name: str) -> str:
    return "".join(f"_{char.lower()}" if char.isupper() else char for char in name)


def database(path: Path, layout: str, turns: int = 2) -> Path:
    """A database with one session, a state of its app and one of its user."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA synchronous=OFF")
        create(connection, layout)
        add_session(connection, layout, *(told for number in range(turns) for told in exchange(number)))
        connection.execute("INSERT INTO app_states VALUES ('shop', '{\"tax\": 0.19}', 0)")
        connection.execute("INSERT INTO app_states VALUES ('another', '{\"not\": \"ours\"}', 0)")
        connection.execute("INSERT INTO user_states VALUES ('shop', 'ann', '{\"name\": \"Ann\"}', 0)")
    return path
