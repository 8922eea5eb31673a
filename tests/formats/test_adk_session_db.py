from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.formats.session_databases import (
    LAYOUTS,
    START_S,
    add_event,
    add_session,
    create,
    database,
    exchange,
    time_text,
)
from tests.formats.session_files import event, said, session
from tests.helpers.tables import each
from trace_inspector.core.rows.contents import Contents, collect
from trace_inspector.core.trace.trace import answer_text, user_text
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.documents.reading.reading import read
from trace_inspector.flows.opening.open_file import open_file
from trace_inspector.formats import recognise
from trace_inspector.formats.adk.session import session as adk_session
from trace_inspector.formats.common.format import Source


def opened(path: Path) -> Contents:
    contents = open_file(path).contents
    assert contents.format == "adk-session-db"
    return contents


def told(contents: Contents, code: str) -> list[tuple[str, str]]:
    return [(found.severity.value, found.pointer) for found in contents.findings if found.code == code]


def without_places(contents: Contents) -> Json:
    return [
        [
            user_text(turn), answer_text(turn), turn.id, turn.start_s, turn.final_event,
            [[one.author, one.time_s, one.id, one.model, str(one.usage), len(one.parts)] for one in turn.events],
        ]
        for turn in contents.traces[0].turns
    ]  # fmt: skip


@each("layout", LAYOUTS)
def test_a_database_gives_the_turns_that_its_session_file_gives(tmp_path: Path, layout: str) -> None:
    contents = opened(database(tmp_path / "sessions.db", layout))
    events = [one for number in range(2) for one in exchange(number)]
    same = collect("", adk_session.read(Source(session(*events))))
    assert without_places(contents) == without_places(same)
    (trace,) = contents.traces
    assert (trace.id, trace.app, trace.user, [agent.name for agent in trace.agents]) == (
        "s-1",
        "shop",
        "ann",
        ["guide"],
    )


@each("layout", LAYOUTS)
def test_the_state_is_what_google_adk_shows(tmp_path: Path, layout: str) -> None:
    (trace,) = opened(database(tmp_path / "sessions.db", layout)).traces
    assert trace.final_state == {"k": 1, "app:tax": 0.19, "user:name": "Ann"}


@pytest.mark.parametrize(("layout", "within"), [("local", "/event_data"), ("1", "/event_data"), ("0", "")])
def test_every_turn_and_event_names_its_row(tmp_path: Path, layout: str, within: str) -> None:
    (trace,) = opened(database(tmp_path / "sessions.db", layout)).traces
    assert trace.place == "/sessions/0"
    assert trace.turns[1].place == f"/events/4{within}"
    assert [one.place for one in trace.turns[1].events] == [f"/events/{at}{within}" for at in (5, 6, 7)]


def test_pickles_are_named_and_never_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = database(tmp_path / "sessions.db", "0")
    contents = opened(path)
    assert not (tmp_path / "loaded").exists()
    assert told(contents, "pickled") == [("warning", "/events/0/actions")]
    assert "8 events" in next(found.message for found in contents.findings if found.code == "pickled")
    assert "touch" not in json.dumps(read(path).value)


@each("layout", LAYOUTS)
def test_events_stand_in_googles_order(tmp_path: Path, layout: str) -> None:
    """By time; of one time as they were added in the local layout, by id in the others."""
    path = tmp_path / "sessions.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        create(connection, layout)
        add_session(connection, layout)
        for name, at in (("z", 2.0), ("m", 1.0), ("a", 2.0)):
            add_event(connection, layout, {**event("guide", said(name), at=at), "id": name})
    (turn,) = opened(path).traces[0].turns
    assert [one.id for one in turn.events] == (["m", "z", "a"] if layout == "local" else ["m", "a", "z"])


