"""What Vertex's results say of one answer: scores, rubric by rubric, sentence by sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from trace_inspector.core.finding import Finding, error, info
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import Absent, Json
from trace_inspector.core.verdict.verdict import (
    MetricVerdict,
    Provenance,
    RubricVerdict,
    Sentence,
    SentenceSupport,
    Status,
)
from trace_inspector.formats.common.fields import Fields, Report, number_of
from trace_inspector.formats.common.span_attributes import from_text
from trace_inspector.formats.vertex.common.content import beyond, error_details, given, status_text
from trace_inspector.formats.vertex.common.request import rubric_of

# The service's own word for a sentence that needs no source.
_SUPPORTS = {support.value: support for support in SentenceSupport} | {"no_rad": SentenceSupport.NOT_APPLICABLE}
_OF_A_METRIC = (
    "candidate",
    "metric",
    "metric_name",
    "score",
    "explanation",
    "rubric_verdicts",
    "error",
    "error_message",
)
_FIGURES = ("additional_results", "additionalResults")
_MOST_FIGURES = 20
_DECISIVE = (Status.INFORMATIONAL, Status.ERROR)
_MOST_MARKS = 1_000


def metric_of(fields: Fields, name: str, answer: str, report: Report) -> MetricVerdict:
    """One metric as it is reported. Vertex AI states no verdict, so a score alone neither passes nor fails."""
    failed = _failed(fields)
    score = fields.number("score")
    if given(fields.get("score")) and score is None:
        report.add(error("wrong-type", "This score is not a number; it counts as missing.", fields.pointer("score")))
    reason, sentences = explained(fields.get("explanation"), answer)
    rubrics = tuple(_rubric(verdict) for verdict in report.bounded(fields, "rubric_verdicts"))
    return MetricVerdict(
        metric=name,
        score=score,
        status=_status(score, failed),
        reason="\n".join(text for text in (failed, reason) if text),
        provenance=Provenance.REPORTED,
        sentences=sentences,
        rubrics=rubrics,
        figures=tuple(_figures(fields, rubrics)),
    )


def beside_metric(fields: Fields, name: str) -> Iterator[Extra]:
    """The members of a score that are neither text nor figures."""
    for extra in (*beyond(fields, *_OF_A_METRIC), *error_details(fields)):
        figures = fields.mapping(extra.name)
        if (
            extra.name not in _FIGURES
            or figures is None
            or any(number_of(figure) is None for figure in figures.values())
        ):
            yield replace(extra, name=f"{name}: {extra.name}")
    for verdict in fields.objects("rubric_verdicts"):
        rubric = verdict.object("evaluated_rubric")
        if rubric is not None and (beside := beyond(rubric, "rubric_id", "content")):
            values = {figure.name: figure.value for figure in beside}
            yield Extra(f"{name}: {rubric.text('rubric_id') or 'rubric'}", values, rubric.place)


def overall(metrics: Iterable[MetricVerdict]) -> Status:
    """The status of a case that has none of its own: whether there is any score, else whether the judges failed."""
    seen = {metric.status for metric in metrics}
    return next((status for status in _DECISIVE if status in seen), Status.NOT_EVALUATED)


def ranges(metrics: Iterable[MetricVerdict], place: str) -> Iterator[Finding]:
    """Scores that are no shares, each metric with the range that the file shows; no file states the scale."""
    bounds: dict[str, tuple[float, float]] = {}
    for metric in metrics:
        if metric.score is not None:
            low, high = bounds.get(metric.metric, (metric.score, metric.score))
            bounds[metric.metric] = (min(low, metric.score), max(high, metric.score))
    for name, (low, high) in bounds.items():
        if low < 0 or high > 1:
            shown = f"from {low:g} to {high:g}" if low < high else f"{low:g} throughout"
            message = f"Scores of “{name}” are {shown} here: not a share from 0 to 1, and no scale is stated."
            yield info("other-scale", message, place)


def explained(explanation: Json | Absent, answer: str) -> tuple[str, tuple[Sentence, ...]]:
    """An explanation as text; one that is JSON of labelled sentences as lines, and as marks on the answer."""
    if not isinstance(explanation, str):
        return "", ()
    labelled = list(_labelled(from_text(explanation), 0))
    if not labelled:
        return explanation, ()
    sentences: list[Sentence] = []
    lines = []
    position = 0
    for sentence in labelled:
        words, label = sentence.text("sentence") or "", sentence.text("label") or ""
        reason = sentence.text("rationale") or ""
        lines.append(f"{label or 'no label'}: {words}" + (f" ({reason})" if reason else ""))
        start = answer.find(words, position) if words and len(lines) <= _MOST_MARKS else -1
        stated_label = _SUPPORTS.get(label.lower())
        if start >= 0:
            position = start + len(words)
            shown = reason if stated_label else ": ".join(text for text in (label, reason) if text)
            excerpt = sentence.text("supporting_excerpt") or sentence.text("excerpt") or ""
            sentences.append(Sentence(start, position, stated_label or SentenceSupport.UNSUPPORTED, shown, excerpt))
    return "\n".join(lines), tuple(sentences)


def _labelled(value: Json, depth: int) -> Iterator[Fields]:
    """Sentences with labels; a list may also hold objects whose explanation is the list of sentences."""
    for item in value if isinstance(value, list) else []:
        if not isinstance(item, dict):
            continue
        if "sentence" in item:
            yield Fields(item, "")
        elif depth == 0:
            yield from _labelled(from_text(item.get("explanation")), 1)


def _failed(fields: Fields) -> str | None:
    return status_text(fields) or fields.text("error_message") or None


def _status(score: float | None, failed: str | None) -> Status:
    if failed is not None:
        return Status.ERROR
    return Status.NOT_EVALUATED if score is None else Status.INFORMATIONAL


def _rubric(fields: Fields) -> RubricVerdict:
    """A verdict that is not there is false, as everywhere in this service."""
    rubric = rubric_of(fields.object("evaluated_rubric") or Fields({}, fields.place))
    verdict = fields.get("verdict")
    return RubricVerdict(
        rubric_id=rubric.id,
        score=1.0 if verdict is True else 0.0,
        rationale=fields.text("reasoning") or "",
        text=rubric.text,
    )


def _figures(fields: Fields, rubrics: tuple[RubricVerdict, ...]) -> Iterator[tuple[str, float | None]]:
    if rubrics:
        yield "rubrics that hold", float(sum(rubric.score == 1.0 for rubric in rubrics))
        yield "rubrics", float(len(rubrics))
    beside = fields.mapping("additional_results") or {}
    for name, value in list(beside.items())[:_MOST_FIGURES]:
        number = number_of(value)
        if number is not None:
            yield name, number
