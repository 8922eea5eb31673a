"""The session state at any place: written by events in order, temporary keys only until the turn ends."""

from __future__ import annotations

import time

import pytest

from tests.helpers.tables import each
from tests.models.stories import table
from trace_inspector.core.golden.golden import Case, Session, Suite
from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.trace.parts import Text, ToolCall
from trace_inspector.core.trace.trace import Agent, Event, Trace, Turn
from trace_inspector.core.values.values import JsonObject
from trace_inspector.models.base.row_table import RowTable
from trace_inspector.models.details import session_state
from trace_inspector.models.details.session_state import SessionState
from trace_inspector.models.details.state_changes import Change, compared, scope_of


def two_turns() -> Trace:
    first = Turn(
        0,
        events=(
            Event("a", (ToolCall("look", {}, "c"),), state_delta={"city": "Bonn", "temp:step": 1}),
            Event("a", (Text("so"), ToolCall("again")), state_delta={"city": "Köln", "user:name": "Ada"}),
        ),
        final_response=(Text("Done"),),
    )
    second = Turn(1, events=(Event("a", (Text("more"),)), Event("a", state_delta={"n": 2})))
    return Trace("t", (first, second))


def around(shown: RowTable, row: int, start: JsonObject | None = None) -> tuple[JsonObject, JsonObject]:
    state = SessionState(shown, shown.tops[0], start or {})
    low, high = state.span(row)
    while not (state.fold(low, time.monotonic()) and state.fold(high, time.monotonic())):
        pass
    return state.after(low, shown.turn_of(row)), state.after(high, shown.turn_of(row))


def row_of(shown: RowTable, label: str) -> int:
    return next(row for row in range(len(shown)) if label in shown.label(row))


@each(
    ("label", "before", "after"),
    [
        ("Turn 1", {}, {"city": "Köln", "temp:step": 1, "user:name": "Ada"}),
        ("look", {}, {"city": "Bonn", "temp:step": 1}),
        ("again()", {"city": "Bonn", "temp:step": 1}, {"city": "Köln", "temp:step": 1, "user:name": "Ada"}),
        ("Turn 2", {"city": "Köln", "user:name": "Ada"}, {"city": "Köln", "user:name": "Ada", "n": 2}),
        ("more", {"city": "Köln", "user:name": "Ada"}, {"city": "Köln", "user:name": "Ada"}),
        ("state: n", {"city": "Köln", "user:name": "Ada"}, {"city": "Köln", "user:name": "Ada", "n": 2}),
    ],
)
def test_before_and_after_a_place(label: str, before: JsonObject, after: JsonObject) -> None:
    shown = table(two_turns())
    assert around(shown, row_of(shown, label)) == (before, after)


def test_a_whole_trace_goes_from_its_start_to_its_end() -> None:
    shown = table(two_turns())
    assert around(shown, 0, {"city": "Ulm", "old": 1}) == (
        {"city": "Ulm", "old": 1},
        {"city": "Köln", "old": 1, "user:name": "Ada", "n": 2},
    )


def test_a_case_starts_as_it_says() -> None:
    shown = table(Suite("s", cases=(Case("c", "s", session=Session(state={"x": 1})),)))
    assert session_state.stated_start(shown.thing(shown.tops[0])) == {"x": 1}


def test_any_place_of_a_long_trace_is_reached_in_small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_state, "KEPT_EVERY", 4)
    turns = tuple(Turn(at, events=(Event("a", state_delta={"n": at, f"k{at % 3}": at}),)) for at in range(40))
    shown = table(Trace("t", turns))
    state = SessionState(shown, 0, {})
    for at in (30, 3, 39, 0, 17):
        while not state.fold(at, 0.0):
            pass
        wanted: JsonObject = {}
        for number in range(at):
            wanted |= {"n": number, f"k{number % 3}": number}
        assert state.after(at, -1) == wanted


def test_nothing_is_kept_of_states_as_large_as_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_state, "KEPT_EVERY", 1)
    monkeypatch.setattr(session_state, "MOST_KEYS_KEPT", 5)
    turns = tuple(Turn(at, events=(Event("a", state_delta={f"k{at}": at}),)) for at in range(20))
    state = SessionState(table(Trace("t", turns)), 0, {})
    while not state.fold(20, 0.0):
        pass
    assert len(state.after(20, -1)) == 20
    assert len(state._counts) <= 4


def test_what_differs_is_told_down_to_the_smallest_part() -> None:
    before: JsonObject = {"a": {"b": 1, "c": [1]}, "gone": 0, "same": {"x": 1}, "t": True}
    after: JsonObject = {"a": {"b": 2, "c": [1], "d/e": None}, "same": {"x": 1}, "app:new": 3, "t": 1}
    assert [(line.path, line.change) for line in compared(before, after)] == [
        ("/a/b", Change.CHANGED),
        ("/a/d~1e", Change.ADDED),
        ("/gone", Change.REMOVED),
        ("/t", Change.CHANGED),
        ("/app:new", Change.ADDED),
        ("/same", Change.SAME),
    ]
    assert scope_of("/app:new") == "shared by all users of the app"
    assert scope_of("/a") == ""


def test_agents_and_writes_are_known_by_their_trace() -> None:
    shown = table(two_turns(), Trace("u"))
    assert [shown.kind(row) for row in shown.states(shown.tops[0])] == [Kind.STATE] * 3
    assert list(shown.states(shown.tops[1])) == []


def test_a_case_has_the_agents_of_its_suite_behind_its_own() -> None:
    own, cook = Agent("waiter", "Fetch."), Agent("cook", "Stir.")
    turn = Turn(0, agents=(own,))
    shown = table(Suite("s", cases=(Case("a", "s", (turn,)), Case("b", "s")), agents=(cook, Agent("waiter"))))
    last = len(shown) - 1
    assert shown.agents(shown.tops[0], last) == [own, cook, Agent("waiter")]
    assert shown.agents(shown.tops[1], last) == [cook, Agent("waiter")]
