"""What all painters of the timeline share: colours by form, hatching, sizes."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen

from trace_inspector.core.rows.timing import Form, Mark
from trace_inspector.views.appearance.appearance import Theme

ROW_PX = 24
RULER_PX = 28
MINIMAP_PX = 44
LABELS_PX = 300
NARROW_LABELS_PX = 220
PADDING_PX = 12
INDENT_PX = 16
INSIDE_FROM_PX = 60
LEAST_BAR_PX = 2.0
OFF_PATH = 0.55

INKS = {Form.AGENT: "agent", Form.MODEL: "model", Form.TOOL: "tool", Form.TRANSPORT: "agent", Form.WAIT: "agent"}
HEIGHTS_PX = {Form.AGENT: 14.0, Form.MODEL: 15.0, Form.TOOL: 15.0, Form.TRANSPORT: 7.0, Form.WAIT: 9.0}
ROUND_PX = 3.0


def paint_bar(painter: QPainter, theme: Theme, form: Form, box: QRectF, mark: int) -> None:
    """A bar: round for models, square for tools, low for transport, hatched and dashed where times are derived."""
    ink = theme.color(INKS[form])
    if mark & Mark.DERIVED:
        _paint_derived(painter, box, ink, ROUND_PX if form is Form.MODEL else 0.0)
        return
    if form is Form.MODEL:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink)
        rounding = min(ROUND_PX, box.width() / 2)
        painter.drawRoundedRect(box, rounding, rounding)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    else:
        painter.fillRect(box, ink)


def _paint_derived(painter: QPainter, box: QRectF, ink: QColor, rounding_px: float) -> None:
    painter.fillRect(box.adjusted(0, 1, 0, -1), QBrush(ink, Qt.BrushStyle.BDiagPattern))
    pen = QPen(ink, 1)
    pen.setDashPattern([3, 2])
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), rounding_px, rounding_px)


def paint_bracket(painter: QPainter, theme: Theme, box: QRectF, *, derived: bool) -> None:
    """An agent: a bracket over its work."""
    pen = QPen(theme.color("agent"), 1)
    if derived:
        pen.setDashPattern([3, 2])
    painter.setPen(pen)
    top, low = box.top() + 4.5, box.top() + 10
    left, right = round(box.left()) + 0.5, round(box.right()) - 0.5
    painter.drawPolyline([QPointF(left, low), QPointF(left, top), QPointF(right, top), QPointF(right, low)])


def hatch(painter: QPainter, theme: Theme, box: QRectF) -> None:
    """A folded pause."""
    painter.fillRect(box, theme.color("raised"))
    painter.fillRect(box, QBrush(theme.color("border2"), Qt.BrushStyle.BDiagPattern))
    painter.fillRect(QRectF(box.left(), box.top(), 1, box.height()), theme.color("border"))
    painter.fillRect(QRectF(box.right() - 1, box.top(), 1, box.height()), theme.color("border"))
