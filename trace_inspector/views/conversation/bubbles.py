"""Lays out what was said: a caption, a bubble as wide as its words, coloured sentences."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF

from trace_inspector.models.base.translation import tr
from trace_inspector.models.conversation.items import Item
from trace_inspector.models.tree.trace_cells import initials
from trace_inspector.views.answer.answer_layout import place
from trace_inspector.views.conversation.item_layout import ItemLayout, Prose
from trace_inspector.views.conversation.item_state import (
    BELOW_PX,
    BUBBLE_PX,
    PAD_PX,
    ItemState,
    column,
    link_action,
    put_link,
)
from trace_inspector.views.conversation.sentences import inside
from trace_inspector.views.painting.line_layout import LineLayout
from trace_inspector.views.painting.row_layout import Measures
from trace_inspector.views.painting.shapes import Frame
from trace_inspector.views.painting.text_layout import TextLayout
from trace_inspector.views.widgets.controls import TagKind

_OWN_PX, _OWN_INDENT_PX = 600.0, 48.0
_CAPTION_PX, _PAD_PX = 24.0, 8.0
_RADIUS_PX = 10


def bubble(measures: Measures, state: ItemState, layout: ItemLayout) -> None:
    """Words of the user at the right, of agents at the left."""
    item, (left, wide) = state.item, column(state.width_px)
    widest = min(_OWN_PX, wide - _OWN_INDENT_PX) if item.own else min(BUBBLE_PX, wide)
    top = measures.height_px(_CAPTION_PX, "secondary_strong") if state.begins else 0.0
    if state.begins:
        _caption(measures.line(layout, QRectF(left + (wide - widest if item.own else 0), 0, widest, top)), item)
    text, more = state.shown()
    link = state.link(more=more)
    room = widest - 2 * PAD_PX
    corner = QPointF(left + PAD_PX, top + (_PAD_PX if state.begins else 0))
    if item.judged is not None:
        across, high = room, _sentences(measures, state, layout, text, QRectF(corner.x(), corner.y(), room, 0))
    else:
        text_layout = TextLayout(text, measures.theme.fonts.body, room)
        # Pieces of one text are equally wide.
        across = room if state.text is not None else min(room, max(text_layout.natural_px, _width(measures, link)))
        high = text_layout.height_px
        corner.setX(left + wide - across - PAD_PX if item.own else corner.x())
        layout.prose = Prose(text_layout, corner, start=state.start)
    bottom = corner.y() + high
    bottom += put_link(measures, layout, QPointF(corner.x(), bottom), link, link_action(state))
    bottom += _PAD_PX if state.last else 0
    whole = QRectF(corner.x() - PAD_PX, top, across + 2 * PAD_PX, bottom - top)
    fill = "sunken" if item.own else "base"
    frame = Frame(whole, fill, "border", _RADIUS_PX, open_top=not state.begins, open_bottom=not state.last)
    layout.shapes.insert(0, frame)
    layout.height_px = bottom + (BELOW_PX if state.last else 0)


def _caption(line: LineLayout, item: Item) -> None:
    """Who, when, how long."""
    if item.own:
        line.text_right(tr("User"), "secondary", "text2")
        line.chip_right(item.note)
        return
    line.picture(item.mark)
    line.chip(initials(item.author), full=item.author)
    line.text(item.author, "secondary_strong", "text2")
    for fact in item.facts:
        line.text(fact, "number", "text3")
    line.chip(item.note, TagKind.DASHED, strong=False)


def _sentences(measures: Measures, state: ItemState, layout: ItemLayout, text: str, box: QRectF) -> float:
    """Room for sentences, which a widget of their own draws; gives how high they are."""
    judged = state.item.judged.sentences if state.item.judged else ()
    sentences = [sentence for _number, sentence in inside(judged, state.start, state.start + len(text))]
    box.setHeight(place(text, sentences, measures.theme.fonts.body, box.width()).height)
    layout.answer, layout.answer_text, layout.answer_start = box, text, state.start
    return box.height()


def _width(measures: Measures, link: str) -> float:
    return measures.letters.width(link, "secondary") + 2 if link else 0.0
