"""Seconds and tokens a turn from run to run: what is known on both sides, and what is said of the rest."""

from __future__ import annotations

import json

import pytest

from trace_inspector.core.trace.parts import ToolCall, ToolResult
from trace_inspector.core.trace.trace import Event, Trace, Turn, Usage
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Status, TurnVerdict
from trace_inspector.engine.run_comparison import as_html, as_json, as_markdown
from trace_inspector.engine.run_comparison.as_text import figure_lines, lines_of
from trace_inspector.engine.run_comparison.compared_runs import compare_runs
from trace_inspector.engine.run_comparison.comparison import RunsCompared
from trace_inspector.engine.run_comparison.latency_and_tokens import (
    Measured,
    ReportedCount,
    TurnFigures,
    figures_in,
    figures_of,
    measured,
)

P, F = Status.PASSED, Status.FAILED


def case(name: str, *turns: tuple[float | None, float | None], status: Status = P) -> CaseVerdict:
    """Each turn with its seconds and tokens."""
    told = tuple(
        TurnVerdict(
            at,
            at,
            status,
            (
                MetricVerdict("invocation_duration_v1", seconds, Status.INFORMATIONAL),
                MetricVerdict("token_usage_v1", tokens, Status.INFORMATIONAL, figures=(("total_tokens", tokens),)),
            ),
        )
        for at, (seconds, tokens) in enumerate(turns)
    )
    # The mean over all turns takes those that tell nothing for 0, as ADK does.
    average = MetricVerdict("token_usage_v1", 0.0, Status.INFORMATIONAL)
    return CaseVerdict(name, "s", "t", status, (MetricVerdict("m", 1.0, status, 0.5), average), told)


def told(base: list[CaseVerdict], new: list[CaseVerdict]) -> tuple[Measured, Measured]:
    seconds, tokens = measured(compare_runs(base, new).cases, lambda verdict: figures_of(verdict, None))
    return seconds, tokens


def test_means_by_hand() -> None:
    # Seconds: a 2 → 3, b 4 → 6; mean 3 → 4.5, changes 1 and 2. Only one turn of b tells its tokens.
    base = [case("a", (1.0, 10), (3.0, 30)), case("b", (4.0, None)), case("gone", (100.0, 100))]
    new = [case("a", (3.0, 10), (3.0, 20)), case("b", (6.0, 7))]
    seconds, tokens = told(base, new)
    assert (seconds.base, seconds.new, seconds.cases) == (3.0, 4.5, 2)
    assert seconds.interval is not None
    assert seconds.interval.high == pytest.approx(1.5 + 12.7062 * 0.5, abs=1e-3)
    assert (tokens.base, tokens.new, tokens.cases) == (20.0, 15.0, 1)
    assert (tokens.base_told, tokens.new_told) == (ReportedCount(2, 3), ReportedCount(3, 3))


@pytest.mark.parametrize(
    ("base", "new", "said"),
    [
        ([case("a", (None, None))], [case("a", (1.0, None))],
         ["seconds a turn: not known in the baseline", "tokens a turn: not known in the baseline and the candidate"]),
        ([case("a", (1.0, 1)), case("b", (None, None))], [case("a", (None, None)), case("b", (1.0, 1))],
         ["seconds a turn: not known for the same cases", "tokens a turn: not known for the same cases"]),
        ([case("a", (1.0, 5), (None, 7))], [case("a", (2.0, 5), (2.0, 8))],
         ["seconds a turn: 1 → 2 (+1) over 1 case, p = 1; 1 of 2 turns record it in the baseline",
          "tokens a turn: 6 → 6.5 (+0.5) over 1 case, p = 1"]),
        ([case("a", (0.0, 0))], [case("a", (0.0, 0))],
         ["seconds a turn: 0 → 0 (+0) over 1 case", "tokens a turn: 0 → 0 (+0) over 1 case"]),
    ],
)  # fmt: skip
def test_what_is_not_known_is_said_and_never_0(
    base: list[CaseVerdict], new: list[CaseVerdict], said: list[str]
) -> None:
    found = compare_runs(base, new)
    compared = RunsCompared("b", "n", found, measured(found.cases, lambda verdict: figures_of(verdict, None)))
    assert [line for line in figure_lines(compared) if "a turn" in line and ": p50" not in line] == said


