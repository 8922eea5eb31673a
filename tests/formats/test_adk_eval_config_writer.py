"""Criteria written as ADK's configuration: snake_case, accepted by google-adk, nothing lost in silence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.formats.span_files import codes, opened
from trace_inspector.cli import main
from trace_inspector.core.finding import Severity
from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.criteria import Criteria, Criterion
from trace_inspector.core.trace.trace import Trace
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.flows.opening.open_file import open_file
from trace_inspector.formats.adk.eval_set.eval_config_writer import write


def written(*criteria: Criterion) -> JsonObject:
    """What is written for some criteria, parsed again."""
    value = json.loads(write(Contents("made", criteria=Criteria(criteria))).text)
    assert isinstance(value, dict)
    return value


def test_numbers_and_objects() -> None:
    assert written(Criterion("a", 0.5), Criterion("b", 1.0, {"match_type": "IN_ORDER"})) == {
        "criteria": {"a": 0.5, "b": {"threshold": 1.0, "match_type": "IN_ORDER"}}
    }


def test_camel_case_becomes_snake_case_where_google_adk_names_the_key() -> None:
    rubric: Json = {"rubricId": "r", "rubricContent": {"textProperty": "Polite."}}
    judge: Json = {"judgeModel": "m", "numSamples": 1, "judgeModelConfig": {"topK": 3}}
    options: JsonObject = {"judgeModelOptions": judge, "rubrics": [rubric], "ownKey": {"innerKey": 1}}
    assert written(Criterion("m", 0.8, options))["criteria"] == {
        "m": {
            "threshold": 0.8,
            "judge_model_options": {"judge_model": "m", "num_samples": 1, "judge_model_config": {"topK": 3}},
            "rubrics": [{"rubric_id": "r", "rubric_content": {"text_property": "Polite."}}],
            "ownKey": {"innerKey": 1},
        }
    }


def test_what_google_adk_rejects_inside_is_kept_beside() -> None:
    judge: Json = {"judge_model": "m", "retries": 3}
    made = Contents("made", criteria=Criteria((Criterion("a/b", 1.0, {"judge_model_options": judge}),)))
    result = write(made)
    value = json.loads(result.text)
    assert value["criteria"]["a/b"]["judge_model_options"] == {"judge_model": "m"}
    assert value["traceInspector"] == {
        "version": 1,
        "origin": {"format": "made"},
        "leftovers": {"/criteria/a~1b/judge_model_options/retries": 3},
    }
    assert [(loss.code, loss.severity) for loss in result.losses] == [("kept-beside", Severity.INFO)]


def test_a_file_never_gets_an_endpoint() -> None:
    result = write(
        Contents("made", criteria=Criteria((Criterion("m", 1.0, {"judge_model_options": {"base_url": "x"}}),)))
    )
    assert json.loads(result.text)["criteria"]["m"]["judge_model_options"] == {}
    assert [loss.code for loss in result.losses] == ["endpoint-lost"]


def test_what_has_no_place_is_named() -> None:
    result = write(
        Contents(
            "made",
            (Suite("s", cases=(Case("c"), Case("d"))),),
            (Trace("t"),),
            Criteria((Criterion("m", None, place="/criteria/m"), Criterion("n", 1.0))),
        )
    )
    assert json.loads(result.text) == {"criteria": {"n": 1.0}}
    assert [(loss.code, loss.severity, loss.pointer) for loss in result.losses] == [
        ("criterion-lost", Severity.ERROR, "/criteria/m"),
        ("cases-lost", Severity.ERROR, ""),
        ("traces-lost", Severity.ERROR, ""),
    ]
    assert result.losses[1].message.startswith("2 cases have")
    assert result.losses[2].message.startswith("1 trace has")


def test_no_criteria_at_all() -> None:
    assert json.loads(write(Contents("made")).text) == {"criteria": {}}


def test_written_and_read_again() -> None:
    rubric: Json = {"rubric_id": "r", "rubric_content": {"text_property": "Polite."}}
    options: JsonObject = {"threshold": 1, "rubrics": [rubric], "match_type": 2}
    given: JsonObject = {"criteria": {"response_match_score": 0.25, "tool_trajectory_avg_score": options}}
    first = opened(given)
    again = opened(json.loads(write(first).text))
    assert first.criteria is not None
    assert again.criteria is not None
    assert again.criteria.items == first.criteria.items
    assert codes(again) == []


@pytest.mark.parametrize("key", ["match_type", "matchType"])
def test_an_edit_keeps_the_spelling_of_the_file(tmp_path: Path, key: str) -> None:
    path = tmp_path / "test_config.json"
    text = f'{{"criteria": {{\n  "t": {{"threshold": 0.50, "{key}": "EXACT"}},\n  "r": 0.8\n}}, "own": 1.0}}\r\n'
    path.write_bytes(text.encode())
    assert main(["edit", str(path), "--set", f'/criteria/t/{key}="ANY_ORDER"']) == 0
    assert path.read_bytes() == text.replace("EXACT", "ANY_ORDER").encode()
    criteria = open_file(path).contents.criteria
    assert criteria is not None
    assert criteria.items[0].options == {key: "ANY_ORDER"}
