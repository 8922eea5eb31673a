"""CES's metrics that a judge decides: scores, switches, thresholds, goals. Rows name sections of the reference."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.engine.ces.ces_stories import (
    ONE,
    answer,
    call,
    calls,
    case_of,
    expects,
    golden,
    judged_by,
    observed,
    says,
    scenario_of,
    trace_of,
    verdict_of,
)
from tests.helpers.tables import each
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import Text, Unknown
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import Status

PASSED, FAILED, SILENT, INFORMS = Status.PASSED, Status.FAILED, Status.NOT_EVALUATED, Status.INFORMATIONAL
GREETED = trace_of(observed(says="Hello, how can I help?"))


@each(
    ("section", "score", "threshold", "status"),
    [
        ("A5 at least 3 by default", 3, None, PASSED),
        ("A5 at least 3 by default", 2, None, FAILED),
        ("A3 4 is fully", 4, 4.0, PASSED),
        ("A3 0 is contradictory", 0, None, FAILED),
        ("A5 a threshold of 0 lets everything pass", 0, 0.0, PASSED),
        ("A6 a whole number", 2.5, None, SILENT),
        ("A6 0 to 4", 5, None, SILENT),
    ],
)
def test_semantic_similarity(section: str, score: Json, threshold: float | None, status: Status) -> None:
    case = case_of(golden(answer("Welcome!")))
    verdict = verdict_of(case, GREETED, "ces_semantic_similarity", threshold, {**ONE}, says(score))
    assert verdict.status is status, section
    assert verdict.score == (score if status in (PASSED, FAILED) else None)


def test_a_silent_agent_contradicts_without_a_question() -> None:
    judge = says()
    verdict = verdict_of(case_of(golden(answer("Hi"))), trace_of(observed()), "ces_semantic_similarity", judge=judge)
    assert (verdict.score, verdict.status, judge.asked) == (0.0, FAILED, [])


def test_the_judge_sees_both_answers_and_nothing_that_is_skipped_or_compared_otherwise() -> None:
    skipped = replace(answer("never asked about"), skipped=True)
    case = case_of(golden(answer("Welcome!"), answer("literally this", "EQUALS"), skipped))
    judge = says(4)
    verdict_of(case, GREETED, "ces_semantic_similarity", None, {**ONE}, judge)
    assert dict(judge.asked[0].fields) == {
        "user": "hello",
        "expected": "Welcome!",
        "said": "Hello, how can I help?",
    }


def test_an_answer_without_words_is_not_asked_about() -> None:
    case = case_of(golden(expects(Expects.ANSWER, Unknown("payload", {"card": 1}))))
    verdict = verdict_of(case, GREETED, "ces_semantic_similarity", None, {**ONE}, says())
    assert (verdict.status, verdict.reason) == (
        SILENT,
        "the golden expects no answer that is compared by its meaning",
    )


def test_an_audio_channel_is_told() -> None:
    options: JsonObject = {**ONE, "semanticSimilarityChannel": "AUDIO"}
    verdict = verdict_of(case_of(golden(answer("Hi"))), GREETED, "ces_semantic_similarity", None, options, says(4))
    (turn,) = judged_by(
        case_of(golden(answer("Hi"))),
        GREETED,
        Criterion("ces_semantic_similarity", None, options),
        judge=says(4),
    ).turns
    assert verdict.status is PASSED
    assert "channel AUDIO of the run" in turn.metrics[0].reason


@each(
    ("section", "score", "options", "status", "shown"),
    [
        ("A6 justified, ENABLED", 1, {"goldenHallucinationMetricBehavior": "ENABLED"}, PASSED, 1.0),
        ("A6 not justified, ENABLED", 0, {"goldenHallucinationMetricBehavior": "ENABLED"}, FAILED, 0.0),
        (
            "A6 always calculated, DISABLED leaves the verdict",
            0,
            {"goldenHallucinationMetricBehavior": "DISABLED"},
            INFORMS,
            0.0,
        ),
        ("A5 the older word", 0, {"hallucinationMetricBehavior": "ENABLED"}, FAILED, 0.0),
        (
            "A5 the golden one supersedes it",
            0,
            {"hallucinationMetricBehavior": "ENABLED", "goldenHallucinationMetricBehavior": "DISABLED"},
            INFORMS,
            0.0,
        ),
        ("A5 the scenario's is another", 0, {"scenarioHallucinationMetricBehavior": "ENABLED"}, INFORMS, 0.0),
        ("A5 not documented where nothing is stated", 0, {}, INFORMS, 0.0),
        ("A2 by number", 0, {"goldenHallucinationMetricBehavior": 2}, FAILED, 0.0),
        ("A9 an invalid word", 0, {"goldenHallucinationMetricBehavior": "ENABLED_STRICT"}, INFORMS, 0.0),
        ("A3 -1 is nothing to assess", -1, {"goldenHallucinationMetricBehavior": "ENABLED"}, SILENT, None),
    ],
)
def test_hallucination(section: str, score: Json, options: JsonObject, status: Status, shown: float | None) -> None:
    verdict = verdict_of(case_of(golden()), GREETED, "ces_hallucination", None, {**ONE, **options}, says(score))
    assert (verdict.score, verdict.status) == (shown, status), section


def test_nothing_to_assess_never_lowers_an_average() -> None:
    """E4 7."""
    turns = [observed(says="a"), observed(says="b"), observed(), observed(says="c")]
    verdict = verdict_of(None, trace_of(*turns), "ces_hallucination", 1.0, {**ONE}, says(1, -1, 1))
    assert (verdict.score, verdict.status) == (1.0, PASSED)
    silent = verdict_of(None, trace_of(observed()), "ces_hallucination", 1.0, judge=says())
    assert (silent.status, silent.figures) == (SILENT, (("score", -1.0),))
    informs = verdict_of(None, trace_of(*turns), "ces_hallucination", None, {**ONE}, says(0, -1, 1))
    assert (informs.score, informs.status) == (0.5, INFORMS)
    nothing = verdict_of(None, trace_of(turns[0]), "ces_hallucination", 1.0, {**ONE}, says(-1))
    assert (nothing.score, nothing.status, nothing.figures) == (None, SILENT, (("score", -1.0),))


def test_hallucination_reads_instructions_variables_history_and_tools() -> None:
    """A6: context of variables, history, tools, instructions."""
    first, second = observed(says="It is 12."), observed(call("find", {"q": "x"}), says="Yes", state={"guests": 4})
    judge = says(1, 1)
    verdict_of(None, trace_of(first, second), "ces_hallucination", 1.0, {**ONE}, judge)
    told = dict(judge.asked[1].fields)
    assert "find" in told["context"]
    assert told["variables"] == '{"guests": 4}'
    assert "It is 12." in told["history"]


@each(
    ("section", "goal", "score", "status", "shown"),
    [
        ("A7 SATISFIED needs 1", "USER_GOAL_SATISFIED", 1, PASSED, 1.0),
        ("A7 SATISFIED needs 1", "USER_GOAL_SATISFIED", 0, FAILED, 0.0),
        ("A2 unspecified acts as SATISFIED", "", 0, FAILED, 0.0),
        ("A7 REJECTED needs 0", "USER_GOAL_REJECTED", 0, PASSED, 0.0),
        ("A7 REJECTED needs 0", "USER_GOAL_REJECTED", 1, FAILED, 1.0),
        ("A7 IGNORED drops the term", "USER_GOAL_IGNORED", 0, INFORMS, 0.0),
        ("A3 -1 is unspecified", "USER_GOAL_SATISFIED", -1, SILENT, None),
        ("E4 4 an unknown word is no failure", "USER_GOAL_DOUBTED", 0, SILENT, 0.0),
    ],
)
def test_user_goal(section: str, goal: str, score: Json, status: Status, shown: float | None) -> None:
    verdict = verdict_of(scenario_of(goal=goal), GREETED, "ces_user_goal", 1.0, {**ONE}, says(score))
    assert (verdict.score, verdict.status) == (shown, status), section


def criterion(text: str, reference: str = "") -> Expectation:
    return Expectation(Expects.CRITERION, text=text, reference=reference, place=f"/{text or reference}")


@pytest.mark.parametrize(
    ("section", "said", "statuses", "status"),
    [
        ("A6 passes on a yes", ["yes", "yes"], [PASSED, PASSED], PASSED),
        ("A6 fails on a no", ["yes", "no"], [PASSED, FAILED], FAILED),
        ("A6 only on a yes", ["yes", "maybe"], [PASSED, SILENT], PASSED),
        ("a call that failed decides nothing", ["yes", {"raise": "no line"}], [PASSED, SILENT], PASSED),
    ],
)
def test_llm_criteria(section: str, said: Sequence[Json], statuses: list[Status], status: Status) -> None:
    case = replace(case_of(golden()), expectations=(criterion("polite"), criterion("short")))
    verdict = verdict_of(case, GREETED, "ces_llm_criteria", 1.0, {**ONE}, says(*said))
    assert [one.status for one in verdict.expectations] == statuses, section
    assert verdict.status is status


def test_a_criterion_that_stands_elsewhere_is_found_or_said_to_be_missing() -> None:
    case = replace(case_of(golden()), expectations=(criterion("", "evaluationExpectations/no-leaks"),))
    missing = verdict_of(case, GREETED, "ces_llm_criteria", 1.0, {**ONE}, says())
    assert "in another file" in missing.expectations[0].reason
    held = Criterion("ces_llm_criteria", 1.0, {**ONE, "name": "no-leaks", "prompt": "Nothing leaks."})
    judge = says("no", "no")
    found = judged_by(case, GREETED, held, Criterion("ces_llm_criteria", 1.0, {**ONE}), judge=judge)
    assert [one.status for one in found.metrics] == [FAILED, FAILED]
    assert {dict(ask.fields)["criterion"] for ask in judge.asked} == {"Nothing leaks."}


def test_rubrics_inform() -> None:
    """A6: a float score and an explanation; no threshold, no outcome."""
    case = replace(scenario_of(), rubrics=(Rubric("1", "Be brief."), Rubric("2", "Be kind.")))
    verdict = verdict_of(case, GREETED, "ces_rubrics", None, {**ONE}, says(0.25, 1))
    assert (verdict.score, verdict.status) == (0.625, INFORMS)
    assert [(one.text, one.score) for one in verdict.rubrics] == [("Be brief.", 0.25), ("Be kind.", 1.0)]


def test_arguments_that_mean_the_same() -> None:
    """A6: semantic is asked of a judge where there is one, and NOT_EVALUATED where there is none."""
    case = case_of(
        golden(*calls(call("find", {"q": "next day", "n": 1}))),
        matchers=[Matcher("/call0/args/q", Match.SEMANTIC, "next day")],
    )
    trace = trace_of(observed(call("find", {"q": "tomorrow", "n": 1})))
    alone = judged_by(case, trace, Criterion("ces_parameter_correctness", 1.0)).turns[0].metrics[0]
    assert (alone.score, alone.status) == (None, SILENT)
    assert "needs a judge" in alone.reason
    same = verdict_of(case, trace, "ces_parameter_correctness", 1.0, {**ONE}, says("yes"))
    assert (same.score, same.status) == (1.0, PASSED)
    judge = says("no")
    other = verdict_of(case, trace, "ces_parameter_correctness", 1.0, {**ONE}, judge)
    assert (other.score, other.status) == (0.5, FAILED)
    assert dict(judge.asked[0].fields) == {
        "tool": "find",
        "argument": "q",
        "expected": '"next day"',
        "given": '"tomorrow"',
    }


def test_several_questions_of_one_turn_are_told_apart_by_their_samples() -> None:
    places = [Matcher(f"/call0/args/{name}", Match.SEMANTIC) for name in "ab"]
    case = case_of(golden(*calls(call("find", {"a": "1", "b": "2"}))), matchers=places)
    trace = trace_of(observed(call("find", {"a": "one", "b": "two"})))
    judge = says("yes", "yes", "no", "no")
    options: JsonObject = {"judge_model_options": {"num_samples": 2}}
    verdict = verdict_of(case, trace, "ces_parameter_correctness", 1.0, options, judge)
    assert verdict.score == 0.5
    assert [(ask.turn, ask.sample) for ask in judge.asked] == [(0, 0), (0, 1), (0, 2), (0, 3)]


def test_scenario_expectations() -> None:
    """A6: a tool call or an agent response, judged met or not; they may stand anywhere."""
    case = scenario_of(
        *calls(call("find", {"q": 1})),
        expects(Expects.ANSWER, Text("Your table is booked."), place="/words"),
        expects(Expects.MOCK),
    )
    trace = trace_of(observed(says="Hi"), observed(call("find", {"q": 1.0}), call("pay"), says="Booked."))
    without = verdict_of(case, trace, "ces_expectations", 1.0)
    assert [one.status for one in without.expectations] == [PASSED, SILENT]
    assert without.status is PASSED
    judged = verdict_of(case, trace, "ces_expectations", 1.0, {**ONE}, says("no"))
    assert [one.status for one in judged.expectations] == [PASSED, FAILED]
    assert (judged.score, judged.status) == (0.5, FAILED)


def completed(
    goal: Json, hallucination: Json, words: Json, options: JsonObject, behaviour: str = "ENABLED"
) -> Status:
    case = scenario_of(answer("Booked."))
    criteria = [
        Criterion("ces_task_completed", 1.0, options),
        Criterion("ces_expectations", 1.0, {**ONE}),
        Criterion("ces_hallucination", None, {**ONE, "scenarioHallucinationMetricBehavior": behaviour}),
        Criterion("ces_user_goal", 1.0, {**ONE}),
    ]
    verdict = judged_by(case, GREETED, *criteria, judge=says(hallucination, goal, words))
    assert [one.metric for one in verdict.metrics] == [one.metric for one in criteria]
    return verdict.metrics[0].status


@each(
    ("section", "goal", "hallucination", "words", "options", "behaviour", "status"),
    [
        ("A7 all three", 1, 1, "yes", {}, "ENABLED", PASSED),
        ("A7 and the goal", 0, 1, "yes", {}, "ENABLED", FAILED),
        ("A7 and no hallucination", 1, 0, "yes", {}, "ENABLED", FAILED),
        ("A7 and all expectations", 1, 1, "no", {}, "ENABLED", FAILED),
        ("A6 DISABLED removes the term", 1, 0, "yes", {}, "DISABLED", PASSED),
        ("A3 nothing to assess is no hallucination", 1, -1, "yes", {}, "ENABLED", PASSED),
        ("A3 a goal that cannot be told", -1, 1, "yes", {}, "ENABLED", SILENT),
        ("A7 audio: goal and expectations alone", 1, 0, "yes", {"without_hallucination": True}, "ENABLED", PASSED),
    ],
)
def test_task_completed(
    section: str, goal: Json, hallucination: Json, words: Json, options: JsonObject, behaviour: str, status: Status
) -> None:
    assert completed(goal, hallucination, words, options, behaviour) is status, section


def test_a_task_is_not_completed_by_what_is_not_judged() -> None:
    verdict = verdict_of(scenario_of(), GREETED, "ces_task_completed", 1.0)
    assert verdict.status is SILENT
    assert "ces_hallucination, ces_user_goal" in verdict.reason
    silent = judged_by(
        scenario_of(),
        GREETED,
        *(Criterion(name, 1.0) for name in ("ces_hallucination", "ces_user_goal", "ces_task_completed")),
    )
    assert silent.metrics[2].status is SILENT


@given(st.lists(st.sampled_from([1, 0, -1]), min_size=1, max_size=5))
def test_a_case_is_hallucinated_when_one_turn_is(scores: list[int]) -> None:
    trace = trace_of(*(observed(says="claim") for _score in scores))
    verdict = verdict_of(None, trace, "ces_hallucination", 1.0, {**ONE}, says(*scores))
    assessed = [score for score in scores if score >= 0]
    assert verdict.score == (sum(assessed) / len(assessed) if assessed else None)
    assert verdict.status is (FAILED if 0 in scores else PASSED if 1 in scores else SILENT)
