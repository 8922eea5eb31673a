"""Writes a run as Vertex's SDK writes its results: scores by case and response, and the SDK's own statistics."""

from __future__ import annotations

import math
from collections import Counter
from datetime import UTC, datetime

from msgspec import Struct, field

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.trace import Trace
from trace_inspector.core.values.json_numbers import json_text
from trace_inspector.core.values.values import Json, JsonObject, strict
from trace_inspector.core.verdict.score_statistics import ScoreStatistics, score_statistics, win_rates
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, RubricVerdict, RunVerdict
from trace_inspector.formats.extension.key import KEY, VERSION
from trace_inspector.formats.vertex.common.names import has_pass_rate
from trace_inspector.formats.vertex.common.writer import SDK_WRITER, all_agents
from trace_inspector.formats.writing.run_context import Judged, Key

_Column = tuple[str, int]  # the candidate's name, and which of its runs


class _CaseRow(Struct):
    """One case with the verdict on each response, by the column of the response."""

    verdicts: dict[_Column, CaseVerdict] = field(default_factory=dict)

    @property
    def first(self) -> CaseVerdict:
        return next(iter(self.verdicts.values()))


def write_run(run: RunVerdict, judged: Judged) -> str:
    """The text of the result file."""
    rows = _rows(run)
    columns = list(dict.fromkeys(column for row in rows for column in row.verdicts))
    names = [_column_name(column, index) for index, column in enumerate(columns)]
    metrics = dict.fromkeys(metric.metric for case in run.cases for metric in case.metrics)
    written: JsonObject = {
        "eval_case_results": [_case(row, index, columns) for index, row in enumerate(rows)],
        "summary_metrics": [_summary(name, rows) for name in metrics],
    }
    if len(columns) > 1:
        written["win_rates"] = {name: rates for name in metrics if (rates := _wins(name, rows, columns)) is not None}
    written["evaluation_dataset"] = [
        {"eval_cases": [_eval_case(row, column, judged) for row in rows], "candidate_name": name}
        for column, name in zip(columns, names, strict=True)
    ]
    written["metadata"] = {
        "candidate_names": [*names],
        "dataset_name": next((case.suite_id for case in run.cases if case.suite_id), run.id),
        "dataset_id": run.id,
        "creation_timestamp": datetime.fromtimestamp(run.started_s, UTC).isoformat().replace("+00:00", "Z"),
    }
    plain = strict(written)
    return json_text(plain if isinstance(plain, dict) else {})


def _rows(run: RunVerdict) -> list[_CaseRow]:
    """Cases in their order; a trace without a golden is a case of its own."""
    rows: dict[Key | tuple[str, str], _CaseRow] = {}
    for verdict in run.cases:
        lone = (verdict.trace_path, verdict.trace_place, verdict.trace_id or "")
        key = (verdict.golden_path, verdict.golden_place, verdict.case_id) if verdict.golden_path else lone
        row = rows.setdefault(key, _CaseRow())
        taken = Counter(name for name, _ in row.verdicts)
        row.verdicts[verdict.candidate, taken[verdict.candidate]] = verdict
    return list(rows.values())


def _column_name(column: _Column, index: int) -> str:
    name, run = column
    shown = name or f"Candidate {index + 1}"
    return f"{shown} ({run + 1})" if name and run else shown


def _case(row: _CaseRow, index: int, columns: list[_Column]) -> JsonObject:
    """Each response under its index, also those without results: the SDK counts wins by position."""
    return {
        "eval_case_index": index,
        "response_candidate_results": [
            {"response_index": position, "metric_results": _metrics(row.verdicts.get(column))}
            for position, column in enumerate(columns)
        ],
    }


def _metrics(verdict: CaseVerdict | None) -> JsonObject:
    return {metric.metric: _metric(metric) for metric in verdict.metrics} if verdict else {}


def _metric(verdict: MetricVerdict) -> JsonObject:
    """One score; where there is none the reason is the error, as the SDK has no other word for it."""
    score = _finite(verdict)
    written: JsonObject = {"metric_name": verdict.metric, "score": score}
    if score is None:
        return {**written, "error_message": verdict.reason or verdict.status.value}
    if verdict.reason:
        written["explanation"] = verdict.reason
    if verdict.rubrics:
        # A verdict that is not there would mean no.
        written["rubric_verdicts"] = [_rubric(rubric) for rubric in verdict.rubrics if rubric.score is not None]
    return written


