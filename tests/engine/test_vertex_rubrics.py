"""Rubric groups of Vertex AI's goldens, each judged by itself; and the criteria that nobody has to name."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.engine.adk_vectors import ScriptedJudge
from tests.engine.builders import case, judged, trace, turn
from tests.helpers.tables import each
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.trace.trace import Agent
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import MetricVerdict, Status
from trace_inspector.engine.criteria.rules import RULES, rules_named, rules_of
from trace_inspector.engine.metrics import METRICS
from trace_inspector.engine.metrics.local.judge_prompt import NAME as JUDGE_PROMPT
from trace_inspector.engine.scoring.metric import metric_for
from trace_inspector.engine.vertex.defaults import vertex_defaults

ONCE: dict[str, Json] = {"judge_model_options": {"num_samples": 1}}
POLITE = Rubric("a", "Is polite.", group="tone")
BRIEF = Rubric("b", "Is brief.", group="tone")
TRUE = Rubric("c", "Is true.", group="facts")
NONE = "and the criterion has none of its own"


def said(*answers: tuple[str, str]) -> str:
    """A reply that decides these rubrics."""
    return "\n".join(
        f"ID: {name}\nProperty: x\nRationale: because of {name}\nVerdict: {word}" for name, word in answers
    )


def grouped(*rubrics: Rubric) -> Case:
    """A golden with rubrics."""
    return replace(case("c", turn("q", "x"), turn("r", "y")), rubrics=rubrics)


def decided(
    metric: str, golden: Case | None, replies: list[Json], options: dict[str, Json] | None = None
) -> tuple[MetricVerdict, ScriptedJudge]:
    """The verdict of one criterion on a conversation of two turns, and who was asked."""
    judge = ScriptedJudge([*replies])
    observed = replace(trace("t", turn("q", "hello"), turn("r", "bye")), agents=(Agent("clerk", "Be kind."),))
    verdict = judged(golden, observed, metric, 1.0, ONCE if options is None else options, "vertex", judge)
    return verdict.metrics[0], judge


@pytest.mark.parametrize(
    ("metric", "answers", "score", "asked"),
    [
        # B5: the score is the share of rubrics with verdict true; B1: rubrics stand in named groups
        ("vertex_rubrics:tone", [("a", "yes"), ("b", "yes")], 1.0, ["a", "b"]),
        ("vertex_rubrics:tone", [("a", "yes"), ("b", "no")], 0.5, ["a", "b"]),
        ("vertex_rubrics:facts", [("c", "no")], 0.0, ["c"]),
        ("vertex_rubrics", [("a", "yes"), ("b", "yes"), ("c", "no")], 2 / 3, ["a", "b", "c"]),
    ],
)
def test_a_group_is_judged_by_itself(
    metric: str, answers: list[tuple[str, str]], score: float, asked: list[str]
) -> None:
    found, judge = decided(metric, grouped(POLITE, BRIEF, TRUE), [said(*answers)])
    assert found.metric == metric
    assert found.score == pytest.approx(score)
    assert found.status is (Status.PASSED if score == 1 else Status.FAILED)
    assert [(one.rubric_id, one.score, one.rationale) for one in found.rubrics] == [
        (name, float(word == "yes"), f"because of {name}") for name, word in answers
    ]
    (question,) = judge.asked
    assert question.metric == metric
    assert dict(question.fields)["rubrics"].count("[id: ") == len(asked)
    assert all(f"[id: {name}]" in question.prompt for name in asked)
    assert "TURN 1: hello" in question.prompt
    assert "TURN 2: bye" in question.prompt
    assert "Be kind." in question.prompt


def test_a_tie_of_votes_is_no_and_a_reply_of_nothing_decides_nothing() -> None:
    options: dict[str, Json] = {"judge_model_options": {"num_samples": 2}}
    replies: list[Json] = [said(("c", "yes")), said(("c", "no"))]
    assert decided("vertex_rubrics:facts", grouped(TRUE), replies, options)[0].score == 0.0
    found, _ = decided("vertex_rubrics:facts", grouped(TRUE), ["well"])
    assert (found.score, found.status) == (None, Status.NOT_EVALUATED)


def test_rubrics_without_ids_get_numbers_and_equal_ids_their_group() -> None:
    nameless = (Rubric("", "One.", group="tone"), Rubric("", "Two.", group="tone"))
    found, _ = decided("vertex_rubrics:tone", grouped(*nameless), [said(("rubric 1", "yes"), ("rubric 2", "no"))])
    assert [one.rubric_id for one in found.rubrics] == ["rubric 1", "rubric 2"]
    both = (Rubric("a", "One.", group="tone"), Rubric("a", "Two.", group="facts"))
    found, _ = decided("vertex_rubrics", grouped(*both), [said(("tone/a", "yes"), ("facts/a", "no"))])
    assert [one.score for one in found.rubrics] == [1.0, 0.0]


def own(*names: str) -> dict[str, Json]:
    """Options of a criterion that brings rubrics along, asked once."""
    rubrics: list[Json] = [{"rubricId": name, "rubricContent": {"textProperty": f"Is {name}."}} for name in names]
    return {**ONCE, "rubrics": rubrics}


@pytest.mark.parametrize(
    ("golden", "asked"),
    [(None, ["warm"]), (grouped(TRUE), ["warm"]), (grouped(POLITE, TRUE), ["a", "warm"])],
    ids=["no golden", "another group", "the same group"],
)
def test_rubrics_of_the_criterion_are_judged_with_those_of_the_group(golden: Case | None, asked: list[str]) -> None:
    found, judge = decided("vertex_rubrics:tone", golden, [said(*((name, "yes") for name in asked))], own("warm"))
    assert (found.score, [one.rubric_id for one in found.rubrics]) == (1.0, asked)
    assert "Is warm." in judge.asked[0].prompt


def test_a_rubric_of_the_criterion_under_the_id_of_one_of_the_group_is_refused() -> None:
    found, _ = decided("vertex_rubrics:tone", grouped(POLITE), [], own("a"))
    assert found.reason == "the rubric id “tone/a” is used twice"


@pytest.mark.parametrize(
    ("metric", "golden", "reason"),
    [
        ("vertex_rubrics:mood", grouped(POLITE), f"the golden has no rubric group “mood”, {NONE}"),
        ("vertex_rubrics", grouped(), f"the golden has no rubrics, {NONE}"),
        ("vertex_rubrics", None, f"the golden has no rubrics, {NONE}"),
        ("vertex_rubrics", grouped(POLITE, POLITE), "the rubric id “tone/a” is used twice"),
    ],
)
def test_without_rubrics_nobody_is_asked(metric: str, golden: Case | None, reason: str) -> None:
    found, judge = decided(metric, golden, [])
    assert (found.status, found.reason, judge.asked) == (Status.NOT_EVALUATED, reason, [])


def test_a_trace_without_turns_is_not_judged() -> None:
    verdict = judged(grouped(POLITE), trace("t"), "vertex_rubrics", 1.0, ONCE, "vertex", ScriptedJudge([]))
    assert verdict.metrics[0].reason == "the trace has no turns"


def test_without_a_judge_it_says_how_to_name_one() -> None:
    verdict = judged(grouped(POLITE), trace("t", turn("q", "a")), "vertex_rubrics:tone", rules="vertex")
    assert verdict.metrics[0].status is Status.NOT_EVALUATED
    assert "name one with --judge" in verdict.metrics[0].reason


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("vertex_rubrics", "vertex_rubrics"),
        ("vertex_rubrics:a:b", "vertex_rubrics"),
        ("rouge_1:tone", None),
        ("vertex_rubrics_", None),
        (JUDGE_PROMPT, JUDGE_PROMPT),
    ],
)
def test_only_metrics_with_parts_are_named_behind_a_colon(name: str, found: str | None) -> None:
    metric = metric_for(name, METRICS)
    assert (metric.name if metric else None) == found


CALLS = [
    "trajectory_exact_match",
    "trajectory_in_order_match",
    "trajectory_any_order_match",
    "trajectory_precision",
    "trajectory_recall",
]
A = ToolCall("a", {})


@each(
    ("cases", "has_judge", "names"),
    [
        ([grouped(POLITE, BRIEF, TRUE)], True, ["vertex_rubrics:tone", "vertex_rubrics:facts"]),
        ([grouped(POLITE)], False, ["rouge_1"]),
        ([grouped(Rubric("a", "x"))], True, ["vertex_rubrics"]),
        ([case("c", turn("q", "x", [A]))], False, CALLS),
        ([case("c", turn("q", "x", []))], False, CALLS),
        (
            [case("c", turn("q", "x")), replace(case("d", turn("q", "x", [A])), rubrics=(TRUE,))],
            True,
            ["vertex_rubrics:facts", *CALLS],
        ),
        ([], True, ["rouge_1"]),
    ],
)
def test_what_goldens_of_vertex_are_judged_by(cases: list[Case], has_judge: bool, names: list[str]) -> None:
    criteria = vertex_defaults(cases, has_judge)
    assert [item.metric for item in criteria.items] == names
    assert all(metric_for(name, METRICS) for name in names)
    assert not criteria.asked_for


def test_rules_are_found_by_name_and_by_system() -> None:
    assert len({rules.name for rules in RULES}) == len(RULES)
    assert rules_named("vertex").counts_turns is False
    assert rules_of("Vertex AI").name == "vertex"
    assert rules_named("").name == rules_of("Jaeger").name == ""
