"""What a result of CES repeats of its evaluation, as a case: what was expected, and whom the user played."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.golden.golden import Case, Scenario
from trace_inspector.core.golden.matcher import Matcher
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.trace.trace import Turn
from trace_inspector.formats.ces.common.recognisers import TURN_RESULTS
from trace_inspector.formats.ces.evaluation.evaluation_golden import expected_turn
from trace_inspector.formats.ces.evaluation.evaluation_scenario import (
    beside_expectation,
    facts_of,
    scenario_expectation,
)
from trace_inspector.formats.ces.result.result_turns import outcomes_of
from trace_inspector.formats.common.fields import Fields, Report


def golden_case(case_id: str, suite_id: str, golden: Fields, report: Report) -> Case:
    """A golden turn by turn; what the user says in it is not repeated."""
    turns: list[Turn] = []
    matchers: list[Matcher] = []
    for index, fields in enumerate(golden.objects(TURN_RESULTS)):
        expected = [
            one for outcome in outcomes_of(fields, report) if (one := outcome.object("expectation")) is not None
        ]
        turn, found = expected_turn(expected, index, fields.place, report)
        turns.append(turn)
        matchers += found
    return Case(
        id=case_id,
        suite_id=suite_id,
        turns=tuple(turns),
        expectations=tuple(_criteria(golden)),
        matchers=tuple(matchers),
        place=golden.at(TURN_RESULTS),
    )


def scenario_case(case_id: str, suite_id: str, scenario: Fields, report: Report) -> Case:
    """A scenario with its task and facts, and what was expected of it."""
    stated = [one.object("expectation") for one in scenario.objects("expectation_outcomes")]
    expected = [scenario_expectation(one, report) for one in stated if one is not None]
    rubrics = [(at, one, one.text("rubric")) for at, one in enumerate(scenario.objects("rubric_outcomes"))]
    return Case(
        id=case_id,
        suite_id=suite_id,
        scenario=Scenario(
            "",
            scenario.text("task") or "",
            facts=tuple(facts_of(scenario, report)),
            goal=None,  # the evaluation alone says what is to become of it
            place=scenario.place,
        ),
        rubrics=tuple(Rubric(f"rubric {at + 1}", text, place=one.place) for at, one, text in rubrics if text),
        expectations=(*(one for found, _matchers in expected for one in found), *_criteria(scenario)),
        matchers=tuple(matcher for _found, matchers in expected for matcher in matchers),
        extras=tuple(extra for one in stated if one is not None for extra in beside_expectation(one)),
        place=scenario.place,
    )


def _criteria(owner: Fields) -> Iterator[Expectation]:
    """The sentences that were judged."""
    for one in owner.objects("evaluation_expectation_results"):
        name = one.text("evaluation_expectation") or ""
        yield Expectation(Expects.CRITERION, text=one.text("prompt") or "", reference=name, place=one.place)
