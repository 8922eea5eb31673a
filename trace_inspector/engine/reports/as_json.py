"""The run as JSON for scripts, as `evaluate --json` prints it."""

from __future__ import annotations

import math

from trace_inspector.core.values import JsonObject, strict
from trace_inspector.core.verdict import CaseVerdict, MetricVerdict, RunVerdict, TurnVerdict


def run_json(run: RunVerdict) -> JsonObject:
    """Strict JSON: infinities and NaN are null, with a reason."""
    return {
        "run": {
            "id": run.id,
            "status": run.status.value,
            "started_s": run.started_s,
            "stopped": run.stopped,
            "rules": run.rules,
            "criteria_source": run.criteria_source,
            "criteria": [
                {"metric": metric, "threshold": _finite(threshold), "options": strict(options)}
                for metric, threshold, options in run.criteria
            ],
            "pairings": [
                {"case": case.case_id, "suite": case.suite_id, "trace": case.trace_id, "how": case.paired_by}
                for case in run.cases
                if case.paired_by
            ],
            "unpaired_traces": list(run.unpaired_traces),
            "notes": list(run.notes),
        },
        "cases": [_case(case) for case in run.cases],
    }


def _case(case: CaseVerdict) -> JsonObject:
    return {
        "id": case.case_id,
        "trace": case.trace_id,
        "status": case.status.value,
        "hides": list(case.hides),
        "metrics": [_metric(verdict) for verdict in case.metrics],
        "turns": [_turn(turn) for turn in case.turns],
        "missing_turns": list(case.missing_turns),
        "extra_turns": list(case.extra_turns),
    }


def _turn(turn: TurnVerdict) -> JsonObject:
    return {
        "index": turn.index,
        "golden_index": turn.golden_index,
        "status": turn.status.value,
        "metrics": [_metric(verdict) for verdict in turn.metrics],
    }


def _metric(verdict: MetricVerdict) -> JsonObject:
    reason = verdict.reason
    for name, value in (("score", verdict.score), ("threshold", verdict.threshold)):
        if value is not None and not math.isfinite(value):
            reason = f"{reason}; the {name} is {value}" if reason else f"the {name} is {value}"
    return {
        "name": verdict.metric,
        "score": _finite(verdict.score),
        "threshold": _finite(verdict.threshold),
        "status": verdict.status.value,
        "reason": reason,
    }


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
