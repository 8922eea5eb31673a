"""Matchers proposed from several runs: each accepts every run it was made from."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.helpers.tables import each
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.trace.trace import Event, Steps, Trace, Turn
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.engine.goldens.matcher_proposals import Proposal, proposed, turn_pairs
from trace_inspector.engine.scoring.matching import matchers_of

ID = "0b7e5a7c-3f7e-4f5e-9a52-0d6f7f1b2c3{}"


def turn(args: Json, place: str = "") -> Turn:
    call = ToolCall("find", args, place=f"{place}/call" if place else "")
    return Turn(0, events=(Event("host", (call,)),), steps=Steps.EVENTS, place=place)


def proposals(golden: JsonObject, *runs: Json, matchers: tuple[Matcher, ...] = ()) -> list[Proposal]:
    case = Case("one", turns=(turn(golden, "/turn"),), matchers=matchers)
    return list(proposed(case, [turn_pairs(case, Trace("t", (turn(args),))) for args in runs]))


@each(
    ("golden", "runs", "told"),
    [
        ({"q": "a"}, [{"q": "a"}, {"q": "a"}], []),
        ({"q": 10}, [{"q": 9}, {"q": 12}], [Matcher("/q", Match.TOLERANCE, absolute=2)]),
        ({"q": 10}, [{"q": 1}, {"q": 900}], [Matcher("/q", Match.IGNORE)]),
        ({"q": ID.format(1)}, [{"q": ID.format(2)}, {"q": ID.format(3)}],
         [Matcher("/q", Match.REGEXP, "^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$")]),
        ({"q": "parking"}, [{"q": "parking lots"}, {"q": "free parking"}],
         [Matcher("/q", Match.CONTAINS, "parking")]),
        ({"q": "Table for two tonight"}, [{"q": "Table for four"}, {"q": "Table for two"}],
         [Matcher("/q", Match.CONTAINS, "Table for")]),
        ({"q": "cat"}, [{"q": "dog"}, {"q": "cow"}], [Matcher("/q", Match.IGNORE)]),
        ({"q": {"a": 1}}, [{"q": {"a": 1, "b": 2}}, {"q": {"a": 1}}], [Matcher("/q", Match.SUBSET)]),
        ({"q": 1}, [{}, {"q": 1}], [Matcher("/q", Match.IGNORE)]),
        ({}, [{"trace/id": 1}, {"trace/id": 2}], [Matcher("/trace~1id", Match.IGNORE)]),
        ({"q": True}, [{"q": False}, {"q": True}], [Matcher("/q", Match.IGNORE)]),
        ({"q": 1}, [{"q": 2}], []),
        ({"q": 10**400}, [{"q": 10**400 + 1}, {"q": float("nan")}], [Matcher("/q", Match.IGNORE)]),
        ({"q": 1e308}, [{"q": -1e308}, {"q": float("inf")}], [Matcher("/q", Match.IGNORE)]),
    ],
)  # fmt: skip
def test_what_varies_is_compared_so_that_it_passes(golden: JsonObject, runs: list[Json], told: list[Matcher]) -> None:
    assert [proposal.matcher for proposal in proposals(golden, *runs)] == told


def test_arguments_that_have_a_matcher_are_left_alone() -> None:
    known = (Matcher("/turn/call/args/q", Match.ANY),)
    found = proposals({"q": "a", "n": 1}, {"q": "b", "n": 1}, {"q": "c", "n": 2}, matchers=known)
    assert [(one.turn, one.call, one.matcher.place, one.runs) for one in found] == [("/turn", "/turn/call", "/n", 2)]
    assert proposals({"q": 1}, {"q": 2}, {"q": 3}, matchers=(Matcher("/turn/call/args", Match.IGNORE),)) == []


VALUES = (
    st.integers(-20, 20) | st.sampled_from([10**400, -(10**400), float("nan"), float("inf"), 1e308, 2**53 + 1])
    | st.text("ab 1", max_size=6) | st.booleans() | st.none()
    | st.lists(st.integers(0, 2), max_size=2) | st.dictionaries(st.sampled_from("xy"), st.integers(0, 2))
)  # fmt: skip


@given(st.lists(st.dictionaries(st.sampled_from(["q", "r/s"]), VALUES), min_size=3, max_size=5))
def test_with_what_is_proposed_every_run_is_as_expected(args: list[JsonObject]) -> None:
    golden, *runs = args
    expected = ToolCall("find", golden, place="/turn/call")
    matchers = matchers_of(
        replace(one.matcher, place=f"{one.call}/args{one.matcher.place}") for one in proposals(golden, *runs)
    )
    assert all(matchers.same_call(expected, ToolCall("find", made)) for made in runs)
