"""CES's evaluation datasets and criteria: alone, in lists and replies, and with values of the wrong kind."""

from __future__ import annotations

import pytest

from tests.formats import ces_golden_files as made
from tests.formats.span_files import codes, opened
from tests.helpers.tables import each
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats import BY_NAME

PAIR: list[Json] = [made.dataset(), made.dataset(name="b")]


def places(contents: Contents) -> list[tuple[str, str]]:
    """Codes and places of the findings."""
    return [(finding.code, finding.pointer) for finding in contents.findings]


@pytest.mark.parametrize("value", [made.dataset(), made.snake(made.dataset())])
def test_a_dataset_names_evaluations(value: JsonObject) -> None:
    contents = opened(value, "all.json")
    (suite,) = contents.suites
    assert (contents.format, suite.id, suite.name, suite.cases) == ("ces-dataset", "all", "All of them", ())
    assert contents.holds == {"evaluations": 2}
    assert suite.extras[0].name == "evaluations"
    assert suite.extras[0].value == [f"{made.APP}/evaluations/seats", "talk"]
    assert codes(contents) == ["named-only"]


@pytest.mark.parametrize("listed", [PAIR, {"evaluationDatasets": PAIR}])
def test_several_datasets_are_several_suites(listed: Json) -> None:
    contents = opened(listed, "x.json")
    assert (contents.format, [suite.id for suite in contents.suites]) == ("ces-dataset", ["all", "b"])
    assert contents.holds == {"evaluations": 4}


def test_a_dataset_of_a_bundle_has_no_resource_name() -> None:
    contents = opened({"displayName": "All", "evaluations": ["talk"]}, "x.json")
    assert (contents.format, contents.suites[0].id) == ("ces-dataset", "All")
    assert [finding.message for finding in contents.findings] == [
        "1 evaluation is named, but not in this file. Open the folder of their app to see them."
    ]


def test_what_is_no_name_is_named() -> None:
    contents = opened(made.dataset(evaluations=["talk", 7]), "x.json")
    assert places(contents)[0] == ("wrong-type", "/evaluations/1")
    assert contents.holds == {"evaluations": 1}


@each(
    "value",
    [
        {"displayName": "A run", "evaluations": ["a"], "state": "COMPLETED"},
        {"displayName": "A run", "evaluations": ["a"], "evaluationResults": []},
        {"evaluations": ["a"]},
        {"displayName": "All", "evaluations": [1]},
    ],
)
def test_other_files_that_list_evaluations_are_no_datasets(value: JsonObject) -> None:
    assert BY_NAME["ces-dataset"].recognise(value) == 0


@pytest.mark.parametrize("value", [made.criterion(), made.snake(made.criterion())])
def test_a_criterion_is_one_of_the_metric_that_judges_by_sentences(value: JsonObject) -> None:
    contents = opened(value, "polite.json")
    assert contents.format == "ces-expectation"
    assert contents.criteria is not None
    ((criterion,),) = [contents.criteria.items]
    assert (criterion.metric, criterion.threshold) == ("ces_llm_criteria", None)
    assert criterion.options["name"] == f"{made.APP}/evaluationExpectations/polite"
    assert criterion.options["prompt"] == "Is the agent polite?"
    assert criterion.options["tags"] == ["tone"]
    assert (contents.holds, codes(contents)) == ({"criteria": 1}, [])


def test_criteria_come_in_lists_and_replies() -> None:
    pair: list[Json] = [made.criterion(), made.criterion()]
    values: list[Json] = [pair, {"evaluationExpectations": pair}]
    for value in values:
        contents = opened(value, "x.json")
        assert (contents.format, contents.holds) == ("ces-expectation", {"criteria": 2})


@pytest.mark.parametrize("stated", [{}, {"prompt": ""}, {"prompt": None}])
def test_a_criterion_without_a_prompt_is_named(stated: JsonObject) -> None:
    assert places(opened(made.criterion(llmCriteria=stated), "x.json")) == [("no-prompt", "")]
