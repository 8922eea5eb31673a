"""`csv`: one line for each criterion of each case and of each turn, safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator

from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Overruled, RunVerdict
from trace_inspector.engine.reports.csv_cells import cell
from trace_inspector.engine.reports.sources import Sources

_COLUMNS = (
    "suite", "case", "trace", "trace_file", "case_status", "turn", "golden_turn",
    "metric", "score", "threshold", "status", "reason",
    "overruled_from", "note", "metric_version",
)  # fmt: skip
_NO_METRIC = ("", "", "")
_WHOLE = ("", "", *_NO_METRIC)


def write(run: RunVerdict, _sources: Sources) -> str:
    """Turns count from 1; a line without turn is about the whole case."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, quoting=csv.QUOTE_ALL)
    writer.writerow(_COLUMNS)
    for case in run.cases:
        writer.writerows(_lines(case))
    return out.getvalue()


def _lines(case: CaseVerdict) -> Iterator[list[str]]:
    of_case = [case.suite_id, case.case_id, case.trace_id or "", case.trace_path]
    head = [*map(cell, of_case), case.status.value]
    for verdict in case.metrics:
        yield [*head, "", "", *_metric(verdict)]
    if not case.metrics or case.overruled:
        yield [*head, *_WHOLE, case.status.value, cell(case.reason), *_overruled(case.overruled), ""]
    for turn in case.turns:
        place = [_number(turn.index), _number(turn.golden_index)]
        if turn.reason or turn.overruled:
            yield [*head, *place, *_NO_METRIC, turn.status.value, cell(turn.reason), *_overruled(turn.overruled), ""]
        for verdict in turn.metrics:
            yield [*head, *place, *_metric(verdict)]


def _metric(verdict: MetricVerdict) -> list[str]:
    figures = [_figure(verdict.score), _figure(verdict.threshold)]
    outcome = [verdict.status.value, cell(verdict.reason), *_overruled(verdict.overruled)]
    return [cell(verdict.metric), *figures, *outcome, str(verdict.version)]


def _overruled(overruled: Overruled | None) -> list[str]:
    return [overruled.status.value, cell(overruled.note)] if overruled else ["", ""]


def _figure(value: float | None) -> str:
    return repr(value) if value is not None and math.isfinite(value) else ""


def _number(index: int | None) -> str:
    return "" if index is None else str(index + 1)
