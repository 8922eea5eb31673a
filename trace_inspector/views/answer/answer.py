"""An answer whose sentences are underlined by their verdicts. Plain text, painted here."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from trace_inspector.core.verdict.verdict import Sentence, SentenceSupport
from trace_inspector.models.base.translation import tr
from trace_inspector.views.answer.answer_layout import (
    LINE_HEIGHT_PX,
    MARK_PX,
    MARK_ROOM_PX,
    MARKED,
    UNDER_BASELINE_PX,
    Fragment,
    PlacedAnswer,
    place,
)
from trace_inspector.views.appearance.appearance import Theme

FIRST_CHARS = 8_000
MOST_CHARS = 400_000

Stroke = Callable[[QPainter, float, float, float], None]


class AnswerView(QWidget):
    """Every sentence is a tab stop; resting on one, or Enter, asks for its reason."""

    sentence_hovered = Signal(int)
    sentence_left = Signal()
    sentence_opened = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._text = ""
        self._shown_chars = FIRST_CHARS
        self._sentences: tuple[Sentence, ...] = ()
        self._placed = PlacedAnswer((), (), 0.0)
        self._placed_width = -1
        self._current = -1
        self._hovered = -1
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def set_answer(self, text: str, sentences: Sequence[Sentence]) -> None:
        """Show another answer."""
        self._text = text
        self._shown_chars = FIRST_CHARS
        self._sentences = tuple(sentences)
        self._current = self._hovered = -1
        self._describe()
        self._place_anew()

    @property
    def hidden_chars(self) -> int:
        """How much of a long answer is not laid out yet."""
        return max(0, len(self._text) - self._shown_chars)

    def show_all(self) -> None:
        """Lay out all of a long answer, as far as that can be read at all; Raw holds every byte."""
        self._shown_chars = MOST_CHARS
        self._place_anew()

    def fragments(self, sentence: int) -> list[QRectF]:
        """The rectangle of a sentence in this widget."""
        return [part.box for part in self._laid_out().fragments if part.sentence == sentence]

    @property
    def current(self) -> int:
        """The sentence with the keyboard focus, -1 when none has it."""
        return self._current

    def global_rect(self) -> QRect:
        """The whole block on the screen: what a card must not cover."""
        return QRect(self.mapToGlobal(QPoint(0, 0)), self.size())

    def hasHeightForWidth(self) -> bool:
        """Lines wrap."""
        return True

    def heightForWidth(self, width: int) -> int:
        """All lines at that width."""
        return math.ceil(self._laid_out_at(width).height)

    def sizeHint(self) -> QSize:
        """As high as the present width asks for."""
        return QSize(280, self.heightForWidth(max(self.width(), 280)))

    def minimumSizeHint(self) -> QSize:
        """One line, a few words wide."""
        return QSize(120, LINE_HEIGHT_PX)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width wraps elsewhere."""
        super().resizeEvent(event)
        self.updateGeometry()

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab walks through the sentences before it leaves."""
        return self._step(1 if forward else -1) or super().focusNextPrevChild(forward)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The first or the last sentence takes the focus, depending on where it came from."""
        super().focusInEvent(event)
        if self._sentences and self._current < 0:
            backwards = event.reason() is Qt.FocusReason.BacktabFocusReason
            self._go(len(self._sentences) - 1 if backwards else 0)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Focus in another control resets the current sentence; focus in the card or another window does not."""
        super().focusOutEvent(event)
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self._go(-1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows move, Enter opens."""
        steps = {Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1}
        key = Qt.Key(event.key())
        if key in steps and self._step(steps[key]):
            return
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self._current >= 0:
            self.sentence_opened.emit(self._current)
            return
        super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Resting on a sentence asks for its reason."""
        self._hover(self._laid_out().sentence_at(event.position()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click is Enter."""
        sentence = self._laid_out().sentence_at(event.position())
        if sentence is not None:
            self._go(sentence)
            self.sentence_opened.emit(sentence)

    def leaveEvent(self, _event: QEvent) -> None:
        """Nothing is under the pointer any more."""
        self._hover(None)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Fills, words, underlines, marks, focus."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            placed = self._laid_out()
            seen = QRectF(event.rect())
            parts = [part for part in placed.fragments if part.box.adjusted(0, -8, 0, 8).intersects(seen)]
            for part in parts:
                self._paint_fill(painter, part)
            painter.setPen(QColor(self._theme.tokens.text))
            for layout in placed.layouts:
                layout.draw(painter, QPointF(0, 0), [], seen)
            for part in parts:
                self._paint_line(painter, part)
            if self.hasFocus():
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(QColor(self._theme.tokens.accent), 1.5))
                for part in parts:
                    if part.sentence == self._current:
                        painter.drawRoundedRect(part.box.adjusted(-1.5, -0.5, 1.5, 3), 3, 3)

    def _paint_fill(self, painter: QPainter, part: Fragment) -> None:
        fill = _FILLS.get(self._sentences[part.sentence].support)
        if part.sentence == self._hovered:
            fill = "sel"
        if fill:
            painter.fillRect(part.box, self._theme.color(fill))

    def _paint_line(self, painter: QPainter, part: Fragment) -> None:
        support = self._sentences[part.sentence].support
        ink, stroke = _STROKES[support]
        marked = part.first and support in MARKED
        if marked:
            middle = part.box.center().y()
            self._theme.icons.paint_mark(
                painter, MARKED[support], self._theme.tokens, part.box.left() + 1, middle, MARK_PX
            )
        painter.setPen(QPen(self._theme.color(ink), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        left = part.box.left() + (MARK_ROOM_PX if marked else 0)
        stroke(painter, left, part.box.right(), part.baseline + UNDER_BASELINE_PX)

    def _step(self, step: int) -> bool:
        reached = self._current + step
        if not self.hasFocus() or not 0 <= reached < len(self._sentences):
            return False
        self._go(reached)
        return True

    def _go(self, sentence: int) -> None:
        self._current = sentence
        self._describe()
        self.update()

    def _hover(self, sentence: int | None) -> None:
        hovered = -1 if sentence is None else sentence
        if hovered == self._hovered:
            return
        self._hovered = hovered
        self.setCursor(Qt.CursorShape.ArrowCursor if hovered < 0 else Qt.CursorShape.PointingHandCursor)
        self.update()
        if hovered < 0:
            self.sentence_left.emit()
        else:
            self.sentence_hovered.emit(hovered)

    def _describe(self) -> None:
        name = tr("Answer, {0} sentences").format(len(self._sentences))
        self.setAccessibleName(name if self._sentences else tr("Answer"))
        if self._current >= 0:
            sentence = self._sentences[self._current]
            words = self._text[sentence.start : sentence.end]
            self.setAccessibleDescription(f"{sentence.support.value.replace('_', ' ')}: {words} {sentence.reason}")
        else:
            self.setAccessibleDescription(self._text[:FIRST_CHARS])

    def _place_anew(self) -> None:
        self._placed_width = -1
        self.updateGeometry()
        self.update()

    def _laid_out(self) -> PlacedAnswer:
        return self._laid_out_at(self.width())

    def _laid_out_at(self, width: int) -> PlacedAnswer:
        if width != self._placed_width:
            shown = self._text[: self._shown_chars]
            self._placed = place(shown, self._sentences, self._theme.fonts.body, width)
            self._placed_width = width
        return self._placed


def _solid(painter: QPainter, left: float, right: float, y: float) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    painter.drawLine(QPointF(left, round(y)), QPointF(right - 1, round(y)))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=True)


def _double(painter: QPainter, left: float, right: float, y: float) -> None:
    _solid(painter, left, right, y)
    _solid(painter, left, right, y + 3)


def _wave(painter: QPainter, left: float, right: float, y: float) -> None:
    painter.setPen(QPen(painter.pen().color(), 1.5))
    path = QPainterPath(QPointF(left, y + 1))
    x, up = left, True
    while x < right:
        path.quadTo(QPointF(x + 1.5, y + (-1.4 if up else 3.4)), QPointF(x + 3, y + 1))
        x, up = x + 3, not up
    painter.save()
    painter.setClipRect(QRectF(left, y - 3, right - left, 8))
    painter.drawPath(path)
    painter.restore()


def _dashed(painter: QPainter, left: float, right: float, y: float) -> None:
    pen = QPen(painter.pen().color(), 2, Qt.PenStyle.CustomDashLine, Qt.PenCapStyle.FlatCap)
    pen.setDashPattern([2, 1.5])  # in pen widths: 4 on, 3 off
    painter.setPen(pen)
    painter.drawLine(QPointF(left, y), QPointF(right, y))


def _dash_dotted(painter: QPainter, left: float, right: float, y: float) -> None:
    pen = QPen(painter.pen().color(), 1.5, Qt.PenStyle.CustomDashLine, Qt.PenCapStyle.RoundCap)
    pen.setDashPattern([4, 2.4, 0.01, 2.4])
    painter.setPen(pen)
    painter.drawLine(QPointF(left + 1, y), QPointF(right, y))


def _dotted(painter: QPainter, left: float, right: float, y: float) -> None:
    pen = QPen(painter.pen().color(), 1.5, Qt.PenStyle.CustomDashLine, Qt.PenCapStyle.RoundCap)
    pen.setDashPattern([0.01, 2.4])
    painter.setPen(pen)
    painter.drawLine(QPointF(left + 1, y), QPointF(right, y))


_FILLS = {SentenceSupport.UNSUPPORTED: "warn_soft", SentenceSupport.CONTRADICTORY: "fail_soft"}

_STROKES: dict[SentenceSupport, tuple[str, Stroke]] = {
    SentenceSupport.SUPPORTED: ("passed", _solid),
    SentenceSupport.UNSUPPORTED: ("warn", _wave),
    SentenceSupport.CONTRADICTORY: ("fail", _double),
    SentenceSupport.DISPUTED: ("candidate", _dashed),
    SentenceSupport.NOT_APPLICABLE: ("text3", _dotted),
    SentenceSupport.CANNOT_TELL: ("text2", _dash_dotted),
}
