"""Datasets of Vertex's evaluation SDK: `vertex-dataset`, as the SDK and agents-cli write them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from trace_inspector.core.finding import error, info
from trace_inspector.core.golden.golden import Suite
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.trace import Trace
from trace_inspector.formats.common.fields import Fields, Report, fields_of
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.schema import check
from trace_inspector.formats.vertex.common.content import beyond
from trace_inspector.formats.vertex.common.recognisers import ADK_CASE
from trace_inspector.formats.vertex.common.request import Candidate, EvaluationRequest
from trace_inspector.formats.vertex.common.schemas import DATASET
from trace_inspector.formats.vertex.item.case import case_of
from trace_inspector.formats.vertex.item.rows import row_case


def cases_in(fields: Fields, suite_id: str, source: Source, report: Report) -> Iterator[EvaluationRequest]:
    """Each case of a dataset; where its cases are stored elsewhere the place is named."""
    for name, what in (("gcs_source", "Cloud Storage"), ("bigquery_source", "BigQuery")):
        if fields.object(name) is not None:
            message = f"Cases of this dataset are in {what}, which is not fetched; the Raw view shows where."
            report.add(info("stored-elsewhere", message, fields.pointer(name)))
    for index, case in enumerate(report.bounded(fields, "eval_cases")):
        source.tick()
        if ADK_CASE(case):
            message = "This is a case of an ADK eval set; only what Vertex's SDK knows of it is read."
            report.add(error("other-format", message, case.place))
        case_id = case.text("eval_case_id") or case.text("eval_id") or f"case {index + 1}"
        yield case_of(case, case_id, suite_id, report)


def _rows_in(fields: Fields, suite_id: str, source: Source, report: Report) -> Iterator[EvaluationRequest]:
    """Each row of a table."""
    rows = report.bounded_list(source.value, source.place) if isinstance(source.value, list) else [fields]
    for index, row in enumerate(rows):
        source.tick()
        yield row_case(row, row.text("eval_case_id") or f"row {index + 1}", suite_id, report)


def trace_of(candidate: Candidate, case_id: str, count: int) -> Trace:
    """A trace with the id of its case; where there are several it is a candidate's, by name or number."""
    if count == 1:
        return replace(candidate.trace, id=case_id, case_runs=count)
    trace_id = f"{case_id} ({candidate.name})"
    return replace(candidate.trace, id=trace_id, candidate=candidate.name, case_runs=count)


def read(source: Source) -> Iterator[Item]:
    """A suite of all cases, and a trace for each response."""
    report = Report()
    fields = fields_of(source.value, source.place)
    check(fields, DATASET, report)
    named = fields.text("candidate_name") or ""
    suite_id = named or source.stem or "dataset"
    is_table = fields.key("eval_cases") is None
    cases = []
    for request in (_rows_in if is_table else cases_in)(fields, suite_id, source, report):
        cases.append(request.case)
        for candidate in request.candidates:
            trace = trace_of(candidate, request.case.id, len(request.candidates))
            yield replace(trace, candidate=trace.candidate or named)
    extras = () if is_table else beyond(fields, "eval_cases", "candidate_name")
    yield Suite(suite_id, cases=tuple(cases), extras=extras, place=source.place)
    yield from report.drain()


IMPLEMENTATION = Implementation(read=read)
