"""The table in a terminal: many criteria, long names, wide characters, a narrow screen."""

from __future__ import annotations

import io

import pytest

from trace_inspector.commands.evaluate_table import print_run
from trace_inspector.commands.terminal import Terminal
from trace_inspector.core.verdict import CaseVerdict, MetricVerdict, RunVerdict, Status
from trace_inspector.engine.metrics import METRICS

ALL = tuple(metric.name for metric in METRICS)


class Screen(io.StringIO):
    """A stream that a person looks at."""

    def isatty(self) -> bool:
        return True


def run_of(names: tuple[str, ...], metrics: tuple[str, ...]) -> RunVerdict:
    verdicts = tuple(MetricVerdict(metric, 0.5, Status.PASSED, 0.5) for metric in metrics)
    cases = tuple(CaseVerdict(name, "s", "t", Status.PASSED, verdicts) for name in names)
    return RunVerdict("r", Status.PASSED, 0.0, "", "c", cases)


def table(out: io.StringIO, names: tuple[str, ...], metrics: tuple[str, ...] = ALL) -> list[str]:
    """The lines before the words on criteria."""
    print_run(run_of(names, metrics), Terminal(out, io.StringIO()))
    return out.getvalue().split("\nCriteria:")[0].splitlines()


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_a_narrow_screen_gets_several_tables_with_every_criterion_once(
    columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = table(Screen(), ("one", "two"))
    assert max(map(len, lines)) <= columns
    heads = [line for line in lines if line.startswith("Case")]
    assert len(heads) > 1
    assert sum(line.count("0.5 ✓") for line in lines if line.startswith("two")) == len(ALL)


def test_a_column_wider_than_the_screen_still_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "10")
    assert sum("0.5 ✓" in line for line in table(Screen(), ("one",))) == len(ALL)


def test_a_file_gets_one_line_a_case(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    lines = [line for line in table(io.StringIO(), ("one", "two")) if line]
    assert [line.split()[0] for line in lines] == ["Case", "one", "two"]


def test_criteria_of_one_title_are_told_apart() -> None:
    lines = table(io.StringIO(), ("one",), ("tool_trajectory_avg_score", "trajectory_match", "response_match_score"))
    assert lines[0].split("  ")[2:] == ["tool_trajectory_avg_score", "trajectory_match", "Answer"]


def test_long_names_are_cut_and_wide_ones_keep_the_columns() -> None:
    lines = table(io.StringIO(), ("x" * 300, "日本語のケース", "plain"), ("token_usage_v1",))
    assert len(lines[1]) < 80
    verdicts = [line.index("passed") for line in lines[1:4]]
    assert verdicts == [46, 39, 46]
