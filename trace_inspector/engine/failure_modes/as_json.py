"""Failure modes for programs."""

from __future__ import annotations

from collections.abc import Iterable

from trace_inspector.core.review.failure_modes import Matrix, Output, Reading
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.engine.calibration.estimate import Estimate
from trace_inspector.engine.failure_modes.rates import ModeChange, ModeRate, failure_rate


def reading_json(
    read: Reading, rates: Iterable[ModeRate], groups: Iterable[tuple[str, tuple[Output, ...]]]
) -> JsonObject:
    """What was read."""
    return {
        "labelled": len(read.outputs),
        "unsure": read.unsure,
        "failures": {"count": len(read.failures), **_estimate(failure_rate(read))},
        "modes": [_mode(rate) for rate in rates],
        "saturation": {"curve": [*read.saturation], "since_new": read.since_new},
        "untagged": [_output(output) for output in read.untagged],
        "groups": [{"name": name, "outputs": [output.subject for output in outputs]} for name, outputs in groups],
    }


def matrix_json(axis: str, found: Matrix) -> JsonObject:
    """Modes by place; the column "" is what is not known."""
    return {
        "by": axis,
        "columns": [*found.columns],
        "rows": [{"mode": name, "counts": [len(cell) for cell in cells]} for name, cells in found.rows],
    }


def changes_json(changes: Iterable[ModeChange]) -> Json:
    """Modes in two readings."""
    return [
        {
            "mode": change.name,
            "before": {"count": change.before.counted.count, **_estimate(change.before.share)},
            "after": {"count": change.after.counted.count, **_estimate(change.after.share)},
            "difference": _estimate(change.difference),
        }
        for change in changes
    ]


def _mode(rate: ModeRate) -> JsonObject:
    mode = rate.counted.mode
    return {
        "name": mode.name,
        "description": mode.description,
        "was": [*mode.was],
        "count": rate.counted.count,
        "share": _estimate(rate.share),
        "examples": [_output(output) for output in rate.counted.outputs],
    }


def _output(output: Output) -> JsonObject:
    label = output.label
    return {
        "subject": label.subject,
        "file": label.file,
        "case": label.case,
        "trace": label.trace,
        "turn": label.turn,
        "first_fault": output.first_fault,
        "notes": [*output.notes],
    }


def _estimate(found: Estimate) -> JsonObject:
    told: JsonObject = {"value": found.value, "low": found.low, "high": found.high, "interval": found.method}
    return {**told, "reason": found.reason} if found.reason else told
