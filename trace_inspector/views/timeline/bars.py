"""Paints the time side of a lane: brackets, bars, signs, the figures beside them."""

from __future__ import annotations

import math
from bisect import bisect_left

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from trace_inspector.core.rows.timing import NOWHERE, Form, Mark, Sign, Work
from trace_inspector.models.base.figures import seconds_text
from trace_inspector.models.base.translation import tr
from trace_inspector.models.timeline.lanes import Lane, LaneKind
from trace_inspector.models.timeline.timeline import Timeline
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.timeline.brush import (
    HEIGHTS_PX,
    INSIDE_FROM_PX,
    LEAST_BAR_PX,
    OFF_PATH,
    ROW_PX,
    paint_bar,
    paint_bracket,
)

_SIGN_PX = 8.0
_SLACK_WORDS_PX = 90
MARK_FROM_PX = 24


class Bars:
    """The right part of the lanes, a lane at a time. `left` is the left edge of the time axis."""

    def __init__(self, theme: Theme, timeline: Timeline) -> None:
        self._theme = theme
        self._timeline = timeline
        self._text_painter = TextPainter(theme)

    def paint(self, painter: QPainter, lane: Lane, left: float, top: float) -> None:
        """One lane's bar."""
        work = self._timeline.works.get(lane.head)
        if work is None or math.isnan(work.start_s):
            if lane.kind is LaneKind.TURN and work is not None:
                self._paint_words(painter, left, top, tr("no time recorded"))
            return
        if lane.kind is LaneKind.TURN:
            self._turn(painter, work, left, top)
        elif lane.kind is LaneKind.EVENTS:
            self._signs(painter, work, left, top)
        elif lane.kind is LaneKind.PIECE and lane.piece >= work.timed:
            self._paint_words(painter, left, top, tr("no time recorded"))
        elif lane.kind is LaneKind.PIECE:
            self._piece(painter, work, lane, left, top)

    def box(self, lane: Lane, left: float, top: float) -> QRectF | None:
        """The rectangle of a lane's bar, cut to just outside of the view; None where it has none."""
        times_s = self._timeline.times_of(lane)
        if times_s is None:
            return None
        work = self._timeline.works[lane.head]
        form = Form(work.form[lane.piece]) if lane.piece != NOWHERE else Form.AGENT
        return self._box(*times_s, HEIGHTS_PX[form], left, top)

    def _box(self, begin_s: float, end_s: float, height: float, left: float, top: float) -> QRectF:
        scale = self._timeline.scale
        from_x = max(-9.0, scale.x(begin_s))
        to_x = min(scale.width_px + 9.0, scale.x(end_s))
        y = round(top + (ROW_PX - height) / 2)
        return QRectF(left + from_x, y, max(LEAST_BAR_PX, to_x - from_x), height)

    def _sees(self, begin_s: float, end_s: float) -> bool:
        scale = self._timeline.scale
        return scale.x(end_s) >= -LEAST_BAR_PX and scale.x(begin_s) <= scale.width_px

    def _turn(self, painter: QPainter, work: Work, left: float, top: float) -> None:
        if not self._sees(work.start_s, work.end_s):
            return
        box = self._box(work.start_s, work.end_s, 4.0, left, top)
        mark = Mark.DERIVED if work.derived else Mark(0)
        paint_bar(painter, self._theme, Form.TRANSPORT, box.adjusted(0, -1, 0, 1) if work.derived else box, mark)
        for x in (box.left(), box.right() - 2):
            painter.fillRect(QRectF(x, box.center().y() - 5, 2, 10), self._theme.color("agent"))

    def _piece(self, painter: QPainter, work: Work, lane: Lane, left: float, top: float) -> None:
        piece = lane.piece
        begin_s, end_s = work.begin_s[piece], work.stop_s(piece)
        form, mark = Form(work.form[piece]), work.mark[piece]
        slack_s = work.slack_s[piece] if self._timeline.shows_path else math.nan
        seen_to_s = end_s if math.isnan(slack_s) else end_s + slack_s
        if not self._sees(begin_s, seen_to_s):
            return
        box = self._box(begin_s, end_s, HEIGHTS_PX[form], left, top)
        if form is Form.AGENT:
            paint_bracket(painter, self._theme, box, derived=bool(mark & Mark.DERIVED))
            return
        off_path = not math.isnan(slack_s)
        painter.setOpacity(OFF_PATH if off_path else 1.0)
        paint_bar(painter, self._theme, form, box, mark)
        painter.setOpacity(1.0)
        words = self._words(work, lane)
        if self._timeline.mark_of(lane) == "failed" and box.width() >= MARK_FROM_PX:
            tokens = self._theme.tokens
            self._theme.icons.paint_mark(painter, "failed", tokens, box.left() + 4, box.center().y(), 12)
            box.setLeft(box.left() + 12)
        edge = left + self._timeline.scale.width_px
        behind = self._name(painter, box, form, mark, words, edge, off_path=off_path)
        if off_path and slack_s > 0:
            self._slack(painter, behind, left + self._timeline.scale.x(end_s + slack_s), box.center().y(), slack_s)

    def _words(self, work: Work, lane: Lane) -> str:
        """The duration, where it is known; for the selection also its share of the turn."""
        if work.mark[lane.piece] & Mark.MOMENT:
            return ""
        length_s, turn_s = work.duration_s[lane.piece], work.end_s - work.start_s
        if (
            lane != self._timeline.current
            or turn_s <= 0
            or not 0 < length_s <= turn_s
            or lane.head == self._timeline.top
        ):
            return seconds_text(length_s)
        return tr("{0}, {1} % of the turn").format(seconds_text(length_s), f"{100 * length_s / turn_s:.0f}")

    def _name(
        self, painter: QPainter, box: QRectF, form: Form, mark: int, text: str, end: float, *, off_path: bool
    ) -> float:
        """The figure inside a bar that is wide enough, else beside it before `end`; returns the right end of both."""
        solid = form in (Form.MODEL, Form.TOOL) and not mark & Mark.DERIVED and not off_path
        needed = max(INSIDE_FROM_PX, self._text_painter.width(text, "caption") + 14)
        if solid and box.width() >= needed:
            inner = box.adjusted(10, 0, -4, 0)
            self._text_painter.left(
                painter, inner, text, "caption", "base" if self._theme.tokens.dark else "on_accent"
            )
            return box.right()
        width = self._text_painter.width(text, "caption") + 1
        beside = box.right() + 6
        if beside + width > end and box.left() - 6 - width >= end - self._timeline.scale.width_px:
            beside = box.left() - 6 - width
        room = QRectF(beside, box.top() - 4, width, box.height() + 8)
        self._text_painter.left(painter, room, text, "caption", "text2")
        return max(box.right(), room.right())

    def _slack(self, painter: QPainter, begin: float, end: float, y: float, slack_s: float) -> None:
        begin += 8
        if end - begin < 8:
            return
        pen = QPen(self._theme.color("text3"), 1)
        pen.setDashPattern([2, 3])
        painter.setPen(pen)
        y = round(y) + 0.5
        words = tr("slack {0}").format(seconds_text(slack_s))
        width = self._text_painter.width(words, "caption")
        if end - begin < max(_SLACK_WORDS_PX, width + 24):
            painter.drawLine(QPointF(begin, y), QPointF(end, y))
            return
        middle = (begin + end) / 2
        painter.drawLine(QPointF(begin, y), QPointF(middle - width / 2 - 6, y))
        painter.drawLine(QPointF(middle + width / 2 + 6, y), QPointF(end, y))
        room = QRectF(middle - width / 2, y - 10, width + 1, 20)
        self._text_painter.left(painter, room, words, "caption", "text2")

    def _signs(self, painter: QPainter, work: Work, left: float, top: float) -> None:
        """Signs that would overlap are left out: the scale is too small to tell them apart."""
        scale, index = self._timeline.scale, 0
        index = bisect_left(work.sign_s, scale.time_s(-_SIGN_PX))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        while index < len(work.sign):
            x = scale.x(work.sign_s[index])
            if x > scale.width_px + _SIGN_PX:
                break
            paint_sign(painter, self._theme, Sign(work.sign[index]), left + x, top + ROW_PX / 2)
            following = bisect_left(work.sign_s, scale.time_s(x + _SIGN_PX * 0.75))
            index = max(index + 1, following)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)

    def _paint_words(self, painter: QPainter, left: float, top: float, words: str) -> None:
        self._text_painter.left(painter, QRectF(left + 12, top, 240, ROW_PX), words, "caption", "text3")


def paint_sign(painter: QPainter, theme: Theme, sign: Sign, x: float, y: float) -> None:
    """A ring for the user, arrows for calls and results, a square for text."""
    tokens_ink = {Sign.USER: "text", Sign.CALL: "tool", Sign.RESULT: "tool", Sign.TEXT: "model"}
    ink = theme.color(tokens_ink[sign])
    painter.setPen(QPen(ink, 1.4))
    painter.setBrush(ink if sign in (Sign.CALL, Sign.TEXT) else theme.color("base"))
    if sign is Sign.USER:
        painter.drawEllipse(QPointF(x + 4, y), 3.5, 3.5)
    elif sign is Sign.CALL:
        painter.drawPolygon([QPointF(x, y - 3.5), QPointF(x + 6, y), QPointF(x, y + 3.5)])
    elif sign is Sign.RESULT:
        painter.drawPolygon([QPointF(x, y - 3.5), QPointF(x - 6, y), QPointF(x, y + 3.5)])
    else:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawRect(QRectF(x - 7, y - 3.5, 7, 7))
