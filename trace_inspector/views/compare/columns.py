"""Where the columns stand: sides, gutters between them, and the reason at the right."""

from __future__ import annotations

from msgspec import Struct
from PySide6.QtCore import QRectF

PAD_PX = 10.0
_GUTTER_PX = {2: 84.0, 3: 48.0}
_REASON_PX, _NARROW_REASON_PX = 184.0, 152.0
_ROOMY_PX = 900.0
_LEAST_SIDE_PX = 120.0


class SideColumns(Struct, frozen=True):
    """Left edges and widths, in pixels."""

    sides: tuple[tuple[float, float], ...]
    gutters: tuple[tuple[float, float], ...]
    reason: tuple[float, float]
    width_px: float

    def side(self, index: int, top: float, high: float) -> QRectF:
        """The room of a side in a row."""
        left, width = self.sides[index]
        return QRectF(left, top, width, high)

    def gutter(self, index: int, top: float, high: float) -> QRectF:
        """The room between two sides."""
        left, width = self.gutters[index]
        return QRectF(left, top, width, high)


def columns(width_px: float, sides: int) -> SideColumns:
    """The columns of so many sides at a width."""
    reason = _REASON_PX if width_px >= _ROOMY_PX else _NARROW_REASON_PX
    gutter = _GUTTER_PX[sides]
    wide = max(_LEAST_SIDE_PX, (width_px - reason - gutter * (sides - 1)) / sides)
    lefts = [index * (wide + gutter) for index in range(sides)]
    return SideColumns(
        tuple((left, wide) for left in lefts),
        tuple((left + wide, gutter) for left in lefts[:-1]),
        (lefts[-1] + wide, reason),
        width_px,
    )
