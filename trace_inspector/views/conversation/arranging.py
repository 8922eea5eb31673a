"""Lays items out: what stands where in a bubble, a card, a turn's header."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QPointF, QRectF

from trace_inspector.models.conversation import Fold
from trace_inspector.models.conversation_items import Item, Pair, Score, Shape
from trace_inspector.models.conversation_text import head_of, told_size
from trace_inspector.models.trace_cells import initials
from trace_inspector.views.answer_layout import place
from trace_inspector.views.controls import TagKind
from trace_inspector.views.conversation.line import GAP_PX, Line
from trace_inspector.views.conversation.passage import Passage
from trace_inspector.views.conversation.scene import Act, Frame, Prose, Scene, Words, Wrapped, Zone
from trace_inspector.views.conversation.sentences import inside
from trace_inspector.views.lettering import Lettering
from trace_inspector.views.look import Look

WIDEST_PX, BUBBLE_PX, OWN_PX = 880.0, 720.0, 600.0
SIDE_PX, LEAST_SIDE_PX = 24.0, 12.0
PAD_PX = 12.0
HEADER_PX, TURN_PX, CAPTION_PX, PAIR_PX, LINK_PX = 32.0, 36.0, 24.0, 22.0, 24.0
BELOW_PX = 8.0
NAME_PX = 120.0
_PLAIN_TURN_PX = 480.0  # from this width on scores find room beside a turn's name


@dataclass(frozen=True, slots=True)
class Given:
    """An item with what decides how much of it shows. `text` is a piece of a text shown whole."""

    item: Item
    fold: Fold
    width_px: float
    text: str | None = None
    start: int = 0
    piece: int = 0
    last: bool = True  # of the pieces
    joined: bool = False  # the next item hangs below it


def column(width_px: float) -> tuple[float, float]:
    """Where the column of a view stands: left edge and width."""
    side = SIDE_PX if width_px > 640 else LEAST_SIDE_PX
    wide = min(WIDEST_PX, width_px - 2 * side)
    return (width_px - wide) / 2, wide


class Arranger:
    """Makes scenes in one look."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self._letters = Lettering(look)
        self._arrange: dict[Shape, Callable[[Given, Scene], None]] = {
            Shape.HEAD: self._head,
            Shape.TURN: self._turn,
            Shape.BUBBLE: self._bubble,
            Shape.CARD: self._card,
            Shape.TUCKED: self._card,
            Shape.NOTE: self._note,
            Shape.LINE: self._line,
        }

    def scene(self, given: Given) -> Scene:
        """The item laid out."""
        scene = Scene(given.item)
        self._arrange[given.item.shape](given, scene)
        return scene

    # Headers

    def _head(self, given: Given, scene: Scene) -> None:
        item = given.item
        left, wide = column(given.width_px)
        line = Line(scene, self._letters, QRectF(left, 12, wide, 28))
        self._facts(line, item)
        line.picture(item.mark, size_px=16)
        line.words(item.title, "title", "text")
        line.words(item.caption, "secondary", "text2")
        below = Line(scene, self._letters, QRectF(left, 40, wide, 24))
        below.chip(item.note, TagKind.DASHED, strong=False)
        self._scores(below, item.scores, from_left=True)
        scene.height_px = 68 if item.scores or item.note else 48

    def _turn(self, given: Given, scene: Scene) -> None:
        item = given.item
        left, wide = column(given.width_px)
        top = 12.0
        dashes = item.ghost
        two = bool(item.scores) and wide < _PLAIN_TURN_PX + 90 * len(item.scores)
        high = TURN_PX + (24 if two else 0)
        box = QRectF(left, top, wide, high)
        scene.shapes.append(Frame(box, "" if dashes else "raised", "border2" if dashes else "border", dashed=dashes))
        line = Line(scene, self._letters, QRectF(left + PAD_PX, top, wide - 2 * PAD_PX, TURN_PX))
        self._facts(line, item)
        line.picture(item.mark, size_px=16)
        line.words(item.title, "strong_ghost" if item.ghost else "strong", "golden" if item.ghost else "text")
        line.chip(item.note, TagKind.DASHED, strong=False)
        if two:
            below = QRectF(left + PAD_PX, top + TURN_PX - 6, wide - 2 * PAD_PX, 24)
            self._scores(Line(scene, self._letters, below), item.scores, from_left=True)
        else:
            self._scores(line, item.scores)
        line.words(item.caption, "secondary", "text2")
        scene.height_px = top + high + BELOW_PX

    def _scores(self, line: Line, scores: tuple[Score, ...], *, from_left: bool = False) -> None:
        """As many as there is room for; the others are counted."""
        shown = list(scores)
        more_px = self._letters.width("+99", "number") + GAP_PX
        while shown and sum(map(self._score_px, shown)) + (more_px if len(shown) < len(scores) else 0) > line.room_px:
            shown.pop()
        left_out = len(scores) - len(shown)
        more = f"+{left_out}" if left_out else ""
        if from_left:
            for score in shown:
                line.words(score.title, "secondary", "text2")
                line.picture(score.cell.mark, size_px=11)
                line.words(score.cell.text, *_dress(score))
                line.skip(GAP_PX)
            line.words(more, "number", "text2")
            return
        line.skip(0)
        line.words_right(more, "number", "text2")
        for score in reversed(shown):
            line.words_right(score.cell.text, *_dress(score), gap_px=4)
            if score.cell.mark:
                line.picture_right(score.cell.mark, 11)
            line.words_right(score.title, "secondary", "text2", gap_px=2 * GAP_PX)

    def _score_px(self, score: Score) -> float:
        words = self._letters.width(score.title, "secondary") + self._letters.width(score.cell.text, "number_strong")
        return words + 11 + 5 * GAP_PX

    def _facts(self, line: Line, item: Item) -> None:
        for fact in reversed(item.facts):
            line.words_right(fact, "number", "text2", gap_px=2 * GAP_PX)

    # What was said

    def _bubble(self, given: Given, scene: Scene) -> None:
        item = given.item
        left, wide = column(given.width_px)
        widest = min(OWN_PX if item.own else BUBBLE_PX, wide - (48 if item.own else 0))
        top = 0.0
        if not given.piece:
            box = QRectF(left + (wide - widest if item.own else 0), 0, widest, CAPTION_PX)
            self._caption(Line(scene, self._letters, box), item)
            top = CAPTION_PX
        text, more = self._shown(given)
        words, link = widest - 2 * PAD_PX, self._link(given, more=more)
        pad = 8.0 if not given.piece else 0.0
        if item.judged is not None:
            high, natural = self._judged(scene, given, text, QPointF(left + PAD_PX, top + pad), words), words
        else:
            passage = Passage(text, self._look.fonts.body, words)
            high, natural = passage.height_px, float(passage.natural_px)
        if given.text is not None:
            natural = words  # pieces of one text are equally wide
        if link:
            natural = max(natural, self._letters.width(link, "secondary"))
        across = min(natural, words) + 2 * PAD_PX
        start = left + wide - across if item.own else left
        if item.judged is None:
            scene.prose = Prose(passage, QPointF(start + PAD_PX, top + pad), start=given.start)
        bottom = top + pad + high
        if link:
            self._put_link(scene, QRectF(start + PAD_PX, bottom, across - 2 * PAD_PX, LINK_PX), link, given)
            bottom += LINK_PX
        bottom += 8 if given.last else 0
        whole = QRectF(start, top, across, bottom - top)
        scene.shapes.insert(0, Frame(
            whole, "sunken" if item.own else "base", "border", 10,
            open_top=bool(given.piece), open_bottom=not given.last,
        ))  # fmt: skip
        scene.height_px = bottom + (BELOW_PX if given.last else 0)

    def _caption(self, line: Line, item: Item) -> None:
        """Who, when, how long."""
        if item.own:
            line.words_right(_tr("User"), "secondary", "text2")
            line.chip_right(item.note)
            return
        line.picture(item.mark)
        line.chip(initials(item.author))
        line.words(item.author, "secondary_strong", "text2")
        for fact in item.facts:
            line.words(fact, "number", "text3")
        line.chip(item.note, TagKind.DASHED, strong=False)

    def _judged(self, scene: Scene, given: Given, text: str, at: QPointF, width_px: float) -> float:
        """Room for the sentences; they are drawn by a widget of their own."""
        judged = given.item.judged
        if judged is None:
            return 0.0
        sentences = inside(judged.sentences, given.start, given.start + len(text))
        high = place(text, [found for _number, found in sentences], self._look.fonts.body, width_px).height
        scene.answer = QRectF(at.x(), at.y(), width_px, high)
        scene.answer_text, scene.answer_start = text, given.start
        return high

    # Cards

    def _card(self, given: Given, scene: Scene) -> None:
        item = given.item
        tucked = item.shape is Shape.TUCKED
        left, wide = column(given.width_px)
        wide = min(BUBBLE_PX, wide)
        if item.own:
            left += column(given.width_px)[1] - wide
        bottom = 0.0
        if not given.piece:
            line = Line(scene, self._letters, QRectF(left + PAD_PX, 0, wide - 2 * PAD_PX, HEADER_PX))
            self._card_header(line, given)
            if item.foldable:
                scene.zones.append(Zone(QRectF(left, 0, wide, HEADER_PX), Act.TOGGLE))
            bottom = HEADER_PX
            if item.pairs and (given.fold > Fold.FOLDED or not item.foldable):
                bottom = self._pairs(scene, item, QRectF(left + PAD_PX, bottom, wide - 2 * PAD_PX, PAIR_PX)) + 4
        bottom = self._body(scene, given, QRectF(left + PAD_PX, bottom, wide - 2 * PAD_PX, 0))
        joined = given.joined and given.last
        whole = QRectF(left, 0, wide, bottom)
        fill = "" if item.ghost else "base"
        edge = "fail" if item.failing and tucked else "border2" if item.ghost else "border"
        scene.shapes.insert(0, Frame(
            whole, fill, edge, dashed=item.ghost, open_top=bool(given.piece),
            open_bottom=not given.last or joined,
        ))  # fmt: skip
        if tucked and not given.piece:
            scene.shapes[0] = Frame(whole, "base", "border", open_top=True, open_bottom=not given.last)
            scene.shapes.insert(1, Frame(QRectF(left, 0, wide, 1), "border", "", 0))
        scene.height_px = bottom + (0 if joined or not given.last else BELOW_PX)

    def _card_header(self, line: Line, given: Given) -> None:
        item = given.item
        if item.tag:
            line.words_right(item.tag, "number_strong" if item.failing else "number", _tag_ink(item))
        for fact in reversed(item.facts):
            line.words_right(fact, "number", "text3")
        line.picture(item.mark)
        line.chip(initials(item.author) if not item.ghost else "–", TagKind.DASHED if item.ghost else TagKind.THIN)
        if item.shape is Shape.TUCKED:
            line.skip(20)
        if item.foldable:
            line.picture("right" if given.fold is Fold.FOLDED else "down", "text2")
        failing = item.failing and not item.tag
        line.picture(item.icon, "fail" if failing else "text2")
        font = "secondary" if item.shape is Shape.TUCKED or not item.data else "data_strong"
        ink = "fail" if failing else "text2" if item.ghost or item.shape is Shape.TUCKED else "text"
        line.words(item.title, "ghost" if item.ghost else font, ink)
        if given.fold is Fold.FOLDED or not item.foldable:
            line.words(item.caption, "data" if item.shape is Shape.TUCKED else "secondary", "text2")

    def _pairs(self, scene: Scene, item: Item, box: QRectF) -> float:
        name_px = max(self._letters.width(pair.name, "data") for pair in item.pairs)
        name_px = min(name_px + 2 * GAP_PX, max(NAME_PX, box.width() / 3))
        top, indent = box.top(), 20.0
        room = box.width() - indent - name_px
        for pair in item.pairs:
            name = QRectF(box.left() + indent, top, name_px - GAP_PX, PAIR_PX)
            scene.shapes.append(Words(name, pair.name, "data", "text2"))
            top += self._pair_value(scene, pair, QPointF(box.left() + indent + name_px, top), room)
        return top

    def _pair_value(self, scene: Scene, pair: Pair, at: QPointF, room_px: float) -> float:
        """A value on as many lines as it takes; gives how high it is."""
        passage = Passage(pair.value, self._look.fonts.data, room_px)
        high = max(PAIR_PX, passage.height_px + PAIR_PX - passage.line_px)
        if pair.differs:
            tint = QRectF(at.x(), at.y(), passage.natural_px, high).adjusted(-3, 2, 3, -2)
            scene.shapes.append(Frame(tint, "candidate_fill", "", 2))
        scene.shapes.append(Wrapped(passage, at + QPointF(0, (PAIR_PX - passage.line_px) / 2)))
        return high

    def _body(self, scene: Scene, given: Given, box: QRectF) -> float:
        """The text of a card in its well; gives where it ends."""
        text, more = self._shown(given)
        if not text and not given.piece:
            return box.top() + (4 if box.top() > HEADER_PX and not given.joined else 0)
        fonts = self._look.fonts
        passage = Passage(text, fonts.data if given.item.data else fonts.body, box.width() - 2 * GAP_PX)
        pad = 0.0 if given.piece else 6.0
        scene.prose = Prose(passage, QPointF(box.left() + GAP_PX, box.top() + pad), start=given.start)
        bottom = box.top() + pad + passage.height_px + (6 if given.last else 0)
        well = QRectF(box.left(), box.top(), box.width(), bottom - box.top())
        scene.shapes.append(Frame(well, "raised", "", 4, open_top=bool(given.piece), open_bottom=not given.last))
        link = self._link(given, more=more)
        if link:
            self._put_link(scene, QRectF(box.left() + GAP_PX, bottom, box.width() - GAP_PX, LINK_PX), link, given)
            bottom += LINK_PX
        return bottom + (8 if given.last and not link else 2 if given.last else 0)

    # Thoughts and transfers

    def _note(self, given: Given, scene: Scene) -> None:
        item = given.item
        left, wide = column(given.width_px)
        wide = min(BUBBLE_PX, wide)
        bottom = 0.0
        if not given.piece:
            line = Line(scene, self._letters, QRectF(left + PAD_PX, 0, wide - 2 * PAD_PX, 28))
            for fact in reversed(item.facts):
                line.words_right(fact, "number", "text3")
            line.picture(item.mark)
            line.chip(initials(item.author))
            if item.foldable:
                line.picture("right" if given.fold is Fold.FOLDED else "down", "text2")
                scene.zones.append(Zone(QRectF(left, 0, wide, 28), Act.TOGGLE))
            line.picture(item.icon, "fail" if item.failing else "text2")
            line.words(item.title, "body", "fail" if item.failing else "text2")
            bottom = 28.0
        text, more = self._shown(given)
        if text or given.piece:
            passage = Passage(text, self._look.fonts.body, wide - 2 * PAD_PX - 16)
            scene.prose = Prose(passage, QPointF(left + PAD_PX + 16, bottom), "text2", given.start)
            rail = QRectF(left + PAD_PX + 4, bottom, 2, passage.height_px)
            scene.shapes.append(Frame(rail, "border2", "", 0))
            bottom += passage.height_px
            link = self._link(given, more=more)
            if link:
                self._put_link(scene, QRectF(left + PAD_PX + 16, bottom, wide - 40, LINK_PX), link, given)
                bottom += LINK_PX
        scene.height_px = bottom + (BELOW_PX if given.last else 0)

    def _line(self, given: Given, scene: Scene) -> None:
        item = given.item
        left, wide = column(given.width_px)
        wide = min(BUBBLE_PX, wide)
        line = Line(scene, self._letters, QRectF(left + PAD_PX, 0, wide - 2 * PAD_PX, 28))
        for fact in reversed(item.facts):
            line.words_right(fact, "number", "text3")
        line.picture(item.mark)
        line.chip(initials(item.author))
        line.picture(item.icon, "text2")
        line.words(item.title, "secondary_strong", "text2")
        rest = QRectF(line.left_px, 14, line.room_px, 1)
        if rest.width() > 0:
            scene.shapes.append(Frame(rest, "border", "", 0))
        scene.height_px = 28 + BELOW_PX

    # How much shows

    def _shown(self, given: Given) -> tuple[str, bool]:
        """The text to show now, and whether there is more of it."""
        if given.text is not None:
            return given.text, False
        if given.fold is Fold.FOLDED and given.item.foldable:
            return "", False
        return head_of(given.item.value)

    def _link(self, given: Given, *, more: bool) -> str:
        if more:
            return _tr("Show all {0}").format(told_size(given.item.value))
        return _tr("Show less") if given.text is not None and given.last else ""

    def _put_link(self, scene: Scene, box: QRectF, words: str, given: Given) -> None:
        width = self._letters.width(words, "secondary") + 2
        scene.shapes.append(Words(QRectF(box.left(), box.top(), width, box.height()), words, "secondary", "accent"))
        act = Act.SHOW_LESS if given.text is not None else Act.SHOW_ALL
        scene.zones.append(Zone(QRectF(box.left(), box.top(), width, box.height()), act))


def _dress(score: Score) -> tuple[str, str]:
    return ("number_strong", "fail") if score.cell.failing else ("number", "text")


def _tag_ink(item: Item) -> str:
    if item.failing:
        return "fail"
    return {"missing": "golden", "extra": "candidate"}.get(item.mark, "text2")


def _tr(text: str) -> str:
    return QCoreApplication.translate("Conversation", text)
