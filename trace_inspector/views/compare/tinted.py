"""A text laid out at a width, with the stretches tinted that the other side does not have."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import chain

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QTextCharFormat, QTextLayout, QTextOption

from trace_inspector.engine.differences.words import Piece, word_pieces
from trace_inspector.models.conversation_text import visible
from trace_inspector.views.look import Look

LINE_PX = 20
LEAST_PX = 40
CARET_PX = 3
_KEPT = 200  # pairs of texts
_LINE_END = "\N{LINE SEPARATOR}"


class Tinted:
    """`apart` are the stretches to tint; an empty one is a place where the other side has more."""

    def __init__(self, text: str, font: QFont, width_px: float, apart: Sequence[tuple[int, int]] = ()) -> None:
        self.text = text
        self.apart = tuple(apart)
        metrics = QFontMetricsF(font)
        self.line_px = max(LINE_PX, math.ceil(metrics.height()) + 2)
        self._layout = QTextLayout(visible(text).replace("\n", _LINE_END), font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self._layout.setTextOption(option)
        self._layout.setCacheEnabled(True)
        self._layout.beginLayout()
        top = widest = 0.0
        while (line := self._layout.createLine()).isValid():
            line.setLineWidth(max(width_px, LEAST_PX))
            line.setPosition(QPointF(0, top + (self.line_px - line.height()) / 2))
            widest = max(widest, line.naturalTextWidth())
            top += self.line_px
        self._layout.endLayout()
        self.height_px = max(top, self.line_px)
        self.natural_px = math.ceil(widest)

    def draw(
        self, painter: QPainter, at: QPointF, look: Look, ink: str, fill: str, *, dim: bool, seen: QRectF
    ) -> None:
        """The text in one ink; tinted, or where it is dimmed underlined with dots."""
        ranges = []
        for start, end in self.apart:
            if end > start:
                ranges.append(self._range(start, end, look, f"{fill}_fill", dim=dim))
        painter.setPen(look.color("text3" if dim else ink))
        self._layout.draw(painter, at, ranges, seen)
        if not dim:
            for start, end in self.apart:
                if end == start:
                    self._draw_caret(painter, at, self._units(start), look, fill)

    def _range(self, start: int, end: int, look: Look, fill: str, *, dim: bool) -> QTextLayout.FormatRange:
        made = QTextLayout.FormatRange()
        made.start = self._units(start)
        made.length = self._units(end) - made.start
        dressed = QTextCharFormat()
        if dim:
            dressed.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
            dressed.setUnderlineColor(look.color("text3"))
        else:
            dressed.setBackground(look.color(fill))
        made.format = dressed
        return made

    def _draw_caret(self, painter: QPainter, at: QPointF, where: int, look: Look, fill: str) -> None:
        line = self._layout.lineForTextPosition(where)
        if line.isValid():
            x = float(_x(line.cursorToX(where)))
            box = QRectF(at.x() + x - 1, at.y() + line.y() + 1, CARET_PX, line.height() - 2)
            painter.fillRect(box, look.color(fill))

    def _units(self, offset: int) -> int:
        """Qt counts halves of the characters beyond the basic plane."""
        if self.text.isascii():
            return offset
        return len(self.text[:offset].encode("utf-16-le", "surrogatepass")) // 2


def _x(found: object) -> float:
    """Qt's answer is a number, or a number and a position, by its version."""
    value = found[0] if isinstance(found, tuple) else found
    return value if isinstance(value, float) else 0.0


Spans = list[tuple[int, int]]


def apart_in(text: str, other: str, *, carets: bool = False) -> Spans:
    """Where a text differs from another, word by word."""
    mine, theirs = _pieces(text, other)
    found = _spans(mine)
    return [*found, *_carets(mine, theirs)] if carets else found


@lru_cache(maxsize=_KEPT)
def _pieces(text: str, other: str) -> tuple[list[Piece], list[Piece]]:
    """Kept: the same texts are laid out for both sides, and again at each width."""
    return word_pieces(text, other)


def apart_among(texts: Sequence[str | None], at: int, differ: Callable[[str, str], Spans]) -> Spans:
    """Where one of several texts stands alone: the first among all others, another one against the first."""
    mine, found = texts[at] or "", None
    for other in texts[1:] if at == 0 else texts[:1]:
        apart = [(0, len(mine))] if other is None else differ(mine, other)
        found = apart if found is None else _shared(found, apart)
    return found or []


def _shared(one: Spans, two: Spans) -> Spans:
    """What lies in both; of empty ones, those that are at the same place."""
    found = [span for span in one if span[0] == span[1] and span in two]
    mine, theirs = ([span for span in spans if span[0] < span[1]] for spans in (one, two))
    at = to = 0
    while at < len(mine) and to < len(theirs):
        start, end = max(mine[at][0], theirs[to][0]), min(mine[at][1], theirs[to][1])
        if start < end:
            found.append((start, end))
        if mine[at][1] < theirs[to][1]:
            at += 1
        else:
            to += 1
    return found


def _spans(pieces: Sequence[Piece]) -> Spans:
    found, at = Spans(), 0
    for piece in pieces:
        if not piece.shared:
            found.append((at, at + len(piece.text)))
        at += len(piece.text)
    return found


def _carets(mine: Sequence[Piece], theirs: Sequence[Piece]) -> Spans:
    """Where this text has nothing in the place of what the other has."""
    found, at, own = Spans(), 0, iter(mine)
    for piece in theirs:
        here = next(own, None)
        if piece.shared:
            while here is not None and not here.shared:
                at += len(here.text)
                here = next(own, None)
            at += len(here.text) if here is not None else 0
        elif here is None or here.shared:
            found.append((at, at))
            own = chain([here] if here is not None else [], own)
        else:
            at += len(here.text)
    return found
