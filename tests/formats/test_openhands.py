"""Conversations of OpenHands: the trajectory of its first generation and the events of its SDK."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.formats import openhands_files
from tests.helpers.tables import each
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.parts import Unknown
from trace_inspector.core.trace.trace import Turn, Usage, answer_text, paired_calls, turn_usage, user_text
from trace_inspector.core.values.values import Json
from trace_inspector.flows.opening.open_file import open_file


def contents_of(folder: Path, value: Json) -> Contents:
    """What is read of a conversation."""
    path = folder / "talk.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    return open_file(path).contents


def calls(turn: Turn) -> list[tuple[str, object, object, bool]]:
    """The calls of a turn with their results, and whether they failed."""
    return [
        (
            pair.call.name,
            pair.call.args,
            pair.result and pair.result.value,
            bool(pair.result and pair.result.is_error),
        )
        for pair in paired_calls(turn)
    ]


def test_the_first_generation(tmp_path: Path) -> None:
    contents = contents_of(tmp_path, openhands_files.trajectory())
    assert contents.format == "openhands"
    (trace,) = contents.traces
    assert (trace.agents[0].instruction, len(trace.agents[0].tools)) == ("You fix code.", 1)
    (turn,) = trace.turns
    assert (user_text(turn), answer_text(turn)) == ("Fix it.", "All done.")
    assert calls(turn) == [
        ("editor", {"path": "main.py"}, "saved", False),
        ("bash", {"command": "make"}, "failed", True),
    ]
    assert turn_usage(turn) == Usage(prompt=100, candidates=12)
    assert turn.events[0].model == "small"
    assert turn.duration_s == 6.0


def test_a_reply_with_two_calls_is_counted_once(tmp_path: Path) -> None:
    value = openhands_files.trajectory()
    for event in value:
        assert isinstance(event, dict)
        metadata = event.get("tool_call_metadata")
        if isinstance(metadata, dict) and isinstance(reply := metadata["model_response"], dict):
            reply["id"] = "the same"
    (turn,) = contents_of(tmp_path, value).traces[0].turns
    assert turn_usage(turn) == Usage(prompt=50, candidates=6)


def test_events_of_the_sdk(tmp_path: Path) -> None:
    contents = contents_of(tmp_path, openhands_files.events())
    assert contents.format == "openhands"
    (trace,) = contents.traces
    assert trace.agents[0].instruction == "You fix code."
    (turn,) = trace.turns
    assert (user_text(turn), answer_text(turn)) == ("Fix it.", "All done.")
    assert calls(turn) == [
        ("terminal", {"command": "ls"}, "no", True),
        ("finish", {"message": "All done."}, "All done.", False),
    ]
    usage = turn_usage(turn)
    assert (usage.prompt, usage.candidates, usage.thoughts, usage.cached) == (90, 20, 10, 20)
    assert [event.error for event in turn.events if event.error] == ["No such tool."]
    messages = [finding.message for finding in contents.findings if finding.code == "records-understood"]
    assert messages[0].startswith("9 of 10 records are understood.")
    assert "“HologramEvent” 1" in messages[0]


def test_an_event_alone_is_a_conversation(tmp_path: Path) -> None:
    (trace,) = contents_of(tmp_path, openhands_files.events()[3]).traces
    assert [part.value for event in trace.turns[0].events for part in event.parts if hasattr(part, "value")] == ["no"]


ODD: dict[str, Json] = {
    "fields of no kind": [{"id": 1, "timestamp": 2, "source": 3, "message": 4, "action": "run", "args": [5]}],
    "events of no kind": [{"id": "a", "timestamp": None, "source": [], "kind": "ActionEvent", "thought": 3}],
    "results of nobody": [{"id": "a", "timestamp": "x", "source": "environment", "kind": "ObservationEvent"}],
}


@each("kind", ODD)
def test_odd_events_are_read_as_far_as_they_go(tmp_path: Path, kind: str) -> None:
    contents = contents_of(tmp_path, ODD[kind])
    assert contents.format == "openhands"
    assert len(contents.traces) == 1


@pytest.mark.second_corpus
def test_real_conversations_hold_what_a_plain_count_finds(second_corpus: Path) -> None:
    paths = sorted((second_corpus / "openhands").iterdir())
    assert len(paths) >= 7
    for path in paths:
        text = path.read_text(encoding="utf-8")
        events = [json.loads(line) for line in text.splitlines()] if path.suffix == ".jsonl" else json.loads(text)
        listed = events if isinstance(events, list) else [events]
        turns = [turn for trace in open_file(path).contents.traces for turn in trace.turns]
        pairs = [pair for turn in turns for pair in paired_calls(turn)]
        called = sum(
            one.get("kind") == "ActionEvent" or ("action" in one and "tool_call_metadata" in one) for one in listed
        )
        assert len(pairs) == called, path


def test_each_run_of_a_benchmark_is_a_conversation(tmp_path: Path) -> None:
    contents = contents_of(tmp_path, openhands_files.output_of_a_benchmark())
    assert contents.format == "openhands"
    assert [trace.id for trace in contents.traces] == ["shop-1", "shop-2", "shop-3"]
    first, second, third = (trace.turns[0] for trace in contents.traces)
    assert [user_text(turn) for turn in (first, second, third)] == ["Fix it.", "Fix that.", "Fix all."]
    assert (answer_text(first), [call[0] for call in calls(first)]) == ("All done.", ["editor", "bash"])
    assert calls(second) == calls(first)
    assert {"metrics", "test_result"} <= {extra.name for extra in contents.traces[0].extras}
    assert "error" in {extra.name for extra in contents.traces[1].extras}


def test_a_trajectory_that_the_server_gave_is_a_conversation(tmp_path: Path) -> None:
    contents = contents_of(tmp_path, {"trajectory": openhands_files.trajectory()})
    assert (contents.format, len(contents.traces)) == ("openhands", 1)
    assert answer_text(contents.traces[0].turns[0]) == "All done."


def run_of(identity: Json, history: Json, **more: Json) -> Json:
    """A run of a benchmark."""
    return {"instance_id": identity, "history": history, "test_result": {}, **more}


def understood(contents: Contents) -> str:
    """What is said of how much was understood."""
    return next(finding.message for finding in contents.findings if finding.code == "records-understood")


def test_a_run_of_another_shape_beside_a_known_one_is_not_lost(tmp_path: Path) -> None:
    empty: list[Json] = [None] * 25
    strange: Json = {"role": "user", "content": "Fix that."}
    contents = contents_of(
        tmp_path,
        [
            run_of("shop-1", openhands_files.trajectory()),
            run_of("shop-2", [*empty, *openhands_files.trajectory()]),
            run_of("shop-3", [strange]),
            run_of("shop-4", {"events": "kept elsewhere"}),
            run_of("shop-5", "kept elsewhere"),
        ],
    )
    first, late, other, *kept = contents.traces
    assert (calls(late.turns[0]), answer_text(late.turns[0])) == (calls(first.turns[0]), "All done.")
    assert [part for event in other.turns[0].events for part in event.parts] == [
        Unknown("event", strange, "/2/history/0")
    ]
    assert [[extra.value for extra in trace.extras if extra.name == "history"] for trace in kept] == [
        [{"events": "kept elsewhere"}],
        ["kept elsewhere"],
    ]
    assert understood(contents).startswith("19 of 22 records are understood.")
    assert "“run” 2, “event” 1" in understood(contents)
    assert "not-an-object" in {finding.code for finding in contents.findings}


def test_an_event_that_stands_alone_among_pairs_is_read(tmp_path: Path) -> None:
    _system, asked, edit, edited, make, made, *_rest = openhands_files.trajectory()
    contents = contents_of(tmp_path, [run_of("shop-1", [[edit, edited], asked, 7, [make, made]])])
    first, second = contents.traces[0].turns
    assert ([call[0] for call in calls(first)], user_text(second)) == (["editor"], "Fix it.")
    assert (calls(second), second.place) == ([("bash", {"command": "make"}, "failed", True)], "/0/history/1")
    assert [(finding.code, finding.pointer) for finding in contents.findings if finding.code == "not-an-object"] == [
        ("not-an-object", "/0/history/2")
    ]


def test_what_a_run_says_beside_its_events_is_shown_unless_it_was_read(tmp_path: Path) -> None:
    trajectory = openhands_files.trajectory()
    contents = contents_of(
        tmp_path,
        [
            run_of("shop-1", trajectory, instruction="Fix it."),
            run_of(7, trajectory, instruction="Fix it, and tell nobody.", trajectory=[{"odd": 1}]),
            run_of(["shop", 3], trajectory[2:], instruction="Fix that."),
        ],
    )
    assert [{extra.name for extra in trace.extras} for trace in contents.traces] == [
        set(),
        {"instruction", "trajectory"},
        {"instance_id"},
    ]
    assert [trace.id for trace in contents.traces] == ["shop-1", "7", "talk-3"]
    assert [user_text(trace.turns[0]) for trace in contents.traces] == ["Fix it.", "Fix it.", "Fix that."]


def test_two_runs_of_one_instance_have_an_id_each(tmp_path: Path) -> None:
    run = run_of("shop-1", openhands_files.trajectory())
    assert [trace.id for trace in contents_of(tmp_path, [run, run]).traces] == ["shop-1", "shop-1 (2)"]
