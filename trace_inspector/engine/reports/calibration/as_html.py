"""`html`: calibrations as one page that loads nothing and runs nothing."""

from __future__ import annotations

from collections.abc import Sequence

from trace_inspector.engine.calibration.calibration import Calibration
from trace_inspector.engine.reports.calibration.words import (
    disagreement_count,
    figures,
    judge_words,
    label_words,
    notes,
    plan_lines,
    rates,
    verdict_word,
)
from trace_inspector.engine.reports.pages import page

_MOST_ROWS = 5_000


def write(calibrations: Sequence[Calibration], findings: Sequence[str]) -> str:
    """Each question with its figures, its confusion matrix and its disagreements."""
    return page(
        "calibration.html",
        title="Is the judge right?",
        calibrations=calibrations,
        findings=findings,
        disagreement_count=disagreement_count,
        figures=figures,
        filters=(),
        judge_words=judge_words,
        label_words=label_words,
        notes=notes,
        plan_lines=plan_lines,
        rates=rates,
        verdict_word=verdict_word,
        MOST_ROWS=_MOST_ROWS,
    )
