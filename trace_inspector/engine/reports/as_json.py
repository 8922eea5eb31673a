"""The run as JSON for scripts, as `evaluate --json` prints it."""

from __future__ import annotations

import math
from collections import Counter

from trace_inspector.core.values.values import JsonObject, strict
from trace_inspector.core.verdict.verdict import (
    MANY_CASES,
    CaseVerdict,
    MetricVerdict,
    Overruled,
    Provenance,
    RunVerdict,
    TurnVerdict,
)
from trace_inspector.engine.repeats.repeats import repeats_of
from trace_inspector.engine.repeats.repeats_text import repeats_json
from trace_inspector.engine.reports.reported_disagreements import contradictions
from trace_inspector.engine.reports.sources import Reported, reported_of


def run_json(run: RunVerdict, reported: Reported) -> dict[str, object]:
    """Strict JSON: infinities and NaN are null, with a reason. What a file itself says stands under `reported`.

    What has an entry for each case is an iterator, so that a large run is written as it is read.
    """
    repeats = repeats_of(run) if len(run.cases) <= MANY_CASES else ()
    written: dict[str, object] = {
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
            "pairings": (
                {"case": case.case_id, "suite": case.suite_id, "trace": case.trace_id, "how": case.paired_by}
                for case in run.cases
                if case.paired_by
            ),
            "unpaired_traces": list(run.unpaired_traces),
            "notes": list(run.notes),
        },
        "cases": (_case(case, reported_of(case, reported)) for case in run.cases),
    }
    return written | ({"repeats": repeats_json(repeats)} if repeats else {})


def _case(case: CaseVerdict, reported: CaseVerdict | None) -> JsonObject:
    written: JsonObject = {
        "id": case.case_id,
        "trace": case.trace_id,
        "status": case.status.value,
        "hides": list(case.hides),
        "metrics": [_metric(verdict) for verdict in case.metrics],
        "turns": [_turn(turn) for turn in case.turns],
        "missing_turns": list(case.missing_turns),
        "extra_turns": list(case.extra_turns),
    }
    if reported is not None:
        written["reported"] = {
            "status": reported.status.value,
            "metrics": [_metric(verdict) for verdict in reported.metrics],
            "turns": [_turn(turn) for turn in reported.turns],
            "contradicts": list(contradictions(case, reported)),
        }
    return written | _reason(case.reason) | _overruled(case.overruled)


def _turn(turn: TurnVerdict) -> JsonObject:
    written: JsonObject = {
        "index": turn.index,
        "golden_index": turn.golden_index,
        "status": turn.status.value,
        "metrics": [_metric(verdict) for verdict in turn.metrics],
    }
    return written | _reason(turn.reason) | _overruled(turn.overruled)


def _metric(verdict: MetricVerdict) -> JsonObject:
    reason = verdict.reason
    for name, value in (("score", verdict.score), ("threshold", verdict.threshold)):
        if value is not None and not math.isfinite(value):
            reason = f"{reason}; the {name} is {value}" if reason else f"the {name} is {value}"
    written: JsonObject = {
        "name": verdict.metric,
        "score": _finite(verdict.score),
        "threshold": _finite(verdict.threshold),
        "status": verdict.status.value,
        "reason": reason,
    }
    if verdict.version > 1:
        written["version"] = verdict.version
    if verdict.sentences:
        written["sentences"] = {**Counter(sentence.support.value for sentence in verdict.sentences)}
    return written | _overruled(verdict.overruled)


def _reason(reason: str) -> JsonObject:
    return {"reason": reason} if reason else {}


def _overruled(overruled: Overruled | None) -> JsonObject:
    """What stood there before a person said otherwise; nothing where nobody did."""
    if overruled is None:
        return {}
    return {
        "overruled": {
            "status": overruled.status.value,
            "provenance": Provenance.HUMAN.value,
            "note": overruled.note,
            "at_s": _finite(overruled.at_s),
            "follows": overruled.follows,
        }
    }


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
