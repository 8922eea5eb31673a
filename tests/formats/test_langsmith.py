"""Runs of LangSmith: batches of clients joined, exports, messages of LangChain."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.formats import langsmith_files
from tests.helpers.tables import each
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.trace import Usage, answer_text, paired_calls, turn_usage, user_text
from trace_inspector.core.values.values import Json
from trace_inspector.flows.opening.open_file import open_file


def contents_of(folder: Path, value: Json) -> Contents:
    """What is read of runs."""
    path = folder / "runs.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    contents = open_file(path).contents
    assert contents.format == "langsmith"
    return contents


FORMS: dict[str, Json] = {
    "list": langsmith_files.runs(),
    "object": {"runs": langsmith_files.runs()},
    "nested": langsmith_files.nested(),
}


def test_runs_are_read_however_deep_they_stand(tmp_path: Path) -> None:
    said: dict[str, Json] = {"inputs": {"input": "Where?"}, "outputs": {"output": "At Pier 4."}}
    run: Json = {"id": "last", "run_type": "llm", "name": "ask", "start_time": 1_767_225_600_000, **said}
    for number in range(60):
        run = {"id": f"r{number}", "run_type": "chain", "name": "step", "start_time": 1_767_225_600_000, **said,
               "child_runs": [run]}  # fmt: skip
    (trace,) = contents_of(tmp_path, run).traces
    assert trace.span_count == 61
    assert [answer_text(turn) for turn in trace.turns] == ["At Pier 4."]


def test_feedback_on_what_is_not_in_the_file_is_counted(tmp_path: Path) -> None:
    about: list[Json] = [{"run_id": name, "key": "kept", "score": 1} for name in ("r1", "gone")]
    contents = contents_of(tmp_path, {"runs": langsmith_files.runs(), "feedback": about})
    assert [len(turn.metrics) for turn in contents.reported[0].turns] == [1]
    (message,) = [finding.message for finding in contents.findings if finding.code == "scores-without-turn"]
    assert message == "1 score is about no turn of this file, and not shown."


@each("form", FORMS)
def test_a_trace_is_a_turn_of_its_thread(tmp_path: Path, form: str) -> None:
    (trace,) = contents_of(tmp_path, FORMS[form]).traces
    assert (trace.session_id, trace.span_count) == ("s1", 5)
    (turn,) = trace.turns
    assert (user_text(turn), answer_text(turn), turn.duration_s) == ("Where may I park?", "Nowhere.", 1.0)
    (pair,) = paired_calls(turn)
    assert pair.result is not None
    assert (pair.call.name, pair.call.args) == ("find", {"what": "garage"})
    assert (pair.result.value, pair.result.is_error) == ("no map", True)
    assert turn_usage(turn) == Usage(prompt=100, candidates=11)
    assert {event.model for event in turn.events if event.usage} == {"small"}


def test_what_completes_a_run_is_joined_with_it(tmp_path: Path) -> None:
    (trace,) = contents_of(tmp_path, langsmith_files.batch()).traces
    (turn,) = trace.turns
    assert (user_text(turn), answer_text(turn), trace.span_count) == ("howdy", "Hello.", 1)
    assert turn_usage(turn) == Usage(prompt=9, candidates=5, thoughts=2, cached=4)
    assert (turn.events[-1].model, turn.events[-1].finish_reason) == ("small-1", "stop")
    assert turn.spans[0].duration_s == 1.5


def test_runs_without_a_trace_belong_to_the_run_at_the_top(tmp_path: Path) -> None:
    chain: list[Json] = [
        {"id": f"r{number}", "run_type": "llm", "parent_run_id": f"r{number - 1}", "inputs": {}}
        for number in range(1, 20_000)
    ]
    (trace,) = contents_of(tmp_path, [{"id": "r0", "run_type": "chain", "inputs": {}}, *reversed(chain)]).traces
    assert trace.span_count == 20_000


ODD: dict[str, Json] = {
    "fields of no kind": [{"id": "a", "run_type": [], "inputs": 3, "outputs": [1], "extra": 4, "parent_run_id": "a"}],
    "a circle": [
        {"id": "a", "run_type": "llm", "parent_run_id": "b", "inputs": {"messages": [[[[[[1]]]]]]}},
        {"id": "b", "run_type": "tool", "parent_run_id": "a", "outputs": None},
    ],
    "nothing to join": {"post": [{"run_type": "llm", "dotted_order": ".Z.", "inputs": {}}], "patch": [{}, 3]},
}


@each("kind", ODD)
def test_odd_runs_are_read_as_far_as_they_go(tmp_path: Path, kind: str) -> None:
    assert contents_of(tmp_path, ODD[kind]).format == "langsmith"


@pytest.mark.corpus
def test_real_batches_hold_what_a_plain_count_finds(corpus: Path) -> None:
    seen = 0
    for path in sorted((corpus / "other-langsmith").glob("*.json")):
        value, contents = json.loads(path.read_bytes()), open_file(path).contents
        assert contents.format == "langsmith", path
        assert sum(trace.span_count for trace in contents.traces) == len({run["trace_id"] for run in value["post"]})
        (turn,) = contents.traces[0].turns
        outputs = value["patch"][0]["outputs"]
        assert answer_text(turn) == outputs["choices"][0]["message"]["content"]
        usage = turn_usage(turn)
        assert usage.prompt == outputs["usage_metadata"]["input_tokens"]
        assert (usage.candidates or 0) + (usage.thoughts or 0) == outputs["usage_metadata"]["output_tokens"]
        seen += 1
    assert seen >= 2
