"""Paints the label column: fold arrow, verdict, icon, name and one figure of each lane."""

from __future__ import annotations

import math

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from trace_inspector.core.rows.timing import NO_COUNT, Form, Mark
from trace_inspector.models.base.figures import count_text, seconds_text
from trace_inspector.models.base.translation import tr
from trace_inspector.models.timeline.lanes import Lane, LaneKind
from trace_inspector.models.timeline.timeline import Timeline
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.timeline.brush import INDENT_PX, PADDING_PX, ROW_PX

_ICONS = {Form.AGENT: "agent", Form.MODEL: "model", Form.TOOL: "tool", Form.TRANSPORT: "link", Form.WAIT: "clock"}
_FONTS = {Form.TOOL: "data", Form.TRANSPORT: "data"}
_DEEPEST = 8
ARROW_PX = 20
ICON_PX = 20
_LEAST_NAME_PX = 60
_LEAST_WORDS_PX = 40  # less of the words behind a name says nothing


class Labels:
    """The left column, a lane at a time."""

    def __init__(self, theme: Theme, timeline: Timeline) -> None:
        self._theme = theme
        self._timeline = timeline
        self._text_painter = TextPainter(theme)

    def paint(self, painter: QPainter, lane: Lane, box: QRectF) -> None:
        """One lane's label."""
        _PAINT[lane.kind](self, painter, lane, box.adjusted(PADDING_PX - 2, 0, -PADDING_PX, 0))

    def _turn(self, painter: QPainter, lane: Lane, box: QRectF) -> None:
        file = self._timeline.file
        if file is None:
            return
        tokens, icons = self._theme.tokens, self._theme.icons
        left, middle = box.left(), box.center().y()
        if self._timeline.works.get(lane.head) is not None:
            arrow = "down" if self._timeline.lanes.is_open(lane.head) else "right"
            icons.paint(painter, arrow, tokens.text2, left - 2, middle, 14)
        left += ARROW_PX - 4
        if lane.head == self._timeline.top:
            name, words = tr("Outside turns"), ""
        else:
            name, _gap, words = file.table.label(lane.head).partition("  ")
            if mark := self._timeline.mark_of(lane):
                icons.paint_mark(painter, mark, tokens, left, middle, 14)
                left += ICON_PX
        room = QRectF(left, box.top(), box.right() - left, ROW_PX)
        room.setRight(room.right() - self._figure(painter, room, self._length(lane), "number_strong", "text"))
        room.setLeft(room.left() + self._text_painter.left(painter, room, name, "strong", "text") + 8)
        if words and room.width() > self._theme.grown(_LEAST_WORDS_PX):
            self._text_painter.left(painter, room, words, "secondary", "text2")

    def _length(self, lane: Lane) -> str:
        work = self._timeline.works.get(lane.head)
        return "" if work is None or math.isnan(work.start_s) else seconds_text(work.end_s - work.start_s)

    def _events(self, painter: QPainter, _lane: Lane, box: QRectF) -> None:
        left = box.left() + INDENT_PX + ARROW_PX - 4
        self._theme.icons.paint(painter, "calls", self._theme.tokens.text2, left, box.center().y(), 14)
        room = QRectF(left + ICON_PX, box.top(), box.right() - left - ICON_PX, ROW_PX)
        self._text_painter.left(painter, room, tr("Events"), "body", "text2")

    def _piece(self, painter: QPainter, lane: Lane, box: QRectF) -> None:
        timeline = self._timeline
        work, piece = timeline.works[lane.head], lane.piece
        form, mark = Form(work.form[piece]), work.mark[piece]
        depth = min(_DEEPEST, timeline.lanes.depth(lane.head, piece))
        tokens, icons = self._theme.tokens, self._theme.icons
        left, middle = box.left() + ARROW_PX - 4 + INDENT_PX * (depth + 1), box.center().y()
        if verdict := timeline.mark_of(lane):
            icons.paint_mark(painter, verdict, tokens, left - ICON_PX, middle, 14)
        ink = getattr(tokens, "tool" if form is Form.TOOL else "model" if form is Form.MODEL else "text2")
        icons.paint(painter, _ICONS[form], ink, left, middle, 14)
        left += ICON_PX
        room = QRectF(left, box.top(), max(0.0, box.right() - left), ROW_PX)
        figure = self._detail(lane)
        if room.width() > _LEAST_NAME_PX:
            room.setRight(room.right() - self._figure(painter, room, figure, "number", "text2"))
        quiet = form is Form.WAIT or mark & Mark.PLUMBING
        self._text_painter.left(
            painter, room, work.label[piece], _FONTS.get(form, "body"), "text2" if quiet else "text"
        )

    def _detail(self, lane: Lane) -> str:
        work, piece = self._timeline.works[lane.head], lane.piece
        if work.prompt[piece] != NO_COUNT:
            return count_text(work.prompt[piece])
        if work.mark[piece] & Mark.ERROR:
            return tr("error")
        return tr("derived") if work.mark[piece] & Mark.DERIVED else ""

    def _untimed(self, painter: QPainter, lane: Lane, box: QRectF) -> None:
        room = box.adjusted(ARROW_PX - 4 + INDENT_PX, 0, 0, 0)
        count = self._timeline.lanes.untimed(lane.head)
        room.setRight(room.right() - self._figure(painter, room, f"{count:,}", "number", "text2"))
        self._text_painter.left(painter, room, tr("No time recorded"), "secondary", "text2")

    def _figure(self, painter: QPainter, room: QRectF, text: str, font: str, ink: str) -> float:
        return self._text_painter.right(painter, room, text, font, ink) + 8 if text else 0.0


_PAINT = {
    LaneKind.TURN: Labels._turn,
    LaneKind.EVENTS: Labels._events,
    LaneKind.PIECE: Labels._piece,
    LaneKind.UNTIMED: Labels._untimed,
}
