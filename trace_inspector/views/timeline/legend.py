"""The line below: the meaning of the shapes, and the current turn's critical path in words."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from trace_inspector.core.rows.timing import Form, Mark, Sign
from trace_inspector.core.translatable import N_
from trace_inspector.models.base.translation import tr
from trace_inspector.models.timeline.timeline import Timeline
from trace_inspector.models.timeline.words import summary
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.timeline.bars import paint_sign
from trace_inspector.views.timeline.brush import PADDING_PX, paint_bar, paint_bracket

LEGEND_PX = 28
_SWATCH_PX = 12.0
_MIDDLE = LEGEND_PX / 2


class TimelineLegend(QWidget):
    """Entries without room are left out from the end."""

    def __init__(self, theme: Theme, timeline: Timeline) -> None:
        super().__init__()
        self._theme = theme
        self._timeline = timeline
        self._text_painter = TextPainter(theme)
        self.setFixedHeight(LEGEND_PX)
        timeline.grown.connect(self._refresh)
        timeline.moved.connect(self._refresh)
        theme.changed.connect(self.update)

    def _refresh(self) -> None:
        self.setAccessibleName(summary(self._timeline))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Swatches from the left, the sentence at the right."""
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), self._theme.color("window"))
            painter.fillRect(QRectF(0, 0, self.width(), 1), self._theme.color("border"))
            room = QRectF(PADDING_PX, 0, self.width() - 2 * PADDING_PX, LEGEND_PX)
            words = summary(self._timeline)
            used = self._text_painter.right(painter, room, words, "secondary", "text2") if words else 0.0
            left, end = room.left(), room.right() - used - 24
            for name, paint in _SWATCHES:
                width = _SWATCH_PX + 6 + self._text_painter.width(tr(name), "secondary")
                if left + width > end:
                    break
                paint(painter, self._theme, QRectF(left, _MIDDLE - 5, _SWATCH_PX, 10))
                place = QRectF(left + _SWATCH_PX + 6, 0, width, LEGEND_PX)
                self._text_painter.left(painter, place, tr(name), "secondary", "text2")
                left += width + 16


def _bar(form: Form, mark: int = 0, low_px: float = 0.0) -> Callable[[QPainter, Theme, QRectF], None]:
    return lambda painter, theme, box: paint_bar(painter, theme, form, box.adjusted(0, low_px, 0, -low_px), mark)


def _agent(painter: QPainter, theme: Theme, box: QRectF) -> None:
    paint_bracket(painter, theme, box.adjusted(0, -2, 0, -2), derived=False)


def _line(painter: QPainter, theme: Theme, box: QRectF) -> None:
    painter.fillRect(QRectF(box.left(), box.center().y() - 1, box.width(), 2), theme.color("text"))


def _sign(sign: Sign, shift_px: float) -> Callable[[QPainter, Theme, QRectF], None]:
    def paint(painter: QPainter, theme: Theme, box: QRectF) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_sign(painter, theme, sign, box.left() + shift_px, box.center().y())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)

    return paint


_SWATCHES: tuple[tuple[str, Callable[[QPainter, Theme, QRectF], None]], ...] = (
    ("Model", _bar(Form.MODEL)),
    ("Tool", _bar(Form.TOOL)),
    ("Agent", _agent),
    (N_("HTTP, queue"), _bar(Form.TRANSPORT, low_px=2.0)),
    (N_("Derived time"), _bar(Form.WAIT, Mark.DERIVED)),
    ("Critical path", _line),
    ("User", _sign(Sign.USER, 2)),
    ("Call", _sign(Sign.CALL, 3)),
    ("Result", _sign(Sign.RESULT, 9)),
    (N_("Text"), _sign(Sign.TEXT, 9)),
)
