"""What a person says instead of a verdict: the run reads with it, and nothing of the original is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from trace_inspector.core.verdict.overrule import Overrule, with_overrules
from trace_inspector.core.verdict.verdict import (
    CaseVerdict,
    MetricVerdict,
    Overruled,
    Provenance,
    RunVerdict,
    Status,
    TurnVerdict,
    compose,
    hidden_by,
)

PASSED, FAILED, NOT_EVALUATED, ERROR = Status.PASSED, Status.FAILED, Status.NOT_EVALUATED, Status.ERROR


def turn(at: int, **metrics: Status) -> TurnVerdict:
    """A turn with a verdict of each metric."""
    verdicts = tuple(MetricVerdict(name, 0.5, status, 0.8, "why") for name, status in metrics.items())
    return TurnVerdict(at, at, compose(metrics.values()), verdicts)


def case(*turns: TurnVerdict, **overall: Status) -> CaseVerdict:
    """A case whose criteria ended like this."""
    metrics = tuple(MetricVerdict(name, 0.5, status, 0.8, "why") for name, status in overall.items())
    return CaseVerdict("c", "s", "t", compose(overall.values()), metrics, turns, hides=hidden_by(metrics))


def run(*cases: CaseVerdict, rules: str = "") -> RunVerdict:
    """A run of these cases."""
    return RunVerdict("r", compose(one.status for one in cases), 0.0, rules, "", cases)


def said(status: Status, turn_at: int | None = None, metric: str | None = None, *, at: int = 0) -> Overrule:
    """A person's word."""
    return Overrule(f"{turn_at}{metric}", at, status, 7.0, turn_at, metric, "I looked")


TWO_FAIL = run(case(turn(0, a=FAILED, b=PASSED), turn(1, a=FAILED, b=PASSED), a=FAILED, b=PASSED))


def statuses(seen: RunVerdict) -> tuple[Status, Status, list[Status], list[Status]]:
    """Of the run, its case, the case's criteria and turns."""
    (one,) = seen.cases
    return seen.status, one.status, [each.status for each in one.metrics], [each.status for each in one.turns]


def test_the_verdict_is_the_persons_and_the_original_stands_beside() -> None:
    seen = with_overrules(TWO_FAIL, [said(PASSED, 0, "a")])
    first = seen.cases[0].turns[0].metrics[0]
    assert (first.status, first.provenance, first.score) == (PASSED, Provenance.HUMAN, 0.5)
    assert first.overruled == Overruled(FAILED, "I looked", 7.0)
    assert statuses(seen) == (FAILED, FAILED, [FAILED, PASSED], [PASSED, FAILED])
    assert "a person overruled a of turn 1 from FAILED to PASSED: I looked" in seen.cases[0].hides


def test_the_same_word_confirms() -> None:
    seen = with_overrules(TWO_FAIL, [said(FAILED, 0, "a")])
    assert statuses(seen) == statuses(TWO_FAIL)
    assert "a person confirmed a of turn 1 as FAILED: I looked" in seen.cases[0].hides


def test_a_criterion_passes_once_no_turn_of_it_fails() -> None:
    seen = with_overrules(TWO_FAIL, [said(PASSED, 0, "a"), said(PASSED, 1, "a")])
    assert statuses(seen) == (PASSED, PASSED, [PASSED, PASSED], [PASSED, PASSED])
    assert seen.cases[0].metrics[0].overruled == Overruled(FAILED, follows=True)
    assert [line for line in seen.cases[0].hides if "turn" not in line] == []


def test_one_failed_turn_fails_criterion_case_and_run() -> None:
    passed = run(case(turn(0, a=PASSED), a=PASSED), case(turn(0, a=PASSED), a=PASSED))
    seen = with_overrules(passed, [said(FAILED, 0, "a", at=1)])
    assert [one.status for one in seen.cases] == [PASSED, FAILED]
    assert seen.status is FAILED
    assert seen.cases[0] is passed.cases[0]


