"""What a widget paints in words, and where: a paint device that keeps texts and forgets everything else."""

from __future__ import annotations

from msgspec import Struct
from PySide6.QtCore import QPoint, QPointF, QRectF
from PySide6.QtGui import QFontMetricsF, QPaintDevice, QPaintEngine, QPaintEngineState, QRegion, QTextItem, QTransform
from PySide6.QtWidgets import QWidget

_DPI = 96
_METRICS = {
    QPaintDevice.PaintDeviceMetric.PdmDpiX: _DPI,
    QPaintDevice.PaintDeviceMetric.PdmDpiY: _DPI,
    QPaintDevice.PaintDeviceMetric.PdmPhysicalDpiX: _DPI,
    QPaintDevice.PaintDeviceMetric.PdmPhysicalDpiY: _DPI,
    QPaintDevice.PaintDeviceMetric.PdmDepth: 32,
    QPaintDevice.PaintDeviceMetric.PdmNumColors: 1 << 24,
    QPaintDevice.PaintDeviceMetric.PdmDevicePixelRatio: 1,
    QPaintDevice.PaintDeviceMetric.PdmDevicePixelRatioScaled: 1 << 16,
}
_CAPITALS, _BELOW = 0.72, 0.3  # how much of a font's ascent and descent most letters take


class PaintedText(Struct, frozen=True):
    """A text, the box of its letters, and the box outside of which its painter painted nothing."""

    text: str
    letters: QRectF
    clip: QRectF


def painted_texts(widget: QWidget) -> list[PaintedText]:
    """The texts that this widget paints itself, without those of its children, in its own coordinates."""
    device = _Device(widget)
    widget.render(device, QPoint(), QRegion(), QWidget.RenderFlag(0))
    return device.engine.texts


class _Engine(QPaintEngine):
    def __init__(self) -> None:
        super().__init__(QPaintEngine.PaintEngineFeature.AllFeatures)
        self.texts: list[PaintedText] = []
        self._transform = QTransform()

    def begin(self, _device: QPaintDevice) -> bool:
        return True

    def end(self) -> bool:
        return True

    def type(self) -> QPaintEngine.Type:
        return QPaintEngine.Type.User

    def updateState(self, state: QPaintEngineState) -> None:  # noqa: N802
        self._transform = state.transform()

    def drawTextItem(self, at: QPointF, item: QTextItem) -> None:  # type: ignore[override]  # noqa: N802
        text = item.text().rstrip()
        if not text:
            return
        width = min(item.width(), QFontMetricsF(item.font()).horizontalAdvance(text))
        top = at.y() - item.ascent() * _CAPITALS
        letters = QRectF(at.x(), top, width, at.y() + item.descent() * _BELOW - top)
        painter = self.painter()
        clip = painter.clipBoundingRect() if painter.hasClipping() else QRectF(-1e6, -1e6, 2e6, 2e6)
        self._add(PaintedText(text, self._transform.mapRect(letters), self._transform.mapRect(clip)))

    def _add(self, text: PaintedText) -> None:
        """Qt paints a text that is marked in part several times, each within what has one colour."""
        same = (one for one in self.texts if one.text == text.text and one.letters == text.letters)
        before = next(same, None)
        if before is not None:
            self.texts.remove(before)
            text = PaintedText(text.text, text.letters, text.clip | before.clip)
        self.texts.append(text)

    def drawPixmap(self, *_given: object, **_named: object) -> None:  # noqa: N802
        """Not a text, like all below."""

    drawTiledPixmap = drawImage = drawPath = drawPolygon = drawPixmap  # noqa: N815
    drawRects = drawLines = drawEllipse = drawPoints = drawPixmap  # noqa: N815


class _Device(QPaintDevice):
    def __init__(self, widget: QWidget) -> None:
        super().__init__()
        self.engine = _Engine()
        self._widget = widget

    def paintEngine(self) -> QPaintEngine:  # noqa: N802
        return self.engine

    def devType(self) -> int:  # noqa: N802
        return 0

    def metric(self, asked: QPaintDevice.PaintDeviceMetric) -> int:
        sides = {
            QPaintDevice.PaintDeviceMetric.PdmWidth: self._widget.width(),
            QPaintDevice.PaintDeviceMetric.PdmHeight: self._widget.height(),
        }
        return sides.get(asked, _METRICS.get(asked, 0))
