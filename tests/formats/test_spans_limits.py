"""Damaged, deep and hostile recordings in every file format: findings instead of failures, and no span lost."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.formats.span_conventions import CONVENTIONS, adk_first, genai_in_events
from tests.formats.span_dump_files import DUMPS, adot, debug_trace, javascript, phoenix, readable
from tests.formats.span_files import Made, agent, codes, jaeger, model, opened, otlp, says, tool, user, wants
from tests.helpers.campaigns import examples
from tests.helpers.sound import assert_sound
from tests.helpers.tables import each
from trace_inspector.core.errors import InspectorError
from trace_inspector.core.rows.contents import collect
from trace_inspector.core.trace.trace import answer_text, calls_of, paired_calls
from trace_inspector.core.values.values import Json
from trace_inspector.documents.reading.reading import parse
from trace_inspector.formats import recognise
from trace_inspector.formats.common.format import Source

WRITERS: tuple[Callable[..., Json], ...] = (jaeger, otlp, *DUMPS, debug_trace)
every = pytest.mark.parametrize("write", WRITERS)


@every
def test_five_hundred_nested_spans(write: Callable[..., Json]) -> None:
    chain = [Made(f"s{at}", "step", f"s{at - 1}" if at else None) for at in range(500)]
    (trace,) = opened(write(*chain, *_turn("s499"))).traces
    assert (trace.span_count, len(trace.spans), answer_text(trace.turns[0])) == (502, 500, "ok")


@every
def test_every_span_is_kept_whatever_its_parents(write: Callable[..., Json]) -> None:
    odd = [
        Made("r1", "GET /", "r2"),
        Made("r2", "GET /", "r1"),
        Made("self", "GET /", "self"),
        Made("orphan", "GET /", "nowhere"),
        Made("a", "GET /", "orphan"),
    ]
    contents = opened(write(*_turn(None), *odd))
    (trace,) = contents.traces
    assert (trace.span_count, len(trace.spans), len(trace.turns)) == (7, 5, 1)
    assert codes(contents) == ["parent-missing", "repeated-span", "span-cycle"]


@every
@pytest.mark.parametrize("at", [-1, -3_540_000_000_000])
def test_a_time_before_all_others(write: Callable[..., Json], at: int) -> None:
    spans = _turn(None)
    spans[1].at = at
    assert answer_text(opened(write(*spans)).traces[0].turns[0]) == "ok"


@each("write", [jaeger, otlp, javascript, adot, debug_trace])
def test_a_time_beyond_all_years_is_none(write: Callable[..., Json]) -> None:
    spans = _turn(None)
    spans[1].at = 10**16
    (turn,) = opened(write(*spans)).traces[0].turns
    assert (answer_text(turn), [event.time_s for event in turn.events]) == ("ok", [None])


@each("write", [otlp, readable, javascript, phoenix, debug_trace])
def test_a_span_that_ends_before_it_begins(write: Callable[..., Json]) -> None:
    spans = _turn(None)
    spans[0].lasts = -5000
    assert opened(write(*spans)).traces[0].turns[0].duration_s is None


def test_thousands_of_calls_of_one_tool_in_one_turn_find_their_results() -> None:
    spans = [agent("a", None, "g")]
    for at in range(2000):
        spans.append(model(f"m{at}", "a", at * 3, said=[wants("look", n=at)]))
        spans.append(tool(f"x{at}", "a", at * 3 + 1, "look", {"n": at}, {"r": at}))
    (turn,) = opened(jaeger(*spans)).traces[0].turns
    assert [paired.result and paired.result.value for paired in paired_calls(turn)] == [{"r": n} for n in range(2000)]


def test_tools_that_ran_before_a_call_are_not_its_own() -> None:
    spans = [
        agent("a", None, "g"),
        tool("early", "a", 1, "look", {"n": 1}, {"r": "early"}),
        model("m", "a", 5, asked=[user("q")], said=[wants("look", n=1)]),
        tool("late", "a", 9, "look", {"n": 1}, {"r": "late"}),
    ]
    (turn,) = opened(jaeger(*spans)).traces[0].turns
    assert [paired.result and paired.result.value for paired in paired_calls(turn)] == [{"r": "early"}, {"r": "late"}]
    assert len(calls_of(turn)) == 2


def _turn(parent: str | None) -> list[Made]:
    return [agent("a", parent, "guide"), model("m", "a", 1, asked=[user("q")], said=says("ok"))]


_scalar = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
_anything = st.recursive(
    _scalar,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def _places(value: Json, place: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    found = [place]
    if isinstance(value, dict):
        for key, item in value.items():
            found.extend(_places(item, (*place, key)))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            found.extend(_places(item, (*place, index)))
    return found


def _with(value: Json, place: tuple[str | int, ...], junk: Json) -> Json:
    if not place:
        return junk
    if isinstance(value, dict):
        return {key: _with(item, place[1:], junk) if key == place[0] else item for key, item in value.items()}
    assert isinstance(value, list)
    return [_with(item, place[1:], junk) if index == place[0] else item for index, item in enumerate(value)]


@examples(40, 1000)
@given(st.data())
def test_no_junk_at_any_place_breaks_a_reader(data: st.DataObject) -> None:
    write = data.draw(st.sampled_from(WRITERS))
    convention = data.draw(st.sampled_from(CONVENTIONS))
    value: Json = json.loads(json.dumps(write(*convention())))
    for _ in range(data.draw(st.integers(1, 3))):
        value = _with(value, data.draw(st.sampled_from(_places(value))), data.draw(_anything))
    known = recognise(value)
    if known is not None:
        assert_sound(collect(known.name, known.read(Source(value))))
    assert known is None or known.recognise(value) > 0


def test_half_a_character_in_a_message() -> None:
    spans = _turn(None)
    spans[1].tags["gcp.vertex.agent.llm_response"] = json.dumps(
        {"content": {"parts": [{"text": "half \ud83d"}]}}, ensure_ascii=False
    )
    assert answer_text(opened(jaeger(*spans)).traces[0].turns[0]) == "half \ud83d"


@examples(40, 1000)
@given(st.data())
def test_no_damaged_byte_breaks_opening(data: st.DataObject) -> None:
    write = data.draw(st.sampled_from(WRITERS))
    convention = data.draw(st.sampled_from((adk_first, genai_in_events)))
    text = bytearray(json.dumps(write(*convention())).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text) - 1))
        text[at : at + data.draw(st.integers(0, 40))] = data.draw(st.binary(max_size=4))
    with contextlib.suppress(InspectorError):
        value = parse(bytes(text), Path("damaged.json")).value
        known = recognise(value)
        if known is not None:
            assert_sound(collect(known.name, known.read(Source(value))))
        assert known is None or known.name
