"""DeepEval: cases of a run as conversations with what was reported, goldens in all their forms, the cache."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.formats import deepeval_files
from tests.helpers.tables import each
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.parts import ToolResult
from trace_inspector.core.trace.trace import Usage, answer_text, calls_of, paired_calls, turn_usage, user_text
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import Provenance, Status
from trace_inspector.flows.opening.open_file import open_file


def contents_of(folder: Path, value: Json | str) -> Contents:
    """What is read of a file of DeepEval; a text is a table."""
    path = folder / ("goldens.csv" if isinstance(value, str) else "goldens.json")
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    contents = open_file(path).contents
    assert contents.format == "deepeval"
    return contents


RUNS: dict[str, JsonObject] = {"latest": deepeval_files.run(), "bare": deepeval_files.bare()}


@each("kind", RUNS)
def test_cases_are_conversations_and_goldens(tmp_path: Path, kind: str) -> None:
    contents = contents_of(tmp_path, RUNS[kind])
    assert [trace.id for trace in contents.traces] == ["parking", "parking (2)", "traced", "table"]
    (suite,) = contents.suites
    assert (suite.id, [case.id for case in suite.cases]) == ("test_parking.py", [one.id for one in contents.traces])
    (turn,) = contents.traces[0].turns
    assert (user_text(turn), answer_text(turn), turn.duration_s) == ("Where may I park?", "At Pier 4.", 1.5)
    (pair,) = paired_calls(turn)
    assert pair.result is not None
    assert (pair.call.name, pair.call.args, pair.result.value) == ("find", {"what": "garage"}, ["Pier 4"])
    (retrieved,) = (one for one in turn.events[0].parts if isinstance(one, ToolResult))
    assert retrieved.value == ["Pier 4 is open."]
    golden = suite.cases[0]
    assert answer_text(golden.turns[0]) == "Pier 4"
    assert [(call.name, call.args) for call in calls_of(golden.turns[0])] == [("find", {"what": "garage"})]
    assert [(extra.name, extra.value) for extra in golden.extras] == [
        ("context", ["Pier 4 is a garage."]),
        ("metadata", {"city": "Lima"}),
    ]
    assert golden.tags == ("city",)


def test_what_metrics_decided_is_reported(tmp_path: Path) -> None:
    verdict = contents_of(tmp_path, deepeval_files.run()).reported[0]
    assert (verdict.status, verdict.provenance) == (Status.FAILED, Provenance.REPORTED)
    told = [(one.metric, one.score, one.status, one.threshold, one.reason) for one in verdict.metrics]
    assert told == [
        ("Relevancy", 0.75, Status.PASSED, 0.5, "To the point."),
        ("Bias", 0.75, Status.FAILED, 0.5, "To the point.; flaky: it does not decide the case"),
        ("Safety", None, Status.ERROR, 0.5, "To the point.; no key"),
    ]
    assert verdict.metrics[0].figures == (("evaluation_cost", 0.25),)
    assert ("Relevancy: verboseLogs", "Steps: …") in [(extra.name, extra.value) for extra in verdict.extras]


def test_a_case_without_a_word_of_its_own_follows_its_metrics_but_no_flaky_one(tmp_path: Path) -> None:
    run = deepeval_files.bare()
    metrics: list[Json] = [deepeval_files.metric(), deepeval_files.metric(success=False, flaky=True)]
    run["testCases"] = [{"input": "a", "metricsData": metrics}]
    verdict = contents_of(tmp_path, run).reported[0]
    assert (verdict.status, verdict.provenance) == (Status.PASSED, Provenance.DERIVED)


def test_spans_of_a_case_are_its_events_and_its_tree(tmp_path: Path) -> None:
    (turn,) = contents_of(tmp_path, deepeval_files.run()).traces[2].turns
    assert [span.id for span in turn.spans] == ["guide", "decide", "find", "look up", "answer", "parse"]
    assert [span.parent_id for span in turn.spans] == [None, *["guide"] * 5]
    (pair,) = paired_calls(turn)
    assert pair.result is not None
    assert (pair.call.args, pair.result.value, pair.result.is_error) == ({"what": "garage"}, "no map", True)
    assert turn_usage(turn) == Usage(prompt=50, candidates=9)
    assert (turn.duration_s, {event.author for event in turn.events}) == (6.0, {"guide"})


def test_conversations_have_turns_and_a_scenario_as_golden(tmp_path: Path) -> None:
    contents = contents_of(tmp_path, deepeval_files.run())
    first, second = contents.traces[3].turns
    assert [user_text(first), answer_text(first)] == ["A table, please.", "For how many?"]
    assert [user_text(second), answer_text(second)] == ["Two.", "Booked."]
    (pair,) = paired_calls(second)
    assert pair.result is not None
    assert pair.result.is_error
    golden = contents.suites[0].cases[3]
    assert golden.scenario is not None
    assert golden.scenario.persona is not None
    assert (golden.scenario.plan, golden.scenario.persona.description) == ("Somebody wants a table.", "In a hurry.")
    assert [expectation.text for expectation in golden.expectations] == ["A table is booked."]


def test_goldens_of_one_turn(tmp_path: Path) -> None:
    contents = contents_of(tmp_path, deepeval_files.goldens())
    first, second = contents.suites[0].cases
    assert (first.id, second.id, contents.suites[0].id) == ("parking", "case 2", "goldens")
    assert [extra.value for extra in second.extras] == [{"level": 2}]
    (trace,) = contents.traces
    assert (trace.case_id, answer_text(trace.turns[0])) == ("parking", "At Pier 4.")


def test_a_table_says_the_same(tmp_path: Path) -> None:
    contents = contents_of(tmp_path, deepeval_files.table())
    (case,) = contents.suites[0].cases
    assert case.extras[0].value == ["Pier 4 is a garage.", "It is open."]
    assert [call.args for call in calls_of(case.turns[0])] == [{"what": "garage"}]
    assert contents.traces == ()


def test_goldens_of_several_turns(tmp_path: Path) -> None:
    scenario, script, in_a_text = contents_of(tmp_path, deepeval_files.scenarios()).suites[0].cases
    assert scenario.scenario is not None
    for case in (script, in_a_text):
        (turn,) = case.turns
        assert (user_text(turn), answer_text(turn), case.scenario) == ("A table, please.", "Booked.", None)
    assert [extra.name for extra in in_a_text.extras] == ["scenario", "user_description"]


def test_the_cache_has_cases_for_keys(tmp_path: Path) -> None:
    contents = contents_of(tmp_path, deepeval_files.cache())
    (trace,) = contents.traces
    (verdict,) = contents.reported
    assert answer_text(trace.turns[0]) == "At Pier 4."
    assert [one.status for one in verdict.metrics] == [Status.PASSED]
    assert ("Relevancy: evaluation_model", "judge") in [(extra.name, extra.value) for extra in verdict.extras]
    (message,) = (one.message for one in contents.findings if one.code == "records-understood")
    assert "“entry” 1" in message


def test_a_file_with_only_a_link_says_so(tmp_path: Path) -> None:
    contents = contents_of(tmp_path, {"testRunLink": "https://example.com/run/1"})
    assert "no-test-run" in {finding.code for finding in contents.findings}


ODD: dict[str, Json] = {
    "cases of no kind": {
        "testRunData": {"testCases": [1, {}, {"input": 3, "metricsData": 5, "trace": [], "name": {}}]}
    },
    "spans of no kind": {"testCases": [{"trace": {"toolSpans": [{}, 3], "llmSpans": {}}}], "testPassed": 0},
    "turns of no kind": {"conversationalTestCases": [{"turns": "no"}, {"turns": [{"content": 1}]}], "testPassed": 1},
    "entries of no kind": {
        "test_cases_lookup_map": {"{}": 1, "[1]": {}, '{"input": 1}': {"cached_metrics_data": [1]}}
    },
}


@each("kind", ODD)
def test_odd_files_are_read_as_far_as_they_go(tmp_path: Path, kind: str) -> None:
    assert contents_of(tmp_path, ODD[kind]).format == "deepeval"


def _single(golden: JsonObject, case: Case) -> bool:
    return user_text(case.turns[0]) == golden["input"] and answer_text(case.turns[0]) == golden["expected_output"]


@pytest.mark.second_corpus
def test_real_files_hold_what_a_plain_count_finds(second_corpus: Path) -> None:
    paths = sorted((second_corpus / "deepeval").iterdir())
    assert len(paths) >= 5
    for path in paths:
        value, contents = json.loads(path.read_bytes()), open_file(path).contents
        assert contents.format == "deepeval", path
        (suite,) = contents.suites
        if isinstance(value, dict):
            cases = value["testRunData"]["testCases"]
            assert [answer_text(trace.turns[0]) for trace in contents.traces] == [
                one["actualOutput"] for one in cases
            ]
            metrics = sum(len(one["metricsData"]) for one in cases)
            assert sum(len(verdict.metrics) for verdict in contents.reported) == metrics
        elif "scenario" in value[0]:
            asked = [one["turns"] if isinstance(one["turns"], list) else json.loads(one["turns"]) for one in value]
            said = [sum(turn["role"] == "user" for turn in turns) for turns in asked]
            assert [len(case.turns) for case in suite.cases] == said, path
        else:
            assert all(map(_single, value, suite.cases)), path
            assert len(contents.traces) == sum(bool(one.get("actual_output")) for one in value)