def test_the_time_of_the_event_counts_more_than_that_of_its_row(tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        create(connection, "1")
        add_session(connection, "1", event("user", said("Hi"), at=START_S))
        connection.execute("UPDATE events SET timestamp = '2020-01-01 00:00:00'")
        timeless = {name: value for name, value in event("guide", said("Yes"), at=1.0).items() if name != "timestamp"}
        row = ("x", "s-1", time_text(START_S + 5, "1"), json.dumps({**timeless, "invocation_id": "e-1"}))
        statement = "INSERT INTO events VALUES (?, 'shop', 'ann', ?, 'e-1', ?, ?)"
        connection.execute(statement, row)
    (turn,) = opened(path).traces[0].turns
    assert turn.start_s == START_S
    assert [one.time_s for one in turn.events] == [START_S + 5]


def test_events_without_their_session_are_shown_and_named(tmp_path: Path) -> None:
    path = database(tmp_path / "sessions.db", "local")
    with closing(sqlite3.connect(path)) as connection, connection:
        add_event(connection, "local", event("user", said("Anybody?"), at=START_S), "gone")
    contents = opened(path)
    assert [(trace.id, len(trace.turns)) for trace in contents.traces] == [("s-1", 2), ("gone", 1)]
    assert told(contents, "session-missing") == [("warning", "/events/8")]


def test_sessions_of_one_id_stay_apart_by_app_and_user(tmp_path: Path) -> None:
    path = database(tmp_path / "sessions.db", "local")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("INSERT INTO sessions VALUES ('shop', 'bob', 's-1', '{}', 0, 0)")
    assert [(trace.user, len(trace.turns)) for trace in opened(path).traces] == [("ann", 2), ("bob", 0)]


@each(
    ("statement", "pointer"),
    [
        ("UPDATE sessions SET state = 'no json'", "/sessions/0/state"),
        ("UPDATE sessions SET state = '[1]'", "/sessions/0/state"),
        ("UPDATE sessions SET state = 5", "/sessions/0/state"),
        ("UPDATE sessions SET state = x'00ff'", "/sessions/0/state"),
        ("UPDATE app_states SET state = '{\"half\": '", "/app_states/0/state"),
        ("UPDATE events SET event_data = '{cut' WHERE rowid = 3", "/events/2/event_data"),
        ("UPDATE events SET event_data = 17 WHERE rowid = 3", "/events/2/event_data"),
    ],
)
def test_a_cell_of_another_kind_is_left_out_and_named(tmp_path: Path, statement: str, pointer: str) -> None:
    path = database(tmp_path / "sessions.db", "local")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement)
    contents = opened(path)
    assert ("error", pointer) in told(contents, "wrong-type")
    assert len(contents.traces[0].turns) == 2


@pytest.mark.parametrize("nothing", ["NULL", "'null'"])
def test_nothing_in_a_cell_is_nothing(tmp_path: Path, nothing: str) -> None:
    """Old versions stored the word where a newer one stores nothing at all."""
    path = database(tmp_path / "sessions.db", "0")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"UPDATE events SET usage_metadata = {nothing}, content = {nothing} WHERE rowid = 4")
    contents = opened(path)
    assert told(contents, "wrong-type") == []
    assert contents.traces[0].turns[0].events[-1].usage is None


@each("layout", LAYOUTS)
@each("column", ["id", "session_id", "invocation_id", "timestamp", "app_name"])
@each("value", [None, 5, 1e999, "x", b"\x00", "99999-01-01"])
def test_odd_columns_never_break_a_database(tmp_path: Path, layout: str, column: str, value: Json | bytes) -> None:
    path = database(tmp_path / "sessions.db", layout)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"UPDATE events SET {column} = ? WHERE rowid = 2", (value,))
    assert sum(len(turn.events) for trace in opened(path).traces for turn in trace.turns) == 6


def test_errors_and_flags_of_the_oldest_layout_are_read(tmp_path: Path) -> None:
    path = database(tmp_path / "sessions.db", "0")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "UPDATE events SET partial = 1, error_code = 'X', error_message = '{\"no\": 1}' WHERE rowid = 2"
        )
        connection.execute("UPDATE events SET long_running_tool_ids_json = '[\"c1\"]' WHERE rowid = 6")
    first, second = opened(path).traces[0].turns
    assert (first.events[0].error, first.events[0].partial) == ('X: {"no": 1}', True)
    assert second.final_event == 2


def test_a_later_version_is_named(tmp_path: Path) -> None:
    path = database(tmp_path / "sessions.db", "1")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE adk_internal_metadata SET value = '2'")
    assert told(opened(path), "unknown-version") == [("warning", "/adk_internal_metadata/0/value")]


@each("layout", LAYOUTS)
def test_a_database_without_sessions_is_recognised(tmp_path: Path, layout: str) -> None:
    path = tmp_path / "sessions.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        create(connection, layout)
    assert opened(path).traces == ()


@each(
    "value",
    [
        {"sessions": [], "events": []},
        {"sessions": [{"id": 1}], "events": [], "app_states": [], "user_states": []},
        {"sessions": [], "events": [{"id": 1}], "app_states": [], "user_states": []},
        {"sessions": {}, "events": [], "app_states": [], "user_states": []},
        {"events": [{"author": "user", "invocation_id": "e", "content": {}}], "id": "s"},
    ],
)
def test_other_tables_are_not_taken_for_sessions(value: JsonObject) -> None:
    known = recognise(value)
    assert known is None or known.name != "adk-session-db"
