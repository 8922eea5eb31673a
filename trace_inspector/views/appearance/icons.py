"""Icons and marks: small SVG drawings, tinted from the tokens when they are first needed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from msgspec import Struct
from PySide6.QtCore import QByteArray, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from trace_inspector.views.appearance.theme import Tokens


class Tint(Struct, frozen=True):
    """The inks a mark is drawn with, as names of tokens."""

    ink: str
    soft: str = "base"


TINTS = {
    "passed": Tint("passed"),
    "failed": Tint("fail"),
    "none": Tint("text3"),
    "pending": Tint("text2"),
    "warning": Tint("warn", "warn_soft"),
    "info": Tint("accent"),
    "skip": Tint("text3"),
    "unsupported": Tint("warn", "warn_soft"),
    "no": Tint("fail"),
    "disputed": Tint("candidate"),
    "unknown": Tint("text2"),
    "missing": Tint("golden"),
    "extra": Tint("candidate"),
    "same": Tint("text"),
    "differs": Tint("text"),
    "moved": Tint("text"),
    "stale": Tint("text3"),
    "parts": Tint("text2"),
}

_CACHED_PIXMAPS = 1024


class Icons:
    """Loads the drawings of one folder. A pixmap is drawn once per name, colour, size and scale."""

    def __init__(self, folder: Path, scales: Sequence[float] = (1.0,)) -> None:
        self._folder = folder
        self._scales = tuple(scales)
        self.pixmap = lru_cache(maxsize=_CACHED_PIXMAPS)(self._draw)
        self._text = lru_cache(maxsize=None)(self._read)

    def icon(self, name: str, tokens: Tokens, size_px: int = 16, ink: str = "text") -> QIcon:
        """An icon for buttons and menus, greyed where its action cannot be used."""
        made = QIcon()
        for mode, colour in (
            (QIcon.Mode.Normal, getattr(tokens, ink)),
            (QIcon.Mode.Disabled, tokens.control),
        ):
            for scale in self._scales:
                made.addPixmap(self.pixmap(name, colour, tokens.base, tokens.base, size_px, scale), mode)
        return made

    def mark(self, name: str, tokens: Tokens, size_px: int = 14, scale: float = 1.0) -> QPixmap:
        """A verdict's mark in its own colour."""
        tint = TINTS[name]
        ink, soft = getattr(tokens, tint.ink), getattr(tokens, tint.soft)
        return self.pixmap(f"mark-{name}", ink, tokens.base, soft, size_px, scale)

    def paint_mark(
        self, painter: QPainter, name: str, tokens: Tokens, left: float, middle: float, size_px: int
    ) -> None:
        """A mark with its left edge and its vertical middle at that place."""
        pixmap = self.mark(name, tokens, size_px, painter.device().devicePixelRatioF())
        painter.drawPixmap(QPointF(round(left), round(middle - size_px / 2)), pixmap)

    def paint(self, painter: QPainter, name: str, colour: str, left: float, middle: float, size_px: int) -> None:
        """An icon in one colour."""
        pixmap = self.pixmap(name, colour, colour, colour, size_px, painter.device().devicePixelRatioF())
        painter.drawPixmap(QPointF(round(left), round(middle - size_px / 2)), pixmap)

    def _read(self, name: str) -> str:
        return (self._folder / f"{name}.svg").read_text("utf-8")

    def _draw(self, name: str, ink: str, base: str, soft: str, size_px: int, scale: float) -> QPixmap:
        drawing = self._text(name).replace("currentColor", ink).replace("#BASE", base).replace("#SOFT", soft)
        renderer = QSvgRenderer(QByteArray(drawing.encode()))
        pixmap = QPixmap(round(size_px * scale), round(size_px * scale))
        pixmap.fill(Qt.GlobalColor.transparent)
        with QPainter(pixmap) as painter:
            renderer.render(painter, QRectF(QPointF(0, 0), QSizeF(pixmap.size())))
        pixmap.setDevicePixelRatio(scale)
        return pixmap
