"""What random inputs showed where google-adk 2.13.0 answered otherwise, each as a small case with made data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.engine.adk_vectors import ScriptedJudge, subject, turns
from tests.helpers.one_criterion import judge_criterion
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.trace.trace import Agent, Trace
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.documents.reading.reading import parse
from trace_inspector.engine.judges.questions import turn_context
from trace_inspector.engine.judges.questions.dialogue import agent_instructions
from trace_inspector.engine.judges.questions.rubric_reply import answers
from trace_inspector.engine.metrics import METRICS
from trace_inspector.engine.scoring.metric import Judged, Subject


def invocation(**more: Json) -> JsonObject:
    return {"user_content": {"parts": [{"text": "hi"}]}, **more}


def said(metric: str, *actual: JsonObject, threshold: float | None = None) -> Judged:
    """What a metric says of recorded invocations without a golden."""
    job = {"actual": list(actual), "expected": None}
    return judge_criterion(Criterion(metric, threshold), subject(job), METRICS, ScriptedJudge([]))


def test_an_empty_model_version_is_a_model_call() -> None:
    events: Json = {"invocation_events": [{"author": "a", "model_version": ""}, {"author": "a"}]}
    assert said("inference_call_count_v1", invocation(intermediate_data=events)).overall.score == 1.0


def test_parts_of_a_turn_that_nobody_timed_are_nothing() -> None:
    found = said(
        "invocation_duration_v1", invocation(model_duration=3.0, tool_duration=1.0), invocation(duration=2.0)
    )
    assert dict(found.overall.figures) == {
        "total_seconds": 2.0,
        "model_seconds": None,
        "tool_seconds": None,
        "framework_seconds": None,
    }


@pytest.mark.parametrize("metric", ["safety_v1", "tool_trajectory_avg_score", "multi_turn_task_success_v1"])
def test_a_golden_without_turns_does_not_fit_a_trace_with_one(metric: str) -> None:
    job = {"actual": [invocation()], "expected": []}
    judge = ScriptedJudge([])
    found = judge_criterion(Criterion(metric, 0.5), subject(job), METRICS, judge).overall
    assert (found.status, found.crashed) == (Status.NOT_EVALUATED, True)
    assert "the golden has 0 turns and the trace has 1" in found.reason
    assert not judge.asked


def test_no_golden_is_said_also_where_there_are_no_turns() -> None:
    nothing = Subject((), Trace("t"), None, "adk")
    found = judge_criterion(Criterion("tool_trajectory_avg_score", 1.0), nothing, METRICS).overall
    assert (found.reason, found.crashed) == ("there is no golden for this trace", True)
    empty = Subject((), Trace("t"), Case("c"), "adk")
    assert judge_criterion(Criterion("tool_trajectory_avg_score", 1.0), empty, METRICS).overall.crashed is False


def test_what_is_not_a_number_equals_nothing_also_inside_arguments() -> None:
    first, second = (parse(b'{"x": [NaN]}', Path("x.json")).value for _time in range(2))
    both = parse(b'[{"x": NaN}, {"x": NaN}]', Path("x.json")).value
    assert first != second
    assert isinstance(both, list)
    assert both[0] != both[1]


@pytest.mark.parametrize(("stated", "found"), [("a - b", ["r"]), ("a — b", ["r"]), ("a − b", []), ("a ‐ b", [])])
def test_a_minus_sign_is_no_dash(stated: str, found: list[str]) -> None:
    reply = f"Property: {stated}\nRationale: x\nVerdict: yes"
    assert [one.rubric_id for one in answers(reply, [Rubric("r", "a – b")])] == found


def test_of_rubrics_with_the_same_words_the_later_is_meant() -> None:
    rubrics = [Rubric("first", "Short."), Rubric("second", "short.")]
    reply = "ID: none of them\nProperty: Short.\nRationale: x\nVerdict: yes"
    assert [one.rubric_id for one in answers(reply, rubrics)] == ["second"]


def test_an_empty_id_names_no_rubric() -> None:
    reply = "ID: \nProperty: other words\nRationale: x\nVerdict: yes"
    assert answers(reply, [Rubric("", "Short.")]) == []


def test_numbers_that_json_cannot_hold_are_null_to_a_judge() -> None:
    calls: Json = {"tool_uses": [{"name": "f", "args": {"x": [float("nan"), 1.5], "y": {"z": float("-inf")}}}]}
    (turn,) = turns([invocation(intermediate_data=calls)])
    shown = json.loads(turn_context.steps(turn, "adk"))["tool_calls_and_response"][0]["tool_call"]
    assert shown["args"] == {"x": [None, 1.5], "y": {"z": None}}


def test_grounding_metadata_has_one_spelling_and_order() -> None:
    metadata: Json = {"webSearchQueries": ["q"], "groundingChunks": [{"web": {"uri": "u", "title": "t"}}], "x": None}
    known = {name: value for name, value in metadata.items() if name != "x"} if isinstance(metadata, dict) else {}
    events: list[Json] = [{"author": "a", "grounding_metadata": stated} for stated in (known, metadata)]
    (turn,) = turns([invocation(intermediate_data={"invocation_events": events})])
    first, second = json.loads(turn_context.grounding(turn.events))["grounding_metadata"]
    web = {"title": "t", "uri": "u"}
    assert first["grounding_metadata"] == {"grounding_chunks": [{"web": web}], "web_search_queries": ["q"]}
    assert list(first["grounding_metadata"]["grounding_chunks"][0]["web"]) == ["title", "uri"]
    assert second["grounding_metadata"] == metadata  # what google-genai does not know stays as it is


def test_agents_without_instructions_are_listed() -> None:
    assert agent_instructions([Agent("a"), Agent("b", "Be nice.")]) == (
        "Agent a Instructions:\n\n\nAgent b Instructions:\nBe nice."
    )
