"""Data sets and reports of pydantic-evals."""

from __future__ import annotations

import json
from pathlib import Path

import yaml

from tests.formats import pydantic_evals_files
from tests.helpers.tables import each
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.expectation import Expects
from trace_inspector.core.trace.parts import Text
from trace_inspector.core.trace.trace import Usage, answer_text, turn_usage, user_text
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.flows.opening.open_file import open_file


def contents_of(folder: Path, value: Json, suffix: str = ".json") -> Contents:
    """What is read of a file of pydantic-evals."""
    path = folder / f"parking{suffix}"
    path.write_text(yaml.safe_dump(value) if suffix == ".yaml" else json.dumps(value), encoding="utf-8")
    contents = open_file(path).contents
    assert contents.format == "pydantic-evals"
    return contents


@each("suffix", (".json", ".yaml"))
def test_a_data_set_is_a_suite(tmp_path: Path, suffix: str) -> None:
    (suite,) = contents_of(tmp_path, pydantic_evals_files.dataset(), suffix).suites
    assert suite.id == "parking"
    said = [(user_text(turn), answer_text(turn)) for case in suite.cases for turn in case.turns]
    assert said == [
        ("Where may I park?", "At Pier 4."),
        ('{"from": "A", "to": "B"}', '{"way": 1}'),
        ("When?", ""),
    ]
    assert len({case.id for case in suite.cases}) == 3
    first = suite.cases[0]
    assert (first.extras[0].name, first.extras[0].value) == ("metadata", {"level": "easy"})


def test_evaluators_that_compare_words_and_judges_are_expectations(tmp_path: Path) -> None:
    (suite,) = contents_of(tmp_path, pydantic_evals_files.dataset()).suites
    first, second, third = suite.cases
    told = [
        (expected.compared_by, part.text)
        for expected in first.turns[0].expectations
        for part in expected.parts
        if isinstance(part, Text)
    ]
    assert told == [("EQUALS", "At Pier 4."), ("EQUALS", "At Pier 4."), ("CONTAINS", "Pier")]
    (polite,), (short,) = first.expectations, second.expectations
    assert (polite.kind, polite.text, polite.note) == (Expects.CRITERION, "It is polite.", "LLMJudge")
    assert (short.text, short.note) == ("It is short.", "GEval")
    assert [expected.compared_by for expected in third.turns[0].expectations] == ["CONTAINS"]
    shown = {extra.name for extra in third.extras}
    assert shown == {"evaluator: EqualsExpected", "evaluator: Contains", "evaluator: MaxDuration"}


def test_a_report_is_a_conversation_for_each_case(tmp_path: Path) -> None:
    contents = contents_of(tmp_path, pydantic_evals_files.report())
    one, two, again, three = contents.traces
    assert (one.case_id, one.suite_id, one.candidate, one.case_runs) == ("one", "parking", "first try", 1)
    (turn,) = one.turns
    assert (user_text(turn), answer_text(turn), turn.duration_s) == ("Where may I park?", "At Pier 4.", 0.5)
    assert turn_usage(turn) == Usage(prompt=40, candidates=8)
    assert (two.case_id, two.case_runs, answer_text(again.turns[0])) == ("two", 2, '{"hour": 10}')
    assert three.turns[0].events[0].error == "RuntimeError: boom"
    assert [case.id for suite in contents.suites for case in suite.cases] == ["one", "two", "three"]


def test_what_was_found_is_reported(tmp_path: Path) -> None:
    one, two, again, three = contents_of(tmp_path, pydantic_evals_files.report()).reported
    stated = {metric.metric: metric for metric in one.metrics}
    assert (one.status, stated["EqualsExpected"].status) == (Status.FAILED, Status.PASSED)
    assert (stated["Contains"].status, stated["Contains"].reason) == (Status.FAILED, "It is elsewhere.")
    assert (stated["length"].score, stated["length"].status) == (10.0, Status.INFORMATIONAL)
    assert (stated["kind"].status, stated["kind"].reason) == (Status.NOT_EVALUATED, "words")
    (broken,) = two.metrics
    assert (two.status, broken.metric, broken.reason) == (Status.ERROR, "Bad", "ValueError: no")
    assert (again.status, again.repeat) == (Status.PASSED, 1)
    assert (three.status, three.reason) == (Status.ERROR, "RuntimeError: boom")


def test_what_compares_words_is_computed_again_beside_what_is_reported(tmp_path: Path) -> None:
    one, *others = contents_of(tmp_path, pydantic_evals_files.report()).traces
    assert [(criterion.metric, criterion.options) for criterion in one.criteria] == [
        ("answer_check:EqualsExpected", {"type": "equals", "value": "At Pier 4."}),
        ("answer_check:Contains", {"type": "contains", "value": "Pier"}),
    ]
    assert not any(trace.criteria for trace in others)


HOSTILE: dict[str, Json] = {
    "cases": {"cases": [{"inputs": None, "evaluators": [3, {}, {"a": 1, "b": 2}]}, 3], "evaluators": "x"},
    "evaluators": {"cases": [{"inputs": [1]}], "evaluators": [{"LLMJudge": [3]}, {"Contains": {"value": 3}}]},
    "report": {"cases": [{"inputs": 1, "output": 2, "scores": [3], "assertions": {"a": 3, "b": {"value": "x"}}}]},
    "failures": {"cases": [], "failures": [{"inputs": {}, "error_message": 3, "output": None}]},
}


@each("form", HOSTILE)
def test_what_is_no_case_is_told_and_ends_nothing(tmp_path: Path, form: str) -> None:
    contents = contents_of(tmp_path, HOSTILE[form])
    assert all(finding.message for finding in contents.findings)
