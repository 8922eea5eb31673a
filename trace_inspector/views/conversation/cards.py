"""Lays out what was done: calls with their results, code, state, media, payload; thoughts and handing over."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF

from trace_inspector.models.conversation.conversation import Fold
from trace_inspector.models.conversation.items import Item, Pair, Shape
from trace_inspector.models.tree.trace_cells import initials
from trace_inspector.views.conversation.item_layout import ItemAction, ItemLayout, Prose
from trace_inspector.views.conversation.item_state import (
    BELOW_PX,
    BUBBLE_PX,
    PAD_PX,
    ItemState,
    column,
    link_action,
    put_link,
)
from trace_inspector.views.painting.line_layout import GAP_PX, LineLayout
from trace_inspector.views.painting.row_layout import ClickArea, Measures
from trace_inspector.views.painting.shapes import Frame, TextLine, WrappedText
from trace_inspector.views.painting.text_layout import TextLayout
from trace_inspector.views.widgets.controls import TagKind

_HEADER_PX, _NOTE_PX, _PAIR_PX = 32.0, 28.0, 22.0
_INDENT_PX, _NOTE_INDENT_PX = 20.0, 16.0
_NAME_PX = 120.0
_WELL_PX = 6.0
_TAG_INKS = {"missing": "golden", "extra": "candidate"}


def card(measures: Measures, state: ItemState, layout: ItemLayout) -> None:
    """A frame with a header, rows of names and values, and a text in a well. A result hangs below its call."""
    item, (left, wide) = state.item, _room(state)
    tucked = item.shape is Shape.TUCKED
    bottom = 0.0
    if state.begins:
        bottom = measures.height_px(_HEADER_PX, "data_strong")
        _card_header(measures.line(layout, QRectF(left + PAD_PX, 0, wide - 2 * PAD_PX, bottom)), state)
        _add_toggle(layout, item, QRectF(left, 0, wide, bottom))
        if item.pairs and (state.fold > Fold.FOLDED or not item.foldable):
            bottom = _pairs(measures, layout, item, QRectF(left + PAD_PX, bottom, wide - 2 * PAD_PX, _PAIR_PX))
            bottom += GAP_PX / 2 if state.joined else GAP_PX
    bottom = _well(measures, state, layout, QRectF(left + PAD_PX, bottom, wide - 2 * PAD_PX, 0))
    joined = state.joined and state.last
    whole = QRectF(left, 0, wide, bottom)
    frame = Frame(
        whole, "" if item.ghost else "base", "border2" if item.ghost else "border", dashed=item.ghost,
        open_top=tucked or not state.begins, open_bottom=joined or not state.last,
    )  # fmt: skip
    rule = [Frame(QRectF(left, 0, wide, 1), "border", "", 0)] if tucked and state.begins else []
    layout.shapes[:0] = [frame, *rule]
    layout.height_px = bottom + (BELOW_PX if state.last and not joined else 0)


def note(measures: Measures, state: ItemState, layout: ItemLayout) -> None:
    """A quiet line; what it unfolds stands beside a rail."""
    item, (left, wide) = state.item, _room(state)
    ink = "fail" if item.failing else "text2"
    bottom = 0.0
    if state.begins:
        bottom = measures.height_px(_NOTE_PX, "body")
        line = measures.line(layout, QRectF(left + PAD_PX, 0, wide - 2 * PAD_PX, bottom))
        _begin(line, state)
        line.picture(item.icon, ink)
        line.text(item.title, "body", ink)
        _add_toggle(layout, item, QRectF(left, 0, wide, bottom))
    text, more = state.shown()
    if text:
        corner = QPointF(left + PAD_PX + _NOTE_INDENT_PX, bottom)
        text_layout = TextLayout(text, measures.theme.fonts.body, wide - 2 * PAD_PX - _NOTE_INDENT_PX)
        layout.prose = Prose(text_layout, corner, "text2", state.start)
        layout.shapes.append(Frame(QRectF(left + PAD_PX + 4, bottom, 2, text_layout.height_px), "border2", "", 0))
        bottom += text_layout.height_px
        bottom += put_link(measures, layout, QPointF(corner.x(), bottom), state.link(more=more), link_action(state))
    layout.height_px = bottom + (BELOW_PX if state.last else 0)


def handing_over(measures: Measures, state: ItemState, layout: ItemLayout) -> None:
    """A thin line from one agent to the other."""
    item, (left, wide) = state.item, _room(state)
    high = measures.height_px(_NOTE_PX, "secondary_strong")
    line = measures.line(layout, QRectF(left + PAD_PX, 0, wide - 2 * PAD_PX, high))
    _begin(line, state)
    line.picture(item.icon, "text2")
    line.text(item.title, "secondary_strong", "text2")
    if line.room_px > 0:
        layout.shapes.append(Frame(QRectF(line.left_px, high // 2, line.room_px, 1), "border", "", 0))
    layout.height_px = high + BELOW_PX


def _room(state: ItemState) -> tuple[float, float]:
    """Left edge and width of a card."""
    left, wide = column(state.width_px)
    narrow = min(BUBBLE_PX, wide)
    return left + (wide - narrow if state.item.own else 0), narrow


def _add_toggle(layout: ItemLayout, item: Item, box: QRectF) -> None:
    if item.foldable:
        layout.click_areas.append(ClickArea(box, ItemAction.TOGGLE))


def _begin(line: LineLayout, state: ItemState) -> None:
    """What all headers have: figures at the right; mark, agent and arrow at the left."""
    item = state.item
    for fact in reversed(item.facts):
        line.text_right(fact, "number", "text3")
    line.picture(item.mark)
    if item.ghost:
        line.chip("–", TagKind.DASHED, full=item.author)
    line.chip(initials(item.author), full=item.author)
    if item.shape is Shape.TUCKED:
        line.skip(_INDENT_PX)
    if item.foldable:
        line.picture("right" if state.fold is Fold.FOLDED else "down", "text2")


def _card_header(line: LineLayout, state: ItemState) -> None:
    item = state.item
    if item.tag:
        ink = "fail" if item.failing else _TAG_INKS.get(item.mark, "text2")
        line.text_right(item.tag, "number_strong" if item.failing else "number", ink)
    _begin(line, state)
    tucked, failing = item.shape is Shape.TUCKED, item.failing and not item.tag
    line.picture(item.icon, "fail" if failing else "text2")
    font = "ghost" if item.ghost else "secondary" if tucked or not item.data else "data_strong"
    line.text(item.title, font, "fail" if failing else "text2" if item.ghost or tucked else "text")
    if state.fold is Fold.FOLDED or not item.foldable:
        line.text(item.caption, "data" if tucked else "secondary", "text2")
    line.chip(item.note, TagKind.DASHED, strong=False)


def _pairs(measures: Measures, layout: ItemLayout, item: Item, box: QRectF) -> float:
    """Names and values under each other; gives where they end."""
    name_px = max(measures.letters.width(pair.name, "data") for pair in item.pairs) + 2 * GAP_PX
    name_px = min(name_px, max(_NAME_PX, box.width() / 3))
    left, top = box.left() + _INDENT_PX, box.top()
    for pair in item.pairs:
        name = QRectF(left, top, name_px - GAP_PX, _PAIR_PX)
        layout.shapes.append(TextLine(name, pair.name, "data", "text2"))
        top += _pair_value(measures, layout, pair, QPointF(left + name_px, top), box.right() - left - name_px)
    return top


def _pair_value(measures: Measures, layout: ItemLayout, pair: Pair, corner: QPointF, room_px: float) -> float:
    """A value on as many lines as it takes; gives how high it is."""
    text_layout = TextLayout(pair.value, measures.theme.fonts.data, room_px)
    high = max(_PAIR_PX, text_layout.height_px + _PAIR_PX - text_layout.line_px)
    if pair.differs:
        tint = QRectF(corner.x(), corner.y(), text_layout.natural_px, high).adjusted(-3, 2, 3, -2)
        layout.shapes.append(Frame(tint, "candidate_fill", "", 2))
    if text_layout.height_px > text_layout.line_px:
        layout.shapes.append(WrappedText(text_layout, corner + QPointF(0, (_PAIR_PX - text_layout.line_px) / 2)))
    else:  # as its name is written, so that both stand on one line
        layout.shapes.append(TextLine(QRectF(corner.x(), corner.y(), room_px, _PAIR_PX), pair.value, "data", "text"))
    return high


def _well(measures: Measures, state: ItemState, layout: ItemLayout, box: QRectF) -> float:
    """The text of a card; gives where it and its link end."""
    text, more = state.shown()
    if not text and state.begins:
        return box.top()
    fonts = measures.theme.fonts
    text_layout = TextLayout(text, fonts.data if state.item.data else fonts.body, box.width() - 2 * GAP_PX)
    corner = QPointF(box.left() + GAP_PX, box.top() + (_WELL_PX if state.begins else 0))
    layout.prose = Prose(text_layout, corner, start=state.start)
    box.setBottom(corner.y() + text_layout.height_px + (_WELL_PX if state.last else 0))
    layout.shapes.append(Frame(box, "raised", "", 4, open_top=not state.begins, open_bottom=not state.last))
    link_px = put_link(measures, layout, QPointF(corner.x(), box.bottom()), state.link(more=more), link_action(state))
    return box.bottom() + link_px + ((2 if link_px else GAP_PX) if state.last else 0)
