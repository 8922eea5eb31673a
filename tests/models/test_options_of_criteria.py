"""Options of a criterion that somebody edits: set, taken out, and found in the spelling that the file has."""

from __future__ import annotations

import pytest

from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.models.evaluation.criteria_draft import CriteriaDraft, Line
from trace_inspector.work.processes.jobs import Jobs

METRIC = "some_metric"


@pytest.fixture
def draft(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> CriteriaDraft:
    monkeypatch.setattr(CriteriaDraft, "check", lambda _self: None)  # nobody is asked what is wrong with them
    return CriteriaDraft(jobs)


@pytest.mark.parametrize(
    ("before", "path", "value", "after"),
    [
        ({"a": 1, "b": 2}, ("a",), None, {"b": 2}),
        ({"a": 1, "b": 2}, ("c",), None, {"a": 1, "b": 2}),
        ({"a": 1}, ("b",), 2, {"a": 1, "b": 2}),
        ({"matchType": "EXACT"}, ("match_type",), "IN_ORDER", {"matchType": "IN_ORDER"}),
        ({}, ("match_type",), "IN_ORDER", {"match_type": "IN_ORDER"}),
        ({"inner": {"a": 1, "b": 2}, "c": 3}, ("inner", "a"), None, {"inner": {"b": 2}, "c": 3}),
        ({"inner": {"a": 1}, "c": 3}, ("inner", "a"), None, {"c": 3}),
        ({"inner": 7}, ("inner", "a"), 1, {"inner": {"a": 1}}),
    ],
)
def test_one_option_is_set_or_taken_out_and_undone(
    draft: CriteriaDraft, before: JsonObject, path: tuple[str, ...], value: Json, after: JsonObject
) -> None:
    draft.lines = (Line("another"), Line(METRIC, on=True, options=before))
    draft.set_option(METRIC, path, value)
    assert draft.lines == (Line("another"), Line(METRIC, on=True, options=after))
    assert draft.option(METRIC, path) == value
    draft.undo()
    assert draft.lines[1].options == before
