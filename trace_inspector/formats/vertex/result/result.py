"""Results of Vertex's evaluation SDK: `vertex-result`, as `evaluate` and agents-cli write them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.finding import warning
from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.trace import Trace, answer_text
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict
from trace_inspector.formats.common.fields import Fields, Report, count_of, fields_of
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.schema import check
from trace_inspector.formats.vertex.common.content import beyond, members
from trace_inspector.formats.vertex.common.request import Candidate, EvaluationRequest
from trace_inspector.formats.vertex.common.schemas import SCORED
from trace_inspector.formats.vertex.common.verdicts import beside_metric, metric_of, overall, ranges
from trace_inspector.formats.vertex.item.dataset import cases_in, trace_of
from trace_inspector.formats.vertex.result.summary import alone, differing


class _RepeatedDatasets(Struct, frozen=True):
    """The datasets that a result repeats: one for each candidate, or one with several responses a case."""

    datasets: tuple[dict[int, EvaluationRequest], ...]
    names: tuple[str, ...]

    def case(self, index: int) -> Case | None:
        """The case at an index; the first dataset counts."""
        request = self.datasets[0].get(index) if self.datasets else None
        return request.case if request else None

    def responses(self, index: int) -> dict[int, Candidate]:
        """The responses of the case at an index, by the number under which results count them.

        The SDK takes the first of each dataset, and counts on where a dataset has none; further ones come last.
        """
        of_datasets = [dataset[index].candidates if index in dataset else () for dataset in self.datasets]
        firsts = [next(iter(candidates), None) for candidates in of_datasets]
        counted = [*firsts, *(candidate for candidates in of_datasets for candidate in candidates[1:])]
        case = self.case(index)
        return {
            number: self._named(candidate, number, case)
            for number, candidate in enumerate(counted)
            if candidate is not None
        }

    def _named(self, candidate: Candidate, number: int, case: Case | None) -> Candidate:
        """A response under its candidate's name; whatever its own dataset calls the case, the first one counts."""
        trace = replace(candidate.trace, case_id=case.id) if case else candidate.trace
        return Candidate(self.name(number), trace)

    def name(self, response: int) -> str:
        """The candidate's name, else its number."""
        return self._stated(response) or str(response + 1)

    def trace(self, candidate: Candidate, response: int, case_id: str, count: int) -> Trace:
        """The trace of a response, with its candidate's name also where it is the only one of its case."""
        trace = trace_of(candidate, case_id, count)
        return replace(trace, candidate=trace.candidate or self._stated(response))

    def _stated(self, response: int) -> str:
        return self.names[response] if response < len(self.names) else ""


def read(source: Source) -> Iterator[Item]:
    """Each response with its scores; cases and responses join by their index."""
    report = Report()
    fields = fields_of(source.value, source.place)
    suite_id = source.stem or "result"
    recorded = _recorded(fields, suite_id, source, report)
    metrics: list[MetricVerdict] = []
    scores: list[list[CaseVerdict]] = []
    judged: set[int] = set()
    for position, result in enumerate(report.bounded(fields, "eval_case_results")):
        source.tick()
        check(result, SCORED, report)
        index = _index(result, "eval_case_index", position, report)
        if index in judged:
            message = f"Case {index} has results more than once; all of them are shown."
            report.add(warning("duplicate-id", message, result.place))
        judged.add(index)
        items = [*_case_items(result, index, suite_id, recorded, report)]
        yield from items
        verdicts = [item for item in items if isinstance(item, CaseVerdict)]
        metrics += [metric for verdict in verdicts for metric in verdict.metrics]
        scores.append(verdicts)
    yield from alone(fields, suite_id)
    cases = recorded.datasets[0] if recorded.datasets else {}
    for index, request in cases.items():
        if index not in judged:
            responses = recorded.responses(index)
            count = len(responses)
            yield from (
                recorded.trace(response, number, request.case.id, count) for number, response in responses.items()
            )
    extras = beyond(fields, "eval_case_results", "evaluation_dataset")
    if cases or extras:
        listed = tuple(request.case for request in cases.values())
        yield Suite(suite_id, cases=listed, extras=extras, place=fields.pointer("evaluation_dataset"))
    report.take(differing(fields, metrics, scores))
    report.take(ranges(metrics, fields.pointer("eval_case_results")))
    yield from report.drain()


def _recorded(fields: Fields, suite_id: str, source: Source, report: Report) -> _RepeatedDatasets:
    listed = fields.objects("evaluation_dataset")
    # What is no case is left out, and counts all the same.
    datasets = tuple(
        {
            int(request.case.place.rpartition("/")[2]): request
            for request in cases_in(dataset, suite_id, source, report)
        }
        for dataset in listed
    )
    metadata = fields.object("metadata")
    stated = metadata.get("candidate_names") if metadata else None
    listed_names = [name if isinstance(name, str) else "" for name in stated] if isinstance(stated, list) else []
    names = listed_names or [dataset.text("candidate_name") or "" for dataset in listed]
    return _RepeatedDatasets(datasets, tuple(names))


def _index(owner: Fields, name: str, position: int, report: Report) -> int:
    """The index by which results join, else the place in the list."""
    value = owner.get(name)
    index = count_of(value)
    if index is None:
        message = f"This result has no “{owner.key(name) or name}” that counts from 0; its place in the list is used."
        report.add(warning("no-index", message, owner.place))
    return position if index is None else index


def _case_items(
    result: Fields, index: int, suite_id: str, recorded: _RepeatedDatasets, report: Report
) -> Iterator[Trace | CaseVerdict]:
    """A trace and a verdict for each response of one case, also for responses that were not judged."""
    case = recorded.case(index)
    case_id = case.id if case else f"case {index + 1}"
    responses = recorded.responses(index)
    judged = report.bounded(result, "response_candidate_results")
    numbers = [_index(response, "response_index", position, report) for position, response in enumerate(judged)]
    if recorded.datasets and case is None:
        message = f"No case of the dataset in this file has the index {index}; only its scores are shown."
        report.add(warning("no-case", message, result.place))
    unjudged = [number for number in responses if number not in numbers]
    count = len(judged) + len(unjudged)
    for repeat, (number, fields) in enumerate(zip(numbers, judged, strict=True)):
        bare = Trace("", case_id=case_id, suite_id=suite_id, place=fields.place)
        candidate = responses.get(number) or Candidate(recorded.name(number), bare)
        trace = recorded.trace(candidate, number, case_id, count)
        yield trace
        yield _verdict(trace, case, fields, repeat, report)
    for number in unjudged:
        yield recorded.trace(responses[number], number, case_id, count)


def _verdict(trace: Trace, case: Case | None, fields: Fields, repeat: int, report: Report) -> CaseVerdict:
    answer = answer_text(trace.turns[-1]) if trace.turns else ""
    metrics = []
    extras = [*beyond(fields, "response_index", "metric_results")]
    for name, value, place in members(fields.object("metric_results"), report):
        metric_fields = fields_of(value, place)
        metric = metric_fields.text("metric_name") or name
        metrics.append(metric_of(metric_fields, metric, answer, report))
        extras += beside_metric(metric_fields, metric)
    return CaseVerdict(
        case_id=trace.case_id or "",
        suite_id=trace.suite_id or "",
        trace_id=trace.id,
        status=overall(metrics),
        metrics=tuple(metrics),
        golden_place=case.place if case else "",
        trace_place=trace.place,
        repeat=repeat,
        candidate=trace.candidate,
        extras=tuple(extras),
    )


IMPLEMENTATION = Implementation(read=read)
