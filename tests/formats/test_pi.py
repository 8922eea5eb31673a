"""Sessions of pi: turns, tokens, commands past the model, branches that were left."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.formats.opened import calls_after_converting, codes, opened, spoken
from tests.formats.pi_files import HEAD, lines, message, text
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.parts import Code, Media, Thought, Unknown
from trace_inspector.core.trace.trace import Usage, paired_calls, turn_usage
from trace_inspector.core.values.values import Json, JsonObject


def contents_of(folder: Path, value: Json) -> Contents:
    """What is read of lines, or of one."""
    return opened(folder, value, "pi")


TURNS = [("Why is the price wrong?", "The price is fixed."), ("Make it three.", "")]


def test_lines_become_turns(tmp_path: Path) -> None:
    contents = contents_of(tmp_path, lines())
    trace = contents.traces[0]
    assert (trace.id, trace.title, trace.app, spoken(trace)) == ("pi-0001", "A price is wrong", "pi", TURNS)
    first, second = trace.turns
    assert first.user[1] == Media("image/png", 3, place="/2/message/content/1", data="AAAA")
    assert first.events[0].parts[0] == Thought("Look.", "/3/message/content/0")
    assert turn_usage(first) == Usage(prompt=234, candidates=10, cached=200, cache_written=14)
    assert [(pair.call.name, pair.result and pair.result.value) for pair in paired_calls(first)] == [
        ("read", "price = 3\nrule = 5"),
        ("bash", "no"),
    ]
    assert [pair.result.is_error for pair in paired_calls(first) if pair.result] == [False, True]
    assert (first.start_s, first.duration_s) == (1_777_629_602.0, 10.0)
    assert {extra.name for extra in trace.extras} >= {"cwd", "model_change"}
    assert [extra.name for extra in second.extras] == ["label", "session_info"]
    assert codes(contents)["records-understood"].startswith("17 of 18 records are understood.")


def test_what_stands_beside_is_nobodys_answer(tmp_path: Path) -> None:
    second = contents_of(tmp_path, lines()).traces[0].turns[1]
    ran, hint, unknown, summary, broken = second.events
    assert ran.parts == (
        Code("ls", "bash", place="/11/message/command"),
        Code("rule.py", is_result=True, place="/11/message/output"),
    )
    assert (ran.author, hint.role, summary.role, broken.error) == ("user", "system", "system", "The line broke.")
    assert isinstance(unknown.parts[0], Unknown)


def test_a_branch_that_was_left_is_a_conversation_of_its_own(tmp_path: Path) -> None:
    contents = contents_of(tmp_path, lines())
    dead = contents.traces[1]
    assert (dead.id, dead.abandoned, spoken(dead)) == ("pi-0001~1", True, [("Make it thre.", "Thre?")])
    assert "abandoned-branches" in codes(contents)


def test_branches_of_branches_do_not_mix(tmp_path: Path) -> None:
    value: list[Json] = [
        HEAD,
        message("e01", None, "user", content="A"),
        message("e02", "e01", "user", content="B"),
        message("e03", "e01", "user", content="C"),
        message("e04", "e02", "assistant", content=[text("to B")]),
        message("e05", "e02", "assistant", content=[text("to B again")]),
        message("e06", "e01", "user", content="D"),
    ]
    live, *dead = contents_of(tmp_path, value).traces
    assert spoken(live) == [("A\nD", "")]
    assert [spoken(trace) for trace in dead] == [[("B", "to B")], [("C", "")], [("", "to B again")]]


def test_entries_of_the_first_version_have_no_ids(tmp_path: Path) -> None:
    old: list[Json] = [
        {key: value for key, value in line.items() if key not in ("id", "parentId") or line["type"] == "session"}
        for line in lines()
        if isinstance(line, dict)
    ]
    (trace,) = contents_of(tmp_path, old).traces
    assert [asked for asked, _answer in spoken(trace)] == [
        "Why is the price wrong?",
        "Make it thre.",
        "Make it three.",
    ]


def test_entries_without_a_known_parent_go_on_with_the_entry_before(tmp_path: Path) -> None:
    value: list[Json] = [
        HEAD,
        message("e01", "pi-0001", "user", content="A"),
        {key: item for key, item in message("e02", None, "assistant", content=[text("to A")]).items()
         if key != "parentId"},
        message("e03", "c1", "user", content="B"),
        message("e04", "e03", "assistant", content=[text("to B")]),
    ]  # fmt: skip
    (trace,) = contents_of(tmp_path, value).traces
    assert spoken(trace) == [("A", "to A"), ("B", "to B")]


def test_a_record_of_the_program_that_nothing_follows_is_no_branch(tmp_path: Path) -> None:
    noted: JsonObject = {"type": "custom", "id": "e02", "data": {"kind": "heartbeat"}}
    value: list[Json] = [
        HEAD,
        message("e01", None, "user", content="A"),
        noted,
        message("e03", "e01", "assistant", content=[text("to A")]),
    ]
    contents = contents_of(tmp_path, value)
    (trace,) = contents.traces
    assert (spoken(trace), [extra.name for extra in trace.turns[0].extras]) == ([("A", "to A")], ["custom"])
    assert "abandoned-branches" not in codes(contents)


def test_results_in_the_name_of_the_user_are_no_turns(tmp_path: Path) -> None:
    ran: JsonObject = {"type": "tool_use", "id": "c1", "name": "Execute", "input": {"command": "ls"}}
    answered: JsonObject = {"type": "tool_result", "tool_use_id": "c1", "content": "a.py"}
    value: list[Json] = [
        {"type": "session_start", "id": "s1", "cwd": "/shop"},
        message("e01", "s1", "user", content=[text("List them.")]),
        message("e02", "e01", "assistant", content=[ran]),
        message("e03", "e02", "user", content=[answered]),
        message("e04", "e03", "assistant", content=[text("One.")]),
    ]
    contents = contents_of(tmp_path, value)
    (trace,) = contents.traces
    assert (trace.id, spoken(trace)) == ("s1", [("List them.", "One.")])
    assert [(pair.call.name, pair.result and pair.result.value) for pair in paired_calls(trace.turns[0])] == [
        ("Execute", "a.py")
    ]
    assert codes(contents)["records-understood"].startswith("5 of 5")


def test_no_token_of_a_large_count_is_lost(tmp_path: Path) -> None:
    many = 2**53 + 1
    said = message("e02", "e01", "assistant", content=[text("B")], usage={"input": many, "output": 0})
    (turn,) = contents_of(tmp_path, [HEAD, message("e01", None, "user", content="A"), said]).traces[0].turns
    usage = turn_usage(turn)
    assert usage is not None
    assert usage.prompt == many


@pytest.mark.parametrize(
    "value",
    [
        [HEAD, {"type": "message"}, {"type": "message", "message": {"role": 5}}, {}, 7],
        [HEAD, message("e01", "e01", "assistant", content=[5, {}], usage={"input": -1}), {"id": "e01", "type": 5}],
        [HEAD, message("e01", "e02", "toolResult", content={"a": 1}), message("e02", "e01", "bashExecution")],
        [HEAD, HEAD, message("e01", None, "user", content=[{"type": "image", "data": 5}])],
        HEAD,
    ],
)
def test_odd_sessions_are_read_as_far_as_they_go(tmp_path: Path, value: Json) -> None:
    assert "records-understood" in codes(contents_of(tmp_path, value))


def test_it_converts_to_what_an_agent_of_google_adk_would_have_recorded(tmp_path: Path) -> None:
    contents_of(tmp_path, [line for line in lines() if line not in (lines()[7], lines()[8])])
    assert calls_after_converting(tmp_path) == [2, 0]
