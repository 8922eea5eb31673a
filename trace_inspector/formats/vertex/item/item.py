"""Vertex AI's evaluation items: `vertex-item`, as the service lists them and as its SDK stores what they hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from trace_inspector.core.finding import Finding
from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.rows.contents import Contents, Item
from trace_inspector.core.values.values import JsonObject
from trace_inspector.core.verdict.verdict import MetricVerdict
from trace_inspector.formats.common.fields import Report
from trace_inspector.formats.common.format import Editing, Implementation, Source
from trace_inspector.formats.vertex.common.renewal import renewed
from trace_inspector.formats.vertex.common.request import EvaluationRequest
from trace_inspector.formats.vertex.common.verdicts import ranges
from trace_inspector.formats.vertex.item.item_change import changed
from trace_inspector.formats.vertex.item.item_golden import case_place, cases_place, golden, is_golden, with_item
from trace_inspector.formats.vertex.item.item_groups import groups_in
from trace_inspector.formats.vertex.item.item_losses import WrittenItem, losses_of
from trace_inspector.formats.vertex.item.item_matchers import with_matchers
from trace_inspector.formats.vertex.item.item_verdicts import judged_in, request_in
from trace_inspector.formats.vertex.item.item_writer import item_json, write


def new_item(case: Case) -> tuple[JsonObject, tuple[Finding, ...]]:
    """One item of a case. Matchers of calls go along in its metadata; what has no place is a loss."""
    item = WrittenItem(case)
    raw, item_without_places = with_matchers(item, item_json(item, case.id))
    return raw, tuple(losses_of(Contents("", suites=(Suite("", cases=(case,)),)), [item_without_places]))


_PREFIXES = ("request_", "evaluation_result_")


def read(source: Source) -> Iterator[Item]:
    """A case for each request, a trace for each candidate, and what results say of it."""
    report = Report()
    stem = _stem(source)
    cases: dict[str, Case] = {}
    requests: dict[str, EvaluationRequest] = {}
    metrics: list[MetricVerdict] = []
    made = []
    for group in groups_in(source, stem, report):
        source.tick()
        request = request_in(group, stem, requests, report)
        if group.request is not None and group.case_id not in cases:
            cases[group.case_id] = with_item(group, request, report)
        titled = cases.get(group.case_id, request.case).title
        case = replace(request.case, title=titled, place=case_place(group, request))
        verdicts = judged_in(group, replace(request, case=case), stem, report)
        made += verdicts
        metrics += [metric for _, verdict in verdicts if verdict for metric in verdict.metrics]
    runs = Counter(trace.case_id for trace, _ in made)
    seen: Counter[str | None] = Counter()
    for trace, verdict in made:
        yield replace(trace, case_runs=runs[trace.case_id])
        if verdict is not None:
            yield replace(verdict, repeat=seen[trace.case_id])
        seen[trace.case_id] += 1
    if cases:
        yield Suite(stem, cases=tuple(cases.values()), place=source.place)
    report.take(ranges(metrics, source.place))
    yield from report.drain()


def _stem(source: Source) -> str:
    stem = source.stem or "item"
    return next((stem.removeprefix(prefix) for prefix in _PREFIXES if stem.startswith(prefix)), stem) or stem


IMPLEMENTATION = Implementation(
    read=read,
    write=write,
    editing=Editing(cases_place, golden, changed, new_item, is_golden),
    renewed=renewed,
)
