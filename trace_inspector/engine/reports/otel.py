"""`otel`: each verdict as an event `gen_ai.evaluation.result` of OpenTelemetry, in OTLP's JSON, a line for each case.

By the semantic conventions for generative AI. An event names the trace and the span of the turn that it judges, where
these were recorded, so that whoever has the spans can show it there.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping

from trace_inspector.core.trace.trace import Trace, Turn
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, RunVerdict, Status, TurnVerdict
from trace_inspector.engine.reports.report import was, words
from trace_inspector.engine.reports.sources import Sources
from trace_inspector.engine.reports.visible_text import cut, visible
from trace_inspector.version import __version__

EVENT = "gen_ai.evaluation.result"
_PERSON = "human_verdict"
_MOST_CHARS = 4_000
_INFO, _WARN, _ERROR = (9, "INFO"), (13, "WARN"), (17, "ERROR")
_SEVERITY: Mapping[Status, tuple[int, str]] = {Status.FAILED: _WARN, Status.ERROR: _ERROR}
_HEX = frozenset("0123456789abcdef")


def write(run: RunVerdict, sources: Sources) -> str:
    """A line is one export of logs, as a collector reads them."""
    resource: JsonObject = {"attributes": _attributes({"service.name": "trace-inspector"})}
    scope: JsonObject = {"name": "trace_inspector", "version": __version__}
    nanos = str(round(run.started_s * 1e9))
    lines = []
    for case in run.cases:
        records: list[Json] = [_record(nanos, *event) for event in _events(run, case, sources)]
        if records:
            logs: Json = [{"resource": resource, "scopeLogs": [{"scope": scope, "logRecords": records}]}]
            lines.append(json.dumps({"resourceLogs": logs}, ensure_ascii=False) + "\n")
    return "".join(lines)


def _events(
    run: RunVerdict, case: CaseVerdict, sources: Sources
) -> Iterator[tuple[MetricVerdict, JsonObject, str, str]]:
    """Each verdict with what tells where it belongs, and the ids of its trace and span."""
    trace = sources.trace_of(case)
    about: JsonObject = {
        "gen_ai.conversation.id": (trace.session_id or trace.id) if trace is not None else case.trace_id,
        "trace_inspector.run.id": run.id,
        "trace_inspector.suite.id": case.suite_id or None,
        "trace_inspector.case.id": case.case_id or None,
    }
    for metric in (*case.metrics, *_by_a_person(case)):
        yield metric, about, _one_trace(trace), ""
    for verdict in case.turns:
        _golden, turn = sources.turns_of(case, verdict)
        trace_id, span_id = _ids(turn) if turn is not None else ("", "")
        of_turn: JsonObject = {**about, "trace_inspector.turn": verdict.index}
        for metric in (*verdict.metrics, *_by_a_person(verdict)):
            yield metric, of_turn, trace_id, span_id


def _by_a_person(verdict: CaseVerdict | TurnVerdict) -> Iterator[MetricVerdict]:
    """What a person said of a turn or a case as a whole, as an evaluation of its own."""
    if verdict.overruled is not None and not verdict.overruled.follows:
        yield MetricVerdict(_PERSON, None, verdict.status, overruled=verdict.overruled)


def _record(nanos: str, metric: MetricVerdict, about: JsonObject, trace_id: str, span_id: str) -> JsonObject:
    number, word = _SEVERITY.get(metric.status, _INFO)
    score = metric.score if metric.score is not None and math.isfinite(metric.score) else None
    why = "; ".join(filter(None, (metric.reason, was(metric.overruled))))
    attributes = _attributes(
        {
            "gen_ai.evaluation.name": metric.metric,
            "gen_ai.evaluation.score.value": None if score is None else float(score),
            "gen_ai.evaluation.score.label": words(metric.status),
            "gen_ai.evaluation.explanation": why or None,
            "error.type": "evaluation_error" if metric.status is Status.ERROR else None,
            "trace_inspector.threshold": None if metric.threshold is None else float(metric.threshold),
            **about,
        }
    )
    record: JsonObject = {
        "timeUnixNano": nanos,
        "observedTimeUnixNano": nanos,
        "severityNumber": number,
        "severityText": word,
        "eventName": EVENT,
        "attributes": attributes,
    }
    return record | ({"traceId": trace_id} if trace_id else {}) | ({"spanId": span_id} if span_id else {})


def _attributes(values: Mapping[str, Json]) -> list[Json]:
    """Those that are stated, as OTLP has them: a whole number is a text."""
    return [{"key": key, "value": _value(value)} for key, value in values.items() if value is not None]


def _value(value: Json) -> JsonObject:
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    return {"stringValue": cut(visible(str(value)), _MOST_CHARS)}


def _one_trace(trace: Trace | None) -> str:
    """The trace that all turns of a conversation are in, if they are in one."""
    ids = {_ids(turn)[0] for turn in trace.turns} if trace is not None else set()
    return ids.pop() if len(ids) == 1 else ""


def _ids(turn: Turn) -> tuple[str, str]:
    """Trace and span of a turn, where a tracer made both: the last call of a model, which gave the answer.

    Whether an event is an answer of a model is told by its tokens or its finish; of others the last one counts.
    """
    if not _is_id(turn.trace_id, 32):
        return "", ""
    events = [event for event in turn.events if event.span_id and _is_id(event.span_id, 16)]
    answers = [event for event in events if event.usage or event.finish_reason or event.model]
    last = next(reversed(answers or events), None)
    return turn.trace_id, (last.span_id or "") if last is not None else ""


def _is_id(text: str, length: int) -> bool:
    return len(text) == length and _HEX.issuperset(text) and text.strip("0") != ""