def _finite(verdict: MetricVerdict) -> float | None:
    """The score, where JSON has such a number."""
    return verdict.score if verdict.score is not None and math.isfinite(verdict.score) else None


def _rubric(verdict: RubricVerdict) -> JsonObject:
    rubric: JsonObject = {"rubric_id": verdict.rubric_id, "content": {"property": {"description": verdict.text}}}
    return {"evaluated_rubric": rubric, "verdict": verdict.score == 1.0, "reasoning": verdict.rationale}


def _scores(name: str, row: _CaseRow, columns: list[_Column]) -> list[float | None]:
    scores: list[float | None] = []
    for column in columns:
        verdict = row.verdicts.get(column)
        scores.append(
            next(map(_finite, (metric for metric in verdict.metrics if metric.metric == name)), None)
            if verdict
            else None
        )
    return scores


def _summary(name: str, rows: list[_CaseRow]) -> JsonObject:
    scores = [
        _finite(metric)
        for row in rows
        for verdict in row.verdicts.values()
        for metric in verdict.metrics
        if metric.metric == name
    ]
    statistics = score_statistics(scores)
    written: JsonObject = {
        "metric_name": name,
        "num_cases_total": statistics.total,
        "num_cases_valid": statistics.valid,
        "num_cases_error": statistics.errors,
    }
    return {**written, **_figures(statistics, has_pass_rate(name))}


def _figures(statistics: ScoreStatistics, predefined: bool) -> JsonObject:
    figures: JsonObject = {"mean_score": statistics.mean, "stdev_score": statistics.stdev}
    if predefined:
        figures["pass_rate"] = statistics.pass_rate
    return {name: figure for name, figure in figures.items() if figure is not None}


def _wins(name: str, rows: list[_CaseRow], columns: list[_Column]) -> JsonObject | None:
    rates = win_rates([_scores(name, row, columns) for row in rows], len(columns))
    return None if rates is None else {"win_rates": [*rates.wins], "tie_rate": rates.ties}


def _eval_case(row: _CaseRow, column: _Column, judged: Judged) -> JsonObject:
    """The case with this candidate's answer; what became of it stands beside, as a case may have keys of its own."""
    verdict = row.verdicts.get(column)
    golden = judged.case(row.first)
    trace = judged.trace(verdict) if verdict else None
    written: JsonObject = {"eval_case_id": row.first.case_id, **_asked(golden, trace)}
    if verdict is not None:
        written[KEY] = _beside(verdict)
    return written


def _asked(golden: Case | None, trace: Trace | None) -> JsonObject:
    """Question, answer and reference of the last turn, and the whole conversation where there is more than that."""
    written: JsonObject = {}
    turns = trace.turns if trace else ()
    asked = next((turn.user for turn in (*turns[-1:], *(golden.turns[-1:] if golden else ())) if turn.user), None)
    if asked is not None:
        written["prompt"] = SDK_WRITER.content(asked, "user")
    if turns:
        written["responses"] = [{"response": SDK_WRITER.content(turns[-1].final_response or (), "model")}]
    if golden and golden.turns and golden.turns[-1].final_response is not None:
        written["reference"] = {"response": SDK_WRITER.content(golden.turns[-1].final_response, "model")}
    if golden and golden.rubrics:
        written["rubric_groups"] = SDK_WRITER.rubric_groups(golden.rubrics)
    if golden and golden.scenario:
        written["user_scenario"] = SDK_WRITER.scenario(golden.scenario)
    if trace and (len(turns) > 1 or any(turn.events for turn in turns)):
        written["agent_data"] = SDK_WRITER.agent_data(all_agents(trace), turns)
    return written


def _beside(verdict: CaseVerdict) -> JsonObject:
    metrics: list[Json] = [
        {"name": metric.metric, "status": metric.status.value, "threshold": metric.threshold}
        for metric in verdict.metrics
    ]
    return {
        "version": VERSION,
        "status": verdict.status.value,
        "reason": verdict.reason,
        "hides": [*verdict.hides],
        "golden": {"path": verdict.golden_path, "pointer": verdict.golden_place},
        "trace": {"id": verdict.trace_id, "path": verdict.trace_path, "pointer": verdict.trace_place},
        "missing_turns": [*verdict.missing_turns],
        "extra_turns": [*verdict.extra_turns],
        "metrics": metrics,
    }
