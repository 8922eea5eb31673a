"""Where a turn may first have gone wrong, and which place the golden makes likely."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.helpers.tables import each
from tests.models.stories import call, turn
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.models.review.fault_choices import FaultChoices, fault_choices

A, B, C = call("a", n=1), call("b", n=1), call("c", n=1)
OTHER_B = call("b", n=2)


@each(
    "expected, observed, likely",
    [
        ((A, B, C), (A, OTHER_B, C), "call/1"),
        ((A, B, C), (A, C), "call/1"),  # what was made where the missing call should have been
        ((A, B), (A,), "answer"),
        ((A, B), (C, A, B), "call/0"),
        ((A, B), (B, A), "call/0"),
        ((A, B), (A, B, C), "call/2"),
        ((A, B), (A, B), "answer"),
        ((), (), "answer"),
    ],
)
def test_the_first_call_that_leaves_the_golden_is_likely(
    expected: tuple[ToolCall, ...], observed: tuple[ToolCall, ...], likely: str
) -> None:
    assert fault_choices(turn(0, "?", *observed), turn(0, "?", *expected)).likely == likely


def test_of_a_call_with_a_matcher_the_tool_alone_tells() -> None:
    expected = turn(0, "?", replace(B, place="/calls/0"), replace(C, place="/calls/1"))
    matcher = Matcher("/calls/0/args/n", Match.REGEXP, "[0-9]")
    assert fault_choices(turn(0, "?", OTHER_B, A), expected, [matcher]).likely == "call/1"
    assert fault_choices(turn(0, "?", A), expected, [matcher]).likely == "call/0"
    assert fault_choices(turn(0, "?", OTHER_B), expected).likely == "call/0"


def test_without_a_golden_nothing_is_likely() -> None:
    assert fault_choices(turn(0, "?", A), None).likely == ""


def test_calls_come_first_then_the_answer_and_its_sentences() -> None:
    places = fault_choices(turn(0, "?", A, OTHER_B, answer="It is 2.\nOr 3."), None)
    assert [(place.name, place.words) for place in places.places] == [
        ("call/0", "call 1 · a(n=1)"),
        ("call/1", "call 2 · b(n=2)"),
        ("answer", "the answer as a whole"),
        ("sentence/0", "sentence 1 · It is 2."),
        ("sentence/1", "sentence 2 · Or 3."),
    ]
    assert [places.words(name) for name in ("call/1", "call/7", "")] == ["call 2 · b(n=2)", "call/7", ""]


@pytest.mark.parametrize("step", [1, -1])
def test_one_steps_through_all_places_and_nowhere(step: int) -> None:
    places = fault_choices(turn(0, "?", A, answer="Yes."), None)
    names, name = [], ""
    for _step in range(4):
        name = places.next(name, step)
        names.append(name)
    assert names[::step] == ["call/0", "answer", "sentence/0", ""] if step == 1 else names[3::step] == [
        "", "call/0", "answer", "sentence/0",
    ]  # fmt: skip
    assert places.next("turn/3/call/9", 1) == "call/0"


def test_a_turn_of_very_many_calls_is_not_listed_whole() -> None:
    many = turn(0, "?", *(call("a", n=number) for number in range(5_000)), answer="Yes. " * 5_000)
    places = fault_choices(many, turn(0, "?", A))
    assert places.likely == "call/0"
    assert len(places.places) == 301
    assert FaultChoices().next("", 1) == ""
