"""What agent-eval's files report: ADK's scores, and those of its own evaluation with their explanations."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from trace_inspector.core.finding import error
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import MetricVerdict, Provenance, Status
from trace_inspector.formats.agent_eval.cells import cell_object
from trace_inspector.formats.agent_eval.checks import Advising
from trace_inspector.formats.agent_eval.recognisers import OLDER_SCORE, RESULTS, SCORE, SCORES
from trace_inspector.formats.common.fields import Fields, Report, kind_of, number_of
from trace_inspector.formats.vertex.common.verdicts import beside_metric, metric_of

# Those that are computed, not judged; we compute them too, under these names.
OWN = frozenset(
    {
        "token_usage", "latency_metrics", "cache_efficiency", "thinking_metrics", "tool_utilization",
        "tool_success_rate", "grounding_utilization", "context_saturation", "agent_handoffs", "output_density",
        "sandbox_usage",
    }
)  # fmt: skip
_MOST_FIGURES = 40


def reported_name(name: str) -> str:
    """A metric's name here: of those that we compute too, the one that we give them."""
    return f"agent_eval_{name}" if name in OWN else name


def reported_in(row: Fields, answer: str, report: Report) -> Iterator[MetricVerdict]:
    """Every score of a row. No threshold is stated, so a score alone neither passes nor fails."""
    for key, value in row.value.items():
        if key.startswith(SCORES):
            name = key.removeprefix(SCORE).removeprefix(OLDER_SCORE)
            yield _adk(name, value, join(row.place, key), report)
    results = cell_object(row, RESULTS)
    for name, value in (results.value if results else {}).items():
        yield result_of(name, value, join(row.pointer(RESULTS), name), answer, report)


def result_of(name: str, value: Json, place: str, answer: str, report: Report) -> MetricVerdict:
    """One metric of an evaluation: a score with what explains it, or why there is none."""
    fields = _result(value, place)
    if not fields.value and value not in (None, {}):
        message = f"This metric's result should be a number or an object, not {kind_of(value)}; it has no score."
        Advising(report).add(error("wrong-type", message, place))
    verdict = metric_of(fields, reported_name(name), answer, report)
    details = fields.mapping("details") or {}
    return replace(verdict, figures=(*verdict.figures, *figures_of(details)))


def _result(value: Json, place: str) -> Fields:
    alone = value is not None and number_of(value) is not None
    return Fields(value if isinstance(value, dict) else {"score": value} if alone else {}, place)


def beside_results(row: Fields) -> Iterator[Extra]:
    """The members of results besides scores, texts and figures."""
    results = cell_object(row, RESULTS)
    for name, value in (results.value if results else {}).items():
        yield from beside_result(name, _result(value, join(row.pointer(RESULTS), name)))


def beside_result(name: str, result: Fields) -> Iterator[Extra]:
    """The members of one result besides score, texts and figures; details are figures when all are numbers."""
    shown = reported_name(name)
    for extra in beside_metric(result, shown):
        if extra.name != f"{shown}: details" or not all_figures(extra.value):
            yield extra


def all_figures(details: Json) -> bool:
    """Whether details are numbers alone, so that all of them are shown as figures."""
    fields = details if isinstance(details, dict) else {"": ""}
    return len(fields) <= _MOST_FIGURES and all(number_of(detail) is not None for detail in fields.values())


def figures_of(details: JsonObject) -> Iterator[tuple[str, float | None]]:
    """The numbers among some details."""
    numbers = ((name, number_of(value)) for name, value in list(details.items())[:_MOST_FIGURES])
    yield from ((name, number) for name, number in numbers if number is not None)


def _adk(name: str, value: Json, place: str, report: Report) -> MetricVerdict:
    score = number_of(value)
    if score is None and value not in (None, ""):
        Advising(report).add(error("wrong-type", "This score is not a number; it counts as missing.", place))
    status = Status.NOT_EVALUATED if score is None else Status.INFORMATIONAL
    return MetricVerdict(name, score, status, provenance=Provenance.REPORTED)
