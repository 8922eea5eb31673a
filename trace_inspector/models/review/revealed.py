"""What a judge said of the question that a person answered: looked up once a label stands."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from trace_inspector.core.review.label import Label
from trace_inspector.core.review.subjects import OVERALL, rubric_question
from trace_inspector.core.verdict.verdict import MetricVerdict, Status, TurnVerdict, against
from trace_inspector.models.base.figures import score_text
from trace_inspector.models.base.roles import MARK_OF
from trace_inspector.models.base.translation import tr
from trace_inspector.models.evaluation.current_run import CurrentRun
from trace_inspector.models.review.output_places import Place

_MET = 0.5  # a rubric is from here on
_MOST_REASONS = 12
_MOST_CHARS = 2_000


class Revealed(Struct, frozen=True):
    """A verdict: its mark, whose it is with its figures, and the reason."""

    mark: str
    title: str
    reason: str = ""


def revealed(label: Label, place: Place, run: CurrentRun | None) -> Revealed | None:
    """The verdict on the question of a label; None where nobody judged it."""
    verdict = run.on(place.file).turn(place.row) if run is not None else None
    verdict = verdict or place.file.reported.turn(place.row)
    if verdict is None:
        return None
    if label.question == OVERALL:
        return _overall(verdict)
    return next(_matching(verdict, label.question), None)


def question_words(label: Label, place: Place | None, run: CurrentRun | None) -> str:
    """The question as a sentence; of a rubric its text, where the open files tell it."""
    if label.question == OVERALL:
        return tr("Is what the agent did in this turn right?")
    rubric = _rubric_text(label, place, run) if place is not None and "/" in label.question else ""
    if rubric:
        return tr("Is this met? {0}").format(rubric)
    metric = label.question.partition("/")[0]
    title = run.metric(metric).title if run is not None else metric
    return tr("Does this turn pass “{0}”?").format(title)


def _overall(verdict: TurnVerdict) -> Revealed:
    reasons = [f"{metric.metric}: {metric.reason}" for metric in verdict.metrics if metric.reason]
    failing = [f"{metric.metric}: {score_text(metric.score)}" for metric in verdict.metrics if _failed(metric)]
    title = ", ".join(failing[:_MOST_REASONS])
    return Revealed(MARK_OF[verdict.status], title, _cut([verdict.reason, *reasons]))


def _matching(verdict: TurnVerdict, question: str) -> Iterator[Revealed]:
    for metric in verdict.metrics:
        if metric.metric == question:
            threshold = f" ≥ {score_text(metric.threshold)}" if metric.threshold is not None else ""
            figures = f"{metric.metric} {score_text(metric.score)}{threshold}"
            yield Revealed(MARK_OF[metric.status], figures, _cut([metric.reason, *_rubric_reasons(metric)]))
        for rubric in metric.rubrics:
            if rubric_question(metric.metric, rubric.rubric_id, rubric.text) == question:
                mark = MARK_OF[against(rubric.score, _MET)]
                yield Revealed(mark, f"{metric.metric} {score_text(rubric.score)}", _cut([rubric.rationale]))


def _rubric_text(label: Label, place: Place, run: CurrentRun | None) -> str:
    verdict = run.on(place.file).turn(place.row) if run is not None else None
    verdict = verdict or place.file.reported.turn(place.row)
    for metric in verdict.metrics if verdict else ():
        for rubric in metric.rubrics:
            if rubric_question(metric.metric, rubric.rubric_id, rubric.text) == label.question:
                return rubric.text
    return ""


def _rubric_reasons(metric: MetricVerdict) -> Iterator[str]:
    for rubric in metric.rubrics:
        if rubric.rationale:
            yield f"{rubric.rubric_id}: {rubric.rationale}"


def _failed(metric: MetricVerdict) -> bool:
    return metric.status in (Status.FAILED, Status.ERROR)


def _cut(reasons: list[str]) -> str:
    text = "\n".join(reason for reason in reasons[:_MOST_REASONS] if reason)
    return text if len(text) <= _MOST_CHARS else f"{text[:_MOST_CHARS]}…"
