"""The table in a terminal: many criteria, long names, wide characters, a narrow screen."""

from __future__ import annotations

import io
import re

import pytest
from msgspec.structs import replace

from trace_inspector.commands.output.evaluate_table import print_run
from trace_inspector.commands.output.terminal import Terminal
from trace_inspector.core.verdict.overrule import Overrule, with_overrules
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, RunVerdict, Status, TurnVerdict
from trace_inspector.engine.metrics import METRICS
from trace_inspector.engine.reports.sources import Reported

COLOURS = re.compile("\x1b\\[[0-9;]*m")
ALL = tuple(metric.name for metric in METRICS)


class Screen(io.StringIO):
    """A stream that a person looks at."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _a_screen_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)


def run_of(names: tuple[str, ...], metrics: tuple[str, ...]) -> RunVerdict:
    verdicts = tuple(MetricVerdict(metric, 0.5, Status.PASSED, 0.5) for metric in metrics)
    cases = tuple(CaseVerdict(name, "s", "t", Status.PASSED, verdicts) for name in names)
    return RunVerdict("r", Status.PASSED, 0.0, "", "c", cases)


def table(out: io.StringIO, names: tuple[str, ...], metrics: tuple[str, ...] = ALL) -> list[str]:
    """The lines before the words on criteria."""
    print_run(run_of(names, metrics), Terminal(out, io.StringIO()), {})
    return COLOURS.sub("", out.getvalue()).split("\nCriteria:")[0].splitlines()


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
    lines = table(io.StringIO(), ("one",), ("response_match_score", "final_response_match_v2", "trajectory_match"))
    assert lines[0].split("  ")[2:] == ["response_match_score", "final_response_match_v2", "Matched calls"]


def test_long_names_are_cut_and_wide_ones_keep_the_columns() -> None:
    lines = table(io.StringIO(), ("x" * 300, "日本語のケース", "plain"), ("token_usage_v1",))
    assert len(lines[1]) < 80
    verdicts = [line.index("passed") for line in lines[1:4]]
    assert verdicts == [46, 39, 46]


def printed(run: RunVerdict, reported: Reported | None = None, out: io.StringIO | None = None) -> str:
    """Everything that is said of a run."""
    out = out or io.StringIO()
    print_run(run, Terminal(out, io.StringIO()), reported or {})
    return out.getvalue()


def test_colours_are_for_people_who_look_and_want_them(monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_of(("one",), ("response_match_score",))
    assert "\x1b[32mpassed\x1b[0m   \x1b[32m0.5 ✓\x1b[0m\n" in printed(run, out=Screen())
    assert "\x1b" not in printed(run)
    for name, value in (("NO_COLOR", "1"), ("TERM", "dumb")):
        with monkeypatch.context() as patch:
            patch.setenv(name, value)
            assert "\x1b" not in printed(run, out=Screen())


def test_no_name_brings_colours_of_its_own_or_moves_a_column() -> None:
    said = COLOURS.sub("", printed(run_of(("\x1b[31mred\u202e", "plain"), ("response_match_score",)), out=Screen()))
    lines = said.splitlines()[:3]
    assert "\x1b" not in lines[1]
    assert "\u202e" not in lines[1]
    assert lines[1].index("passed") == lines[2].index("passed")


def test_a_file_that_says_otherwise_is_marked_and_quoted() -> None:
    run = run_of(("one", "two"), ("response_match_score",))
    metric = MetricVerdict("response_match_score", 0.25, Status.FAILED, 0.5)
    says = replace(
        run.cases[0], status=Status.FAILED, metrics=(metric,), turns=(TurnVerdict(0, 0, Status.FAILED, (metric,)),)
    )
    own = replace(run.cases[0], turns=(TurnVerdict(0, 0, Status.PASSED, run.cases[0].metrics),), trace_place="/0")
    agrees = replace(run.cases[1], trace_place="/1")
    run = replace(run, cases=(own, agrees))
    said = printed(run, {("", "/0", "t"): says, ("", "/1", "t"): run.cases[1]})
    assert "one   passed ≠  0.5 ✓ ≠\ntwo   passed    0.5 ✓\n" in said
    assert (
        "\npassed  one\n  its file reports failed\n  response_match_score 0.25 failed by its file, 0.5 passed here\n"
        in said
    )
    assert "  turn 1: response_match_score 0.25 failed by its file, 0.5 passed here\n" in said
    assert "Note: the files themselves report another verdict for 1 case (marked ≠)\n" in said


def test_that_a_file_decided_nothing_contradicts_nobody() -> None:
    run = run_of(("one",), ("response_match_score",))
    silent = replace(run.cases[0], status=Status.NOT_EVALUATED, metrics=())
    assert "≠" not in printed(run, {("", "", "t"): silent})


def test_overruled_verdicts_are_marked_and_explained() -> None:
    run = run_of(("one",), ("response_match_score",))
    shown = with_overrules(run, [Overrule("o", 0, Status.FAILED, 1.0, metric="response_match_score", note="a guess")])
    said = printed(shown)
    assert "one   FAILED   0.5 ✗ *\n" in said
    assert "a person overruled response_match_score from PASSED to FAILED: a guess" in said
