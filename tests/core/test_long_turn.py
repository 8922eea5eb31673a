from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.core.test_row_writer import printed, turn, written
from trace_inspector.core.rows.rows import PLAIN_COLUMNS, Flag, Kind
from trace_inspector.core.rows.safe_unpickle import unpack
from trace_inspector.core.trace import long_turn
from trace_inspector.core.trace.long_turn import LongTurn, TurnPart, bodies_of, is_long, with_whole_turns
from trace_inspector.core.trace.parts import Text, ToolCall, ToolResult
from trace_inspector.core.trace.trace import Agent, Event, Span, SpanKind, Trace, Turn, Usage

A_BODY = 3
SPANS = tuple(Span(str(at), f"span {at}", SpanKind.OTHER) for at in range(8))
EVENTS = (
    Event("a", (ToolCall("one", {}, "1"), Text("and"), ToolCall("two", {}, "2")), usage=Usage(1, candidates=2)),
    Event("a", (Text("wait"),), state_delta={"x": 1}),
    Event("a", (ToolCall("three", {}, "3"),), span_id="4"),
    Event("b", (ToolResult("two", "second", "2"),)),
    Event("b", (ToolResult("three", "third", "3"),), time_s=5.0),
    Event("b", error="broke"),
    Event("b", (ToolResult("one", "first", "1"),)),
    Event("a", usage=Usage(10, candidates=20)),
)
LONG = Turn(
    1,
    user=(Text("Go."),),
    events=EVENTS,
    final_response=(Text("Done."),),
    spans=SPANS,
    agents=(Agent("a"),),
    place="/t",
)


@pytest.fixture
def _short_bodies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_turn, "EVENTS_A_BODY", A_BODY)


@pytest.mark.usefixtures("_short_bodies")
def test_a_long_turn_is_cut_and_put_together_again() -> None:
    head, *parts = bodies = list(bodies_of(LONG))
    assert head == LongTurn(replace(LONG, events=(), spans=()), 3, 3, Usage(11, candidates=22))
    assert parts == [TurnPart(at, EVENTS[at : at + A_BODY], SPANS[at : at + A_BODY]) for at in (0, 3, 6)]
    around = (Trace("before"), *bodies, turn(), *bodies_of(replace(LONG, index=2, events=EVENTS[:4], spans=())))
    assert list(with_whole_turns(around)) == [
        Trace("before"), LONG, turn(), replace(LONG, index=2, events=EVENTS[:4], spans=()),
    ]  # fmt: skip


def test_turns_are_cut_by_their_events_or_their_spans(monkeypatch: pytest.MonkeyPatch) -> None:
    for most, long in ((8, False), (7, True)):
        monkeypatch.setattr(long_turn, "EVENTS_A_BODY", most)
        assert is_long(LONG) is long
        assert is_long(replace(LONG, spans=())) is long
        assert is_long(replace(LONG, events=())) is long


def test_rows_of_a_long_turn_are_the_same_but_for_their_bodies(monkeypatch: pytest.MonkeyPatch) -> None:
    at_once = written(Trace("t"), LONG, turn(2))
    monkeypatch.setattr(long_turn, "EVENTS_A_BODY", A_BODY)
    cut_up = written(Trace("t"), LONG, turn(2))
    assert printed(cut_up) == printed(at_once)
    for name in PLAIN_COLUMNS:
        if name not in ("body", "flag"):
            assert bytes(memoryview(getattr(cut_up, name))) == bytes(memoryview(getattr(at_once, name)))
    long = cut_up.kind.index(Kind.TURN)
    assert [row for row, flag in enumerate(cut_up.flag) if flag & Flag.LONG] == [long]
    assert not any(flag & Flag.LONG for flag in at_once.flag)
    bodies = [unpack(body) for body in cut_up.bodies]
    for row, kind in enumerate(cut_up.kind):
        body, at = bodies[cut_up.body[row]], cut_up.part[row] if kind == Kind.SPAN else cut_up.event[row]
        if kind in (Kind.TURN, Kind.ANSWER, Kind.AGENT, Kind.AGENTS):
            assert not isinstance(body, TurnPart)
        elif kind != Kind.TRACE and at < 8 and isinstance(body, TurnPart):
            assert body.first <= at < body.first + A_BODY
