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
    """A golden turn by turn; results do not repeat the user's messages."""
    turns: list[Turn] = []
    matchers: list[Matcher] = []
    for index, fields in enumerate(golden.objects(TURN_RESULTS)):
        expected = [
            expectation
            for outcome in outcomes_of(fields, report)
            if (expectation := outcome.object("expectation")) is not None
        ]
        turn, turn_matchers = expected_turn(expected, index, fields.place, report)
        turns.append(turn)
        matchers += turn_matchers
    return Case(
        id=case_id,
        suite_id=suite_id,
        turns=tuple(turns),
        expectations=tuple(_criteria(golden)),
        matchers=tuple(matchers),
        place=golden.pointer(TURN_RESULTS),
    )


def scenario_case(case_id: str, suite_id: str, scenario: Fields, report: Report) -> Case:
    """A scenario with its task and facts, and what was expected of it."""
    stated = [outcome.object("expectation") for outcome in scenario.objects("expectation_outcomes")]
    expected = [scenario_expectation(outcome, report) for outcome in stated if outcome is not None]
    rubrics = [
        (index, outcome, outcome.text("rubric")) for index, outcome in enumerate(scenario.objects("rubric_outcomes"))
    ]
    return Case(
        id=case_id,
        suite_id=suite_id,
        scenario=Scenario(
            "",
            scenario.text("task") or "",
            facts=tuple(facts_of(scenario, report)),
            goal=None,  # only the evaluation states it
            place=scenario.place,
        ),
        rubrics=tuple(
            Rubric(f"rubric {index + 1}", text, place=outcome.place) for index, outcome, text in rubrics if text
        ),
        expectations=(
            *(outcome for expectations, _matchers in expected for outcome in expectations),
            *_criteria(scenario),
        ),
        matchers=tuple(matcher for _expectations, matchers in expected for matcher in matchers),
        extras=tuple(extra for outcome in stated if outcome is not None for extra in beside_expectation(outcome)),
        place=scenario.place,
    )


def _criteria(owner: Fields) -> Iterator[Expectation]:
    """The sentences that were judged."""
    for result in owner.objects("evaluation_expectation_results"):
        name = result.text("evaluation_expectation") or ""
        yield Expectation(Expects.CRITERION, text=result.text("prompt") or "", reference=name, place=result.place)
