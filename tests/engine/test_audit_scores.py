"""The audit of scores and of what was left undecided, as google-adk and our own results tell them."""

from __future__ import annotations

from msgspec.structs import replace

from tests.engine.test_audit import GOOD, INFO, F, N, P, S, codes, metric, verdict
from tests.helpers.tables import each
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Overruled, Status
from trace_inspector.engine.audit.audit import audit
from trace_inspector.engine.audit.audit_scores import LOWER_IS_BETTER, MEANS
from trace_inspector.engine.audit.audit_undecided import COMPARING
from trace_inspector.engine.metrics import METRICS


def matched(status: Status, score: float | None, reason: str = "") -> MetricVerdict:
    """ADK's comparison of answers."""
    return metric("response_match_score", status, score, threshold=0.5, reason=reason)


@each(
    ("about", "found", "expected"),
    [
        (
            "ADK's case is the mean of its turns",
            verdict(P, matched(P, 0.5), turns=((P, (matched(P, 1.0),)), (F, (matched(F, 0.0),)))),
            [],
        ),
        (
            "a case that is not the mean of its turns",
            verdict(P, matched(P, 0.9), turns=((P, (matched(P, 1.0),)), (P, (matched(P, 0.79),)))),
            ["score-not-mean"],
        ),
        (
            "a mean with a turn that has no score",
            verdict(P, matched(P, 1.0), turns=((P, (matched(P, 1.0),)), (N, (matched(N, None, "no answer"),)))),
            [],
        ),
        (
            "a mean over turns of which one is not told",
            verdict(F, matched(F, 0.4), turns=((P, (matched(P, 1.0),)), (F, (matched(F, None),)))),
            [],
        ),
        (
            "scores beyond all measure",
            verdict(P, matched(P, 1.7e308), turns=((P, (matched(P, 1.7e308),)), (P, (matched(P, 1.7e308),)))),
            ["score-out-of-range"] * 3,
        ),
        (
            "less is better",
            verdict(P, metric("invocation_duration_v1", P, 2.0, threshold=5.0)),
            [],
        ),
        (
            "less is better, and it is more",
            verdict(P, metric("invocation_duration_v1", P, 7.0, threshold=5.0)),
            ["score-against-threshold"],
        ),
        (
            "a criterion without a score",
            verdict(P, matched(P, 1.0), metric("final_response_match_v2", N, threshold=0.5)),
            ["decided-nothing"],
        ),
        (
            "a criterion that says why it has no score",
            verdict(P, matched(P, 1.0), metric("final_response_match_v2", N, threshold=0.5, reason="no answer")),
            [],
        ),
        (
            "what has no threshold decides nothing",
            verdict(P, matched(P, 1.0), metric("final_response_match_v2", N)),
            [],
        ),
        (
            "what is told or skipped decides nothing",
            verdict(P, matched(P, 1.0), metric("m", INFO, threshold=0.5), metric("n", S, threshold=0.5)),
            [],
        ),
        (
            "a failed case hides no criterion",
            verdict(F, matched(F, 0.1), metric("final_response_match_v2", N, threshold=0.5)),
            [],
        ),
        (
            "a conversation that is judged as one",
            verdict(
                P,
                metric("multi_turn_task_success_v1", P, 1.0, threshold=0.5),
                turns=(
                    (N, (metric("multi_turn_task_success_v1", N, threshold=0.5),)),
                    (P, (metric("multi_turn_task_success_v1", P, 1.0, threshold=0.5),)),
                ),
            ),
            [],
        ),
    ],
)
def test_contradictions(about: str, found: CaseVerdict, expected: list[str]) -> None:
    assert codes(found) == expected, about
    assert all(one.sentence.endswith(".") for one in audit(found))


def test_turns_of_a_session_that_nobody_judged_are_missed() -> None:
    found = replace(verdict(P, turns=((P, (GOOD,)),)), unjudged_turns=2)
    assert "1 of 3 turns" in audit(found)[0].sentence
    assert "1 of 3 turns" in audit(found, turns=1)[0].sentence


def test_turns_that_the_judge_left_out_are_counted_where_a_golden_was() -> None:
    left, right = metric("final_response_match_v2", N, threshold=0.5), matched(P, 1.0)
    judged = metric("final_response_match_v2", P, 1.0, threshold=0.5)
    found = verdict(P, right, judged, turns=((P, (right, judged)), (P, (right, left)), (P, (right, left))))
    assert audit(found) == ()
    goldens = replace(found, turns=tuple(replace(turn, golden_index=turn.index) for turn in found.turns))
    (one,) = audit(goldens)
    assert (one.code, one.turn) == ("decided-nothing", 1)
    assert "in 2 of 3 turns" in one.sentence


def test_a_turn_that_may_be_extra_or_says_why_nothing_was_checked_is_accounted_for() -> None:
    silent = matched(N, None, "the golden has no answer")
    found = verdict(P, matched(P, 1.0), turns=((P, (matched(P, 1.0),)), (N, (silent,)), (N, ())))
    assert codes(found) == ["turns-unchecked"]
    assert codes(replace(found, extra_turns=(2,))) == []


def test_what_a_person_said_is_no_contradiction() -> None:
    said = Overruled(F, "it is right")
    failed = replace(matched(P, 0.1), overruled=said)
    by_hand = verdict(P, failed, turns=((P, (failed,)),))
    assert codes(by_hand) == []
    whole = verdict(P, matched(F, 0.1), turns=((F, (matched(F, 0.1),)),))
    assert codes(whole) == ["passed-with-failure"]
    assert codes(replace(whole, overruled=said)) == []


def test_names_of_metrics_that_the_audit_knows_are_right() -> None:
    assert {metric.name for metric in METRICS if metric.better == "lower"} == LOWER_IS_BETTER
    assert {metric.name for metric in METRICS} >= MEANS | COMPARING
    needing = {metric.name for metric in METRICS if metric.family == "adk" and "golden" in metric.needs}
    assert needing == COMPARING
