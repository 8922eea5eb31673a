"""What counts as evidence, how it is cut into passages, and what happens when there is too much of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.campaigns import examples
from trace_inspector.core.trace.parts import Code, Part, Text, Thought, ToolCall, ToolResult, Transfer
from trace_inspector.core.trace.trace import Agent, Event, Turn
from trace_inspector.core.values.values import Json
from trace_inspector.engine.grounding.evidence.evidence import MAX_SOURCE_CHARS, Evidence
from trace_inspector.engine.grounding.evidence.passages import Cut, prose, values


def sources(evidence: Evidence) -> list[tuple[str, str, str]]:
    told = zip(evidence.sources, evidence.passages, strict=True)
    return [(source.words, source.place, passage.text) for source, passage in told]


def texts(value: Json) -> list[str]:
    return [passage.text for passage in values(value, Cut(), 10_000)]


def test_the_user_tools_and_instructions_are_evidence_and_the_agent_is_not() -> None:
    parts: tuple[Part, ...] = (
        Thought("maybe 99 spots", "/thought"),
        Text("I will look it up: 98 spots", "/said"),
        ToolCall("search", {"near": "Pier"}, place="/call"),
        ToolResult("search", {"spots": 40}, place="/result"),
        Code("97", is_result=True, place="/printed"),
        Code("print(96)", place="/code"),
        Transfer("Other", "/transfer"),
    )
    turn = Turn(
        0, user=(Text("Parking?", "/user"),), events=(Event("agent", parts),), final_response=(Text("95 spots"),),
        agents=(Agent("Helper", "Be kind.", place="/agent"),),
    )  # fmt: skip
    evidence = Evidence()
    evidence.add_turn(turn)
    assert sources(evidence) == [
        ("instructions of Helper", "/agent", "Helper\nBe kind."),
        ("the user’s words", "/user", "Parking?"),
        ("search call", "/call", "near: Pier"),
        ("search result", "/result", "spots: 40"),
        ("output of code", "/printed", "97"),
    ]


def test_the_same_instruction_is_read_once() -> None:
    evidence = Evidence()
    for _ in range(3):
        evidence.add_agents([Agent("Helper", "Be kind.")])
    assert len(evidence.passages) == 1


def test_a_record_is_a_passage_with_its_keys() -> None:
    value: Json = {
        "city": "Porto",
        "places": [{"name": "A", "hours": {"open": "8"}}, {"name": "B", "tags": ["x", "y"]}],
    }
    assert texts(value) == [
        "places · name: A; hours open: 8",
        "places · name: B; tags: (2) x, y",
        "city: Porto; places: (2)",
    ]


def test_a_text_that_is_json_is_read_as_json() -> None:
    assert texts({"result": '[{"a": 1}, {"a": 2}]'}) == ["result · a: 1", "result · a: 2", "result: (2)"]


@pytest.mark.parametrize("text", ['{"a": 1', "[not json]", "{}x", "[" * 5000 + "]" * 5000])
def test_a_text_that_only_looks_like_json_is_prose(text: str) -> None:
    assert "".join(texts(text)) == text or len(text) > 1000


def test_a_long_text_is_cut_between_sentences_and_nothing_is_lost() -> None:
    text = "A sentence of some length about a garage. " * 60
    pieces = [passage.text for passage in prose(text, Cut(), 10_000)]
    assert " ".join(pieces) == text.strip()
    assert all(piece.endswith(".") for piece in pieces)


def test_each_piece_of_a_table_in_text_keeps_the_header() -> None:
    table = "name\tspots\tprice\n" + "\n".join(f"Garage {number}\t{number}\t{number * 2}" for number in range(100))
    assert all(passage.text.startswith("name spots price; ") for passage in prose(table, Cut(), 10_000))


def test_nesting_is_followed_without_recursion() -> None:
    value: Json = 7
    for _ in range(20_000):
        value = {"k": [value]}
    assert any(passage.text.endswith(": (1) 7") for passage in values(value, Cut(), 10_000_000))


def test_what_was_not_read_is_counted() -> None:
    evidence = Evidence()
    rows: list[Json] = [{"note": "x" * 100} for _ in range(20_000)]
    evidence.add_turn(Turn(0, events=(Event("agent", (ToolResult("search", rows),)),)))
    assert MAX_SOURCE_CHARS <= evidence.cut.read < MAX_SOURCE_CHARS + 200
    assert evidence.cut.whole >= 2_000_000


def test_a_number_is_found_by_value_by_range_and_in_another_unit() -> None:
    evidence = Evidence()
    evidence.add_turn(Turn(0, events=(Event("agent", (ToolResult("search", {"distance_km": 2.5}),)),)))
    assert [spot.start for spot in evidence.with_value(2.5)] == [13]
    assert [value for value, _ in evidence.between(2, 3)] == [2.5]
    assert [value for value, _ in evidence.measured("length", 2000, 3000)] == [2500.0]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=30,
)


@examples(40, 100)
@given(JSON)
def test_any_value_can_be_evidence(value: Json) -> None:
    evidence = Evidence()
    evidence.add_turn(Turn(0, events=(Event("agent", (ToolResult("search", value), ToolCall("search", value))),)))
    for passage, keys in zip(evidence.passages, evidence.keys, strict=True):
        assert all(
            passage.text[passage.start_of(at) :].startswith(leaf.text) for at, leaf in enumerate(passage.leaves)
        )
        assert keys == set(keys)
