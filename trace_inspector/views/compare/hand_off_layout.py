"""Where agents and the edges between them stand: agents in columns by how far the conversation went to reach them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QPainterPath

from trace_inspector.engine.side_by_side.hand_offs import HandOff

_PAD_PX, _ROW_GAP_PX, _LANE_PX, _STEP_PX = 12.0, 12.0, 22.0, 9.0
_LABEL_AT = 0.55  # of the way, where edges from one agent have parted


@dataclass(frozen=True, slots=True)
class Drawn:
    """An edge as a line, where it arrives and from which side, and where its sign stands."""

    path: QPainterPath
    tip: QPointF
    upward: bool  # it arrives from below, else from the left
    label: QPointF


@dataclass(frozen=True, slots=True)
class Graph:
    """The agents' boxes by name, the edges in their order, and the room that all take."""

    boxes: Mapping[str, QRectF]
    edges: tuple[Drawn, ...]
    size: QSizeF


def graph(edges: Sequence[HandOff], width_of: Callable[[str], float], box_high_px: float, between_px: float) -> Graph:
    """Lay it out; an edge that does not go to the next column goes below all boxes."""
    columns = _columns(edges)
    boxes: dict[str, QRectF] = {}
    left = _PAD_PX
    for names in columns:
        wide = max(map(width_of, names))
        for row, name in enumerate(names):
            boxes[name] = QRectF(left, _PAD_PX + row * (box_high_px + _ROW_GAP_PX), wide, box_high_px)
        left += wide + between_px
    column_of = {name: at for at, names in enumerate(columns) for name in names}
    bottom = max((box.bottom() for box in boxes.values()), default=0.0)
    lane = bottom
    drawn = []
    for edge in edges:
        here, there = boxes[edge.source], boxes[edge.target]
        if column_of[edge.target] == column_of[edge.source] + 1:
            drawn.append(_forward(here, there))
        else:
            lane += _LANE_PX
            drawn.append(_below(here, there, lane, (lane - bottom) / _LANE_PX))
    right = max((box.right() for box in boxes.values()), default=0.0)
    return Graph(boxes, tuple(drawn), QSizeF(right + _PAD_PX + between_px / 2, lane + _PAD_PX))


def _columns(edges: Sequence[HandOff]) -> list[list[str]]:
    """Agents by their distance from one to whom nobody hands over, else from the first one."""
    names = list(dict.fromkeys(name for edge in edges for name in (edge.source, edge.target)))
    reached = {edge.target for edge in edges if edge.source != edge.target}
    below: dict[str, list[str]] = {}
    for edge in edges:
        below.setdefault(edge.source, []).append(edge.target)
    columns: list[list[str]] = []
    placed: set[str] = set()
    starts = [name for name in names if name not in reached]
    while len(placed) < len(names):
        wave = starts or [next(name for name in names if name not in placed)]
        starts, depth = [], 0
        while wave:
            placed.update(wave)
            if depth == len(columns):
                columns.append([])
            columns[depth] += wave
            depth += 1
            wave = list(dict.fromkeys(to for name in wave for to in below.get(name, ()) if to not in placed))
    return columns


def _forward(here: QRectF, there: QRectF) -> Drawn:
    start = QPointF(here.right(), here.center().y())
    end = QPointF(there.left(), there.center().y())
    bend = (end.x() - start.x()) / 2
    path = QPainterPath(start)
    path.cubicTo(start + QPointF(bend, 0), end - QPointF(bend, 0), end)
    return Drawn(path, end, upward=False, label=path.pointAtPercent(_LABEL_AT))


def _below(here: QRectF, there: QRectF, lane: float, step: float) -> Drawn:
    """Down, along a lane of its own, and up again."""
    out = min(here.left() + 10 + step * _STEP_PX, here.right() - 6)
    back = max(there.right() - 10 - step * _STEP_PX, there.left() + 6)
    path = QPainterPath(QPointF(out, here.bottom()))
    path.lineTo(out, lane)
    path.lineTo(back, lane)
    path.lineTo(back, there.bottom())
    return Drawn(path, QPointF(back, there.bottom()), upward=True, label=QPointF((out + back) / 2, lane))
