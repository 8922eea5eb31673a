"""Vertex files that other people wrote, against a plain count of their JSON."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.formats.test_corpus_files import files, listed, objects
from trace_inspector.core.trace.trace import Trace, calls_of
from trace_inspector.core.values.values import Json

pytestmark = pytest.mark.corpus


def told(case: Json) -> list[Json]:
    """The recorded turns of a case."""
    assert isinstance(case, dict)
    return listed(case.get("agent_data"), "turns")


def compare(trace: Trace, case: Json) -> None:
    """Turns and calls, as counted by eye."""
    turns = told(case)
    assert len(trace.turns) == len(turns)
    calls = [sum(bool(one.get("function_call")) for one in objects(turn)) for turn in turns]
    assert [len(calls_of(turn)) for turn in trace.turns] == calls


def test_datasets(corpus: Path) -> None:
    for path, value, contents in files(corpus, "vertex-eval-dataset"):
        cases = listed(value, "eval_cases")
        (suite,) = contents.suites
        ids = [case["eval_case_id"] for case in cases if isinstance(case, dict)]
        assert [case.id for case in suite.cases] == ids, path.name
        recorded = [case for case in cases if told(case)]
        assert len(contents.traces) == len(recorded), path.name
        for trace, case in zip(contents.traces, recorded, strict=True):
            compare(trace, case)


def test_results(corpus: Path) -> None:
    for path, value, contents in files(corpus, "vertex-eval-result"):
        assert isinstance(value, dict)
        (dataset,) = listed(value, "evaluation_dataset")
        cases = listed(dataset, "eval_cases")
        for trace, case in zip(contents.traces, cases, strict=True):
            compare(trace, case)
        scores = [one.get("score") for one in objects(value) if "metric_name" in one and "score" in one]
        reported = [metric.score for verdict in contents.reported for metric in verdict.metrics]
        assert reported == scores, path.name
