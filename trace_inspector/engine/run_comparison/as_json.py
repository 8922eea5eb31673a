"""`json`: the comparison of two runs for programs; what is not known is null."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import to_builtins

from trace_inspector.core.values.json_numbers import json_text
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import CaseVerdict
from trace_inspector.engine.repeats.repeats_text import repeats_json
from trace_inspector.engine.repeats.significance import Interval, as_float
from trace_inspector.engine.run_comparison.case_text import deciding_scores, status_of, what_changed
from trace_inspector.engine.run_comparison.certainty import plan, seen_difference, share_change
from trace_inspector.engine.run_comparison.compared_case import Change, ComparedCase, decided, passes
from trace_inspector.engine.run_comparison.compared_modes import modes_json
from trace_inspector.engine.run_comparison.compared_runs import ComparedRuns
from trace_inspector.engine.run_comparison.comparison import RunsCompared, Seconds, base_repeats, new_repeats
from trace_inspector.engine.run_comparison.judged_rates import judges_json
from trace_inspector.engine.run_comparison.latency_and_tokens import ReportedCount
from trace_inspector.engine.run_comparison.regression_gate import worse_beyond_chance


def write(compared: RunsCompared) -> str:
    """Every case with what became of it, and all figures."""
    runs = compared.runs
    worse = worse_beyond_chance(runs)
    sure = {case.key for case in worse.cases}
    cases: list[Json] = [
        _case(case, seconds) | {"worse_beyond_chance": case.key in sure} for case, seconds in compared.timed
    ]
    criteria: list[Json] = [
        {
            "metric": criterion.metric,
            "cases": criterion.cases,
            "base": criterion.base,
            "new": criterion.new,
            "change": criterion.change,
            "interval": _interval(criterion.interval),
            "chance": as_float(criterion.chance),
        }
        for criterion in runs.criteria
    ]
    measured: list[Json] = [
        {
            "figure": figure.name,
            "cases": figure.cases,
            "base": figure.base,
            "new": figure.new,
            "interval": _interval(figure.interval),
            "chance": as_float(figure.chance),
            "base_told": _coverage(figure.base_told, figure.unit),
            "new_told": _coverage(figure.new_told, figure.unit),
            "base_ranks": _ranks(figure.base_ranks),
            "new_ranks": _ranks(figure.new_ranks),
        }
        for figure in compared.measured
    ]
    return json_text(
        {
            "base": compared.base,
            "new": compared.new,
            "notes": list(compared.notes),
            "counts": {change.value: runs.counts[change] for change in Change},
            "chance": runs.chance,
            "worse_beyond_chance": worse.whole,
            "in_both": _in_both(runs),
            "cases": cases,
            "criteria": criteria,
            "measured": measured,
            "judged": judges_json(compared.judges),
            "failure_modes": modes_json(compared.modes),
            "repeats": {
                "base": repeats_json(base_repeats(runs.cases)),
                "new": repeats_json(new_repeats(runs.cases)),
            },
        }
    )


def _case(case: ComparedCase, seconds: Seconds) -> JsonObject:
    suite, name, candidate, persona, golden, trace_file = case.key
    scores: list[Json] = [
        {"metric": metric, "base": before, "new": after, "change": after - before}
        for metric, before, after in deciding_scores(case)
    ]
    return {
        "suite": suite,
        "case": name,
        "candidate": candidate,
        "persona": persona,
        "golden": golden,
        **({"trace_file": trace_file} if trace_file else {}),
        "change": case.change.value,
        "why": case.why,
        "what": what_changed(case),
        "base": _fared(case.base, seconds[0]),
        "new": _fared(case.new, seconds[1]),
        "scores": scores,
        "chance": as_float(case.chance),
    }


def _fared(verdicts: Sequence[CaseVerdict], seconds: float | None) -> JsonObject:
    """A case in one run; its status is the worst of its repeats."""
    status = status_of(verdicts)
    return {
        "runs": len(verdicts),
        "decided": decided(verdicts),
        "passed": passes(verdicts),
        "status": status.value if status is not None else None,
        "turn_seconds": seconds,
    }


def _in_both(runs: ComparedRuns) -> JsonObject:
    """The cases that both runs decided, and how many of them passed, each counting once."""
    before, after = runs.shares or (None, None)
    change = share_change(runs)
    return {
        "cases": len(runs.in_both),
        "base_passed": before,
        "new_passed": after,
        "change": {"value": change.value, "low": change.low, "high": change.high, "interval": change.method},
        "smallest_seen": seen_difference(runs),
        "for_5_points": to_builtins(plan(runs)),
    }


def _coverage(telling: ReportedCount, unit: str) -> JsonObject:
    return {f"{unit}s": telling.count, "of": telling.of}


def _ranks(ranks: Sequence[tuple[int, float]]) -> JsonObject:
    """The percentiles by their names; none where nothing tells the figure."""
    return {f"p{rank}": value for rank, value in ranks}


def _interval(interval: Interval | None) -> Json:
    return None if interval is None else {"low": interval.low, "high": interval.high}
