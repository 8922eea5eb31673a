"""One criterion as a row: name, score against threshold, what it needs, what it got; folds open."""

from __future__ import annotations

from msgspec import Struct
from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from trace_inspector.core.verdict.verdict import MetricVerdict, Status
from trace_inspector.models.base.figures import score_text
from trace_inspector.models.base.roles import MARK_NAMES, MARK_OF
from trace_inspector.models.base.tips import plain_tip
from trace_inspector.models.base.translation import tr
from trace_inspector.models.details.verdict_pairs import VerdictPair
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter

ROW_PX = 32
BAR_PX = 144
NARROW_BAR_PX = 72
ROOMY_PX = 560
BARLESS_PX = 480  # below, the bar makes room for the name
NEEDS_PX = 56
SCORE_PX = 92
BAR_HEIGHT_PX = 6
HEAD_PX = 24
NAME_LEFT_PX, LEAST_NAME_PX, NAME_LINE_PX = 48, 150, 22

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


class Sides(Struct, frozen=True):
    """Which sides a page has a column for."""

    reported: bool = False
    recomputed: bool = True

    @property
    def both(self) -> bool:
        """Whether both are shown."""
        return self.reported and self.recomputed


class Columns(Struct, frozen=True):
    """Where the bar, what is needed, the first and the last score begin, and how wide the last three are."""

    bar: int  # where `needs` begins, where it has no room at all
    needs: int
    first: int
    score: int
    needs_px: int
    score_px: int

    def are_below(self, theme: Theme) -> bool:
        """Whether they are on a line of their own, because a name would have no room beside them."""
        return self.bar - NAME_LEFT_PX < theme.grown(LEAST_NAME_PX)


def columns(theme: Theme, width: int, sides: Sides) -> Columns:
    """The columns of a row of that width."""
    needs_px, score_px = theme.grown(NEEDS_PX), theme.grown(SCORE_PX)
    second_px = score_px if sides.both else 0
    score = width - score_px
    needs = score - second_px - needs_px
    bar_px = BAR_PX if width >= theme.grown(ROOMY_PX) + second_px else NARROW_BAR_PX
    bar = needs - (bar_px + 16 if width >= theme.grown(BARLESS_PX) + second_px else 0)
    return Columns(bar, needs, score - second_px, score, needs_px, score_px)


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
        self.setToolTip(plain_tip("\n".join(filter(None, (verdict.full_name, verdict.reason)))))

    def sizeHint(self) -> QSize:
        """One row."""
        return QSize(300, self._theme.row(ROW_PX) + self._name_line_px)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrow row has a second line."""
        super().resizeEvent(event)
        if self.sizeHint().height() != self.height():
            self.updateGeometry()

    @property
    def _name_line_px(self) -> int:
        """The height of the line above the figures; 0 where all is on one."""
        is_below = not self._value and columns(self._theme, self.width(), self._sides).are_below(self._theme)
        return self._theme.row(NAME_LINE_PX) if is_below else 0

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
            above = self._name_line_px
            top, high = above * 0.7, self.height() - above
            first_line = (above or self.height()) / 2 + (4 if above else 0)
            if self.hasFocus() or self.open:
                painter.fillRect(self.rect(), self._theme.color("sel" if self.hasFocus() else "raised"))
                painter.fillRect(0, 0, 2, self.height(), QColor(tokens.accent))
            painter.fillRect(0, self.height() - 1, self.width(), 1, QColor(tokens.grid))
            if self._foldable:
                self._theme.icons.paint(painter, "down" if self.open else "right", tokens.text2, 6, first_line, 14)
            self._theme.icons.paint_mark(painter, MARK_OF[verdict.status], tokens, 26, first_line, 14)
            places = columns(self._theme, self.width(), self._sides)
            name_px = (self.width() if above else places.bar) - NAME_LEFT_PX - 8
            self._paint_name(painter, QRectF(NAME_LEFT_PX, first_line - high / 2, name_px, high))
            if self._value:
                return
            if places.bar < places.needs:
                width = places.needs - places.bar - 16
                self._paint_bar(painter, QRectF(places.bar, top + (high - BAR_HEIGHT_PX) / 2, width, BAR_HEIGHT_PX))
            threshold = score_text(verdict.threshold) if verdict.threshold is not None else "–"
            box = QRectF(places.needs, top, places.needs_px - 8, high)
            self._text_painter.right(painter, box, threshold, "number", "text2")
            if self._sides.reported:
                box = QRectF(places.first, top, places.score_px - 12, high)
                self._paint_score(painter, box, self._pair.reported, "not in file")
            if self._sides.recomputed:
                box = QRectF(places.score, top, places.score_px - 12, high)
                self._paint_score(painter, box, self._pair.recomputed, "not run")

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
        self.setFixedHeight(theme.row(HEAD_PX))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The columns' names over a line."""
        with QPainter(self) as painter:
            tokens = self._theme.tokens
            painter.fillRect(self.rect(), QColor(tokens.raised))
            painter.fillRect(0, 0, self.width(), 1, QColor(tokens.border))
            painter.fillRect(0, self.height() - 1, self.width(), 1, QColor(tokens.border))
            sides, places = self._sides, columns(self._theme, self.width(), self._sides)
            bar_px = places.needs - places.bar - 8
            wide = bar_px >= self._text_painter.width(tr("Score against threshold"), "secondary")
            for left, width, words, right in (
                (8, 0 if places.are_below(self._theme) else places.bar - 16, "Criterion", False),
                (places.bar, bar_px, "Score against threshold" if wide else "Score", False),
                (places.needs, places.needs_px - 8, "Needs", True),
                (places.first, places.score_px - 12 if sides.reported else 0, "Reported", True),
                (places.score, places.score_px - 12 if sides.recomputed else 0, "Recomputed", True),
            ):
                if width < self._text_painter.width(tr(words), "secondary"):
                    continue  # what is in that column needs no name, or has a line of its own
                box = QRectF(left, 0, width, self.height())
                write = self._text_painter.right if right else self._text_painter.left
                write(painter, box, tr(words), "secondary", "text2")
