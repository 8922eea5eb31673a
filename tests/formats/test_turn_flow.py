"""Turns of conversations that are told message by message."""

from __future__ import annotations

from trace_inspector.core.trace.parts import Text, ToolCall, ToolResult
from trace_inspector.core.trace.trace import Event, Turn
from trace_inspector.core.values.extra import Extra
from trace_inspector.formats.common.record_counts import RecordCounts
from trace_inspector.formats.common.turn_flow import TurnFlow


def said(words: str, time_s: float | None = None) -> Event:
    """An answer in words."""
    return Event("agent", (Text(words),), "assistant", time_s)


def called(name: str) -> Event:
    """A call."""
    return Event("agent", (ToolCall(name),), "assistant")


def returned(name: str) -> Event:
    """The result of a call, with words."""
    return Event("agent", (ToolResult(name, "ok"), Text("also words")), "tool")


def turns(flow: TurnFlow, *steps: str | Event) -> list[Turn]:
    """The turns of user's messages and events in a row."""
    told: list[Turn] = []
    for number, step in enumerate(steps):
        if isinstance(step, str):
            told += flow.ask((Text(step),), turn_id=f"m{number}", place=f"/{number}")
        else:
            flow.happen(step)
    return [*told, *flow.finish()]


def test_a_message_of_the_user_opens_a_turn() -> None:
    first, second = turns(TurnFlow(), "One?", said("Yes."), "Two?", called("look"), returned("look"), said("No."))
    assert [(turn.index, turn.id, turn.place) for turn in (first, second)] == [(0, "m0", "/0"), (1, "m2", "/2")]
    assert first.final_response == (Text("Yes."),)
    assert (second.final_event, len(second.events), second.events[2].parts) == (2, 3, ())


def test_messages_in_a_row_are_one_question() -> None:
    (turn,) = turns(TurnFlow(), "Look.", "Please.", said("Done."))
    assert turn.user == (Text("Look."), Text("Please."))
    assert turn.id == "m0"


def test_what_happens_before_any_message_is_a_turn_without_a_question() -> None:
    hello, turn = turns(TurnFlow(), said("Hello."), "Two?")
    assert (hello.user, hello.final_response) == ((), (Text("Hello."),))
    assert turn.final_response is None


def test_words_before_a_last_call_are_no_answer() -> None:
    (turn,) = turns(TurnFlow(), "One?", said("I look."), called("look"))
    assert (turn.final_response, turn.final_event) == (None, None)
    (turn,) = turns(TurnFlow(), "One?", said("Here."), returned("look"))
    assert turn.final_event == 0


def test_times_are_derived_unless_the_file_states_them() -> None:
    flow = TurnFlow()
    list(flow.ask((Text("One?"),), time_s=10.0))
    flow.happen(said("Yes.", 12.5))
    flow.add(Extra("mood", "good"))
    (turn,) = flow.finish()
    assert (turn.start_s, turn.duration_s, turn.guessed) == (10.0, 2.5, frozenset({"times"}))
    assert turn.extras == (Extra("mood", "good"),)
    list(flow.ask((Text("Two?"),), time_s=20.0))
    flow.happen(said("Yes.", 21.0))
    flow.last(3.0)
    flow.last(0.5)
    flow.guess_border()
    (turn,) = flow.finish()
    assert (turn.index, turn.duration_s, turn.guessed) == (1, 3.5, frozenset({"borders"}))
    assert list(flow.finish()) == []


def test_records_are_counted_by_kind() -> None:
    counts = RecordCounts()
    counts.understood(1_200)
    assert counts.finding().message == "1,200 of 1,200 records are understood."
    counts.unknown("progress", "/4")
    counts.unknown("mode", "/5")
    counts.unknown("progress", "/6")
    finding = counts.finding()
    assert finding.pointer == "/4"
    assert "1,200 of 1,203 records are understood." in finding.message
    assert "“progress” 2, “mode” 1." in finding.message


def test_kinds_of_records_are_bounded() -> None:
    counts = RecordCounts()
    for number in range(5_000):
        counts.unknown(f"{number:_>4000}", "")
    message = counts.finding().message
    assert len(message) < 1_500
    assert "0 of 5,000 records" in message
