"""Spans that came several times: states of one are shown once, and none that is another one vanishes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import permutations

import pytest

from tests.formats.span_files import opened
from tests.helpers.sent_spans import as_it_began, request, span, tool_turn, turn_spans
from trace_inspector.core.trace.trace import Span, SpanKind, answer_text, calls_of
from trace_inspector.core.values.values import JsonObject
from trace_inspector.formats.common.span_attributes import Attributes, Form
from trace_inspector.formats.spans.spans import Recorded


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_a_span_that_was_sent_before_it_ended_is_shown_once_as_it_ended(order: Sequence[int]) -> None:
    whole = tool_turn()
    less = {**whole[1], "attributes": whole[1]["attributes"][:-1]}  # type: ignore[index]
    states = [[as_it_began(one) for one in whole], [less], whole]
    contents = opened([json.loads(request(states[number])) for number in order])
    (trace,) = contents.traces
    (expected,) = opened(json.loads(request(whole))).traces
    assert [note.code for note in contents.findings] == ["sent-changed"]
    assert contents.findings[0].message.startswith("4 spans ")
    assert trace.span_count == expected.span_count == 3
    (turn,) = trace.turns
    whole_turn = expected.turns[0]
    assert [call.args for call in calls_of(turn)] == [{"of": "shoes"}] == [call.args for call in calls_of(whole_turn)]
    assert (len(turn.events), answer_text(turn)) == (len(whole_turn.events), answer_text(whole_turn))


def tools_of_one_id(first: Mapping[str, str], second: Mapping[str, str], lasts_ms: int = 10) -> list[JsonObject]:
    """A turn whose two calls of tools have one id, parent and start."""
    named = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "look"}
    return [
        *turn_spans(1, "a", "one?", "1"),
        span(1, 5, "execute_tool look", 1, at_ms=20, stated={**named, **first}),
        span(1, 5, "execute_tool look", 1, at_ms=20, stated={**named, **second}, lasts_ms=lasts_ms),
    ]


ARGS = "gen_ai.tool.call.arguments"


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(
    "spans",
    [
        tools_of_one_id({"gen_ai.tool.call.id": "1", ARGS: "{}"}, {"gen_ai.tool.call.id": "2", ARGS: "{}"}),
        tools_of_one_id({ARGS: '{"of": "shoes"}'}, {ARGS: '{"of": "hats"}'}),
        tools_of_one_id({ARGS: '{"of": "shoes"}'}, {"gen_ai.tool.description": "looks"}),
        tools_of_one_id({ARGS: "{}"}, {ARGS: "{}"}, lasts_ms=20),
    ],
)
def test_calls_with_one_id_are_all_shown(spans: list[JsonObject], turned: bool) -> None:
    sent = spans[:3] + spans[:2:-1] if turned else spans
    contents = opened([json.loads(request(sent)), json.loads(request(sent[3:]))])
    (trace,) = contents.traces
    assert (trace.span_count, len(calls_of(trace.turns[0]))) == (5, 2)
    assert [(note.code, note.message[:7]) for note in contents.findings] == [
        ("repeated-span", "1 span "),
        ("sent-again", "2 spans"),
    ]


def test_names_tell_calls_with_one_id_apart() -> None:
    spans = tools_of_one_id({}, {})
    spans[4]["name"] = "execute_tool find"
    assert opened(json.loads(request(spans))).traces[0].span_count == 5


@pytest.mark.parametrize("order", sorted(set(permutations("bbeee"))))
def test_a_state_that_comes_again_word_for_word_is_no_other_state(order: Sequence[str]) -> None:
    whole = tool_turn()
    states = {"b": as_it_began(whole[1]), "e": whole[1]}
    spans = [whole[0], *(states[name] for name in order), whole[2]]
    contents = opened(json.loads(request(spans)))
    assert [(note.code, note.message[:7]) for note in contents.findings] == [
        ("sent-again", "3 spans"),
        ("sent-changed", "1 span "),
    ]
    assert len(calls_of(contents.traces[0].turns[0])) == 1


def test_a_log_record_is_shown_once_however_often_its_span_came() -> None:
    holder = Attributes({"attributes": {"a": "1"}}, "/0", Form())
    notes: list[tuple[JsonObject, str]] = [({}, f"/{number}") for number in range(3)]
    states = [
        Recorded("t", Span("s", "x", SpanKind.TOOL), Attributes(holder.holder, "/0", Form(), notes[:number]), {})
        for number in (3, 2, 0)
    ]
    for state in states[1:]:
        state.take_notes_of(states[0])
        assert [place for _raw, place in state.attributes.joined or ()] == ["/0", "/1", "/2"]
