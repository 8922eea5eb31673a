"""An argument fares as the verdict of its turn states, and where that states nothing, as metrics compare."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.helpers.campaigns import examples
from trace_inspector.core.alignment.turn_alignment import CallMatch, CallPair
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.trace.trace import Event, Turn, calls_of
from trace_inspector.core.values.values import ABSENT, Json
from trace_inspector.core.verdict.verdict import MetricVerdict, Status, TurnVerdict
from trace_inspector.engine.scoring.call_comparison import CallComparison, compare_calls
from trace_inspector.engine.scoring.matched_calls import matched_calls
from trace_inspector.engine.scoring.matching import matchers_of

PAIR = CallPair(CallMatch.ARGUMENTS, 0, 0, ("a",))
EXACT = CallComparison({0: PAIR}, by_run=True, states_arguments=True)
ALL_ANY = matchers_of([Matcher("/args", Match.ANY)])
PATTERN = matchers_of([Matcher("/args/b", Match.REGEXP, "x")])


def same(compared: CallComparison, name: str | None, wanted: Json, given: Json) -> bool | None:
    return compared.same(0, name, wanted, given, "/args", "/args" if name is None else f"/args/{name}")


@pytest.mark.parametrize(
    ("compared", "name", "wanted", "made", "expected"),
    [
        (EXACT, "a", 1, 1, False),  # the verdict, whatever the values are
        (EXACT, "b", 1, 2, True),
        (EXACT, None, 1, 2, False),  # of all arguments together a pair states nothing
        (replace(EXACT, pairs={0: CallPair(CallMatch.SAME, 0, 0)}), "a", 1, 2, True),
        (replace(EXACT, pairs={0: CallPair(CallMatch.RENAMED, 0, 0, ("a",))}), "a", 1, 1, True),
        (replace(EXACT, states_arguments=False), "a", 1, 1, True),
        (replace(EXACT, states_arguments=False), "b", 1, 2, False),
        (replace(EXACT, matchers=ALL_ANY), "a", 1, 1, True),  # a rule for all of them states nothing of one
        (replace(EXACT, matchers=PATTERN), "b", "x", "y", True),
        (replace(EXACT, matchers=PATTERN, states_arguments=False), "b", "x", "y", True),
        (replace(EXACT, matchers=PATTERN, states_arguments=False, by_run=False), "b", "x", "y", None),
    ],
)
def test_the_verdict_decides_and_else_the_values(
    compared: CallComparison, name: str | None, wanted: Json, made: Json, expected: bool | None
) -> None:
    assert same(compared, name, wanted, made) is expected


def turn(*calls: ToolCall) -> Turn:
    return Turn(0, None, (), tuple(Event("guide", (call,)) for call in calls), place="/turn")


def verdict(*metrics: MetricVerdict, status: Status = Status.FAILED) -> TurnVerdict:
    return TurnVerdict(0, 0, status, metrics)


BY_MATCHERS = MetricVerdict("trajectory_match", 0.0, Status.FAILED, calls=(PAIR, CallPair(CallMatch.EXTRA, None, 1)))
BY_ADK = MetricVerdict("tool_trajectory_avg_score", 0.0, Status.FAILED, calls=(CallPair(CallMatch.SAME, 0, 0),))
GOLDEN = turn(ToolCall("t", {"a": 1}))


@pytest.mark.parametrize(
    ("judged", "matchers", "by_name", "pairs", "states"),
    [
        (verdict(BY_ADK, BY_MATCHERS), PATTERN, False, BY_MATCHERS.calls[:1], (True, True)),
        (verdict(BY_ADK), PATTERN, False, BY_ADK.calls, (False, False)),
        (verdict(BY_ADK), matchers_of([]), False, BY_ADK.calls, (True, True)),
        (verdict(BY_ADK), matchers_of([]), True, BY_ADK.calls, (True, False)),
        (verdict(BY_ADK, status=Status.PENDING), matchers_of([]), False, BY_ADK.calls, (True, False)),
        (verdict(), matchers_of([]), False, (CallPair(CallMatch.SAME, 0, 0),), (False, False)),
        (verdict(), PATTERN, False, (), (False, False)),
    ],
)
def test_what_a_verdict_states(
    judged: TurnVerdict, matchers: object, by_name: bool, pairs: tuple[CallPair, ...], states: tuple[bool, bool]
) -> None:
    assert isinstance(matchers, type(PATTERN))
    found = compare_calls(GOLDEN, GOLDEN, 1, judged, matchers, by_name=by_name)
    assert (tuple(found.pairs.values()), (found.by_run, found.states_arguments)) == (pairs, states)
    assert found.extra == ((1,) if BY_MATCHERS in judged.metrics else ())


def test_very_many_calls_that_no_run_compared_are_not_paired() -> None:
    assert compare_calls(GOLDEN, GOLDEN, 400, verdict(), matchers_of([]), by_name=False).pairs
    assert not compare_calls(GOLDEN, GOLDEN, 401, verdict(), matchers_of([]), by_name=False).pairs


VALUES = st.one_of(st.integers(0, 2), st.booleans(), st.sampled_from(["x", "y", "xy", None, 1.0]))
ARGUMENTS = st.dictionaries(st.sampled_from("abc"), VALUES, max_size=3)
RULES = st.dictionaries(
    st.sampled_from("abc"), st.sampled_from([Match.ANY, Match.IGNORE, Match.CONTAINS, Match.TOLERANCE]), max_size=2
)


@examples(200, 5000)
@given(st.lists(ARGUMENTS, max_size=3), st.lists(ARGUMENTS, max_size=3), RULES)
def test_a_verdict_and_the_values_say_the_same(
    wanted: list[dict[str, Json]], made: list[dict[str, Json]], rules: dict[str, Match]
) -> None:
    golden = turn(*(ToolCall("t", args, place=f"/{index}") for index, args in enumerate(wanted)))
    observed = turn(*(ToolCall("t", args) for args in made))
    matchers = matchers_of(
        Matcher(f"/{index}/args/{name}", match, "x", 1.0)
        for index in range(len(wanted))
        for name, match in rules.items()
    )
    pairs = matched_calls(golden, observed, matchers)
    metric = MetricVerdict("trajectory_match", 0.0, Status.FAILED, calls=tuple(pairs))
    stated = compare_calls(golden, observed, len(made), verdict(metric), matchers, by_name=False)
    compared = replace(stated, states_arguments=False)
    for index, pair in stated.pairs.items():
        if pair.observed is None:
            continue
        expected, given_call = calls_of(golden)[index], calls_of(observed)[pair.observed]
        assert isinstance(expected.args, dict)
        assert isinstance(given_call.args, dict)
        for name, value in expected.args.items():
            places = f"/{index}/args", f"/{index}/args/{name}"
            given_value = given_call.args.get(name, ABSENT)
            assert stated.same(index, name, value, given_value, *places) is compared.same(
                index, name, value, given_value, *places
            )
