"""Conversations of CES: turns, spans and tokens, and the flat list that came before."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.formats import ces_result_files as made
from tests.formats.span_files import codes, opened
from tests.helpers.campaigns import examples
from tests.helpers.tables import each
from trace_inspector.core.trace.parts import Text, Unknown
from trace_inspector.core.trace.trace import SpanKind, Turn, Usage, answer_text, calls_of, turn_usage, user_text
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats import BY_NAME


def turn_of(**changed: Json) -> Turn:
    """The turn of a conversation of one."""
    (trace,) = opened(made.conversation(made.turn("Do you have Emma?", **changed))).traces
    return trace.turns[0]


def test_a_conversation_is_read_turn_by_turn() -> None:
    contents = opened(made.conversation(made.turn("Emma?"), made.turn("And now?")))
    (trace,) = contents.traces
    assert (contents.format, codes(contents)) == ("ces-conversation", [])
    assert (trace.id, trace.session_id, trace.app) == ("talk-1", made.TALK, "books")
    assert [(turn.index, user_text(turn), answer_text(turn)) for turn in trace.turns] == [
        (0, "Emma?", "There is one copy."),
        (1, "And now?", "There is one copy."),
    ]
    assert [turn.place for turn in trace.turns] == ["/turns/0", "/turns/1"]
    assert {extra.name for extra in trace.extras} == {
        "name", "startTime", "turnCount", "source", "inputTypes", "languageCode"
    }  # fmt: skip


def test_what_the_user_sets_before_the_words_is_of_the_question() -> None:
    turn = turn_of()
    assert [type(part) for part in turn.user] == [Unknown, Text]
    assert [call.name for call in calls_of(turn)] == ["search"]
    assert all(event.author == "clerk" for event in turn.events if event.parts)


def test_spans_give_times_and_tokens() -> None:
    turn = turn_of()
    told = [(span.name, span.kind, span.duration_s) for span in turn.spans]
    assert told == [
        ("Turn", SpanKind.OTHER, 2.5),
        ("LLM gem", SpanKind.MODEL, 1.0),
        ("Tool search", SpanKind.TOOL, 0.25),
        ("LLM", SpanKind.MODEL, 1.0),
    ]
    ids = {span.id: span.name for span in turn.spans}
    assert [ids.get(span.parent_id or "") for span in turn.spans] == [None, "Turn", "LLM gem", "Turn"]
    assert (turn.duration_s, turn.model_duration_s, turn.tool_duration_s) == (2.5, 2.0, 0.25)
    assert turn_usage(turn) == Usage(prompt=42, candidates=7)
    assert turn.guessed == frozenset()
    assert turn.final_event is not None
    assert turn.events[turn.final_event].model == "gem"


def test_without_spans_times_are_derived_and_no_tokens_are_made_up() -> None:
    turn = turn_of(rootSpan=None)
    assert (turn.duration_s, turn.guessed) == (3.0, frozenset({"times"}))
    assert turn_usage(turn) == Usage()
    nothing: JsonObject = {
        "name": "Turn",
        "childSpans": [{"name": "LLM", "attributes": {"input token count": "many"}}],
    }
    assert turn_usage(turn_of(rootSpan=nothing)) == Usage()


def test_attributes_as_a_message_are_seen_through() -> None:
    attributes: Json = {"fields": {"model": {"stringValue": "gem"}, "input token count": {"numberValue": 3}}}
    tree: JsonObject = {"name": "LLM", "attributes": attributes, "duration": {"seconds": 1, "nanos": 500_000_000}}
    turn = turn_of(rootSpan=tree)
    assert ([span.name for span in turn.spans], turn.duration_s) == (["LLM gem"], 1.5)
    assert turn_usage(turn).prompt == 3


def test_what_the_user_meant_to_say_is_kept() -> None:
    told = [(one.name, one.value) for one in turn_of(userIntendedText="Emma").extras]
    assert told == [
        ("userIntendedText", "Emma"),
        ("LLM gem: input token count", 40),
        ("LLM gem: output token count", 7),
        ("LLM: input token count", 2.0),
    ]


def test_the_old_flat_list_is_parted_by_the_users_messages() -> None:
    flat = [
        made.message("user", "Hello?"),
        made.message("clerk", "Good day."),
        made.message("user", "Emma?"),
        made.message("clerk", "Here."),
    ]
    contents = opened({"name": made.TALK, "messages": [*flat]})
    (trace,) = contents.traces
    assert [(user_text(turn), answer_text(turn)) for turn in trace.turns] == [
        ("Hello?", "Good day."),
        ("Emma?", "Here."),
    ]
    assert all("borders" in turn.guessed for turn in trace.turns)
    assert codes(contents) == ["guessed-borders"]


@each(
    ("changed", "code"),
    [
        ({"turnCount": 3}, "counts-differ"),
        ({"source": "TELEPATHY"}, "unknown-enum"),
        ({"inputTypes": ["INPUT_TYPE_TEXT", 99]}, "unknown-enum"),
        ({"channelType": "SMOKE"}, "unknown-enum"),
        ({"startTime": "soon"}, "unknown-time"),
    ],
)
def test_what_is_odd_is_told(changed: JsonObject, code: str) -> None:
    assert codes(opened(made.conversation(**changed))) == [code]


def test_a_chain_of_a_thousand_spans_is_read() -> None:
    tree: JsonObject = {"name": "Tool"}
    for _ in range(1_000):
        tree = {"name": "Tool", "childSpans": [tree]}
    assert len(turn_of(rootSpan=tree).spans) == 1_001


@each(
    "value",
    [{}, {"turns": [{"user": "x"}]}, {"messages": [{"role": "user", "content": "x"}]}, {"turns": []}, [2], "x"],
)
def test_other_documents_are_none(value: Json) -> None:
    assert BY_NAME["ces-conversation"].recognise(value) == 0


_ODD: st.SearchStrategy[Any] = (
    st.none() | st.booleans() | st.integers() | st.text(max_size=3) | st.just([]) | st.just({})
)


@examples(40, 1000)
@given(st.sampled_from(["role", "chunks", "eventTime"]), st.integers(0, 4), _ODD)
def test_an_odd_message_spoils_only_itself(key: str, at: int, odd: Json) -> None:
    value: Any = made.conversation()
    value["turns"][0]["messages"][at][key] = odd
    (trace,) = opened(value).traces
    (turn,) = trace.turns
    said = user_text(turn) + answer_text(turn)
    assert ("Emma" in said) or at == 1
    assert ("copy" in said) or at == 4
    assert calls_of(turn) or at == 2