def test_of_files_the_traces_tell() -> None:
    turn = Turn(0, events=(Event("a", usage=Usage(prompt=3, candidates=4)),), duration_s=2.5)
    trace = Trace("t", turns=(turn, Turn(1)))
    bare = CaseVerdict("a", "s", "t", P, (), (TurnVerdict(0, 0, P), TurnVerdict(None, 1, F)))
    assert [(one.seconds, one.tokens) for one in figures_of(bare, figures_in(trace))] == [(2.5, 7), (None, None)]
    assert [(one.seconds, one.tokens) for one in figures_of(bare, None)] == [(None, None)]


def called(*seconds: float | None, guessed: bool = False) -> Turn:
    """A turn in which a model calls one tool after the other; each of these took so many seconds, the model 0.5."""
    events = []
    for at, took in enumerate(seconds):
        events += [
            Event("a", (ToolCall("f", {}, str(at)),), time_s=10.0 * at, duration_s=None if guessed else 0.5),
            Event("a", (ToolResult("f", {}, str(at)),), time_s=10.0 * at + 1, duration_s=took),
        ]
    return Turn(0, events=tuple(events))


def test_each_call_counts_as_the_trace_tells_it() -> None:
    before, after = (Trace("t", turns=(called(*seconds),)) for seconds in ((1.0, 2.0, None), (4.0,)))
    bare = (CaseVerdict("a", "s", "t", P, (MetricVerdict("m", 1.0, P, 0.5),), (TurnVerdict(0, 0, P),)),)
    found = compare_runs(bare, bare)
    figures = iter((figures_in(before), figures_in(after)))
    told = measured(found.cases, lambda verdict: figures_of(verdict, next(figures)))
    models, tools = told[1], told[2]
    assert (models.name, models.base, models.new) == ("seconds a model call", 0.5, 0.5)
    assert (models.base_told, models.new_told) == (ReportedCount(3, 3), ReportedCount(1, 1))
    assert (tools.name, tools.base, tools.new, tools.cases) == ("seconds a tool call", 1.5, 4.0, 1)
    assert (tools.base_told, tools.new_told) == (ReportedCount(2, 3), ReportedCount(1, 1))
    assert (tools.base_ranks[:2], tools.new_ranks[:1]) == (((50, 1.0), (90, 2.0)), ((50, 4.0),))
    lines = list(figure_lines(RunsCompared("b", "n", found, told)))
    assert "seconds a tool call: 1.5 → 4 (+2.5) over 1 case, p = 1; 2 of 3 calls record it in the baseline" in lines
    assert json.loads(as_json.write(RunsCompared("b", "n", found, told)))["measured"][2]["base_told"] == {
        "calls": 2, "of": 3,
    }  # fmt: skip


def test_times_of_calls_that_are_derived_are_not_told() -> None:
    one = figures_in(Trace("t", turns=(called(None, None, guessed=True),)))[0]
    assert (one.model_calls, one.tool_calls) == ((None, None), (None, None))


def test_what_the_run_measured_of_a_turn_stands_beside_the_calls_of_its_trace() -> None:
    told = figures_in(Trace("t", turns=(called(2.0),)))
    assert figures_of(case("a", (7.0, 70)), told) == (TurnFigures(7.0, 70, (0.5,), (2.0,)),)


@pytest.mark.parametrize(
    "beyond", [1e308, -1e308, float("inf"), float("nan"), 10**400], ids=["large", "small", "inf", "nan", "digits"]
)
def test_what_is_beyond_all_measure_is_not_known(beyond: float) -> None:
    base = [case("a", (beyond, beyond), (1.0, 10)), case("b", (beyond, beyond))]
    new = [case("a", (2.0, 20)), case("b", (2.0, 20))]
    for one, mean in zip(told(base, new), (1.0, 10.0), strict=True):
        assert (one.base, one.new, one.cases, one.interval) == (mean, 2 * mean, 1, None)
        assert (one.base_told, one.new_told) == (ReportedCount(1, 3), ReportedCount(2, 2))


