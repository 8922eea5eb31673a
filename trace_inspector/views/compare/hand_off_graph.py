"""The graph of hand-offs, painted: the kind of an edge is told by its line and its sign, not by colour alone."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from trace_inspector.engine.trace_grid.hand_offs import HandOff, HandOffs
from trace_inspector.engine.trace_grid.row import Relation
from trace_inspector.models.base.translation import tr
from trace_inspector.models.compare.comparison import Compare
from trace_inspector.models.compare.hand_offs import agent, edge_words, mark, summary, times
from trace_inspector.models.compare.sides import TITLES
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.compare.hand_off_layout import Drawn, Graph, graph, sign_box

_NAME_PX, _BETWEEN_PX, _BOX_PX = 170.0, 150.0, 24
_NEAR_PX = 24.0
# How wide, which ink, which dashes, and whether two lines: by how the edge relates.
_STYLES: dict[Relation, tuple[float, str, tuple[float, ...], bool]] = {
    Relation.SAME: (1.5, "text2", (), False),
    Relation.ARGUMENTS: (3.0, "text", (), False),
    Relation.MISSING: (2.0, "golden", (4, 3), False),
    Relation.EXTRA: (5.0, "candidate", (), True),
    Relation.NEITHER: (2.0, "baseline", (1, 2), False),
}


class HandOffGraph(QWidget):
    """Arrow keys go from edge to edge; Enter shows the turn. `moved` tells that another edge is current."""

    moved = Signal()
    leave_wanted = Signal()
    fold_wanted = Signal()

    def __init__(self, theme: Theme, compare: Compare) -> None:
        super().__init__()
        self._theme = theme
        self._compare = compare
        self._letters = TextPainter(theme)
        self._hand_offs = HandOffs()
        self._graph: Graph | None = None
        self.current = -1
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Hand-offs between agents"))
        theme.changed.connect(self._tell_again)

    def _tell_again(self) -> None:
        self.tell(self._hand_offs)

    def tell(self, hand_offs: HandOffs) -> None:
        """Draw these."""
        if hand_offs != self._hand_offs:
            self.current = -1
        self._hand_offs = hand_offs
        high = float(self._theme.row(_BOX_PX))
        self._graph = graph(hand_offs.edges, self._name_px, self._sign_px, high, _BETWEEN_PX)
        self.setFixedSize(self.sizeHint())
        self._describe()
        self.update()

    @property
    def words(self) -> str:
        """The current edge in words, else all of them in short."""
        return self._words(self._hand_offs.edges[self.current]) if self.current >= 0 else summary(self._hand_offs)

    def sizeHint(self) -> QSize:
        """As large as the graph."""
        return self._graph.size.toSize() if self._graph is not None else QSize()

    def current_box(self) -> QRectF:
        """Where the current edge stands, to be scrolled to."""
        if self._graph is None or self.current < 0:
            return QRectF()
        return self._graph.edges[self.current].path.boundingRect()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """From edge to edge."""
        last = len(self._hand_offs.edges) - 1
        to = {
            Qt.Key.Key_Down: min(self.current + 1, last),
            Qt.Key.Key_Right: min(self.current + 1, last),
            Qt.Key.Key_Up: max(self.current - 1, 0),
            Qt.Key.Key_Left: max(self.current - 1, 0),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }.get(Qt.Key(event.key()))
        if to is not None:
            self._go(to)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._show_turn()
        elif event.key() == Qt.Key.Key_Escape:
            self.leave_wanted.emit()
        elif event.key() == Qt.Key.Key_H:
            self.fold_wanted.emit()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Whoever comes by keyboard begins at the first edge."""
        super().focusInEvent(event)
        if self.current < 0 and self._hand_offs.edges and event.reason() is not Qt.FocusReason.MouseFocusReason:
            self._go(0)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The frame around the current edge goes."""
        super().focusOutEvent(event)
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The edge whose sign is near."""
        if self._graph is None:
            return
        apart = [(edge.label - event.position()).manhattanLength() for edge in self._graph.edges]
        if apart and min(apart) <= _NEAR_PX:
            self._go(apart.index(min(apart)))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show the turn."""
        self.mousePressEvent(event)
        self._show_turn()

    def _name_px(self, name: str) -> float:
        return min(self._letters.width(agent(name), "body") + 18, _NAME_PX)

    def _sign_px(self, edge: HandOff) -> float:
        """How wide sign and number are together, 0 where there is neither."""
        count = times(edge)
        words = self._letters.width(count, "caption") + 4 if count else 0
        sign = 18 if mark(edge, is_stated=self._hand_offs.is_stated) else 0
        return sign + words + 6 if sign or words else 0

    def _go(self, number: int) -> None:
        self.current = number
        self._describe()
        self.update()
        self.moved.emit()

    def _show_turn(self) -> None:
        """Where it is first observed, else where it is first expected."""
        rows = self._compare.rows
        if rows is None or self.current < 0:
            return
        turns = self._hand_offs.edges[self.current].first_turns
        for side in range(len(turns) - 1, -1, -1):
            if turns[side] >= 0:
                self._compare.go(rows.packed.heads[side][turns[side]])
                return

    def _words(self, edge: HandOff) -> str:
        titles = [TITLES[role] for role in self._compare.roles]
        return edge_words(edge, titles, is_stated=self._hand_offs.is_stated)

    def _describe(self) -> None:
        every = " ".join(self._words(edge) for edge in self._hand_offs.edges)
        self.setAccessibleDescription(f"{self.words} {every}" if self.current >= 0 else every)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Lines below, agents above them, signs on top."""
        if self._graph is None:
            return
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for index, (edge, drawn) in enumerate(zip(self._hand_offs.edges, self._graph.edges, strict=True)):
                self._line(painter, edge, drawn, is_current=index == self.current)
            for name, box in self._graph.boxes.items():
                self._agent(painter, name, box)
            for index, (edge, drawn) in enumerate(zip(self._hand_offs.edges, self._graph.edges, strict=True)):
                self._sign(painter, edge, drawn, is_current=index == self.current)

    def _line(self, painter: QPainter, edge: HandOff, drawn: Drawn, *, is_current: bool) -> None:
        relation = edge.relation if self._hand_offs.is_stated else Relation.SAME
        wide, ink, dashes, doubled = _STYLES[relation]
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if is_current:
            painter.setPen(QPen(self._theme.color("sel"), wide + 6))
            painter.drawPath(drawn.path)
        pen = QPen(self._theme.color(ink), wide)
        if dashes:
            pen.setDashPattern(list(dashes))
        painter.setPen(pen)
        painter.drawPath(drawn.path)
        if doubled:
            painter.setPen(QPen(self._theme.color("base"), wide - 3.2))
            painter.drawPath(drawn.path)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color(ink))
        along, across = (QPointF(0, 9), QPointF(5, 0)) if drawn.upward else (QPointF(-9, 0), QPointF(0, 5))
        painter.drawPolygon(QPolygonF([drawn.tip, drawn.tip + along + across, drawn.tip + along - across]))

    def _agent(self, painter: QPainter, name: str, box: QRectF) -> None:
        painter.setPen(QPen(self._theme.color("control"), 1, Qt.PenStyle.SolidLine if name else Qt.PenStyle.DashLine))
        painter.setBrush(self._theme.color("raised"))
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        self._letters.left(painter, box.adjusted(8, 0, -8, 0), agent(name), "body", "text" if name else "text2")

    def _sign(self, painter: QPainter, edge: HandOff, drawn: Drawn, *, is_current: bool) -> None:
        sign, count = mark(edge, is_stated=self._hand_offs.is_stated), times(edge)
        if not sign and not count:
            return
        box = sign_box(drawn.label, self._sign_px(edge))
        focused = is_current and self.hasFocus()
        painter.setPen(QPen(self._theme.color("accent"), 2) if focused else Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("sel" if is_current else "base"))
        painter.drawRoundedRect(box, 4, 4)
        if sign:
            self._theme.icons.paint_mark(painter, sign, self._theme.tokens, box.left() + 5, box.center().y(), 14)
        room = box.adjusted(22 if sign else 5, 0, 0, 0)
        self._letters.left(painter, room, count, "caption", "text")
