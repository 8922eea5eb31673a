"""Results of CES: what they say beside outcomes, other spellings, damage, and what they repeat of the evaluation."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.formats import ces_result_files as made
from tests.formats.ces_result_verdicts import entry, metric
from tests.formats.span_files import codes, opened
from tests.helpers.campaigns import examples
from tests.helpers.tables import each
from trace_inspector.core.golden.matcher import Match
from trace_inspector.core.trace.expectation import Expects
from trace_inspector.core.trace.parts import Text
from trace_inspector.core.trace.trace import answer_text, calls_of
from trace_inspector.core.values.values import ABSENT, Json, JsonObject
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.formats import BY_NAME, recognise

P, F, S, N, INFO, E = (
    Status.PASSED,
    Status.FAILED,
    Status.SKIPPED,
    Status.NOT_EVALUATED,
    Status.INFORMATIONAL,
    Status.ERROR,
)


def test_everything_else_is_an_extra_of_the_run_or_of_what_was_recorded() -> None:
    run: JsonObject = {
        "goldenRunMethod": "STABLE",
        "config": {"evaluationChannel": "TEXT"},
        "initiatedBy": "someone",
        "outcomeMetadata": "GRACEFUL_HANDOFF",
    }
    rest: JsonObject = {"changelog": "c", "changelogCreateTime": "2026-03-01T10:00:00Z", "somethingNew": {}}
    persona: JsonObject = {"name": "personas/hasty", "displayName": "Hasty", "personality": "quick"}
    contents = opened(made.result(**run, **rest, persona=persona, appVersion="v/7", rootSpan=made.spans()))
    (trace,), (verdict,) = contents.traces, contents.reported
    told = {extra.name: extra.value for extra in verdict.extras}
    assert {name: told[name] for name in run} == run
    assert told["evaluationRun"] == made.RUN
    kept = {extra.name: extra.value for extra in trace.extras}
    assert {name: kept[name] for name in rest} == rest
    assert kept["persona"] == persona
    assert (trace.persona, trace.candidate, verdict.persona, verdict.candidate) == ("Hasty", "7", "Hasty", "7")
    assert [span.name for span in trace.spans] == ["Turn", "LLM gem", "Tool search", "LLM"]
    assert contents.criteria is not None
    assert len(contents.criteria.items) == 5
    assert codes(contents) == ["unknown-key"]


def test_results_of_one_evaluation_are_its_repeats() -> None:
    names = [f"{made.EVALUATION}/results/r{number}" for number in range(3)]
    other = made.result(name=f"{made.APP}/evaluations/greet/results/x", evaluationMetricsThresholds={})
    contents = opened([*(made.result(name=name) for name in names), other])
    assert [trace.case_runs for trace in contents.traces] == [3, 3, 3, 1]
    assert [verdict.repeat for verdict in contents.reported] == [0, 1, 2, 0]
    assert codes(contents) == []


def test_results_judged_by_other_thresholds_are_told() -> None:
    other = made.thresholds(goldenHallucinationMetricBehavior="DISABLED")
    contents = opened({"evaluationResults": [made.result(), made.result(evaluationMetricsThresholds=other)]})
    assert codes(contents) == ["criteria-differ"]
    assert contents.findings[0].pointer.startswith("/evaluationResults/1/evaluationMetricsThresholds")


def test_turns_at_the_top_and_a_single_entry_are_tolerated() -> None:
    alone = made.replay(
        expectationOutcome=made.met(observedToolCall=made.call("buy"), expectation={"noToolCalls": True})
    )
    contents = opened({"turnReplayResults": [alone], "evaluationStatus": "PASS"}, "loose.json")
    assert [call.name for call in calls_of(contents.traces[0].turns[0])] == ["buy"]
    assert (contents.traces[0].id, contents.reported[0].status) == ("loose", P)


def snake(value: Json) -> Json:
    """The same as Python dumps write it: keys in snake_case, enumerations as numbers."""
    numbers = {"PASS": 1, "FAIL": 2, "SKIPPED": 3, "COMPLETED": 2, "ENABLED": 2}
    if isinstance(value, dict):
        spelled = {"".join(f"_{c.lower()}" if c.isupper() else c for c in key): held for key, held in value.items()}
        return {key: snake(held) for key, held in spelled.items()}
    if isinstance(value, list):
        return [snake(one) for one in value]
    return numbers.get(value, value) if isinstance(value, str) else value


@each("kind", list(made.RESULTS))
def test_a_dump_in_snake_case_says_the_same(kind: str) -> None:
    known, dumped = opened(made.RESULTS[kind]), opened(snake(made.RESULTS[kind]))
    assert dumped.format == "ces-result"
    assert codes(dumped) == codes(known)
    for one, other in zip(known.reported, dumped.reported, strict=True):
        assert (one.status, one.reason) == (other.status, other.reason)
        told = [[(each.metric, each.score, each.status) for each in turn.metrics] for turn in one.turns]
        assert [[(each.metric, each.score, each.status) for each in turn.metrics] for turn in other.turns] == told
        assert [each.status for each in one.metrics] == [each.status for each in other.metrics]


@each(
    "value", [{}, [], {"name": "x"}, {"results": []}, {"evaluationStatus": "PASS"}, {"goldenResult": 3}, "text", None]
)
def test_other_documents_are_none(value: Json) -> None:
    assert BY_NAME["ces-result"].recognise(value) == 0


@pytest.mark.parametrize("value", [{"executionState": "QUEUED", "evaluationRun": "r"}, {"name": made.RESULT}])
def test_a_result_that_says_little_is_one(value: JsonObject) -> None:
    known = recognise(value)
    assert known is not None
    assert known.name == "ces-result"
    assert len(opened(value).reported) == 1


_ODD: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)


def _places(value: Json, way: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The ways to every value inside."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for key, held in items for place in ((*way, key), *_places(held, (*way, key)))]


@examples(40, 1000)
@given(st.data())
def test_one_odd_value_spoils_only_what_it_says(data: st.DataObject) -> None:
    value: Any = copy.deepcopy(
        data.draw(st.sampled_from([made.result(), {"name": made.RESULT, "scenarioResult": made.simulated()}]))
    )
    way = data.draw(st.sampled_from([place for place in _places(value) if len(place) > 2]))
    holder = value
    for key in way[:-1]:
        holder = holder[key]
    holder[way[-1]] = data.draw(_ODD)
    contents = opened(value)
    assert (contents.format, len(contents.traces), len(contents.reported)) == ("ces-result", 1, 1)
    (verdict,) = contents.reported
    assert verdict.native == value.get("evaluationStatus", ABSENT)
    assert verdict.trace_id == contents.traces[0].id == "r1"
    told = [*verdict.metrics, *(one for turn in verdict.turns for one in turn.metrics)]
    assert all(one.score is None or abs(one.score) < float("inf") for one in told)


def test_what_a_result_repeats_of_its_golden_is_a_case() -> None:
    contents = opened([made.result(), made.result(name=f"{made.EVALUATION}/results/r2")], "night.json")
    (suite,), verdict = contents.suites, contents.reported[1]
    (case,) = suite.cases
    assert (suite.id, case.id, case.place) == ("night", "order-a-book", "/0/goldenResult/turnReplayResults")
    assert (verdict.suite_id, verdict.golden_place) == ("night", case.place)
    (turn,) = case.turns
    assert [one.kind for one in turn.expectations] == [Expects.CALL, Expects.RESULT, Expects.ANSWER]
    assert [call.args for call in calls_of(turn)] == [{"title": "Emma"}]
    assert answer_text(turn) == "One copy."
    assert verdict.turns[0].golden_index == 0


def test_the_last_of_several_answers_is_the_answer() -> None:
    entries: list[Json] = [
        {"observedAgentResponse": made.message("clerk", text)} for text in ("One moment.", "Here.")
    ]
    (trace,) = opened(made.result(made.replay(expectationOutcome=entries))).traces
    assert answer_text(trace.turns[0]) == "Here."
    first, last = trace.turns[0].events
    assert ([part.text for part in first.parts if isinstance(part, Text)], last.parts) == (["One moment."], ())


def test_what_an_entry_says_beside_is_kept() -> None:
    said = {**made.message("clerk", "Yes."), "eventTime": "2026-03-01T10:00:00Z", "mood": "glad"}
    called = {**made.call("buy"), "displayName": "buy", "agentName": "clerk", "somethingNew": 1}
    entries: list[Json] = [{"observedAgentResponse": said, "observedSmile": {}}, {"observedToolCall": called}]
    (trace,) = opened(made.result(made.replay(expectationOutcome=entries, conversation=None))).traces
    (turn,) = trace.turns
    answer, call = turn.events
    assert (answer.time_s, [extra.name for extra in answer.extras]) == (1772359200.0, ["mood"])
    assert (call.author, [extra.name for extra in call.extras]) == ("clerk", ["somethingNew"])
    assert {extra.name for extra in turn.extras} == {"conversation", "observedSmile"}


def test_an_expectation_that_met_nothing_says_so() -> None:
    missed, skipped = entry(expectation={"toolCall": made.call("buy")}, outcome="FAIL"), entry(outcome="SKIPPED")
    (told,) = metric("ces_expectations", **missed).expectations
    assert told.reason == "nothing like it was observed"
    found = metric("ces_expectations", **skipped)
    assert (found.status, found.expectations[0].reason) == (S, "")
    both: list[Json] = [{"outcome": "SKIPPED"}, {"outcome": None}]
    assert metric("ces_expectations", expectationOutcome=both).status is N


def test_directives_in_what_was_expected_are_matchers() -> None:
    wanted = made.call("search", title={"$matchType": "contains", "$matchValue": "Em", "$originalValue": "Emma"})
    contents = opened(made.result(made.replay(**entry(expectation={"toolCall": wanted}))))
    (case,) = contents.suites[0].cases
    assert [(one.match, one.text) for one in case.matchers] == [(Match.CONTAINS, "Em")]
    assert case.matchers[0].place.endswith("/expectationOutcome/0/expectation/toolCall/args/title")


def test_what_a_result_repeats_of_its_scenario_is_a_case() -> None:
    (case,) = opened({"name": made.RESULT, "scenarioResult": made.simulated()}).suites[0].cases
    assert case.scenario is not None
    assert (case.scenario.plan, case.scenario.facts) == ("Order a book that is sold out.", (("title", "Emma"),))
    assert [one.kind for one in case.expectations] == [Expects.CALL, Expects.ANSWER, Expects.CRITERION]
    assert [rubric.text for rubric in case.rubrics] == ["Is polite"]


def test_results_without_names_are_told_apart() -> None:
    first, second = made.result(name=None, displayName=None), made.result(name=None, displayName="Order result - 5")
    contents = opened([first, second, first], "night.json")
    assert [trace.id for trace in contents.traces] == ["night", "Order result - 5", "night 3"]
    assert [trace.case_id for trace in contents.traces] == ["evaluation", "Order", "evaluation"]
    assert [case.id for case in contents.suites[0].cases] == ["evaluation", "Order"]
