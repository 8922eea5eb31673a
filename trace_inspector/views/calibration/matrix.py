"""The confusion matrix: four cells, each a button that lists its outputs."""

from __future__ import annotations

import enum
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QGridLayout, QSizePolicy, QWidget

from trace_inspector.core.translatable import N_
from trace_inspector.models.base.translation import tr
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.widgets.controls import Label

if TYPE_CHECKING:
    from trace_inspector.engine.calibration.calibration import Calibration, Compared

CELL_PX = (112, 56)


class Quadrant(enum.Enum):
    """Which outputs: what the judge says, what people say, and the words for it. Positive is a failure."""

    FOUND = (True, True, N_("found"))
    FALSE_ALARM = (True, False, N_("false alarm"))
    MISSED = (False, True, N_("missed"))
    LET_PASS = (False, False, N_("let pass"))

    def __init__(self, judge_failed: bool, people_failed: bool, words: str) -> None:
        self.judge_failed, self.people_failed, self.words = judge_failed, people_failed, words

    @property
    def is_right(self) -> bool:
        """Whether the judge says what people say."""
        return self.judge_failed is self.people_failed

    def has(self, output: Compared) -> bool:
        """Whether an output is of this cell."""
        return (output.output.failed, output.people_failed) == (self.judge_failed, self.people_failed)


class ConfusionMatrix(QWidget):
    """Judge from above to below, people from left to right. `chosen` gets the cell that was pressed."""

    def __init__(self, theme: Theme, found: Calibration, chosen: Callable[[Quadrant], object]) -> None:
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(4)
        for column, words in enumerate((tr("people: fail"), tr("people: pass")), 1):
            grid.addWidget(_heading(theme, words), 0, column)
        for row, words in enumerate((tr("judge: fail"), tr("judge: pass")), 1):
            grid.addWidget(_heading(theme, words), row, 0)
        counts = dict(zip(Quadrant, found.agreement.counts.cells, strict=True))
        self.cells = {cell: MatrixCell(theme, cell, counts[cell], partial(chosen, cell)) for cell in Quadrant}
        for number, made in enumerate(self.cells.values()):
            grid.addWidget(made, 1 + number // 2, 1 + number % 2)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(2, 1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_chosen(self, cell: Quadrant | None) -> None:
        """Frame the cell whose outputs are listed."""
        for each, made in self.cells.items():
            made.setChecked(each is cell)


def _heading(theme: Theme, words: str) -> Label:
    return Label(theme, words, font="secondary", ink="text2")


class MatrixCell(QAbstractButton):
    """How many outputs, and the word for them; what the judge has wrong is tinted."""

    def __init__(self, theme: Theme, cell: Quadrant, count: int, pressed: Callable[[], object]) -> None:
        super().__init__()
        self._theme, self._cell, self._count = theme, cell, count
        self._text_painter = TextPainter(theme)
        self.setCheckable(True)
        self.setEnabled(count > 0)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        says = [tr("fail") if failed else tr("pass") for failed in (cell.judge_failed, cell.people_failed)]
        words = tr("{0} {1}: the judge says {2}, people say {3}")
        self.setAccessibleName(words.format(f"{count:,}", tr(cell.words), *says))
        self.setToolTip(self.accessibleName())
        self.clicked.connect(pressed)

    def sizeHint(self) -> QSize:
        """Room for a number and a word."""
        return QSize(self._theme.grown(CELL_PX[0]), self._theme.grown(CELL_PX[1]))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses it as Space does."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The number above the word."""
        wrong = not self._cell.is_right and self._count > 0
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            box = QRectF(self.rect()).adjusted(1, 1, -1, -1)
            framed = self.hasFocus() or self.isChecked()
            painter.setPen(QPen(self._theme.color("accent" if framed else "border"), 2 if framed else 1))
            painter.setBrush(self._theme.color("warn_soft" if wrong else "raised"))
            painter.drawRoundedRect(box, 4, 4)
            inside = box.adjusted(10, 6, -10, -6)
            number = QRectF(inside.left(), inside.top(), inside.width(), inside.height() / 2)
            words = QRectF(inside.left(), inside.center().y(), inside.width(), inside.height() / 2)
            ink = "warn" if wrong else "text" if self._count else "text3"
            self._text_painter.left(painter, number, f"{self._count:,}", "number_strong", ink)
            self._text_painter.left(painter, words, tr(self._cell.words), "secondary", "text2")
