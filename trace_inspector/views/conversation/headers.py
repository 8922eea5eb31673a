"""Lays out the head of a conversation and the headers of its turns, with what was decided about them."""

from __future__ import annotations

from PySide6.QtCore import QRectF

from trace_inspector.models.conversation.items import Item, Score
from trace_inspector.views.conversation.given import BELOW_PX, PAD_PX, Given, Tools, column
from trace_inspector.views.conversation.scene import Scene
from trace_inspector.views.painting.line import GAP_PX, Line
from trace_inspector.views.painting.shapes import Frame
from trace_inspector.views.widgets.controls import TagKind

_ABOVE_PX = 12.0
_HEAD_PX, _TURN_PX, _SCORES_PX = 28.0, 36.0, 24.0
_PLAIN_PX, _SCORE_PX = 480.0, 90.0  # what a turn's name and figures need beside each other, and each score more


def head(tools: Tools, given: Given, scene: Scene) -> None:
    """The name of a case or trace."""
    item, (left, wide) = given.item, column(given.width_px)
    high = tools.high(_HEAD_PX, "title")
    line = tools.line(scene, left, _ABOVE_PX, wide, high)
    _facts(line, item)
    line.picture(item.mark, size_px=16)
    line.words(item.title, "title", "text")
    line.words(item.caption, "secondary", "text2")
    bottom = _ABOVE_PX + high
    if item.scores or item.note:
        below = tools.line(scene, left, bottom, wide, tools.high(_SCORES_PX, "number_strong"))
        below.chip(item.note, TagKind.DASHED, strong=False)
        _scores_from_left(tools, below, item.scores)
        bottom += tools.high(_SCORES_PX, "number_strong")
    scene.height_px = bottom + BELOW_PX


def turn(tools: Tools, given: Given, scene: Scene) -> None:
    """A turn's band; scores get a line of their own where the view is narrow."""
    item, (left, wide) = given.item, column(given.width_px)
    two = bool(item.scores) and wide < _PLAIN_PX + _SCORE_PX * len(item.scores)
    high = tools.high(_TURN_PX, "strong")
    whole = QRectF(left, _ABOVE_PX, wide, high + (_SCORES_PX if two else 0))
    scene.shapes.append(Frame(whole, "", "border2", dashed=True) if item.ghost else Frame(whole, "raised", "border"))
    line = tools.line(scene, left + PAD_PX, _ABOVE_PX, wide - 2 * PAD_PX, high)
    _facts(line, item)
    line.picture(item.mark, size_px=16)
    line.words(item.title, *(("strong_ghost", "golden") if item.ghost else ("strong", "text")))
    line.chip(item.note, TagKind.DASHED, strong=False)
    if two:
        below = tools.line(scene, left + PAD_PX, whole.bottom() - _SCORES_PX - 6, wide - 2 * PAD_PX, _SCORES_PX)
        _scores_from_left(tools, below, item.scores)
    else:
        _scores_from_right(tools, line, item.scores)
    line.words(item.caption, "secondary", "text2")
    scene.height_px = whole.bottom() + BELOW_PX


def _facts(line: Line, item: Item) -> None:
    for fact in reversed(item.facts):
        line.words_right(fact, "number", "text2", gap_px=2 * GAP_PX)


def _scores_from_left(tools: Tools, line: Line, scores: tuple[Score, ...]) -> None:
    shown, left_out = _fitting(tools, line, scores)
    for score in shown:
        line.words(score.title, "secondary", "text2")
        line.picture(score.cell.mark, size_px=11)
        line.words(score.cell.text, *_dress(score))
        line.skip(GAP_PX)
    line.words(left_out, "number", "text2")


def _scores_from_right(tools: Tools, line: Line, scores: tuple[Score, ...]) -> None:
    shown, left_out = _fitting(tools, line, scores)
    line.words_right(left_out, "number", "text2")
    for score in reversed(shown):
        line.words_right(score.cell.text, *_dress(score), gap_px=4)
        line.picture_right(score.cell.mark, 11)
        line.words_right(score.title, "secondary", "text2", gap_px=2 * GAP_PX)


def _fitting(tools: Tools, line: Line, scores: tuple[Score, ...]) -> tuple[list[Score], str]:
    """As many as there is room for, and how many are left out, in words."""
    shown, needed = list(scores), [_needed_px(tools, score) for score in scores]
    more_px = tools.letters.width("+99", "number") + GAP_PX
    while shown and sum(needed[: len(shown)]) + (more_px if len(shown) < len(scores) else 0) > line.room_px:
        shown.pop()
    left_out = len(scores) - len(shown)
    return shown, f"+{left_out}" if left_out else ""


def _needed_px(tools: Tools, score: Score) -> float:
    title = tools.letters.width(score.title, "secondary")
    return title + tools.letters.width(score.cell.text, "number_strong") + 11 + 5 * GAP_PX


def _dress(score: Score) -> tuple[str, str]:
    return ("number_strong", "fail") if score.cell.failing else ("number", "text")
