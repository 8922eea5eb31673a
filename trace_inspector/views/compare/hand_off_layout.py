"""Where agents and the edges between them stand: agents in columns by how far the conversation went to reach them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QPainterPath

from trace_inspector.engine.trace_grid.hand_offs import HandOff

_PAD_PX, _ROW_GAP_PX, _LANE_PX, _STEP_PX = 12.0, 18.0, 22.0, 9.0
_LABEL_PX = 18.0  # how high a sign is
_AIR_PX = 8.0  # beside a sign, and so much more for the arrow
_LABEL_ATS = (0.5, 0.6, 0.4, 0.7, 0.3, 0.8, 0.2)  # of the way, where a sign may stand among edges that cross


class Drawn(Struct, frozen=True):
    """An edge as a line, where it arrives and from which side, and where its sign stands."""

    path: QPainterPath
    tip: QPointF
    upward: bool  # it arrives from below, else from the left
    label: QPointF


class Graph(Struct, frozen=True):
    """The agents' boxes by name, the edges in their order, and the room that all take."""

    boxes: Mapping[str, QRectF]
    edges: tuple[Drawn, ...]
    size: QSizeF


def graph(
    edges: Sequence[HandOff],
    width_of: Callable[[str], float],
    sign_of: Callable[[HandOff], float],
    box_high_px: float,
    between_px: float,
) -> Graph:
    """Lay it out; an edge that does not go to the next column goes below all boxes. `sign_of` is a sign's width."""
    columns = _columns(edges)
    boxes: dict[str, QRectF] = {}
    left = _PAD_PX
    for names in columns:
        wide = max(map(width_of, names))
        for row, name in enumerate(names):
            boxes[name] = QRectF(left, _PAD_PX + row * (box_high_px + _ROW_GAP_PX), wide, box_high_px)
        left += wide + between_px
    column_of = {name: column for column, names in enumerate(columns) for name in names}
    bottom = max((box.bottom() for box in boxes.values()), default=0.0)
    lane = bottom
    drawn = []
    taken = list(boxes.values())
    ahead = [edge for edge in edges if column_of[edge.target] == column_of[edge.source] + 1]
    leaving, arriving = Counter(edge.source for edge in ahead), Counter(edge.target for edge in ahead)
    for edge in edges:
        here, there = boxes[edge.source], boxes[edge.target]
        if edge in ahead:
            alone = leaving[edge.source] == 1, arriving[edge.target] == 1
            drawn.append(_forward(here, there, sign_of(edge), alone, taken))
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


def _forward(here: QRectF, there: QRectF, sign_px: float, alone: tuple[bool, bool], taken: list[QRectF]) -> Drawn:
    """Its sign stands on a straight piece at the end where it is alone: where it arrives, else where it leaves."""
    start = QPointF(here.right(), here.center().y())
    end = QPointF(there.left(), there.center().y())
    straight = QPointF(sign_px + 3 * _AIR_PX, 0) if sign_px else QPointF()
    out = start + straight if alone[0] and not alone[1] else start
    back = end - straight if alone[1] else end
    bend = QPointF((back.x() - out.x()) / 2, 0)
    path = QPainterPath(start)
    path.lineTo(out)
    path.cubicTo(out + bend, back - bend, back)
    path.lineTo(end)
    spots = [path.pointAtPercent(share) for share in _LABEL_ATS]
    if alone[1]:
        spots = [back + QPointF(_AIR_PX + sign_px / 2, 0)]
    elif alone[0]:
        spots = [out - QPointF(_AIR_PX + sign_px / 2, 0)]
    label = min(spots, key=lambda spot: _covered(sign_box(spot, sign_px), taken))  # of several, the first
    if sign_px:
        taken.append(sign_box(label, sign_px))
    return Drawn(path, end, upward=False, label=label)


def sign_box(center: QPointF, sign_px: float) -> QRectF:
    """The room of a sign."""
    return QRectF(center.x() - sign_px / 2, center.y() - _LABEL_PX / 2, sign_px, _LABEL_PX)


def _covered(box: QRectF, taken: Sequence[QRectF]) -> float:
    shared = [box.intersected(other) for other in taken]
    return sum(area.width() * area.height() for area in shared)


def _below(here: QRectF, there: QRectF, lane: float, step: float) -> Drawn:
    """Down, along a lane of its own, and up again."""
    out = min(here.left() + 10 + step * _STEP_PX, here.right() - 6)
    back = max(there.right() - 10 - step * _STEP_PX, there.left() + 6)
    path = QPainterPath(QPointF(out, here.bottom()))
    path.lineTo(out, lane)
    path.lineTo(back, lane)
    path.lineTo(back, there.bottom())
    return Drawn(path, QPointF(back, there.bottom()), upward=True, label=QPointF((out + back) / 2, lane))
