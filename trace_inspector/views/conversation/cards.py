"""Lays out what was done: calls with their results, code, state, media, payload; thoughts and handing over."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF

from trace_inspector.models.conversation.conversation import Fold
from trace_inspector.models.conversation.items import Item, Pair, Shape
from trace_inspector.models.tree.trace_cells import initials
from trace_inspector.views.conversation.given import (
    BELOW_PX,
    BUBBLE_PX,
    PAD_PX,
    Given,
    Tools,
    column,
    link_act,
)
from trace_inspector.views.conversation.scene import Act, Prose, Scene, Zone
from trace_inspector.views.painting.line import GAP_PX, Line
from trace_inspector.views.painting.passage import Passage
from trace_inspector.views.painting.shapes import Frame, Words, Wrapped
from trace_inspector.views.widgets.controls import TagKind

_HEADER_PX, _NOTE_PX, _PAIR_PX = 32.0, 28.0, 22.0
_INDENT_PX, _NOTE_INDENT_PX = 20.0, 16.0
_NAME_PX = 120.0
_WELL_PX = 6.0
_TAG_INKS = {"missing": "golden", "extra": "candidate"}


def card(tools: Tools, given: Given, scene: Scene) -> None:
    """A frame with a header, rows of names and values, and a text in a well. A result hangs below its call."""
    item, (left, wide) = given.item, _room(given)
    tucked = item.shape is Shape.TUCKED
    bottom = 0.0
    if given.begins:
        bottom = tools.high(_HEADER_PX, "data_strong")
        _card_header(tools.line(scene, left + PAD_PX, 0, wide - 2 * PAD_PX, bottom), given)
        _add_toggle(scene, item, QRectF(left, 0, wide, bottom))
        if item.pairs and (given.fold > Fold.FOLDED or not item.foldable):
            bottom = _pairs(tools, scene, item, QRectF(left + PAD_PX, bottom, wide - 2 * PAD_PX, _PAIR_PX))
            bottom += GAP_PX / 2 if given.joined else GAP_PX
    bottom = _well(tools, given, scene, QRectF(left + PAD_PX, bottom, wide - 2 * PAD_PX, 0))
    joined = given.joined and given.last
    whole = QRectF(left, 0, wide, bottom)
    frame = Frame(
        whole, "" if item.ghost else "base", "border2" if item.ghost else "border", dashed=item.ghost,
        open_top=tucked or not given.begins, open_bottom=joined or not given.last,
    )  # fmt: skip
    rule = [Frame(QRectF(left, 0, wide, 1), "border", "", 0)] if tucked and given.begins else []
    scene.shapes[:0] = [frame, *rule]
    scene.height_px = bottom + (BELOW_PX if given.last and not joined else 0)


def note(tools: Tools, given: Given, scene: Scene) -> None:
    """A quiet line; what it unfolds stands beside a rail."""
    item, (left, wide) = given.item, _room(given)
    ink = "fail" if item.failing else "text2"
    bottom = 0.0
    if given.begins:
        bottom = tools.high(_NOTE_PX, "body")
        line = tools.line(scene, left + PAD_PX, 0, wide - 2 * PAD_PX, bottom)
        _begin(line, given)
        line.picture(item.icon, ink)
        line.words(item.title, "body", ink)
        _add_toggle(scene, item, QRectF(left, 0, wide, bottom))
    text, more = given.shown()
    if text:
        at = QPointF(left + PAD_PX + _NOTE_INDENT_PX, bottom)
        passage = Passage(text, tools.look.fonts.body, wide - 2 * PAD_PX - _NOTE_INDENT_PX)
        scene.prose = Prose(passage, at, "text2", given.start)
        scene.shapes.append(Frame(QRectF(left + PAD_PX + 4, bottom, 2, passage.height_px), "border2", "", 0))
        bottom += passage.height_px
        bottom += tools.put_link(scene, QPointF(at.x(), bottom), given.link(more=more), link_act(given))
    scene.height_px = bottom + (BELOW_PX if given.last else 0)


def handing_over(tools: Tools, given: Given, scene: Scene) -> None:
    """A thin line from one agent to the other."""
    item, (left, wide) = given.item, _room(given)
    high = tools.high(_NOTE_PX, "secondary_strong")
    line = tools.line(scene, left + PAD_PX, 0, wide - 2 * PAD_PX, high)
    _begin(line, given)
    line.picture(item.icon, "text2")
    line.words(item.title, "secondary_strong", "text2")
    if line.room_px > 0:
        scene.shapes.append(Frame(QRectF(line.left_px, high // 2, line.room_px, 1), "border", "", 0))
    scene.height_px = high + BELOW_PX


def _room(given: Given) -> tuple[float, float]:
    """Left edge and width of a card."""
    left, wide = column(given.width_px)
    narrow = min(BUBBLE_PX, wide)
    return left + (wide - narrow if given.item.own else 0), narrow


def _add_toggle(scene: Scene, item: Item, box: QRectF) -> None:
    if item.foldable:
        scene.zones.append(Zone(box, Act.TOGGLE))


def _begin(line: Line, given: Given) -> None:
    """What all headers have: figures at the right; mark, agent and arrow at the left."""
    item = given.item
    for fact in reversed(item.facts):
        line.words_right(fact, "number", "text3")
    line.picture(item.mark)
    if item.ghost:
        line.chip("–", TagKind.DASHED)
    line.chip(initials(item.author))
    if item.shape is Shape.TUCKED:
        line.skip(_INDENT_PX)
    if item.foldable:
        line.picture("right" if given.fold is Fold.FOLDED else "down", "text2")


def _card_header(line: Line, given: Given) -> None:
    item = given.item
    if item.tag:
        ink = "fail" if item.failing else _TAG_INKS.get(item.mark, "text2")
        line.words_right(item.tag, "number_strong" if item.failing else "number", ink)
    _begin(line, given)
    tucked, failing = item.shape is Shape.TUCKED, item.failing and not item.tag
    line.picture(item.icon, "fail" if failing else "text2")
    font = "ghost" if item.ghost else "secondary" if tucked or not item.data else "data_strong"
    line.words(item.title, font, "fail" if failing else "text2" if item.ghost or tucked else "text")
    if given.fold is Fold.FOLDED or not item.foldable:
        line.words(item.caption, "data" if tucked else "secondary", "text2")
    line.chip(item.note, TagKind.DASHED, strong=False)


def _pairs(tools: Tools, scene: Scene, item: Item, box: QRectF) -> float:
    """Names and values under each other; gives where they end."""
    name_px = max(tools.letters.width(pair.name, "data") for pair in item.pairs) + 2 * GAP_PX
    name_px = min(name_px, max(_NAME_PX, box.width() / 3))
    left, top = box.left() + _INDENT_PX, box.top()
    for pair in item.pairs:
        name = QRectF(left, top, name_px - GAP_PX, _PAIR_PX)
        scene.shapes.append(Words(name, pair.name, "data", "text2"))
        top += _pair_value(tools, scene, pair, QPointF(left + name_px, top), box.right() - left - name_px)
    return top


def _pair_value(tools: Tools, scene: Scene, pair: Pair, at: QPointF, room_px: float) -> float:
    """A value on as many lines as it takes; gives how high it is."""
    passage = Passage(pair.value, tools.look.fonts.data, room_px)
    high = max(_PAIR_PX, passage.height_px + _PAIR_PX - passage.line_px)
    if pair.differs:
        tint = QRectF(at.x(), at.y(), passage.natural_px, high).adjusted(-3, 2, 3, -2)
        scene.shapes.append(Frame(tint, "candidate_fill", "", 2))
    if passage.height_px > passage.line_px:
        scene.shapes.append(Wrapped(passage, at + QPointF(0, (_PAIR_PX - passage.line_px) / 2)))
    else:  # as its name is written, so that both stand on one line
        scene.shapes.append(Words(QRectF(at.x(), at.y(), room_px, _PAIR_PX), pair.value, "data", "text"))
    return high


def _well(tools: Tools, given: Given, scene: Scene, box: QRectF) -> float:
    """The text of a card; gives where it and its link end."""
    text, more = given.shown()
    if not text and given.begins:
        return box.top()
    fonts = tools.look.fonts
    passage = Passage(text, fonts.data if given.item.data else fonts.body, box.width() - 2 * GAP_PX)
    at = QPointF(box.left() + GAP_PX, box.top() + (_WELL_PX if given.begins else 0))
    scene.prose = Prose(passage, at, start=given.start)
    box.setBottom(at.y() + passage.height_px + (_WELL_PX if given.last else 0))
    scene.shapes.append(Frame(box, "raised", "", 4, open_top=not given.begins, open_bottom=not given.last))
    link_px = tools.put_link(scene, QPointF(at.x(), box.bottom()), given.link(more=more), link_act(given))
    return box.bottom() + link_px + ((2 if link_px else GAP_PX) if given.last else 0)
