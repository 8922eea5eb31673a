"""Calls held against a golden that says how its arguments are compared."""

from __future__ import annotations

import math

import pytest

from tests.helpers.one_criterion import judge_criterion
from tests.helpers.tables import each
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.trace.trace import Event, Steps, Trace, Turn
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.engine.criteria.case_verdict import Frame
from trace_inspector.engine.criteria.criteria import for_case
from trace_inspector.engine.metrics import METRICS
from trace_inspector.engine.running.runner import WorkItem, judge_item
from trace_inspector.engine.scoring.matching import matchers_of
from trace_inspector.engine.scoring.metric import CannotJudge, PairedTurn, Subject

PLACE = "/calls/0"


def rule(match: Match, place: str = "/x", text: str = "", **near: float) -> Matcher:
    return Matcher(f"{PLACE}/args{place}", match, text, near.get("absolute"), near.get("relative"))


@each(
    ("wanted", "given", "matcher", "same"),
    [
        ({"x": 1}, {"x": 2}, rule(Match.IGNORE), True),
        ({"x": 1}, {}, rule(Match.IGNORE), True),
        ({"x": 1, "y": 1}, {"x": 2, "y": 2}, rule(Match.IGNORE), False),
        ({"x": 1}, {"x": None}, rule(Match.ANY), True),
        ({"x": 1}, {}, rule(Match.ANY), False),
        ({"x": "a"}, {"x": "the word inside"}, rule(Match.CONTAINS, text="word"), True),
        ({"x": "a"}, {"x": ["word"]}, rule(Match.CONTAINS, text="word"), False),
        ({"x": "a"}, {"x": "order 12-34"}, rule(Match.REGEXP, text=r"\d+-\d+$"), True),
        ({"x": "a"}, {"x": "order 12-34 b"}, rule(Match.REGEXP, text=r"\d+-\d+$"), False),
        ({"x": 100}, {"x": 101.0}, rule(Match.TOLERANCE, absolute=1.0), True),
        ({"x": 100}, {"x": 101.1}, rule(Match.TOLERANCE, absolute=1.0), False),
        ({"x": 100}, {"x": 109}, rule(Match.TOLERANCE, relative=0.1), True),
        ({"x": 100}, {"x": "100"}, rule(Match.TOLERANCE, relative=0.1), False),
        ({"x": True}, {"x": 1}, rule(Match.TOLERANCE, absolute=1.0), True),
        ({"x": {"a": 1}}, {"x": {"a": 1, "b": 2}}, rule(Match.SUBSET), True),
        ({"x": {"a": 1}}, {"x": {"b": 2}}, rule(Match.SUBSET), False),
        ({"x": [1, 1]}, {"x": [1, 2, 1]}, rule(Match.SUBSET), True),
        ({"x": [1, 1]}, {"x": [1, 2]}, rule(Match.SUBSET), False),
        ({"x": {"a": 1, "b": 2}}, {"x": {"a": 9, "b": 2}}, rule(Match.IGNORE, "/x/a"), True),
        ({"x": {"a": 1, "b": 2}}, {"x": {"a": 9, "b": 3}}, rule(Match.IGNORE, "/x/a"), False),
        ({"x": [1, 2]}, {"x": [9, 2]}, rule(Match.IGNORE, "/x/0"), True),
        ({"x": [1, 2]}, {"x": [9, 2, 3]}, rule(Match.IGNORE, "/x/0"), False),
        ({"x/y": 1}, {"x/y": 2}, rule(Match.IGNORE, "/x~1y"), True),
        ({"x": 1}, {"y": 2}, rule(Match.SUBSET, ""), False),
        ({"x": 1}, {"x": 1, "y": 2}, rule(Match.SUBSET, ""), True),
        ({"x": {"a": {"b": 1}}}, {"x": {"a": {"b": 1, "c": 2}, "d": 3}}, rule(Match.SUBSET), False),
        ({"x": "100"}, {"x": "100"}, rule(Match.TOLERANCE, absolute=1.0), True),
        ({"x": None}, {"x": None}, rule(Match.TOLERANCE, absolute=1.0), True),
        ({"x": 1}, {}, rule(Match.TOLERANCE, absolute=1.0), False),
        ({"x": math.nan}, {"x": math.nan + 1}, rule(Match.TOLERANCE, absolute=1.0), False),
        ({"x": math.inf}, {"x": math.inf}, rule(Match.TOLERANCE, absolute=1.0), True),
        ({"x": math.inf}, {"x": 1}, rule(Match.TOLERANCE, absolute=1.0), False),
        ({"x": 2**60}, {"x": 2**60 + 1}, rule(Match.TOLERANCE, absolute=0.5), False),
        ({"x": 10**400}, {"x": 1.5}, rule(Match.TOLERANCE, absolute=1.0), False),
        ({"x": -100}, {"x": -109}, rule(Match.TOLERANCE, relative=0.1), True),
        ({"x": 1}, {}, rule(Match.CONTAINS, text="1"), False),
        ({"x": 1}, {}, rule(Match.REGEXP, text="."), False),
        ({"x": 1}, {"x": 1.0}, rule(Match.EXACT), True),
        ({"x": 1}, {"x": "1"}, rule(Match.EXACT), False),
    ],
)
def test_one_argument(wanted: Json, given: Json, matcher: Matcher, *, same: bool) -> None:
    matchers = matchers_of([matcher])
    assert matchers.same_call(ToolCall("f", wanted, place=PLACE), ToolCall("f", given)) == same
    assert not matchers.same_call(ToolCall("f", wanted, place=PLACE), ToolCall("g", given))


