"""Lays rows out: what stands where in each column, and the gutter between them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF

from trace_inspector.engine.trace_grid.row import Relation, RowKind
from trace_inspector.models.compare.words import GUTTER, gap
from trace_inspector.views.appearance.appearance import Look
from trace_inspector.views.appearance.text_painter import Lettering
from trace_inspector.views.compare.cards import answer, call, state
from trace_inspector.views.compare.columns import PAD_PX
from trace_inspector.views.compare.given import Given, Note, Tools
from trace_inspector.views.compare.left_out import add_band
from trace_inspector.views.compare.shapes import Act, Boxed, Gap, Press, Scene, Text, Zone
from trace_inspector.views.compare.tinted import Tinted
from trace_inspector.views.painting.line import Line
from trace_inspector.views.painting.shapes import Frame, Picture, Words

_TURN_PX, _BANNER_PX, _CARD_PX = 28, 30, 26
_GAP_PX = 6.0  # above and below a card
_BOX_PX = 22.0
_PRESS_PX = 18.0
_TAKE = {
    Relation.ARGUMENTS: "← Take",
    Relation.RENAMED: "← Take",
    Relation.MOVED: "← Move",
    Relation.MISSING: "× Drop",
    Relation.EXTRA: "← Add",
    Relation.REPEATED: "← Add",
    Relation.ANSWER: "← Take",
    Relation.VALUE: "← Take",
}
_BODIES: dict[RowKind, Callable[[Tools, Given, Scene, int, QRectF], float]] = {
    RowKind.CALL: call,
    RowKind.ANSWER: answer,
    RowKind.STATE: state,
}


class Layout:
    """Makes scenes in one look."""

    def __init__(self, look: Look) -> None:
        self._tools = Tools(look, Lettering(look), look.row)

    def scene(self, given: Given) -> Scene:
        """The row laid out."""
        scene = Scene()
        if given.left_out:
            add_band(self._tools, scene, given.left_out, given.columns.width_px)
        if given.banner[0]:
            self._banner(scene, given)
        if given.row.kind is RowKind.TURN:
            self._turn(scene, given)
        else:
            self._body(scene, given)
        return scene

    def _banner(self, scene: Scene, given: Given) -> None:
        wide = given.columns.width_px
        top, high = scene.height_px, float(self._tools.row(_BANNER_PX))
        scene.head_px = scene.height_px = top + high
        scene.shapes += [
            Frame(QRectF(0, top, wide, high), "warn_soft", "", 0),
            Frame(QRectF(0, top, wide, 1), "warn", "", 0),
            Frame(QRectF(0, top + high - 1, wide, 1), "warn", "", 0),
            Picture("flag", PAD_PX + 2, top + high / 2, 14, "warn"),
        ]
        room = QRectF(PAD_PX + 24, top, wide - PAD_PX - 36, high)
        head, rest = given.banner
        scene.shapes.append(Words(room, head, "strong", "text"))
        used = self._tools.letters.width(head, "strong") + 12
        scene.shapes.append(Words(room.adjusted(used, 0, 0, 0), rest, "body", "text"))

    def _turn(self, scene: Scene, given: Given) -> None:
        top, high, row = scene.height_px, float(self._tools.row(_TURN_PX)), given.row
        wide = given.columns.width_px
        scene.shapes.append(Frame(QRectF(0, top, wide, high), "raised", "", 0))
        scene.shapes += [Frame(QRectF(0, at, wide, 1), "border", "", 0) for at in (top, top + high - 1)]
        for at, cell in enumerate(row.cells):
            box = given.columns.side(at, top, high).adjusted(PAD_PX, 0, -PAD_PX, 0)
            if cell is None:
                scene.shapes.append(Gap(box.adjusted(0, 4, 0, -4), gap(row, at, golden=given.has_golden)))
                continue
            line = Line(scene, self._tools.letters, box)
            if at == 0 or row.cells[0] is None:
                line.picture("down" if given.folded < 0 else "right", "text2")
                line.picture(given.mark)
            line.words_right(self._tools.fact(cell.fact, box.width()), "number", "text3")
            line.words(cell.title, "strong", "text")
            said = cell.text if cell.at < 0 or not cell.text else f"“{cell.text}”"
            line.words(said, "body", "text2")
        for at in range(len(given.columns.gutters)):
            gutter = given.columns.gutter(at, top, high)
            self._relation(scene, given, at, gutter)
        scene.zones.append(Zone(QRectF(0, top, given.columns.sides[0][1], high), Act.FOLD))
        left, wide = given.columns.reason
        line = Line(scene, self._tools.letters, QRectF(left + 8, top, wide - 12, high))
        for note in given.notes:
            line.picture(note.mark)
            line.words(note.words, "secondary", "text")
        scene.height_px = top + high

    def _body(self, scene: Scene, given: Given) -> None:
        top = scene.height_px + _GAP_PX
        lay = _BODIES[given.row.kind]
        bottoms = []
        for at, cell in enumerate(given.row.cells):
            box = given.columns.side(at, top, float(self._tools.row(_CARD_PX))).adjusted(PAD_PX, 0, -PAD_PX, 0)
            bottoms.append(lay(self._tools, given, scene, at, box) if cell is not None else box.bottom())
        bottom = max(bottoms)
        for at, cell in enumerate(given.row.cells):
            if cell is None and not all(one is None for one in given.row.cells):
                box = given.columns.side(at, top, float(self._tools.row(_CARD_PX))).adjusted(PAD_PX, 0, -PAD_PX, 0)
                scene.shapes.append(Gap(box, gap(given.row, at, golden=given.has_golden)))
        for at in range(len(given.columns.gutters)):
            bottom = max(bottom, self._relation(scene, given, at, given.columns.gutter(at, top, _BOX_PX + 4)))
        bottom = max(bottom, self._notes(scene, given, top + 3))
        scene.height_px = bottom + _GAP_PX

    def _relation(self, scene: Scene, given: Given, at: int, gutter: QRectF) -> float:
        """The mark between two sides and the button that takes the right one; gives where they end."""
        link = given.row.links[at]
        mark = GUTTER[given.row.link_names[at]]
        is_turn = given.row.kind is RowKind.TURN
        if is_turn and not link.differs:
            if given.folded >= 0 and at == 0:
                words = f"{given.folded} rows" if given.folded != 1 else "1 row"
                middle = QRectF(gutter)
                width = self._tools.letters.width(words, "secondary")
                middle.setLeft(gutter.center().x() - width / 2)
                scene.shapes.append(Words(middle, words, "secondary", "text2"))
            return gutter.bottom()
        if not mark:
            return gutter.bottom()
        center, top = gutter.center().x(), gutter.top() + (3 if is_turn else 2)
        takes = given.takes and at == len(given.columns.gutters) - 1 and given.row.relation in _TAKE and link.differs
        words = _TAKE.get(given.row.relation, "") if takes and len(given.row.cells) == 2 else ""
        aside = bool(words) and (is_turn or not given.row.values) and given.row.kind is not RowKind.ANSWER
        width = self._tools.letters.width(words, "caption") + 12 if words else 0.0
        left = center - (_BOX_PX + 4 + width) / 2 if aside else center - _BOX_PX / 2
        scene.shapes.append(Boxed(QRectF(left, top, _BOX_PX, _BOX_PX), mark, framed=link.differs))
        bottom = top + _BOX_PX
        if words and not given.row.values:
            box = QRectF(left + _BOX_PX + 4, top + 2, width, _PRESS_PX)
            if not aside:
                box = QRectF(center - width / 2, bottom + 4, width, _PRESS_PX)
                bottom = box.bottom()
            scene.shapes.append(Press(box, words))
            scene.zones.append(Zone(box, Act.TAKE))
        if words:
            self._take_values(scene, center)
        return bottom

    def _take_values(self, scene: Scene, center: float) -> None:
        for number, line in enumerate(scene.values):
            box = QRectF(center - 12, line.top() + (line.height() - _PRESS_PX) / 2, 24, _PRESS_PX)
            scene.shapes.append(Press(box, "←"))
            scene.zones.append(Zone(box, Act.TAKE_VALUE, number))

    def _notes(self, scene: Scene, given: Given, top: float) -> float:
        left, wide = given.columns.reason
        for note in given.notes:
            top = self._note(scene, given, note, QRectF(left + 8, top, wide - 12, 20))
        return top

    def _note(self, scene: Scene, given: Given, note: Note, box: QRectF) -> float:
        fonts, top = self._tools.look.fonts, box.top()
        if note.mark:
            scene.shapes.append(Picture(note.mark, box.left(), top + 10, 14))
        ink = "text3" if given.dim else "text"
        for words, font, own in ((note.words, fonts.secondary, ink), (note.below, fonts.caption, "text2")):
            if words:
                told = Tinted(words, font, box.width() - 20)
                scene.shapes.append(Text(told, QPointF(box.left() + 20, top), "golden", own))
                top += told.height_px - (2 if font is fonts.secondary else 3)
        return top
