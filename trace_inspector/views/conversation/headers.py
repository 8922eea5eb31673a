"""Lays out the head of a conversation and the headers of its turns, with what was decided about them."""

from __future__ import annotations

from PySide6.QtCore import QRectF

from trace_inspector.models.conversation.items import Item, Score
from trace_inspector.views.conversation.item_layout import ItemLayout
from trace_inspector.views.conversation.item_state import BELOW_PX, PAD_PX, ItemState, column
from trace_inspector.views.painting.line_layout import GAP_PX, LineLayout
from trace_inspector.views.painting.row_layout import Measures
from trace_inspector.views.painting.shapes import Frame
from trace_inspector.views.widgets.controls import TagKind

_ABOVE_PX = 12.0
_HEAD_PX, _TURN_PX, _SCORES_PX = 28.0, 36.0, 24.0
_PLAIN_PX, _SCORE_PX = 480.0, 90.0  # what a turn's name and figures need beside each other, and each score more


def head(measures: Measures, state: ItemState, layout: ItemLayout) -> None:
    """The name of a case or trace."""
    item, (left, wide) = state.item, column(state.width_px)
    high = measures.height_px(_HEAD_PX, "title")
    line = measures.line(layout, QRectF(left, _ABOVE_PX, wide, high))
    _facts(line, item)
    line.picture(item.mark, size_px=16)
    line.text(item.title, "title", "text")
    line.text(item.caption, "secondary", "text2")
    bottom = _ABOVE_PX + high
    if item.scores or item.note:
        below = measures.line(layout, QRectF(left, bottom, wide, measures.height_px(_SCORES_PX, "number_strong")))
        below.chip(item.note, TagKind.DASHED, strong=False)
        _scores_from_left(measures, below, item.scores)
        bottom += measures.height_px(_SCORES_PX, "number_strong")
    layout.height_px = bottom + BELOW_PX


def turn(measures: Measures, state: ItemState, layout: ItemLayout) -> None:
    """A turn's band; scores get a line of their own where the view is narrow."""
    item, (left, wide) = state.item, column(state.width_px)
    two = bool(item.scores) and wide < _PLAIN_PX + _SCORE_PX * len(item.scores)
    high = measures.height_px(_TURN_PX, "strong")
    whole = QRectF(left, _ABOVE_PX, wide, high + (_SCORES_PX if two else 0))
    layout.shapes.append(Frame(whole, "", "border2", dashed=True) if item.ghost else Frame(whole, "raised", "border"))
    line = measures.line(layout, QRectF(left + PAD_PX, _ABOVE_PX, wide - 2 * PAD_PX, high))
    _facts(line, item)
    line.picture(item.mark, size_px=16)
    line.text(item.title, *(("strong_ghost", "golden") if item.ghost else ("strong", "text")))
    line.chip(item.note, TagKind.DASHED, strong=False)
    if two:
        top = whole.bottom() - _SCORES_PX - 6
        below = measures.line(layout, QRectF(left + PAD_PX, top, wide - 2 * PAD_PX, _SCORES_PX))
        _scores_from_left(measures, below, item.scores)
    else:
        _scores_from_right(measures, line, item.scores)
    line.text(item.caption, "secondary", "text2")
    layout.height_px = whole.bottom() + BELOW_PX


def _facts(line: LineLayout, item: Item) -> None:
    for fact in reversed(item.facts):
        line.text_right(fact, "number", "text2", gap_px=2 * GAP_PX)


def _scores_from_left(measures: Measures, line: LineLayout, scores: tuple[Score, ...]) -> None:
    shown, left_out = _fitting(measures, line, scores)
    for score in shown:
        line.text(score.title, "secondary", "text2")
        line.picture(score.cell.mark, size_px=11)
        line.text(score.cell.text, *_dress(score))
        line.skip(GAP_PX)
    line.text(left_out, "number", "text2")


def _scores_from_right(measures: Measures, line: LineLayout, scores: tuple[Score, ...]) -> None:
    shown, left_out = _fitting(measures, line, scores)
    line.text_right(left_out, "number", "text2")
    for score in reversed(shown):
        line.text_right(score.cell.text, *_dress(score), gap_px=4)
        line.picture_right(score.cell.mark, 11)
        line.text_right(score.title, "secondary", "text2", gap_px=2 * GAP_PX)


def _fitting(measures: Measures, line: LineLayout, scores: tuple[Score, ...]) -> tuple[list[Score], str]:
    """As many as there is room for, and how many are left out, in words."""
    shown, needed = list(scores), [_needed_px(measures, score) for score in scores]
    more_px = measures.letters.width("+99", "number") + GAP_PX
    while shown and sum(needed[: len(shown)]) + (more_px if len(shown) < len(scores) else 0) > line.room_px:
        shown.pop()
    left_out = len(scores) - len(shown)
    return shown, f"+{left_out}" if left_out else ""


def _needed_px(measures: Measures, score: Score) -> float:
    title = measures.letters.width(score.title, "secondary")
    return title + measures.letters.width(score.cell.text, "number_strong") + 11 + 5 * GAP_PX


def _dress(score: Score) -> tuple[str, str]:
    return ("number_strong", "fail") if score.cell.failing else ("number", "text")