def test_items_of_a_subset_pair_as_well_as_they_can() -> None:
    near = Matcher(f"{PLACE}/args/x/0", Match.TOLERANCE, absolute=5.0)
    matchers = matchers_of([rule(Match.SUBSET), near])
    expected = ToolCall("f", {"x": [100, 103]}, place=PLACE)
    assert matchers.same_call(expected, ToolCall("f", {"x": [103, 100]}))
    assert not matchers.same_call(expected, ToolCall("f", {"x": [103, 110]}))


def test_a_broken_pattern_decides_nothing() -> None:
    matchers = matchers_of([rule(Match.REGEXP, text="(")])
    with pytest.raises(CannotJudge, match="not a regular expression"):
        matchers.same_call(ToolCall("f", {"x": "a"}, place=PLACE), ToolCall("f", {"x": "x"}))


def test_a_pattern_that_takes_too_long_decides_nothing() -> None:
    matchers = matchers_of([rule(Match.REGEXP, text="^(a|aa)+$")])
    with pytest.raises(CannotJudge, match="takes too long"):
        matchers.same_call(ToolCall("f", {"x": "a"}, place=PLACE), ToolCall("f", {"x": "a" * 60 + "b"}))


def call(name: str, **args: int) -> ToolCall:
    return ToolCall(name, {**args})


def turn(*calls: ToolCall) -> Turn:
    return Turn(0, events=(Event("guide", calls),), steps=Steps.EVENTS)


def golden(*calls: ToolCall) -> Turn:
    return turn(*(ToolCall(one.name, one.args, place=f"/calls/{at}") for at, one in enumerate(calls)))


def test_where_a_golden_has_matchers_they_decide_and_google_adk_is_told() -> None:
    expected = golden(ToolCall("f", {"x": 1}), ToolCall("g", {"y": 2}))
    case = Case("case", turns=(expected,), matchers=(rule(Match.IGNORE),))
    trace = Trace("trace", (turn(ToolCall("f", {"x": 9}), ToolCall("g", {"y": 2})),))
    criteria = for_case((Criterion("tool_trajectory_avg_score", 1.0),), case, "")
    verdict = judge_item(WorkItem(case, trace, criteria, Frame()), METRICS)
    assert [(one.metric, one.score, one.status) for one in verdict.metrics] == [
        ("trajectory_match", 1.0, Status.PASSED),
        ("tool_trajectory_avg_score", 0.0, Status.INFORMATIONAL),
    ]
    assert "google-adk would report FAILED" in verdict.metrics[1].reason
    assert verdict.status is Status.PASSED


@pytest.mark.parametrize(("match_type", "score"), [("ANY_ORDER", 1.0), ("IN_ORDER", 0.0)])
def test_a_call_that_fits_two_leaves_the_other_its_partner(match_type: str, score: float) -> None:
    # The first call that was made fits both; only when it goes to the second is there one for each.
    expected = golden(call("f", x=1), call("f", x=2))
    near = rule(Match.TOLERANCE, absolute=1.0)
    made = turn(call("f", x=2), call("f", x=1), call("g", y=1))
    subject = Subject((PairedTurn(expected, made),), Trace("trace"), Case("case", matchers=(near,)))
    criterion = Criterion("trajectory_match", 1.0, {"match_type": match_type})
    found = judge_criterion(criterion, subject, METRICS).overall
    assert found.score == score
    share = judge_criterion(Criterion("trajectory_recall", 1.0), subject, METRICS).overall
    assert share.score == 1.0


def test_by_adks_rules_matchers_mean_nothing() -> None:
    case = Case("case", turns=(golden(ToolCall("f", {"x": 1})),), matchers=(rule(Match.IGNORE),))
    criteria = (Criterion("tool_trajectory_avg_score", 1.0),)
    assert for_case(criteria, case, "adk") == criteria


PARTIAL = ("trajectory_precision", "trajectory_recall", "trajectory_f1", "argument_share")


@each(
    ("expected", "made", "scores"),
    [
        ([call("f", x=1)], [call("f", x=1)], (1.0, 1.0, 1.0, 1.0)),
        ([call("f", x=1), call("g", y=1)], [call("f", x=1)], (1.0, 0.5, 2 / 3, 0.5)),
        ([call("f", x=1)], [call("f", x=1), call("g", y=1)], (0.5, 1.0, 2 / 3, 1.0)),
        ([call("f", x=1, y=2)], [call("f", x=1, y=3)], (0.0, 0.0, 0.0, 0.5)),
        ([call("f", x=1), call("g", y=1)], [call("g", y=1), call("f", x=1)], (1.0, 1.0, 1.0, 1.0)),
        ([], [], (1.0, 1.0, 1.0, 1.0)),
        ([], [call("f", x=1)], (0.0, 1.0, 0.0, 1.0)),
        ([call("f", x=1)], [], (0.0, 0.0, 0.0, 0.0)),
    ],
)
def test_partial_credit(expected: list[ToolCall], made: list[ToolCall], scores: tuple[float, ...]) -> None:
    pair = PairedTurn(golden(*expected), turn(*made))
    subject = Subject((pair,), Trace("trace"), Case("case"))
    found = [judge_criterion(Criterion(name, 1.0), subject, METRICS).overall.score for name in PARTIAL]
    assert found == list(scores)
