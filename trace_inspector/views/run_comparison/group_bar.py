"""The groups of cases as one bar, each as long as it has cases; a click shows that group alone."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from trace_inspector.engine.run_comparison.change_group import Group
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.work.runs.comparison_messages import PairHead

HIGH_PX = 22
GAP_PX = 2
PAD_PX = 7
LEAST_PX = 10


class _Piece(Struct, frozen=True):
    """A piece of the bar. A dashed one without fill is for undecided cases."""

    group: Group
    count: int
    words: str
    fill: str
    ink: str


class GroupBar(QWidget):
    """Its figures are also given in words, for screen readers and in the list below."""

    chosen = Signal(object)  # Group

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._text_painter = TextPainter(theme)
        self._pieces: tuple[_Piece, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_counts(self, head: PairHead) -> None:
        """Other figures."""
        self._pieces = tuple(piece for piece in _pieces(head) if piece.count)
        self.setAccessibleName(", ".join(f"{piece.count} {piece.words}" for piece in self._pieces))
        self.update()

    def tip(self, x: float) -> str:
        """The words of a piece, which may be too narrow for them."""
        hovered = next((piece for piece, box in self._placed() if box.left() <= x <= box.right()), None)
        return f"{hovered.count:,} {hovered.words}" if hovered is not None else ""

    def event(self, event: QEvent) -> bool:
        """Tips are made when they are asked for."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.tip(event.pos().x()), self)
            return True
        return super().event(event)

    def sizeHint(self) -> QSize:
        """One line."""
        return QSize(200, self._theme.row(HIGH_PX))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A piece was clicked."""
        for piece, box in self._placed():
            if box.contains(event.position()):
                self.chosen.emit(piece.group)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Piece by piece."""
        with QPainter(self) as painter:
            for piece, box in self._placed():
                self._paint_piece(painter, piece, box)

    def _paint_piece(self, painter: QPainter, piece: _Piece, box: QRectF) -> None:
        if piece.fill:
            painter.fillRect(box, self._theme.color(piece.fill))
        else:
            pen = QPen(QColor(self._theme.tokens.control), 1)
            pen.setDashPattern([3, 2])
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))
        inside = box.adjusted(PAD_PX, 0, -2, 0)
        count = f"{piece.count:,}"
        if self._text_painter.width(count, "secondary_strong") > box.width() - 4:
            return
        if self._text_painter.width(count, "secondary_strong") > inside.width():
            inside = box.adjusted(2, 0, -2, 0)
        inside.setLeft(
            inside.left() + self._text_painter.left(painter, inside, count, "secondary_strong", piece.ink) + 4
        )
        if inside.width() > self._text_painter.width("Reg…", "secondary"):
            self._text_painter.left(painter, inside, piece.words, "secondary", piece.ink)

    def _placed(self) -> Iterator[tuple[_Piece, QRectF]]:
        """Each is wide enough for its words, as far as there is room; the remaining room is shared by count."""
        widths = [
            self._text_painter.width(f"{entry.count:,} {entry.words}", "secondary_strong") + 2 * PAD_PX
            for entry in self._pieces
        ]
        room = self.width() - GAP_PX * (len(widths) - 1)
        total = sum(entry.count for entry in self._pieces)
        spare = room - sum(widths)
        scale = min(1.0, room / sum(widths)) if widths else 1.0
        x = 0.0
        for piece, least in zip(self._pieces, widths, strict=True):
            width = max(LEAST_PX, least * scale + (spare * piece.count / total if spare > 0 else 0))
            yield piece, QRectF(x, 0, width, self.height())
            x += width + GAP_PX


def _pieces(head: PairHead) -> Iterator[_Piece]:
    counts = dict(head.counts)
    failing = counts[Group.UNCHANGED] - head.passing
    yield _Piece(Group.REGRESSED, counts[Group.REGRESSED], "Regressed", "fail", "base")
    yield _Piece(Group.WORSE, counts[Group.WORSE], "Still failing, worse", "fail_soft", "text")
    yield _Piece(Group.UNCHANGED, failing, "Still failing", "fail_soft", "text")
    yield _Piece(Group.IMPROVED, counts[Group.IMPROVED], "Improved", "passed", "base")
    yield _Piece(Group.UNCHANGED, head.passing, "Still passing", "pass_soft", "text")
    yield _Piece(Group.NOT_COMPARABLE, counts[Group.NOT_COMPARABLE], "Not comparable", "", "text")
    yield _Piece(Group.NEW, counts[Group.NEW], "New", "candidate_fill", "text")
    yield _Piece(Group.GONE, counts[Group.GONE], "Missing", "", "text")
