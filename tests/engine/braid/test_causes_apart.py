"""What only goes with a cause is no second one; two causes of their own are both named."""

from __future__ import annotations

from random import Random

import pytest

from tests.helpers.many_runs import FAULTS, Made, attempt, faulty_runs, is_told
from trace_inspector.engine.braid.association import Strata, exact_chance
from trace_inspector.engine.braid.attempts import Attempt
from trace_inspector.engine.braid.findings import explain
from trace_inspector.engine.braid.words import conclusion, sentence, standing


@pytest.mark.parametrize("fault", ["loop", "early stop"])
def test_a_fault_of_many_sizes_is_one_cause(fault: str) -> None:
    """A loop makes some runs longer than others, an early stop leaves out more in some: each is significant alone."""
    explanation = explain(faulty_runs(FAULTS[fault], Random(11), 120, 120))
    significant = [finding for finding in explanation.findings if finding.is_significant]
    assert len(significant) > 1
    (named,) = explanation.named
    assert named is explanation.findings[0]
    assert {standing(finding) for finding in significant[1:]} == {"goes with 1"}
    assert "more cause" not in conclusion(explanation)
    beneath = [one for finding in significant[1:] for one in (*finding.same, *finding.follows)]
    assert [one for one in beneath if one.is_cause] == []


def two_causes(cases: int) -> list[Attempt]:
    """Runs that fail where they skip one step or the other, of as many cases."""
    attempts: list[Attempt] = []
    random = Random(2)
    for number in range(160):
        failed = number < 80
        skips = ("", "ask", "look")[number % 2 + 1 if failed else (number % 3 if number % 8 == 0 else 0)]
        more = [f"log {each}" for each in range(random.randrange(4))]
        made: Made = [(name, {}) for name in ("greet", "ask", "look", "book", *more) if name != skips]
        attempts.append(attempt(made, failed, f"run {number}", f"case {number % cases}"))
    return attempts


@pytest.mark.parametrize("cases", [1, 5])
def test_two_causes_are_named(cases: int) -> None:
    named = [sentence(finding) for finding in explain(two_causes(cases)).named]
    assert len(named) == 2
    assert {"skip `ask`" in words for words in named} == {True, False}
    assert any("skip `look`" in words for words in named)


def test_runs_are_parted_within_their_groups() -> None:
    """Both go together: whoever has the one has the other, and among those alike in it nothing is left to tell."""
    outcomes = [("one", index < 6) for index in range(12)] + [(f"case {index}", index < 6) for index in range(12)] * 2
    strata = Strata.of(outcomes)
    lead = strata.failing
    assert exact_chance(strata.tables(strata.everything, lead)) < 1e-3
    assert exact_chance(strata.parted(lead).tables(strata.everything, lead)) == 1.0


def test_a_seeded_fault_stays_named() -> None:
    for fault in FAULTS.values():
        explanation = explain(faulty_runs(fault, Random(3), 40, 40))
        assert any(is_told(finding, fault) for finding in explanation.named)
