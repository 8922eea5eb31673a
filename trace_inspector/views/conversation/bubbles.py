"""Lays out what was said: a caption, a bubble as wide as its words, coloured sentences."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF

from trace_inspector.models.base.translation import tr
from trace_inspector.models.conversation.items import Item
from trace_inspector.models.tree.trace_cells import initials
from trace_inspector.views.answer.answer_layout import place
from trace_inspector.views.conversation.given import (
    BELOW_PX,
    BUBBLE_PX,
    PAD_PX,
    Given,
    Tools,
    column,
    link_act,
)
from trace_inspector.views.conversation.scene import Prose, Scene
from trace_inspector.views.conversation.sentences import inside
from trace_inspector.views.painting.line import Line
from trace_inspector.views.painting.passage import Passage
from trace_inspector.views.painting.shapes import Frame
from trace_inspector.views.widgets.controls import TagKind

_OWN_PX, _OWN_INDENT_PX = 600.0, 48.0
_CAPTION_PX, _PAD_PX = 24.0, 8.0
_RADIUS_PX = 10


def bubble(tools: Tools, given: Given, scene: Scene) -> None:
    """Words of the user at the right, of agents at the left."""
    item, (left, wide) = given.item, column(given.width_px)
    widest = min(_OWN_PX, wide - _OWN_INDENT_PX) if item.own else min(BUBBLE_PX, wide)
    top = tools.high(_CAPTION_PX, "secondary_strong") if given.begins else 0.0
    if given.begins:
        _caption(tools.line(scene, left + (wide - widest if item.own else 0), 0, widest, top), item)
    text, more = given.shown()
    link = given.link(more=more)
    room = widest - 2 * PAD_PX
    at = QPointF(left + PAD_PX, top + (_PAD_PX if given.begins else 0))
    if item.judged is not None:
        across, high = room, _sentences(tools, given, scene, text, QRectF(at.x(), at.y(), room, 0))
    else:
        passage = Passage(text, tools.look.fonts.body, room)
        # Pieces of one text are equally wide.
        across = room if given.text is not None else min(room, max(passage.natural_px, _width(tools, link)))
        high = passage.height_px
        at.setX(left + wide - across - PAD_PX if item.own else at.x())
        scene.prose = Prose(passage, at, start=given.start)
    bottom = at.y() + high
    bottom += tools.put_link(scene, QPointF(at.x(), bottom), link, link_act(given))
    bottom += _PAD_PX if given.last else 0
    whole = QRectF(at.x() - PAD_PX, top, across + 2 * PAD_PX, bottom - top)
    fill = "sunken" if item.own else "base"
    frame = Frame(whole, fill, "border", _RADIUS_PX, open_top=not given.begins, open_bottom=not given.last)
    scene.shapes.insert(0, frame)
    scene.height_px = bottom + (BELOW_PX if given.last else 0)


def _caption(line: Line, item: Item) -> None:
    """Who, when, how long."""
    if item.own:
        line.words_right(tr("User"), "secondary", "text2")
        line.chip_right(item.note)
        return
    line.picture(item.mark)
    line.chip(initials(item.author))
    line.words(item.author, "secondary_strong", "text2")
    for fact in item.facts:
        line.words(fact, "number", "text3")
    line.chip(item.note, TagKind.DASHED, strong=False)


def _sentences(tools: Tools, given: Given, scene: Scene, text: str, box: QRectF) -> float:
    """Room for sentences, which a widget of their own draws; gives how high they are."""
    judged = given.item.judged.sentences if given.item.judged else ()
    found = [sentence for _number, sentence in inside(judged, given.start, given.start + len(text))]
    box.setHeight(place(text, found, tools.look.fonts.body, box.width()).height)
    scene.answer, scene.answer_text, scene.answer_start = box, text, given.start
    return box.height()


def _width(tools: Tools, link: str) -> float:
    return tools.letters.width(link, "secondary") + 2 if link else 0.0
