"""What stands at the right of a row: whether it counts, why, and what criteria say of an answer."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.verdict.verdict import MetricVerdict, Status
from trace_inspector.engine.scoring.metric_names import GROUNDING_MODEL, MINICHECK
from trace_inspector.engine.trace_grid.row import Row, RowKind
from trace_inspector.models.base.figures import score_text
from trace_inspector.models.base.roles import MARK_OF
from trace_inspector.models.base.translation import tr
from trace_inspector.models.compare.comparison import Compare
from trace_inspector.models.compare.rows import turn_verdict
from trace_inspector.models.compare.words import reason
from trace_inspector.views.compare.row_state import Note

_ANSWERS = {
    "response_match_score": "Response match",
    "final_response_match_v2": "Answer",
    "hallucinations_v1": "Support",
    "grounding": "Support",
    "local_grounding": "Support",
    GROUNDING_MODEL: "Model support",
    MINICHECK: "MiniCheck",
}


def notes_of(compare: Compare, number: int, row: Row) -> tuple[Note, ...]:
    """The notes of a row by the rule that is chosen."""
    rows = compare.rows
    counts = rows is not None and rows.counts(number, compare.rule)
    words, below = reason(row, compare.rule_title, counts=counts, number=compare.rule)
    if (
        compare.is_dimmed(number)
        and compare.first_divergence >= 0
        and rows is not None
        and row.kind is not RowKind.TURN
    ):
        turn = rows.row(rows.turn_head(compare.first_divergence))
        name = next((cell.title for cell in turn.cells if cell is not None), "")
        below = "\n".join(filter(None, (below, tr("may follow from {0}").format(name.lower()))))
    if row.kind is RowKind.ANSWER:
        judged = tuple(_judged(compare, number))
        if judged:
            return judged
    return (Note(_mark(row, counts=counts), words, below),) if words else ()


def turn_mark(compare: Compare, number: int) -> str:
    """The mark of a turn: whether anything in it counts."""
    rows = compare.rows
    if rows is None or (not rows.row(number).calls and not rows.row(number).differs):
        return ""
    return "failed" if rows.counts(number, compare.rule) else "passed"


def _mark(row: Row, *, counts: bool) -> str:
    if row.kind is RowKind.TURN and not row.calls and not row.differs:
        return ""
    if counts:
        return "failed"
    if not row.relation.differs or row.kind is RowKind.TURN:
        return "passed"
    return "skip"


def _judged(compare: Compare, number: int) -> Iterator[Note]:
    rows = compare.rows
    verdict = turn_verdict(rows, compare.verdict, number) if rows is not None else None
    for metric in verdict.metrics if verdict is not None else ():
        name = _ANSWERS.get(metric.metric)
        if name and metric.status is not Status.NOT_EVALUATED:
            yield Note(MARK_OF[metric.status], f"{name} {score_text(metric.score)}".strip(), _needs(metric))


def _needs(metric: MetricVerdict) -> str:
    threshold = getattr(metric, "threshold", None)
    return tr("needs {0}").format(score_text(threshold)) if threshold is not None else ""
