"""The evidence of a verdict: calls, expectations, sentences, rubrics with their votes, figures."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from trace_inspector.core.alignment.sequence_alignment import Order
from trace_inspector.core.alignment.turn_alignment import CallMatch
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.trace.summary import call_line
from trace_inspector.core.trace.trace import answer_text
from trace_inspector.core.verdict.rubric_pairs import rubric_pairs
from trace_inspector.core.verdict.verdict import MetricVerdict, Provenance, RubricVerdict, Sentence
from trace_inspector.models.base.figures import score_text
from trace_inspector.models.base.roles import MARK_OF_SUPPORT
from trace_inspector.models.base.translation import tr
from trace_inspector.models.details.verdict_pairs import VerdictPair
from trace_inspector.views.answer.sentence_card import TAGS
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.blocks.blocks import banner, facts
from trace_inspector.views.details.evidence_table import LISTED, count_shown, put_at_top, put_mark, table_of
from trace_inspector.views.details.expectation_rows import expectation_rows
from trace_inspector.views.details.place import CallCompared, Place, compared_calls
from trace_inspector.views.details.verdict_facts import metric_rows
from trace_inspector.views.widgets.controls import Elided, Label, MarkLabel, Tag

_MARK_OF_MATCH = {
    CallMatch.SAME: "passed",
    CallMatch.ARGUMENTS: "failed",
    CallMatch.RENAMED: "failed",
    CallMatch.MISSING: "missing",
    CallMatch.EXTRA: "extra",
}


def has_evidence(metric: MetricVerdict) -> bool:
    """Whether there is anything to fold open."""
    parts = metric.calls or metric.expectations or metric.sentences or metric.rubrics
    return bool(metric.reason or parts or metric_rows(metric))


def evidence(theme: Theme, place: Place, pair: VerdictPair) -> QFrame:
    """The frame under an open criterion."""
    frame = QFrame()
    frame.setObjectName("panel")
    box = QVBoxLayout(frame)
    box.setContentsMargins(24, 10, 12, 12)
    box.setSpacing(8)
    if pair.conflict:
        box.addWidget(banner(theme, "warning", pair.conflict, "warn"))
    for metric in (pair.recomputed, pair.reported):
        if metric is not None and (has_evidence(metric) or metric is pair.shown):
            beside = pair.reported if metric is pair.recomputed else None
            _add(theme, place, metric, beside, box)
    return frame


def _add(theme: Theme, place: Place, metric: MetricVerdict, beside: MetricVerdict | None, box: QVBoxLayout) -> None:
    """The evidence of one side, under its tag; `beside` is what the file reports of the same."""
    head = QHBoxLayout()
    head.setSpacing(12)
    nothing = (
        tr("The file gives no reason.") if metric.provenance is Provenance.REPORTED else tr("No reason was given.")
    )
    head.addWidget(Label(theme, metric.reason or nothing, wrap=True), 1)
    head.addWidget(Tag(theme, metric.provenance.value, TAGS[metric.provenance]), 0, Qt.AlignmentFlag.AlignTop)
    box.addLayout(head)
    if metric.calls:
        box.addWidget(_calls(theme, place, metric))
    if metric.expectations:
        box.addWidget(expectation_rows(theme, place, metric))
    if metric.sentences:
        box.addWidget(_sentences(theme, place, metric))
    if metric.rubrics:
        box.addWidget(_rubrics(theme, metric.rubrics, beside.rubrics if beside else ()))
    rows = metric_rows(metric)
    if rows:
        box.addWidget(facts(theme, rows))


def _calls(theme: Theme, place: Place, metric: MetricVerdict) -> QWidget:
    compared = [call for call in compared_calls(place) if call.verdict.metric == metric.metric]
    table, grid = table_of(theme, (tr("Call"), tr("Result")))
    for row, call in enumerate(compared[:LISTED], 1):
        mark = _MARK_OF_MATCH[call.pair.match]
        grid.addWidget(MarkLabel(theme, mark, 14), row, 0)
        grid.addWidget(Elided(theme, call_line(call.observed or call.expected or ToolCall("?")), font="data"), row, 1)
        grid.addWidget(Label(theme, _difference(call), font="secondary", ink="text2"), row, 2)
    count_shown(theme, grid, len(compared))
    return table


def _sentences(theme: Theme, place: Place, metric: MetricVerdict) -> QWidget:
    text = answer_text(place.turn) if place.turn else ""
    table, grid = table_of(theme, (tr("Sentence"), tr("Label")))
    for row, sentence in enumerate(metric.sentences[:LISTED], 1):
        put_mark(theme, grid, row, MARK_OF_SUPPORT[sentence.support])
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(Label(theme, text[sentence.start : sentence.end].strip() or "–", wrap=True))
        words.addWidget(Label(theme, sentence.reason, font="secondary", ink="text2", wrap=True))
        if sentence.excerpt:
            words.addWidget(Label(theme, _excerpt(sentence), font="secondary", ink="text2", wrap=True))
        grid.addLayout(words, row, 1)
        support = sentence.support.value.replace("_", " ")
        put_at_top(grid, row, 2, Label(theme, support, font="secondary", ink="text2"))
    count_shown(theme, grid, len(metric.sentences))
    return table


def _decided(rubric: RubricVerdict) -> str:
    """Yes or no in words; another score as a figure."""
    answers = {None: tr("undecided"), 1.0: tr("yes"), 0.0: tr("no")}
    return answers[rubric.score] if rubric.score in answers else score_text(rubric.score)


def _excerpt(sentence: Sentence) -> str:
    """The evidence for the verdict on a sentence, and its place."""
    where = " ".join(part for part in (sentence.source, sentence.place) if part)
    return f"“{sentence.excerpt}”" + (f" ({where})" if where else "")


def _rubrics(theme: Theme, rubrics: tuple[RubricVerdict, ...], reported: tuple[RubricVerdict, ...] = ()) -> QWidget:
    """Each with its votes, and what the file reports of the same rubric, where it reports any."""
    heads = (tr("Rubric"), tr("Votes"), tr("Reported"))
    table, grid = table_of(theme, heads if reported else heads[:2])
    theirs = [pair.reported for pair in rubric_pairs(reported, rubrics)]
    for row, rubric in enumerate(rubrics[:LISTED], 1):
        mark = "none" if rubric.score is None else "passed" if rubric.score >= 1.0 else "failed"
        put_mark(theme, grid, row, mark)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(Label(theme, rubric.rubric_id, font="data_strong", wrap=True))
        for text, ink in ((rubric.text, "text2"), (rubric.rationale, "text")):
            if text:
                words.addWidget(Label(theme, text, font="secondary", ink=ink, wrap=True))
        grid.addLayout(words, row, 1)
        votes = QHBoxLayout()
        votes.setSpacing(3)
        votes.addWidget(Label(theme, _decided(rubric), font="secondary", ink="text2"))
        for vote in rubric.votes:
            votes.addWidget(MarkLabel(theme, "none" if vote is None else "passed" if vote >= 1.0 else "no", 11))
        votes.addStretch(1)
        grid.addLayout(votes, row, 2)
        if reported:
            other = theirs[row - 1]
            answer = _decided(other) if other else tr("not in file")
            put_at_top(grid, row, 3, Label(theme, answer, font="secondary", ink="text2"))
    count_shown(theme, grid, len(rubrics))
    return table


def _difference(call: CallCompared) -> str:
    pair = call.pair
    if pair.match is CallMatch.ARGUMENTS and pair.differing:
        return ", ".join(pair.differing[:3])
    if pair.match is CallMatch.SAME:
        return "" if pair.order is Order.KEPT else tr(pair.order.value)
    return tr(pair.match.value)
