"""Results and conversations of CES in several files of one run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.formats import ces_result_files as made
from trace_inspector.core.trace.trace import user_text
from trace_inspector.core.values.values import Json
from trace_inspector.engine.running.planning import Choices
from trace_inspector.flows.opening.given_files import Given, open_given
from trace_inspector.flows.runs.evaluate_files import Request, evaluate
from trace_inspector.flows.runs.joined_inputs import with_conversations


def given(folder: Path, **values: Json) -> tuple[Given, ...]:
    """Files of these names, opened."""
    for name, value in values.items():
        (folder / f"{name}.json").write_text(json.dumps(value))
    return open_given([folder / f"{name}.json" for name in values])


def texts(files: tuple[Given, ...]) -> dict[str, list[str]]:
    """What users say in each file."""
    return {
        Path(one.path).stem: [user_text(turn) for trace in one.contents.traces for turn in trace.turns]
        for one in files
    }


def test_a_result_is_joined_with_a_conversation_of_another_file(tmp_path: Path) -> None:
    files = given(
        tmp_path,
        result=made.result(),
        talks=[made.conversation(), made.conversation(made.turn("Alone?"), name=f"{made.APP}/conversations/x")],
    )
    assert texts(with_conversations(files)) == {"result": ["Do you have Emma?"], "talks": ["Alone?"]}


def test_what_lies_in_the_same_file_keeps_its_place(tmp_path: Path) -> None:
    both: Json = {"evaluationResults": [made.result()], "conversations": [made.conversation()]}
    (one,) = with_conversations(given(tmp_path, both=both))
    (trace,) = one.contents.traces
    assert trace.turns[0].user[0].place.startswith("/conversations/0/turns/0")


@pytest.mark.parametrize("value", [made.conversation(), made.result(made.replay(conversation=None))])
def test_files_with_nothing_to_join_stay_as_they_are(value: Json, tmp_path: Path) -> None:
    files = given(tmp_path, one=value)
    assert with_conversations(files) == files


def test_an_outlined_file_is_left_alone(tmp_path: Path) -> None:
    for name, value in (("a", made.conversation()), ("b", made.result())):
        (tmp_path / f"{name}.json").write_text(json.dumps(value))
    files = open_given([tmp_path / "a.json", tmp_path / "b.json"], held_bytes=0)
    assert [one.outlined for one in files] == [True, True]
    assert with_conversations(files) == files


def test_a_run_judges_the_result_with_what_was_said_and_by_its_evaluation(tmp_path: Path) -> None:
    step: Json = {"expectation": {"toolCall": made.call("search", title="Emma")}}
    golden: Json = {"turns": [{"steps": [{"userInput": {"text": "Do you have Emma?"}}, step]}]}
    evaluation = {"name": made.EVALUATION, "displayName": "Order a book", "golden": golden}
    run = evaluate(
        Request(
            given(tmp_path, result=made.result(), talk=made.conversation()),
            given(tmp_path, golden=evaluation),
            choices=Choices(rules="ces"),
        )
    )
    (verdict,) = run.cases
    assert (verdict.case_id, verdict.trace_id, verdict.paired_by) == ("order-a-book", "r1", "by case id")
    assert run.unpaired_traces == ()
    invoked = {one.metric: one.score for one in verdict.metrics}
    assert invoked["ces_tool_invocation"] == 1.0
