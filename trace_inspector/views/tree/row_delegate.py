"""The first column of the tree: mark, author, kind, and one line of text with differences tinted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Any

from msgspec import Struct
from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from trace_inspector.core.rows.rows import Kind
from trace_inspector.models.base.roles import Role
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.icons import TINTS
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.widgets.controls import TAG_PX, TagKind, paint_tag
from trace_inspector.views.widgets.tree_view import ROW_PX, Index, cell_data

MARK_SLOT_PX = 20
CHIP_SLOT_PX = 31
ICON_SLOT_PX = 20
NOTE_SLOT_PX = 18
CHIP_PX = 24
DEEPER_PX = 16

_OUTER = frozenset({Kind.SUITE, Kind.CASE, Kind.RUNS, Kind.TRACE, Kind.TURN, Kind.MISSING_TURN})
_DATA = frozenset({Kind.CALL, Kind.MISSING_CALL})
_INSIDE = frozenset({Kind.RESULT})
_FLUSH = frozenset({Kind.AGENTS})  # nobody judges it, and no agent did it
_ARGUMENT = re.compile(r'"(?:[^"\\]|\\.)*"?|[\w.$-]+(?==)')
_CACHED_LINES = 4096


class TextRun(Struct, frozen=True):
    """A piece of a line in one ink, tinted or not. `strong` is bold."""

    text: str
    ink: str
    strong: bool = False
    tinted: bool = False


@lru_cache(maxsize=_CACHED_LINES)
def call_runs(label: str, tints: tuple[tuple[int, int], ...]) -> tuple[TextRun, ...]:
    """A call's line in pieces: the name bold, argument names in a quiet ink, values plain, differences tinted."""
    opened = label.find("(")
    if opened < 0:
        return (TextRun(label, "text", strong=True),)
    arguments = _ARGUMENT.finditer(label, opened + 1)
    names = [(argument.start(), argument.end()) for argument in arguments if not argument.group().startswith('"')]
    return (TextRun(label[: opened + 1], "text", strong=True), *_inked(label, opened + 1, names, tints))


def _inked(
    label: str, start: int, names: list[tuple[int, int]], tints: tuple[tuple[int, int], ...]
) -> Iterator[TextRun]:
    cuts = {start, len(label)}
    for left, right in [*names, *tints]:
        cuts |= {min(max(cut, start), len(label)) for cut in (left, right)}
    for left, right in pairwise(sorted(cuts)):
        tinted = any(begin <= left < end for begin, end in tints)
        quiet = not tinted and any(begin <= left < end for begin, end in names)
        yield TextRun(label[left:right], "text2" if quiet else "text", tinted=tinted)


class RowDelegate(QStyledItemDelegate):
    """Paints one line and nothing else: the view paints the background."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text_painter = TextPainter(theme)

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        """All rows are equally high."""
        return QSize(200, self._theme.row(ROW_PX))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Mark, chip, icon, text."""
        box = QRectF(option.rect)
        data = cell_data(index)
        kind, left = data(Role.KIND), box.left() + 2
        middle = box.center().y()
        theme = self._theme
        if mark := data(Role.MARK):
            theme.icons.paint_mark(painter, mark, theme.tokens, left, middle, 14)
        if kind in _OUTER:
            left += MARK_SLOT_PX if mark else 0
            self._paint_outer(painter, QRectF(left, box.top(), box.right() - left - 4, box.height()), data)
            return
        ghost = bool(data(Role.GHOST))
        if kind not in _FLUSH:
            left += MARK_SLOT_PX
        if kind in _INSIDE:
            left += theme.grown(CHIP_SLOT_PX) - DEEPER_PX
        elif kind not in _FLUSH:
            self._paint_chip(painter, left, middle, data(Role.INITIALS), ghost)
            left += theme.grown(CHIP_SLOT_PX)
        if icon := data(Role.ICON):
            theme.icons.paint(painter, icon, theme.tokens.text2, left, middle, 14)
        left += ICON_SLOT_PX
        room = QRectF(left, box.top(), box.right() - left - 6, box.height())
        self._paint_line(painter, room, data, kind, ghost)

    def _paint_outer(self, painter: QPainter, box: QRectF, data: Callable[..., Any]) -> None:
        ghost = bool(data(Role.GHOST))
        # A turn's line is its number, two spaces, the user's words.
        label, _gap, words = str(data() or "").partition("  ")
        caption = str(data(Role.CAPTION) or words)
        font, ink = ("strong_ghost", "golden") if ghost else ("strong", "text")
        failed_by, note = str(data(Role.FAILED_BY) or ""), str(data(Role.NOTE) or "")
        kept = self._text_painter.width(failed_by, "secondary_strong") + 8 if failed_by else 0.0
        named = box.adjusted(0, 0, -min(kept, box.width() / 2), 0)
        kept += NOTE_SLOT_PX + self._text_painter.width(note, "secondary") + 8 if note else 0.0
        box.setLeft(box.left() + self._text_painter.left(painter, named, label, font, ink) + 8)
        room = box.adjusted(0, 0, -kept, 0)
        if caption and room.width() > 24:
            box.setLeft(box.left() + self._text_painter.left(painter, room, caption, "secondary", "text2") + 8)
        if failed_by:
            box.setLeft(box.left() + self._text_painter.left(painter, box, failed_by, "secondary_strong", "fail") + 8)
        if note and box.width() > NOTE_SLOT_PX:
            theme, middle, mark = self._theme, box.center().y(), str(data(Role.NOTE_MARK))
            theme.icons.paint_mark(painter, mark, theme.tokens, box.left(), middle, 14)
            box.setLeft(box.left() + NOTE_SLOT_PX)
            self._text_painter.left(painter, box, note, "secondary", TINTS[mark].ink)

    def _paint_chip(self, painter: QPainter, left: float, middle: float, initials: str | None, ghost: bool) -> None:
        if not initials and not ghost:
            return
        kind = TagKind.DASHED if ghost else TagKind.THIN
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        high = max(TAG_PX, self._text_painter.metrics("caption_strong").height() + 2)
        box = QRectF(left, middle - high / 2, self._theme.grown(CHIP_PX), high)
        paint_tag(painter, box, initials or "–", kind, self._theme, self._theme.fonts.caption_strong)
        painter.restore()

    def _paint_line(self, painter: QPainter, box: QRectF, data: Callable[..., Any], kind: Kind, ghost: bool) -> None:
        label = str(data() or "")
        if ghost:
            self._text_painter.left(painter, box, label, "ghost", "text2")
        elif kind in _DATA:
            self._paint_runs(painter, box, call_runs(label, tuple(data(Role.TINTS) or ())))
        else:
            self._text_painter.left(painter, box, label, "body", "text2" if data(Role.DIM) else "text")

    def _paint_runs(self, painter: QPainter, box: QRectF, runs: tuple[TextRun, ...]) -> None:
        room = QRectF(box)
        for index, run in enumerate(runs):
            last = index + 1 == len(runs)
            font = "data_strong" if run.strong else "data"
            width = self._text_painter.width(run.text, font)
            if run.tinted:
                tint = QRectF(room.left(), room.center().y() - 9, min(width, room.width()), 18)
                painter.fillRect(tint, QColor(self._theme.tokens.candidate_fill))
            if width > room.width() - (0 if last else self._text_painter.width("…", "data")):
                self._text_painter.left(painter, room, run.text if last else run.text + "…", font, run.ink)
                return
            self._text_painter.left(painter, room, run.text, font, run.ink)
            room.setLeft(room.left() + width)
