"""LangGraph's checkpoints: threads, branches, subgraphs, state and what waits."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.formats.langgraph_files import ANSWERED, ASKED, CALLED, FOUND, Saver, conversation
from tests.helpers.campaigns import examples
from tests.helpers.message_pack import message
from tests.helpers.tables import each
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.parts import Text, ToolCall, ToolResult
from trace_inspector.core.trace.trace import (
    ParentCall,
    Turn,
    Usage,
    answer_text,
    calls_of,
    paired_calls,
    turn_usage,
    user_text,
)
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.documents.sqlite.document import parse_sqlite
from trace_inspector.flows.opening.open_file import open_file
from trace_inspector.formats import recognise
from trace_inspector.formats.langgraph.values import messages_in


def contents_of(saver: Saver, folder: Path) -> Contents:
    """What is read of a database."""
    return open_file(saver.save(folder / "checkpoints.db")).contents


def test_the_newest_checkpoint_tells_the_conversation(tmp_path: Path) -> None:
    contents = contents_of(conversation(), tmp_path)
    assert contents.format == "langgraph"
    main, left = contents.traces
    assert (main.id, main.session_id, main.abandoned, main.final_state) == ("t1", "t1", False, {"mood": "better"})
    (turn,) = main.turns
    assert (user_text(turn), answer_text(turn)) == ("Where may I park?", "At Pier 4.")
    assert [(pair.call.name, pair.result.value) for pair in paired_calls(turn) if pair.result] == [("find", "Pier 4")]
    assert turn_usage(turn) == Usage(prompt=20, candidates=5)
    assert turn.duration_s == 4.0
    assert [event.state_delta for event in turn.events] == [None, {"mood": "better"}, None]
    assert (left.id, left.abandoned, left.session_id) == ("t1~1", True, None)
    (given_up,) = left.turns
    assert (user_text(given_up), answer_text(given_up), calls_of(given_up)) == ("", "Nowhere.", [])
    assert [finding.message for finding in contents.findings if finding.code == "records-understood"] == [
        "6 of 6 records are understood."
    ]


def test_threads_and_subgraphs_are_conversations_of_their_own(tmp_path: Path) -> None:
    saver = conversation()
    saver.step(7, {"messages": [ASKED]}, thread="t2")
    saver.step(8, {"messages": [ASKED, ANSWERED]}, namespace="helper:1")
    by_id = {trace.id: trace for trace in contents_of(saver, tmp_path).traces}
    assert by_id.keys() == {"t1", "t1~1", "t1/helper:1", "t2"}
    assert (by_id["t1/helper:1"].parent, by_id["t1/helper:1"].session_id) == (ParentCall("t1"), None)


def test_a_graph_without_messages_is_told_by_its_state(tmp_path: Path) -> None:
    saver = Saver()
    saver.step(1, {"__start__": {"question": "Where may I park?"}}, source="input")
    saver.step(2, {"question": "Where may I park?", "documents": ["Pier 4"]}, after=1)
    saver.step(3, {"question": "Where may I park?", "documents": ["Pier 4"], "generation": "At Pier 4."}, after=2)
    (trace,) = contents_of(saver, tmp_path).traces
    (turn,) = trace.turns
    assert user_text(turn) == "Where may I park?"
    assert [event.state_delta for event in turn.events] == [
        {"question": "Where may I park?", "documents": ["Pier 4"]},
        {"generation": "At Pier 4."},
    ]
    assert turn.final_response is None


def test_a_graph_that_answers_in_its_state_has_a_turn_for_each_input(tmp_path: Path) -> None:
    """Its messages are those of the user alone; the third question was asked before the second was answered."""
    asked: list[Json] = [message("human", id=f"q{at}", content=f"question {at}") for at in range(3)]
    saver = Saver()
    saver.step(1, {"__start__": {"messages": asked[:1], "lang": "en"}}, source="input")
    saver.step(2, {"messages": asked[:1], "lang": "en", "branch:to:router": None}, after=1)
    saver.step(3, {"messages": asked[:1], "lang": "en", "reply": "At Pier 4."}, after=2)
    saver.step(
        4, {"messages": asked[:1], "lang": "en", "reply": "At Pier 4.", "__start__": {}}, after=3, source="input"
    )
    saver.step(5, {"messages": asked[:2], "lang": "en", "reply": "At Pier 4."}, after=4)
    saver.step(6, {"messages": asked[:2], "lang": "en", "reply": "At Pier 4."}, after=5, source="input")
    saver.step(7, {"messages": asked, "lang": "en", "reply": "At Pier 4."}, after=6)
    saver.step(8, {"messages": asked, "lang": "en", "reply": "Until ten."}, after=7)
    (trace,) = contents_of(saver, tmp_path).traces
    assert [(user_text(turn), [event.state_delta for event in turn.events]) for turn in trace.turns] == [
        ("question 0", [{"reply": "At Pier 4."}]),
        ("question 1", []),
        ("question 2", [{"reply": "Until ten."}]),
    ]


def test_a_graph_that_is_asked_in_values_and_answers_by_messages_has_a_turn_for_each_input(tmp_path: Path) -> None:
    """An answer that is behind another in one turn would be no answer any more."""
    cats, dogs = (message("ai", id=name, content=name) for name in ("Cats.", "Dogs."))
    saver = Saver()
    saver.step(1, {"__start__": {"topic": "cats"}}, source="input")
    saver.step(2, {"topic": "cats"}, after=1)
    saver.step(3, {"topic": "cats", "messages": [cats]}, after=2)
    saver.step(4, {"topic": "cats", "messages": [cats], "__start__": {"topic": "dogs"}}, after=3, source="input")
    saver.step(5, {"topic": "dogs", "messages": [cats]}, after=4)
    saver.step(6, {"topic": "dogs", "messages": [cats, dogs]}, after=5)
    (trace,) = contents_of(saver, tmp_path).traces
    assert [(user_text(turn), answer_text(turn)) for turn in trace.turns] == [("cats", "Cats."), ("dogs", "Dogs.")]


_RUNS = st.lists(
    st.lists(st.sampled_from(("says", "calls", "calls two", "notes")), max_size=4), min_size=1, max_size=6
)


@settings(examples(30, 1_000), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(runs=_RUNS, has_greeting=st.booleans())
def test_each_input_is_a_turn_and_no_call_is_lost(runs: list[list[str]], has_greeting: bool, tmp_path: Path) -> None:
    """Counted while the checkpoints are made: inputs, calls, results, and what else the graph said or noted."""
    saver, said, number, notes = Saver(), list[Json](), 0, 0
    counted: list[tuple[int, int, int]] = []

    def step(source: str = "loop") -> None:
        nonlocal number
        number += 1
        channels: JsonObject = {"messages": list(said), "notes": notes}
        saver.step(number, channels, after=number - 1 or None, source=source)

    if has_greeting:
        said.append(message("system", id="s", content="Be brief."))
    for at, run in enumerate(runs):
        step("input")
        said.append(message("human", id=f"h{at}", content="again?"))
        step()
        calls = results = 0
        for nth, what in enumerate(run):
            name = f"{at}-{nth}"
            if what == "notes":
                notes += 1
            elif what == "says":
                said.append(message("ai", id=f"a{name}", content="so be it"))
            else:
                ids = [f"{name}-{call}" for call in range(1 + what.endswith("two"))]
                made: list[Json] = [{"name": "look", "args": {}, "id": one, "type": "tool_call"} for one in ids]
                said.append(message("ai", id=f"a{name}", content="", tool_calls=made))
                step()
                said.extend(message("tool", id=f"t{one}", content="found", tool_call_id=one) for one in ids[:1])
                calls, results = calls + len(ids), results + 1
            step()
        counted.append((len([what for what in run if what == "says"]), calls, results))
    database = tmp_path / "checkpoints.db"
    database.unlink(missing_ok=True)
    (trace,) = contents_of(saver, tmp_path).traces
    assert len(trace.turns) == len(counted)
    assert [_counted(turn) for turn in trace.turns] == counted
    assert {user_text(turn) for turn in trace.turns} == {"again?"}


def _counted(turn: Turn) -> tuple[int, int, int]:
    """The texts of the model, its calls and their results."""
    parts = [*(part for event in turn.events for part in event.parts), *(turn.final_response or ())]
    texts = sum(isinstance(part, Text) and part.text == "so be it" for part in parts)
    results = sum(isinstance(part, ToolResult) for part in parts)
    return texts, sum(isinstance(part, ToolCall) for part in parts), results


def test_what_failed_and_what_waits_is_told(tmp_path: Path) -> None:
    saver = conversation()
    saver.write(6, "__error__", "no map")
    saver.write(6, "__interrupt__", {"value": "May I book?"})
    main = contents_of(saver, tmp_path).traces[0]
    events = main.turns[0].events
    assert [event.error for event in events if event.error] == ["no map"]
    assert [extra.value for event in events for extra in event.extras if extra.name == "waits for"] == [
        {"value": "May I book?"}
    ]
    assert answer_text(main.turns[0]) == "At Pier 4."


@each("kind", ("pickle", "msgpack+aes"))
def test_what_may_not_be_unpacked_is_said(tmp_path: Path, kind: str) -> None:
    saver = conversation()
    saver.step(7, {"messages": [ASKED, CALLED, FOUND, ANSWERED]}, after=6, kind=kind)
    contents = contents_of(saver, tmp_path)
    assert contents.traces[0].id == "t1"
    (finding,) = (finding for finding in contents.findings if finding.code == "checkpoint-unread")
    assert finding.pointer == "/checkpoints/6"


def test_json_of_the_older_saver(tmp_path: Path) -> None:
    saver = Saver()
    old: Json = {
        "lc": 1,
        "type": "constructor",
        "id": ["langchain", "schema", "messages", "HumanMessage"],
        "kwargs": {"type": "human", "content": "Where may I park?"},
    }
    saver.step(1, {"messages": [old]}, kind="json")
    (trace,) = contents_of(saver, tmp_path).traces
    assert user_text(trace.turns[0]) == "Where may I park?"


def test_a_circle_of_parents_ends(tmp_path: Path) -> None:
    saver = Saver()
    saver.step(1, {"messages": [ASKED]}, after=2)
    saver.step(2, {"messages": [ASKED]}, after=1)
    saver.step(3, {"messages": [ASKED, ANSWERED]}, after=2)
    (trace,) = contents_of(saver, tmp_path).traces
    assert answer_text(trace.turns[0]) == "At Pier 4."


@pytest.mark.second_corpus
def test_a_real_database_holds_what_a_plain_count_finds(second_corpus: Path) -> None:
    (path,) = (second_corpus / "langgraph-checkpoint").iterdir()
    before = path.read_bytes()
    tables = parse_sqlite(before, path, None, lambda: None).value
    assert isinstance(tables, dict)
    checkpoints = tables["checkpoints"]
    assert isinstance(checkpoints, list)
    text = str(checkpoints[-1])
    turns = [turn for trace in open_file(path).contents.traces for turn in trace.turns]
    assert len(turns) == text.count("'HumanMessage'") == 4
    assert (
        len([pair for turn in turns for pair in paired_calls(turn) if pair.result])
        == text.count("'ToolMessage'")
        == 5
    )
    assert path.read_bytes() == before


@each("kind", ("msgpack", "json"))
def test_a_long_conversation_is_told_once(kind: str, tmp_path: Path) -> None:
    """Each of its checkpoints repeats all messages before it."""
    saver = Saver()
    said = [
        message("human" if number % 2 == 0 else "ai", id=f"m{number}", content=f"{number}") for number in range(30)
    ]
    if kind == "json":
        said = [{"lc": 1, "type": "constructor", "kwargs": _fields(packed_message)} for packed_message in said]
    for number in range(30):
        saver.step(number, {"messages": list(said[: number + 1])}, after=number - 1 if number else None, kind=kind)
    (trace,) = contents_of(saver, tmp_path).traces
    assert [(user_text(turn), answer_text(turn)) for turn in trace.turns] == [
        (f"{number}", f"{number + 1}") for number in range(0, 30, 2)
    ]
    assert [turn.start_s for turn in trace.turns][1:] == [
        (trace.turns[0].start_s or 0.0) + number for number in range(2, 30, 2)
    ]


def test_messages_that_were_looked_at_are_passed_over() -> None:
    """Of a long conversation with a checkpoint after each message all else would take a square of the time."""
    said: list[Json] = [message("ai", id=f"m{number}") for number in range(4)]
    found = [[one.place for one in messages_in(said, "/m", first)] for first in (0, 2, 4)]
    assert found[1:] == [["/m/2/value/2", "/m/3/value/2"], []]
    assert len(found[0]) == 4


@each("kind", ("msgpack", "json"))
def test_who_says_the_same_twice_has_said_it_twice(kind: str, tmp_path: Path) -> None:
    """Messages that a graph only appends have no ids."""
    saver = Saver()
    said = [
        message("human" if number % 2 == 0 else "ai", content="yes" if number % 2 == 0 else "ok")
        for number in range(6)
    ]
    if kind == "json":
        said = [{"lc": 1, "type": "constructor", "kwargs": _fields(packed_message)} for packed_message in said]
    for number in range(6):
        saver.step(number, {"messages": list(said[: number + 1])}, after=number - 1 if number else None, kind=kind)
    (trace,) = contents_of(saver, tmp_path).traces
    assert [(user_text(turn), answer_text(turn)) for turn in trace.turns] == [("yes", "ok")] * 3
    starts = [turn.start_s or 0.0 for turn in trace.turns]
    assert [start - starts[0] for start in starts] == [0.0, 2.0, 4.0]


def _fields(packed_message: JsonObject) -> Json:
    value = packed_message["value"]
    assert isinstance(value, list)
    return value[2]


def test_a_database_in_which_nothing_was_kept_yet_says_so(tmp_path: Path) -> None:
    contents = contents_of(Saver(), tmp_path)
    assert (contents.format, contents.traces) == ("langgraph", ())
    assert "no-checkpoints" in {finding.code for finding in contents.findings}


def test_lists_of_the_same_names_that_hold_something_else_are_not_taken() -> None:
    counted: Json = {"checkpoints": ["model-100.pt"], "writes": [3]}
    found = recognise(counted)
    assert found is None or found.name != "langgraph"
