"""Which criteria a run has, and what each metric decides by where only its name was given."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.helpers.eval_sets import case, turn, write_criteria, write_eval_set
from tests.helpers.tables import each
from trace_inspector.cli import main
from trace_inspector.core.trace.criteria import Criteria
from trace_inspector.core.values.values import Json
from trace_inspector.engine.criteria.criteria import complete
from trace_inspector.engine.metrics import METRICS
from trace_inspector.engine.scoring.metric import Metric

DOCS = (Path(__file__).parents[2] / "docs" / "criteria.md").read_text(encoding="utf-8")


def named(metrics: list[Metric]) -> list[object]:
    return [pytest.param(metric, id=metric.name) for metric in metrics]


@each("metric", named([one for one in METRICS if not one.informational]))
def test_a_metric_that_decides_has_a_default_within_its_range(metric: Metric) -> None:
    (found,) = complete(Criteria(source="s"), METRICS, only=[metric.name]).items
    assert found.threshold == metric.default_threshold
    if metric.name == "judge_prompt":  # it needs a prompt, and with it comes a threshold
        assert found.threshold is None
        return
    assert found.threshold is not None
    assert metric.range is not None
    assert metric.range[0] < found.threshold <= metric.range[1]


def test_a_metric_named_twice_is_judged_once() -> None:
    found = complete(Criteria(source="s"), METRICS, only=["trajectory_f1", "final_state", "trajectory_f1"])
    assert [one.metric for one in found.items] == ["trajectory_f1", "final_state"]
    assert found.source == "s, only trajectory_f1, final_state"


def section(name: str) -> str:
    """What docs/criteria.md says of a metric."""
    parts = re.split(r"^#{2,3} ", DOCS, flags=re.MULTILINE)
    (found,) = (part for part in parts if f"`{name}`" in part.splitlines()[0])
    return found


@each("metric", named(list(METRICS)))
def test_the_page_of_criteria_tells_of_every_metric(metric: Metric) -> None:
    told = section(metric.name)
    assert f"({metric.family})" in told.splitlines()[0]
    assert all(f"*{word}*" in told for word in ("Rule", "Needs"))
    assert metric.informational or "*Threshold*" in told
    assert "*Differences*" in told or metric.family == "local"
    assert all(f"`{name}`" in told for name in metric.options), metric.options
    if metric.default_threshold is not None:
        assert re.search(rf"{metric.default_threshold:g}\b", told.split("*Threshold*")[1])


def test_the_table_of_the_page_is_true() -> None:
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in DOCS.splitlines() if line.startswith("| `")]
    told = {row[0].strip("`"): row[1:] for row in rows if len(row) == 5}
    assert list(told) == [metric.name for metric in METRICS]
    for metric in METRICS:
        family, span, threshold, needs = told[metric.name]
        assert family == metric.family
        assert span == ("–" if metric.range is None else f"{metric.range[0]:g} to {metric.range[1]:g}")
        default = "–" if metric.default_threshold is None else f"{metric.default_threshold:g}"
        assert threshold == ("informs" if metric.informational else default)
        assert needs == (", ".join(sorted(metric.needs)) or "–")


@pytest.mark.parametrize(
    ("criterion", "said"),
    [
        ({"threshold": None}, "threshold"),
        ({"threshold": "high"}, "threshold"),
        ({"threshold": [1]}, "threshold"),
        ({}, "threshold"),
        (None, "threshold"),
        (float("nan"), "not a finite number"),
        ({"threshold": float("inf")}, "not a finite number"),
    ],
)
def test_a_threshold_that_is_none_cannot_run(
    criterion: Json, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    criteria = write_criteria(tmp_path / "c.json", response_match_score=criterion)
    traces = write_eval_set(tmp_path / "t.json", case("c", turn("q", "a")))
    assert main(["evaluate", str(traces), "--golden", str(traces), "--criteria", str(criteria)]) == 2
    printed = capsys.readouterr().err
    assert said in printed
    assert "c.json:1:" in printed


@pytest.mark.parametrize(("threshold", "code"), [("0.5", 0), (True, 0), (1, 0), (2, 1), (-1, 0)])
def test_thresholds_that_google_adk_reads_are_read(threshold: Json, code: int, tmp_path: Path) -> None:
    criteria = write_criteria(tmp_path / "c.json", response_match_score=threshold)
    golden = write_eval_set(tmp_path / "g.json", case("c", turn("q", "a")))
    traces = write_eval_set(tmp_path / "t.json", case("c", turn("q", "a")))
    assert main(["evaluate", str(traces), "--golden", str(golden), "--criteria", str(criteria)]) == code


def test_an_unknown_option_has_no_effect_and_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    criteria = write_criteria(tmp_path / "c.json", response_match_score={"threshold": 0.5, "match_typ": "EXACT"})
    golden = write_eval_set(tmp_path / "g.json", case("c", turn("q", "a")))
    traces = write_eval_set(tmp_path / "t.json", case("c", turn("q", "a")))
    assert main(["evaluate", str(traces), "--golden", str(golden), "--criteria", str(criteria)]) == 0
    assert "the option “match_typ” is unknown and has no effect" in capsys.readouterr().out
