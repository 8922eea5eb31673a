"""One judged question: matrix, figures, corrected pass rate, what is missing, and the outputs themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtWidgets import QBoxLayout, QVBoxLayout, QWidget

from trace_inspector.engine.calibration.estimate import Estimate
from trace_inspector.engine.reports.calibration.words import (
    figures,
    judge_words,
    label_words,
    notes,
    plan_lines,
    rates,
)
from trace_inspector.models.base.translation import tr
from trace_inspector.models.review.calibration_table import headline
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.blocks.figure_chart import FigureChart, FigureRow
from trace_inspector.views.calibration.matrix import ConfusionMatrix, Quadrant
from trace_inspector.views.calibration.output_rows import OutputRows
from trace_inspector.views.widgets.controls import Button, Label, hline

if TYPE_CHECKING:
    from trace_inspector.engine.calibration.calibration import Calibration, JudgedOutput

ROOMY_PX = 860  # below it the figures stand under the matrix
MATRIX_PX = 320
_ESTIMATES: dict[str, Callable[[Calibration], Estimate]] = {
    "sensitivity": lambda found: found.agreement.sensitivity,
    "specificity": lambda found: found.agreement.specificity,
    "precision": lambda found: found.agreement.precision,
    "accuracy": lambda found: found.agreement.accuracy,
    "κ": lambda found: found.agreement.kappa,
    "AC1": lambda found: found.agreement.ac1,
    "α": lambda found: found.alpha,
    "by PPI": lambda found: found.rates.ppi,
    "by Rogan–Gladen": lambda found: found.rates.rogan_gladen,
}


class QuestionPage(QWidget):
    """Made anew for each question. `opened` gets an output, `open_test` is asked for the test part.

    `reveal` scrolls to a part of it.
    """

    def __init__(
        self,
        theme: Theme,
        found: Calibration,
        *,
        opened: Callable[[JudgedOutput], object],
        open_test: Callable[[], object],
        reveal: Callable[[QWidget], object],
    ) -> None:
        super().__init__()
        self._theme, self._found = theme, found
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._reveal = reveal
        self.matrix = ConfusionMatrix(theme, found, self._press)
        self.outputs = OutputRows(theme, opened)
        self._listed = Label(theme, font="strong", wrap=True)
        self._all = Button(theme, tr("Show the disagreements"), clicked=lambda: self.show_cell(None))
        box = QVBoxLayout(self)
        box.setContentsMargins(16, 12, 12, 16)
        box.setSpacing(8)
        box.addWidget(Label(theme, headline(found), font="title", wrap=True))
        words = tr("Judge: {0}. {1}.").format(judge_words(found), label_words(found))
        box.addWidget(Label(theme, words, font="secondary", ink="text2", wrap=True))
        for note in notes(found):
            box.addWidget(Label(theme, note, font="secondary", ink="warn", wrap=True))
        if found.labels.sealed:
            self._add_test_part(box, open_test)
        self._both = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._both.setSpacing(20)
        self._both.addWidget(self.matrix, 0, Qt.AlignmentFlag.AlignTop)
        self._both.addWidget(FigureChart(theme, [*_rows(found)]), 1)
        box.addLayout(self._both)
        box.addWidget(hline())
        what = tr("What people would say of all {0} outputs").format(f"{found.agreement.counts.judged:,}")
        box.addWidget(Label(theme, what, font="strong", wrap=True))
        box.addWidget(FigureChart(theme, [*_rate_rows(found)]))
        for line in plan_lines(found):
            box.addWidget(Label(theme, f"{line}.", font="secondary", wrap=True))
        box.addWidget(hline())
        box.addWidget(self._listed)
        box.addWidget(self.outputs)
        box.addWidget(self._all, 0, Qt.AlignmentFlag.AlignLeft)
        box.addStretch(1)
        self.show_cell(None)

    def minimumSizeHint(self) -> QSize:
        """How high it must be is told by its width alone: wrapped words ask for more than they need."""
        return QSize(super().minimumSizeHint().width(), 0)

    def fit(self, width: int) -> None:
        """Side by side where there is room for both."""
        roomy = width >= self._theme.grown(ROOMY_PX)
        way = QBoxLayout.Direction.LeftToRight if roomy else QBoxLayout.Direction.TopToBottom
        self._both.setDirection(way)
        self.matrix.setMaximumWidth(self._theme.grown(MATRIX_PX) if roomy else self._theme.grown(MATRIX_PX) * 2)

    def _press(self, cell: Quadrant) -> None:
        """List the outputs of a cell, in sight: the list may be far below."""
        self.show_cell(cell)
        for part in (self.outputs.rows[0], self._listed) if self.outputs.rows else (self._listed,):
            QTimer.singleShot(0, part, partial(self._reveal, part))

    def show_cell(self, cell: Quadrant | None) -> None:
        """List the outputs of a cell; None: the disagreements."""
        self.matrix.show_chosen(cell)
        found = self._found
        outputs = [each for each in found.outputs if (cell.has(each) if cell is not None else not each.is_right)]
        counts = dict(zip(Quadrant, found.agreement.counts.cells, strict=True))
        total = counts[cell] if cell is not None else sum(n for each, n in counts.items() if not each.is_right)
        self._listed.setText(_list_title(total, cell))
        self.outputs.show_outputs(outputs, total)
        self._all.setVisible(cell is not None)

    def _add_test_part(self, box: QVBoxLayout, open_test: Callable[[], object]) -> None:
        words = tr(
            "{0} outputs of the test part are not counted: it is for measuring a judge once, when it is ready. That "
            "it was opened is written down, and told of every judge that is measured on it later."
        )
        box.addWidget(Label(self._theme, words.format(f"{self._found.labels.sealed:,}"), font="secondary", wrap=True))
        button = Button(self._theme, tr("Open the test part"), clicked=open_test)
        box.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)


def _list_title(count: int, cell: Quadrant | None) -> str:
    if cell is not None:
        return tr("{0}: {1}").format(tr(cell.words).capitalize(), f"{count:,}")
    if not count:
        return tr("Judge and people disagree about no output.")
    if count == 1:
        return tr("Judge and people disagree about 1 output:")
    return tr("Judge and people disagree about {0} outputs:").format(f"{count:,}")


def _rows(found: Calibration) -> Iterator[FigureRow]:
    for name, value, interval, means in figures(found):
        beside = found.agreement.base_rate if name == "accuracy" else None
        yield _row((name, value, interval, means), _ESTIMATES[name](found), beside)


def _rate_rows(found: Calibration) -> Iterator[FigureRow]:
    raw = found.rates.raw
    for row in rates(found):
        estimate = _ESTIMATES[row[0]](found) if row[0] in _ESTIMATES else Estimate(raw)
        yield _row(row, estimate, raw if row[0] in _ESTIMATES else None)


def _row(texts: tuple[str, str, str, str], estimate: Estimate, beside: float | None) -> FigureRow:
    return FigureRow(*texts, estimate.value, estimate.low, estimate.high, beside)