def test_large_figures_keep_their_digits() -> None:
    found = compare_runs([case("a", (1.0, 2120.4))], [case("a", (1.0, 12_000))])
    told = measured(found.cases, lambda verdict: figures_of(verdict, None))
    assert "tokens a turn: 2,120 → 12,000 (+9,880) over 1 case, p = 1" in figure_lines(
        RunsCompared("b", "n", found, told)
    )


def compared() -> RunsCompared:
    base = [case("a", (1.0, 5)), case("a", (1.0, 5)), case("<b>", (1.0, None), status=F), case("gone")]
    new = [case("a", (2.0, 5)), case("a", (3.0, 5), status=F), case("<b>", (1.0, None)), case("`new`")]
    found = compare_runs(base, new)
    figures = measured(found.cases, lambda verdict: figures_of(verdict, None))
    return RunsCompared("base.json", "new.json", found, figures, ("The judge was another.",))


def test_lines() -> None:
    assert list(lines_of(compared())) == [
        "Note: The judge was another.",
        (
            "regressed: a (2 of 2 passed, 34 % to 100 % with 95 % confidence → "
            "1 of 2 passed, 9 % to 91 % with 95 % confidence; p = 1 by chance)"
        ),
        "improved: <b>",
        "new: `new`",
        "gone: gone",
        "m: 1 → 1 (+0) over 2 cases",
        "seconds a turn: 1 → 1.75 (+0.75, -8.78 to +10.3 with 95 % confidence) over 2 cases",
        "seconds a turn: p50 1 → 2, p90 1 → 3, p99 1 → 3",
        (
            "tokens a turn: 5 → 5 (+0) over 1 case; "
            "2 of 3 turns record it in the baseline; 2 of 3 turns record it in the candidate"
        ),
        "tokens a turn: p50 5 → 5, p90 5 → 5, p99 5 → 5",
        "baseline: pass@1 100.0 %, pass^1 100.0 % (mean of 1 case)",
        "baseline: pass@2 100.0 %, pass^2 100.0 % (mean of 1 case)",
        "candidate: pass@1 50.0 %, pass^1 50.0 % (mean of 1 case)",
        "candidate: pass@2 100.0 %, pass^2 0.0 % (mean of 1 case)",
        "flaky in the candidate: a: 1 of 2 passed; turn 1 failed in 1 of 2",
        (
            "Of 2 cases decided in both runs, 1 got worse, 1 got better (p = 1 by chance); "
            "50.0 % of them passed before, 75.0 % now"
        ),
        "1 regressed, 1 improved, 0 unchanged, 1 new, 1 gone, 0 not comparable",
    ]


def test_reports() -> None:
    told = json.loads(as_json.write(compared()))
    assert told["counts"]["regressed"] == 1
    assert [one["change"] for one in told["cases"]] == ["regressed", "improved", "gone", "new"]
    assert told["measured"][1]["base_told"] == {"turns": 2, "of": 3}
    assert told["measured"][0]["base_ranks"] == {"p50": 1.0, "p90": 1.0, "p99": 1.0}
    assert told["measured"][0]["new_ranks"] == {"p50": 2.0, "p90": 3.0, "p99": 3.0}
    assert told["repeats"]["new"]["cases"][0]["flaky"] is True
    page = as_html.write(compared())
    assert "<b>" not in page
    assert "default-src &#x27;none&#x27;" in page
    assert "regressed 1" in page
    assert "seconds a turn: p50 1 → 2, p90 1 → 3, p99 1 → 3" in page
    text = as_markdown.write(compared())
    assert "p50 1 → 2, p90 1 → 3, p99 1 → 3" in text
    assert "- **improved** `<b>`: `failed → passed; No longer: Turn 1: failed`" in text
    assert "`` `new` ``: `passed; First run of this case`" in text
