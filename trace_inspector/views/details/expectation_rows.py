"""The expectations a verdict was decided from, one a row: how each came out, why, and where both sides stand."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from trace_inspector.core.values.values import Absent
from trace_inspector.core.verdict.verdict import ExpectationVerdict, MetricVerdict, Provenance, Status
from trace_inspector.models.base.figures import score_text
from trace_inspector.models.base.roles import MARK_OF
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.base.translation import tr
from trace_inspector.models.search.properties import text_of
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.details.evidence_table import LISTED, count_shown, put_at_top, put_mark, table_of
from trace_inspector.views.details.place import Place
from trace_inspector.views.widgets.controls import Button, ButtonKind, Elided, Label


def expectation_rows(theme: Theme, place: Place, metric: MetricVerdict) -> QWidget:
    """In the order of the file; unexpected ones are marked as such."""
    table, grid = table_of(theme, (tr("Expectation"), tr("Score")))
    golden_path = _golden_path(place, metric)
    for row, verdict in enumerate(metric.expectations[:LISTED], 1):
        put_mark(theme, grid, row, MARK_OF[verdict.status])
        grid.addLayout(_words(theme, place, verdict, golden_path), row, 1)
        score = "–" if verdict.score is None else score_text(verdict.score)
        ink = "fail" if verdict.status is Status.FAILED else "text2"
        put_at_top(grid, row, 2, Label(theme, score, font="number", ink=ink), right=True)
    count_shown(theme, grid, len(metric.expectations))
    return table


def _words(theme: Theme, place: Place, verdict: ExpectationVerdict, golden_path: str) -> QVBoxLayout:
    box = QVBoxLayout()
    box.setSpacing(0)
    box.addWidget(Label(theme, verdict.what, font="strong", wrap=True))
    if verdict.extra:
        box.addWidget(Label(theme, tr("Observed, not expected"), font="secondary", ink="candidate"))
    for text, ink in ((verdict.reason, "text"), (_figures(verdict), "text2")):
        if text:
            box.addWidget(Label(theme, text, font="secondary", ink=ink, wrap=True))
    links = QHBoxLayout()
    links.setSpacing(8)
    for words, path, pointer in (
        (tr("Observed"), str(place.file.path), verdict.place),
        (tr("Expected"), golden_path, verdict.golden_place),
    ):
        if pointer:
            links.addWidget(_way_to(theme, place, words, path, pointer))
    links.addStretch(1)
    box.addLayout(links)
    return box


def _figures(verdict: ExpectationVerdict) -> str:
    """The named parts of the score and the file's own word, in one line."""
    texts = [f"{name} {'–' if value is None else f'{value:,.4g}'}" for name, value in verdict.figures]
    if not isinstance(verdict.native, Absent):
        texts.append(tr("in the file {0}").format(text_of("", verdict.native)))
    return ", ".join(texts)


def _way_to(theme: Theme, place: Place, words: str, path: str, pointer: str) -> QWidget:
    """A link to the row at that place; where no open file has one, the place in words."""
    workspace = place.workspace
    file = next((file for file in workspace.files if str(file.path) == path), None)
    row = file.table.row_near(pointer) if file else TOP
    if file is None or row == TOP:
        return Elided(theme, tr("{0} at {1}").format(words, pointer), font="secondary", ink="text2")
    there = Selection(file.number, row)
    link = Button(theme, words, ButtonKind.LINK, clicked=lambda: workspace.selection.select(there))
    link.setAccessibleName(tr("{0}, go to {1}").format(words, pointer))
    return link


def _golden_path(place: Place, metric: MetricVerdict) -> str:
    """Where the golden stands; what a file reports has it in that file."""
    reported = metric.provenance is Provenance.REPORTED
    case = place.reported_case if reported else place.case_verdict
    return (case.golden_path if case else "") or str(place.file.path)
