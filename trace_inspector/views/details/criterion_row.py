"""One criterion as a row: name, score against threshold, what it needs, what it got; folds open."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from trace_inspector.core.verdict.verdict import MetricVerdict, Status
from trace_inspector.models.base.figures import score_text
from trace_inspector.models.base.roles import MARK_NAMES, MARK_OF
from trace_inspector.models.base.translation import tr
from trace_inspector.models.details.verdict_pairs import VerdictPair
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter

ROW_PX = 32
BAR_PX = 144
NARROW_BAR_PX = 72
ROOMY_PX = 560
BARLESS_PX = 400  # below, the bar makes room for the name
NEEDS_PX = 56
SCORE_PX = 92
BAR_HEIGHT_PX = 6

_COLOURS = {Status.PASSED: "passed", Status.FAILED: "fail"}
_SILENT = (Status.NOT_EVALUATED, Status.ERROR, Status.SKIPPED, Status.PENDING)


def _unscored(status: Status) -> str:
    """The text where a verdict has no number: some criteria of CES only pass or fail."""
    words = {
        Status.PASSED: tr("passed"),
        Status.FAILED: tr("failed"),
        Status.ERROR: tr("error"),
        Status.PENDING: tr("waiting"),
        Status.SKIPPED: tr("skipped"),
    }
    return words.get(status, tr("not run"))


@dataclass(frozen=True, slots=True)
class Sides:
    """Which sides a page has a column for."""

    reported: bool = False
    recomputed: bool = True

    @property
    def both(self) -> bool:
        """Whether both are shown."""
        return self.reported and self.recomputed


def columns(width: int, sides: Sides) -> tuple[int, int, int, int]:
    """Where the bar, what is needed, the first and the last score begin; the bar may have no room at all."""
    score = width - SCORE_PX
    first = score - (SCORE_PX if sides.both else 0)
    needs = first - NEEDS_PX
    roomy = width >= ROOMY_PX + (SCORE_PX if sides.both else 0)
    bar = BAR_PX if roomy else NARROW_BAR_PX
    least = BARLESS_PX + (SCORE_PX if sides.both else 0)
    return needs - (bar + 16 if width >= least else 0), needs, first, score


class CriterionRow(QWidget):
    """A tab stop; Space, Enter and a click fold it open."""

    toggled = Signal(bool)

    def __init__(self, theme: Theme, pair: VerdictPair, sides: Sides, *, foldable: bool, value: str = "") -> None:
        super().__init__()
        self._theme = theme
        self._pair = pair
        self._sides = sides
        self._verdict = verdict = pair.shown
        self._text_painter = TextPainter(theme)
        self._foldable = foldable
        self._value = value
        self.open = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        status = MARK_NAMES[MARK_OF[verdict.status]]
        needs = f", needs {score_text(verdict.threshold)}" if verdict.threshold is not None else ""
        reported = f", reported {score_text(pair.reported.score)}" if pair.reported else ""
        self.setAccessibleName(
            f"{verdict.full_name}: {status}, {value or score_text(verdict.score)}{needs}{reported}"
        )
        self.setAccessibleDescription(pair.conflict or verdict.reason)

    def sizeHint(self) -> QSize:
        """One row."""
        return QSize(300, ROW_PX)

    def toggle(self) -> None:
        """Fold open or shut."""
        if self._foldable:
            self.open = not self.open
            self.toggled.emit(self.open)
            self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space and Enter fold; arrows walk through the rows."""
        if event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.toggle()
        elif event.key() == Qt.Key.Key_Down:
            self.focusNextChild()
        elif event.key() == Qt.Key.Key_Up:
            self.focusPreviousChild()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, _event: QMouseEvent) -> None:
        """A click."""
        self.toggle()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Arrow, mark, name, bar, figures."""
        with QPainter(self) as painter:
            tokens, verdict = self._theme.tokens, self._verdict
            middle = self.height() / 2
            if self.hasFocus() or self.open:
                painter.fillRect(self.rect(), self._theme.color("sel" if self.hasFocus() else "raised"))
                painter.fillRect(0, 0, 2, self.height(), QColor(tokens.accent))
            painter.fillRect(0, self.height() - 1, self.width(), 1, QColor(tokens.grid))
            if self._foldable:
                self._theme.icons.paint(painter, "down" if self.open else "right", tokens.text2, 6, middle, 14)
            self._theme.icons.paint_mark(painter, MARK_OF[verdict.status], tokens, 26, middle, 14)
            bar, needs, first, score = columns(self.width(), self._sides)
            self._paint_name(painter, QRectF(48, 0, bar - 56, ROW_PX))
            if self._value:
                return
            if bar < needs:
                self._paint_bar(painter, QRectF(bar, middle - BAR_HEIGHT_PX / 2, needs - bar - 16, BAR_HEIGHT_PX))
            threshold = score_text(verdict.threshold) if verdict.threshold is not None else "–"
            self._text_painter.right(painter, QRectF(needs, 0, NEEDS_PX - 8, ROW_PX), threshold, "number", "text2")
            if self._sides.reported:
                self._paint_score(
                    painter, QRectF(first, 0, SCORE_PX - 12, ROW_PX), self._pair.reported, "not in file"
                )
            if self._sides.recomputed:
                self._paint_score(painter, QRectF(score, 0, SCORE_PX - 12, ROW_PX), self._pair.recomputed, "not run")

    def _paint_name(self, painter: QPainter, box: QRectF) -> None:
        verdict = self._verdict
        if self._value:
            box.setRight(self.width() - 12.0)
        shown = self._text_painter.metrics("body").elidedText(
            verdict.metric, Qt.TextElideMode.ElideMiddle, box.width()
        )
        box.setLeft(box.left() + self._text_painter.left(painter, box, shown, "body", "text") + 8)
        caption = self._value or (verdict.reason if verdict.status in _SILENT else "")
        if caption and box.width() > 32:
            self._text_painter.left(painter, box, caption, "secondary", "text2")

    def _paint_bar(self, painter: QPainter, box: QRectF) -> None:
        tokens, verdict = self._theme.tokens, self._verdict
        if verdict.score is None:
            pen = QPen(QColor(tokens.control), 1)
            pen.setDashPattern([3, 2])
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(box.adjusted(0, 0, -1, -1))
            return
        painter.fillRect(box, QColor(tokens.sunken))
        full = max(1.0, verdict.score, verdict.threshold or 0.0)  # some scores have a scale beyond 1
        share = max(verdict.score, 0.0) / full
        filled = QRectF(box.left(), box.top(), max(2.0, box.width() * share), box.height())
        painter.fillRect(filled, self._theme.color(_COLOURS.get(verdict.status, "agent")))
        if verdict.threshold is not None:
            x = box.left() + box.width() * max(verdict.threshold, 0.0) / full
            painter.fillRect(QRectF(min(x, box.right() - 1) - 1, box.center().y() - 8, 2, 16), QColor(tokens.text))

    def _paint_score(self, painter: QPainter, box: QRectF, verdict: MetricVerdict | None, nothing: str) -> None:
        if verdict is None:
            self._text_painter.right(painter, box, tr(nothing), "secondary", "text2")
            return
        failing = verdict.status is Status.FAILED
        text = _unscored(verdict.status) if verdict.score is None else score_text(verdict.score)
        ink = "fail" if failing else "text2" if verdict.score is None else "text"
        width = self._text_painter.right(painter, box, text, "number_strong" if failing else "number", ink)
        left, middle = box.right() - width - 16, box.center().y()
        self._theme.icons.paint_mark(painter, MARK_OF[verdict.status], self._theme.tokens, left, middle, 11)


class CriteriaHead(QWidget):
    """The names of the columns, over the rows."""

    def __init__(self, theme: Theme, sides: Sides) -> None:
        super().__init__()
        self._theme = theme
        self._sides = sides
        self._text_painter = TextPainter(theme)
        self.setFixedHeight(24)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The columns' names over a line."""
        with QPainter(self) as painter:
            tokens = self._theme.tokens
            painter.fillRect(self.rect(), QColor(tokens.raised))
            painter.fillRect(0, 0, self.width(), 1, QColor(tokens.border))
            painter.fillRect(0, self.height() - 1, self.width(), 1, QColor(tokens.border))
            sides = self._sides
            bar, needs, first, score = columns(self.width(), sides)
            wide = self.width() >= ROOMY_PX
            for left, width, words, right in (
                (8, bar - 16, "Criterion", False),
                (bar, needs - bar - 8, "Score against threshold" if wide else "Score", False),
                (needs, NEEDS_PX - 8, "Needs", True),
                (first, SCORE_PX - 12 if sides.reported else 0, "Reported", True),
                (score, SCORE_PX - 12 if sides.recomputed else 0, "Recomputed", True),
            ):
                if width <= 0:
                    continue
                box = QRectF(left, 0, width, 24)
                write = self._text_painter.right if right else self._text_painter.left
                write(painter, box, tr(words), "secondary", "text2")
