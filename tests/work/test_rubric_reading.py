"""The rubrics of a file that is not open: each text once, and a sentence where there is none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.helpers.eval_sets import case, turn, write_eval_set
from trace_inspector.core.errors import UsageError
from trace_inspector.core.values.values import Json
from trace_inspector.work.runs import rubric_reading
from trace_inspector.work.runs.rubric_reading import rubric_reader


def rubric(name: str, text: str) -> Json:
    return {"rubric_id": name, "rubric_content": {"text_property": text}}


def file_with(path: Path, *rubrics: Json) -> str:
    return str(write_eval_set(path / "set.evalset.json", {**case("one", turn("hi")), "rubrics": [*rubrics]}))


def test_each_text_is_read_once(tmp_path: Path) -> None:
    name = file_with(tmp_path, rubric("a", "Is polite."), rubric("b", "Is brief."), rubric("c", "Is polite."))
    assert [(one.id, one.text) for one in rubric_reader()(name)] == [("a", "Is polite."), ("b", "Is brief.")]


def test_those_of_criteria_are_read_too(tmp_path: Path) -> None:
    path = tmp_path / "test_config.json"
    criterion: Json = {"threshold": 0.8, "rubrics": [rubric("r", "Is kind.")]}
    path.write_text(json.dumps({"criteria": {"rubric_based_final_response_quality_v1": criterion}}))
    assert [one.text for one in rubric_reader()(str(path))] == ["Is kind."]


def test_no_more_are_read_than_anybody_looks_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rubric_reading, "MOST_RUBRICS", 2)
    name = file_with(tmp_path, *(rubric(str(at), f"Rule {at}.") for at in range(4)))
    assert [one.text for one in rubric_reader()(name)] == ["Rule 0.", "Rule 1."]


def test_a_file_without_any_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"No rubrics stand in set\.evalset\.json\."):
        rubric_reader()(file_with(tmp_path, rubric("a", "  ")))
