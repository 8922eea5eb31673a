"""A run that goes on from an earlier one, or judges some of its cases again; pairs made by hand."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.models.stories import GOLDENS, TRACES, golden, trace, turn
from trace_inspector.core.alignment.manual_pair import HandPair
from trace_inspector.core.rows.contents import collect
from trace_inspector.core.verdict.case_key import key_of
from trace_inspector.core.verdict.verdict import RunVerdict, Status
from trace_inspector.engine.running.planning import Choices
from trace_inspector.flows.runs.evaluate_files import Given, Ground, Request, evaluate

NAMES = ("a", "b", "c")


@pytest.fixture
def request_of_three() -> Request:
    """Three cases with a conversation each, and one conversation that is nobody's."""
    turns = {name: (turn(0, f"Question {name}?"),) for name in NAMES}
    traces = [trace(name, *own) for name, own in turns.items()] + [trace("alone", turn(0, "Hm?"))]
    return Request(
        (Given(TRACES, collect("made", traces)),),
        (Given(GOLDENS, collect("made", [golden(*turns.items())])),),
    )


def judged(request: Request) -> tuple[RunVerdict, list[str]]:
    """The run, and which cases were judged for it."""
    seen: list[str] = []
    run = evaluate(request, lambda _done, _total, verdict: seen.append(verdict.case_id))
    return run, seen


def test_verdicts_that_stand_are_not_judged_again(request_of_three: Request) -> None:
    whole, seen = judged(request_of_three)
    assert seen == [*NAMES, "alone"]
    marked = tuple(replace(case, reason="from before") for case in (whole.cases[1], whole.cases[3]))
    again, seen = judged(replace(request_of_three, earlier=marked))
    assert seen == ["a", "c"]
    assert [case.case_id for case in again.cases] == [*NAMES, "alone"]
    assert [case.reason for case in again.cases] == [
        whole.cases[0].reason, "from before", whole.cases[2].reason, "from before",
    ]  # fmt: skip
    assert not again.stopped


def test_only_the_named_cases_are_judged(request_of_three: Request) -> None:
    whole, _seen = judged(request_of_three)
    wanted = frozenset({key_of(whole.cases[2])})
    run, seen = judged(replace(request_of_three, again=wanted, earlier=whole.cases[:1]))
    assert seen == ["c"]
    assert [case.case_id for case in run.cases] == ["a", "c"]
    assert run.stopped, "some cases have no verdict"


def test_what_begins_is_told_before_the_first_verdict(request_of_three: Request) -> None:
    told: list[object] = []
    run = evaluate(request_of_three, lambda *_said: told.append("verdict"), begun=lambda *begun: told.extend(begun))
    head = told[0]
    assert isinstance(head, RunVerdict)
    assert isinstance(told[1], Ground)
    assert (head.id, head.started_s, head.criteria) == (run.id, run.started_s, run.criteria)
    assert (head.cases, head.status) == ((), Status.PENDING)


def test_pairs_by_hand_stand_before_what_is_proposed(request_of_three: Request) -> None:
    pairs = (
        HandPair(TRACES, "/alone", "alone", GOLDENS, "/a", "a"),
        HandPair(TRACES, "/a", "a"),
        HandPair(TRACES, "/b", "b", "/gone.json", "/b", "b"),
        HandPair("/gone.json", "/c", "c"),
    )
    run, _seen = judged(replace(request_of_three, choices=Choices(by_hand=pairs)))
    found = {case.trace_id: (case.case_id, case.paired_by or case.reason) for case in run.cases}
    assert found == {
        "alone": ("a", "by hand"),
        "a": ("a", "no golden: by hand: no case"),
        "b": ("b", "by case id"),
        "c": ("c", "by case id"),
    }
