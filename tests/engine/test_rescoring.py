"""After an edit of a golden: what a full run would say, judged once, and no judge asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.engine.builders import case, trace, turn
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.parts import Text, ToolCall
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.verdict.stale import STALE
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, RunVerdict, Status, compose
from trace_inspector.engine.criteria.case_verdict import Frame
from trace_inspector.engine.criteria.criteria import as_given, complete, for_case
from trace_inspector.engine.criteria.rules import ADK_DEFAULTS
from trace_inspector.engine.metrics import METRICS
from trace_inspector.engine.running.judging import EVERYBODY, NOBODY
from trace_inspector.engine.running.rescoring import rescored, with_case
from trace_inspector.engine.running.runner import WorkItem, judge_item
from trace_inspector.engine.scoring.metric import Ask, Judged, Method, Metric, Reply, Subject

PLAIN = complete(ADK_DEFAULTS, METRICS).items
JUDGED = (*PLAIN, Criterion("final_response_match_v2", 0.5), Criterion("hallucinations_v1", 0.5))
RAIN = ToolCall("weather", {"city": "Graz"})


class Agreeable:
    """A judge that finds everything right, and counts."""

    name = "agreeable"

    def __init__(self) -> None:
        self.asked = 0

    def ask(self, question: Ask) -> Reply:
        """The same to every question."""
        self.asked += bool(question.prompt)
        return Reply('{"reasoning": "", "is_the_agent_response_valid": "valid"}')


def suite(criteria: tuple[Criterion, ...], count: int = 3) -> list[WorkItem]:
    """Cases of two turns, each with its trace, all right."""
    turns = turn("Rain?", "It rains in Graz.", [RAIN]), turn("Sure?", "Quite sure.", [])
    return [
        WorkItem(
            case(f"c{number}", *turns),
            trace(f"t{number}", *turns),
            criteria,
            Frame(golden_path="g.json", trace_path="t.json", paired_by="by case id"),
        )
        for number in range(count)
    ]


def ran(items: Sequence[WorkItem], judge: Agreeable | None = None) -> RunVerdict:
    cases = tuple(judge_item(item, METRICS, judge) for item in items)
    return RunVerdict("r", compose(one.status for one in cases), 0.0, "", "given", cases)


def first_turn(item: WorkItem, **changes: Any) -> Case:
    """The item's case with another first turn."""
    assert item.case is not None
    first, *others = item.case.turns
    return replace(item.case, turns=(replace(first, **changes), *others))


def metric_of(verdict: CaseVerdict, name: str) -> MetricVerdict:
    return next(found for found in verdict.metrics if found.metric == name)


EDITS = st.sampled_from(
    [
        {"final_response": (Text("Something else entirely."),)},
        {"final_response": None},
        {"events": ()},
        {"user": (Text("Another question"),), "id": "x"},
        {"rubrics": (Rubric("kind", "Is it kind?"),)},
        {},
    ]
)


@given(st.integers(0, 2), EDITS)
def test_it_is_what_a_full_run_says(at: int, changes: dict[str, Any]) -> None:
    items = suite(PLAIN)
    edited = first_turn(items[at], **changes)
    again = rescored(ran(items), [(items[at], edited)], METRICS)
    items[at] = with_case(items[at], edited)
    assert again == ran(items)


def test_a_turn_taken_out_or_put_in_is_a_full_run_too() -> None:
    items = suite(PLAIN)
    golden = items[1].case
    assert golden is not None
    for turns in (golden.turns[:1], (*golden.turns, replace(golden.turns[0], index=2)), ()):
        edited = replace(golden, turns=turns)
        again = rescored(ran(items), [(items[1], edited)], METRICS)
        assert again == ran([items[0], with_case(items[1], edited), items[2]])
        assert again.status is Status.FAILED


def test_matchers_change_which_criterion_decides_and_back() -> None:
    items = suite(PLAIN)
    plain = first_turn(items[0], events=())
    loose = replace(plain, matchers=(Matcher("/x", Match.ANY),))
    assert as_given(for_case(PLAIN, loose, "")) == PLAIN
    run = rescored(ran(items), [(items[0], loose)], METRICS)
    assert run.cases[0] == judge_item(with_case(items[0], loose), METRICS)
    assert metric_of(run.cases[0], "tool_trajectory_avg_score").status is Status.INFORMATIONAL
    back = rescored(run, [(with_case(items[0], loose), plain)], METRICS)
    assert back.cases[0] == judge_item(with_case(items[0], plain), METRICS)


@dataclass
class Counting:
    """A metric that notes whom it judges."""

    seen: list[str] = field(default_factory=list)

    def judge(self, subject: Subject, criterion: Criterion) -> Judged:
        """Always right."""
        self.seen.append(subject.case.id if subject.case else "")
        verdict = MetricVerdict(criterion.metric, 1.0, Status.PASSED)
        return Judged(verdict, tuple(verdict for _row in subject.turns))


