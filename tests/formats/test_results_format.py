"""Rows of a results folder, read as conversations with what is reported of them."""

from __future__ import annotations

from typing import Any, cast

from tests.formats.results_files import RESULTS
from trace_inspector.core.rows.contents import Contents, collect
from trace_inspector.core.trace.trace import answer_text, user_text
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import Provenance, Status
from trace_inspector.formats import recognise
from trace_inspector.formats.common.format import Source


def read(value: Json = RESULTS) -> Contents:
    row = recognise(value)
    assert row is not None
    return collect(row.name, row.read(Source(value)))


def with_verdict(**changed: Json) -> JsonObject:
    """The results, with the first row of the verdicts changed."""
    verdicts = cast("list[dict[str, Any]]", RESULTS["verdicts"])
    return {**RESULTS, "verdicts": [{**verdicts[0], **changed}, *verdicts[1:]]}


def test_a_case_is_a_trace_with_a_reported_verdict() -> None:
    contents = read()
    assert contents.format == "results"
    (trace,) = contents.traces
    assert (trace.id, trace.case_id, trace.suite_id) == ("s-1", "tour_1", "tours")
    assert [(user_text(turn), answer_text(turn), turn.duration_s) for turn in trace.turns] == [
        ("Two seats?", "Booked.", 1.5)
    ]
    named = {extra.name: extra.value for extra in trace.extras}
    assert named["conversation in file"] == "traces/session.json"
    assert named["run: status"] == "FAILED"
    (verdict,) = contents.reported
    assert (verdict.case_id, verdict.trace_id, verdict.trace_place) == ("tour_1", "s-1", trace.place)
    assert (verdict.status, verdict.provenance) == (Status.FAILED, Provenance.REPORTED)
    assert [(metric.metric, metric.score, metric.threshold) for metric in verdict.metrics] == [("match", 0.25, 0.5)]
    first, missing = verdict.turns
    assert (first.index, first.golden_index, first.metrics[0].version) == (0, 0, 2)
    assert first.metrics[0].reason == "half of the words differ"
    assert (missing.index, missing.golden_index, missing.reason) == (None, 1, "the trace has no such turn")
    assert verdict.missing_turns == (1,)
    assert contents.findings == ()


def test_an_unknown_status_decides_nothing_and_is_said() -> None:
    contents = read(with_verdict(status="GREEN"))
    assert contents.reported[0].status is Status.NOT_EVALUATED
    assert [finding.code for finding in contents.findings] == ["unknown-status"]


def test_rows_of_two_attempts_are_two_conversations() -> None:
    verdicts = cast("list[dict[str, Any]]", RESULTS["verdicts"])
    again = [{**row, "attempt": 2} for row in verdicts]
    contents = read({**RESULTS, "verdicts": [*verdicts, *again]})
    assert [verdict.repeat for verdict in contents.reported] == [0, 1]
    assert [len(trace.turns) for trace in contents.traces] == [1, 0]
    assert len({trace.place for trace in contents.traces}) == 2


def test_a_golden_without_a_trace_still_has_its_verdict() -> None:
    row: Json = {"about": "case", "case_id": "lonely", "suite": "s", "status": "NOT_EVALUATED", "reason": "no trace"}
    contents = read({"trace_inspector_results": 1, "verdicts": [row], "turns": []})
    (verdict,) = contents.reported
    assert (verdict.case_id, verdict.status, verdict.reason) == ("lonely", Status.NOT_EVALUATED, "no trace")
    assert contents.traces[0].id == "no trace for lonely"


def test_odd_values_are_read_without_an_error() -> None:
    odds: tuple[Json, ...] = (None, [], {}, "x", -1, 1.5, True, [[]], [{}], [{"about": 7, "turn": -3, "status": []}])
    for odd in odds:
        for name in ("verdicts", "turns"):
            value: Json = {**RESULTS, name: odd}
            row = recognise(value)
            if row is not None:
                contents = collect(row.name, row.read(Source(value)))
                assert not any(verdict.status is Status.PASSED for verdict in contents.reported if name == "verdicts")