def test_a_milder_word_makes_no_mean_worse() -> None:
    by_mean = run(case(turn(0, a=FAILED), turn(1, a=FAILED), turn(2, a=PASSED), a=PASSED))
    assert with_overrules(by_mean, [said(PASSED, 0, "a")]).cases[0].status is PASSED


@pytest.mark.parametrize("undecided", [NOT_EVALUATED, ERROR])
def test_a_person_may_decide_what_nothing_decided(undecided: Status) -> None:
    seen = with_overrules(run(case(turn(0, a=undecided), a=undecided)), [said(PASSED, 0, "a")])
    assert statuses(seen) == (PASSED, PASSED, [PASSED], [PASSED])
    assert not any("could not run" in line for line in seen.cases[0].hides)


def test_the_last_word_counts_and_one_withdrawn_does_not() -> None:
    words = [said(PASSED, None, "a"), replace(said(FAILED, None, "a"), withdrawn_s=8.0)]
    assert with_overrules(TWO_FAIL, words).status is PASSED
    assert with_overrules(TWO_FAIL, [words[0], said(FAILED, None, "a")]).status is FAILED
    assert with_overrules(TWO_FAIL, [replace(words[0], withdrawn_s=8.0)]) == TWO_FAIL


@pytest.mark.parametrize("status", [PASSED, NOT_EVALUATED])
def test_a_turn_as_a_whole_counts_for_each_of_its_criteria(status: Status) -> None:
    seen = with_overrules(TWO_FAIL, [said(status, 0), said(status, 1)])
    assert statuses(seen) == (PASSED, PASSED, [status, PASSED], [status, status])
    assert seen.cases[0].turns[0].metrics[0].status is FAILED, "nobody spoke of the criterion itself"


def test_a_turn_that_a_person_fails_as_a_whole_fails_the_case() -> None:
    passed = run(case(turn(0, a=PASSED), a=PASSED), rules="adk")
    assert statuses(with_overrules(passed, [said(FAILED, 0)])) == (FAILED, FAILED, [PASSED], [FAILED])


@pytest.mark.parametrize("index", [None, 1])
def test_missing_and_extra_turns_fail_until_a_person_forgives_each(index: int | None) -> None:
    lost = TurnVerdict(index, 1 if index is None else None, FAILED, reason="no such turn")
    whole = replace(case(turn(0, a=FAILED), lost, a=FAILED), status=FAILED)
    seen = with_overrules(run(whole), [said(PASSED, 0, "a")])
    assert statuses(seen) == (FAILED, FAILED, [PASSED], [PASSED, FAILED])
    seen = with_overrules(run(whole), [said(PASSED, 0, "a"), said(PASSED, 1)])
    assert statuses(seen) == (PASSED, PASSED, [PASSED], [PASSED, PASSED])


def test_a_case_as_a_whole_is_what_a_person_says() -> None:
    seen = with_overrules(TWO_FAIL, [said(PASSED)])
    assert (seen.status, seen.cases[0].status, seen.cases[0].overruled) == (
        PASSED, PASSED, Overruled(FAILED, "I looked", 7.0),
    )  # fmt: skip
    assert seen.cases[0].metrics == TWO_FAIL.cases[0].metrics


def test_other_lines_that_a_case_hides_stay() -> None:
    told = replace(TWO_FAIL.cases[0], hides=("the judge was shown half",))
    assert "the judge was shown half" in with_overrules(run(told), [said(PASSED, None, "a")]).cases[0].hides


PLACES = st.none() | st.integers(-2, 3)


@given(
    st.lists(
        st.builds(
            Overrule,
            st.text(max_size=3),
            st.integers(-2, 2),
            st.sampled_from(Status),
            st.just(1.0),
            PLACES,
            st.none() | st.sampled_from("abx"),
        )
    )
)
def test_any_words_leave_a_run_that_composes(words: list[Overrule]) -> None:
    seen = with_overrules(TWO_FAIL, words)
    assert seen.status is compose(one.status for one in seen.cases)
    fitting = [one for one in words if one.case == 0 and one.turn in (None, 0, 1) and one.metric in (None, "a", "b")]
    assert (seen != TWO_FAIL) == bool(fitting)
    assert [len(one.turns) for one in seen.cases] == [2]