def test_nothing_else_is_judged() -> None:
    counting = Counting()
    metric = Metric("counting", "Counting", "local", "counts", lambda: Method(counting.judge))
    items = suite((Criterion("counting", 1.0),), 50)
    run = ran(items)
    again = rescored(run, [(items[7], first_turn(items[7]))], [*METRICS, metric])
    assert counting.seen == ["c7"]
    assert all(now is before for now, before in zip(again.cases, run.cases, strict=True) if now.case_id != "c7")


def test_what_a_judge_said_stands_where_it_would_be_asked_the_same() -> None:
    judge = Agreeable()
    items = suite(JUDGED)
    run = ran(items, judge)
    asked = judge.asked
    again = rescored(run, [(items[0], first_turn(items[0], events=()))], METRICS, EVERYBODY)
    assert judge.asked == asked > 0
    for name in ("final_response_match_v2", "hallucinations_v1"):
        assert metric_of(again.cases[0], name) == metric_of(run.cases[0], name)
    assert again == ran([with_case(items[0], first_turn(items[0], events=())), *items[1:]], judge)


def test_what_a_judge_would_be_asked_otherwise_is_pending_and_said() -> None:
    items = suite(JUDGED)
    edited = first_turn(items[0], final_response=(Text("It snows."),))
    run = ran(items, Agreeable())
    again = rescored(run, [(items[0], edited)], METRICS, EVERYBODY)
    stale = metric_of(again.cases[0], "final_response_match_v2")
    assert (stale.status, stale.score, stale.reason) == (Status.PENDING, None, STALE)
    assert f"final_response_match_v2: {STALE}" in again.cases[0].hides
    assert metric_of(again.cases[0], "hallucinations_v1") == metric_of(run.cases[0], "hallucinations_v1")
    # Nothing brings a judgement back but the judge.
    items[0] = with_case(items[0], edited)
    once_more = rescored(again, [(items[0], first_turn(items[0], events=()))], METRICS, EVERYBODY)
    assert metric_of(once_more.cases[0], "final_response_match_v2").status is Status.PENDING


def test_a_golden_turn_that_the_trace_lacks_makes_judgements_stale_too() -> None:
    items = suite(JUDGED)
    golden = items[0].case
    assert golden is not None
    more = replace(golden, turns=(*golden.turns, replace(turn("More?", "Yes.", []), index=2)))
    again = rescored(ran(items, Agreeable()), [(items[0], more)], METRICS, EVERYBODY)
    assert metric_of(again.cases[0], "final_response_match_v2").status is Status.PENDING
    assert again.cases[0].status is Status.FAILED


def test_the_answer_of_a_turn_that_the_trace_lacks_counts_too() -> None:
    items = suite(JUDGED)
    assert items[0].trace is not None
    items[0] = replace(items[0], trace=replace(items[0].trace, turns=items[0].trace.turns[1:]))
    run = ran(items, Agreeable())
    again = rescored(run, [(items[0], first_turn(items[0], final_response=None))], METRICS, EVERYBODY)
    assert metric_of(again.cases[0], "final_response_match_v2").status is Status.PENDING
    same = rescored(run, [(items[0], first_turn(items[0]))], METRICS, EVERYBODY)
    assert same == run


def test_without_a_judge_nothing_waits_for_one() -> None:
    items = suite(JUDGED)
    edited = first_turn(items[2], final_response=(Text("It snows."),))
    again = rescored(ran(items), [(items[2], edited)], METRICS, NOBODY)
    assert again == ran([*items[:2], with_case(items[2], edited)])
    assert metric_of(again.cases[2], "final_response_match_v2").status is Status.NOT_EVALUATED


def test_repeats_of_a_case_are_edits_of_each_and_a_stopped_run_has_not_all() -> None:
    items = suite(PLAIN)
    items[1] = replace(items[1], case=items[0].case)
    edited = first_turn(items[0], events=())
    run = ran(items)
    again = rescored(run, [(items[0], edited), (items[1], edited)], METRICS)
    assert [one.status for one in again.cases] == [Status.FAILED, Status.FAILED, Status.PASSED]
    stopped = replace(run, cases=run.cases[1:], stopped=True)
    assert rescored(stopped, [(items[0], edited)], METRICS).cases == stopped.cases


@pytest.mark.parametrize("traces", [True, False])
def test_a_case_without_a_trace_stays_undecided(*, traces: bool) -> None:
    items = suite(PLAIN)
    items[0] = items[0] if traces else replace(items[0], trace=None)
    again = rescored(ran(items), [(items[0], first_turn(items[0], events=()))], METRICS)
    assert again.cases[0].status is (Status.FAILED if traces else Status.NOT_EVALUATED)
