"""What evaluation items say of each candidate's answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from msgspec.structs import replace

from trace_inspector.core.finding import info, warning
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.trace import Trace, answer_text
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict
from trace_inspector.formats.common.fields import Report
from trace_inspector.formats.vertex.common.content import check_required
from trace_inspector.formats.vertex.common.request import Candidate, EvaluationRequest, request_of
from trace_inspector.formats.vertex.common.verdicts import beside_metric, metric_of, overall
from trace_inspector.formats.vertex.item.item_groups import Group, short

_MOST_BESIDE = 200  # of one verdict; a run of many metrics has an item for each


def request_in(group: Group, stem: str, requests: dict[str, EvaluationRequest], report: Report) -> EvaluationRequest:
    """The request of a group, read once for all of its runs; without one, a case that nothing is known of."""
    fields = group.request
    if fields is None:
        return EvaluationRequest(Case(group.case_id, stem))
    if fields.place not in requests:
        requests[fields.place] = request_of(fields, group.case_id, stem, report)
    return requests[fields.place]


def judged_in(
    group: Group, request: EvaluationRequest, stem: str, report: Report
) -> list[tuple[Trace, CaseVerdict | None]]:
    """Each candidate's trace with what the results say of it."""
    candidates = list(request.candidates)
    others: dict[str, list[Extra]] = {}
    scored = _scored(group, candidates, stem, others, report)
    run = f", {short(group.run)}" if group.run else ""
    traces: list[tuple[Trace, CaseVerdict | None]] = []
    for candidate in candidates:
        named = f"{group.case_id} ({candidate.name}{run})"
        trace = replace(candidate.trace, id=named, case_title=request.case.title)
        # Of two answers under one name it is not stated which was judged; the first one is taken.
        metrics = tuple(scored.pop(candidate.name, ()))
        verdict = _verdict(trace, metrics, request.case.place) if metrics else None
        extras = tuple(_bounded(others.pop(candidate.name, []), trace, report))
        traces.append((trace, replace(verdict, extras=extras) if verdict else None))
    return traces


def _scored(
    group: Group, candidates: list[Candidate], stem: str, others: dict[str, list[Extra]], report: Report
) -> dict[str, list[MetricVerdict]]:
    """The metrics by candidate; a candidate that only a result names is added with an empty trace."""
    scored: dict[str, list[MetricVerdict]] = {}
    by_name = {candidate.name: candidate for candidate in reversed(candidates)}
    for result in group.results:
        judged = report.bounded(result.fields, "candidate_results")
        if not judged:
            message = "This result judges no answer; it is shown only in the Raw view."
            report.add(warning("nothing-to-show", message, result.fields.place))
        for index, fields in enumerate(judged):
            check_required(fields, "This candidate's result", ("candidate", "metric"), report)
            name = fields.text("candidate") or (candidates[0].name if len(candidates) == 1 else f"{index + 1}")
            if name not in by_name:
                if group.request is not None:
                    message = f"“{name}” is judged here, but the request has no such candidate."
                    report.add(warning("unknown-candidate", message, fields.place))
                head = Trace("", case_id=group.case_id, suite_id=stem, candidate=name, place=fields.place)
                by_name[name] = Candidate(name, head)
                candidates.append(by_name[name])
            turns = by_name[name].trace.turns
            metric = fields.text("metric") or result.fields.text("metric") or ""
            score = metric_of(fields, metric, answer_text(turns[-1]) if turns else "", report)
            scored.setdefault(name, []).append(score)
            others.setdefault(name, []).extend((*result.extras, *beside_metric(fields, metric)))
    return scored


def _verdict(trace: Trace, metrics: tuple[MetricVerdict, ...], golden: str) -> CaseVerdict:
    return CaseVerdict(
        case_id=trace.case_id or "",
        suite_id=trace.suite_id or "",
        trace_id=trace.id,
        candidate=trace.candidate,
        status=overall(metrics),
        metrics=metrics,
        golden_place=golden,
        trace_place=trace.place,
    )


def _bounded(extras: Sequence[Extra], trace: Trace, report: Report) -> Iterator[Extra]:
    """As many as somebody reads; how many there are is said."""
    yield from islice(extras, _MOST_BESIDE)
    if len(extras) > _MOST_BESIDE:
        message = (
            f"The results say {len(extras):,} things beside their scores of this answer; {_MOST_BESIDE} are shown."
        )
        report.add(info("more-beside", message, trace.place))
