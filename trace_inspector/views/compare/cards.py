"""Cards: a call with the arguments that differ, an answer with its words, a variable of the state at the end."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF

from trace_inspector.engine.trace_grid.row import Cell, Relation, Value
from trace_inspector.engine.trace_grid.tints import Spans, apart_among, apart_in, values_apart, whole_apart
from trace_inspector.models.tree.trace_cells import initials
from trace_inspector.views.compare.given import Given, Tools
from trace_inspector.views.compare.shapes import PATH_FONT, Act, Path, Scene, Text, Zone
from trace_inspector.views.compare.tinted import Tinted
from trace_inspector.views.painting.line import Line
from trace_inspector.views.painting.shapes import Chip, Frame, Words
from trace_inspector.views.widgets.controls import TagKind

_HEAD_PX, _VALUE_PX = 26, 22.0
_PAD_PX, _INDENT_PX = 10.0, 30.0
_RAIL_PX = 3.0
_NAME_PX = 130.0
_RULE_PX, _NOTE_PX = 16.0, 18.0
_LEFT_OVER_PX = 12.0  # behind the longest value
_ROOMY_PX = 280.0  # of a card; in narrower ones only rules are told that somebody set
_TIGHT_PX = 160.0  # in narrower ones the name of the tool takes all there is
_LONE = frozenset({Relation.MISSING, Relation.EXTRA, Relation.REPEATED, Relation.RENAMED})


def call(tools: Tools, given: Given, scene: Scene, at: int, box: QRectF) -> float:
    """One side of a call; gives where it ends."""
    cell = _cell(given, at)
    high = float(tools.row(_HEAD_PX))
    frame_at = len(scene.shapes)
    line = _head(tools, given, scene, at, QRectF(box.left(), box.top(), box.width(), high))
    fact = f"call {cell.at + 1}" if at == 0 else cell.fact
    line.words_right(f"×{cell.times}" if cell.times > 1 else "", "number_strong", given.inks[at])
    line.words_right(tools.fact(fact, box.width()) if box.width() >= _TIGHT_PX else "", "number", "text3")
    line.picture("tool", "text3" if given.dim else "text2")
    if given.row.values:
        line.words(cell.title, "data_strong", "text3" if given.dim else "text")
    else:
        lone = given.row.differs and given.row.relation in _LONE
        line.words(cell.text, "data_strong" if lone else "data", "text3" if given.dim else "text")
    bottom = box.top() + high
    if given.row.values:
        bottom = _values(tools, given, scene, at, QRectF(box.left(), bottom, box.width(), 0))
    if given.shows_result and cell.result:
        bottom = _result(tools, scene, cell, QRectF(box.left(), bottom, box.width(), 0))
    _frame(given, scene, at, QRectF(box.left(), box.top(), box.width(), bottom - box.top()), frame_at)
    if cell.result:
        scene.zones.append(Zone(QRectF(box.left(), box.top(), box.width(), high), Act.RESULT))
    return bottom


def answer(tools: Tools, given: Given, scene: Scene, at: int, box: QRectF) -> float:
    """One side's answer; gives where it ends."""
    cell, high = _cell(given, at), float(tools.row(_HEAD_PX))
    frame_at = len(scene.shapes)
    line = _head(tools, given, scene, at, QRectF(box.left(), box.top(), box.width(), high))
    line.picture("text", "text3" if given.dim else "text2")
    line.words_right(cell.fact, "number", "text3")
    line.words(cell.title, "secondary", "text3" if given.dim else "text2")
    text = Tinted(cell.text, tools.look.fonts.body, box.width() - 2 * _PAD_PX - 4, _apart(given, at, apart_in))
    scene.shapes.append(
        Text(text, QPointF(box.left() + _PAD_PX + 2, box.top() + high - 2), given.inks[at], dim=given.dim)
    )
    bottom = box.top() + high + text.height_px + 6
    _frame(given, scene, at, QRectF(box.left(), box.top(), box.width(), bottom - box.top()), frame_at)
    return bottom


def state(tools: Tools, given: Given, scene: Scene, at: int, box: QRectF) -> float:
    """One variable on one side; gives where it ends."""
    cell, frame_at = _cell(given, at), len(scene.shapes)
    line = Line(scene, tools.letters, box.adjusted(_PAD_PX, 0, -_PAD_PX, 0))
    line.picture("state", "text2")
    line.words(f"{cell.title} =", "data", "text")
    text = Tinted(cell.text, tools.look.fonts.data, max(line.room_px, 40), _apart(given, at, whole_apart))
    scene.shapes.append(Text(text, QPointF(line.left_px, box.top() + (box.height() - 20) / 2), given.inks[at]))
    bottom = max(box.bottom(), box.top() + text.height_px + 6)
    _frame(given, scene, at, QRectF(box.left(), box.top(), box.width(), bottom - box.top()), frame_at)
    return bottom


def _cell(given: Given, at: int) -> Cell:
    cell = given.row.cells[at]
    return cell if cell is not None else Cell("")


def _head(tools: Tools, given: Given, scene: Scene, at: int, box: QRectF) -> Line:
    line = Line(scene, tools.letters, box.adjusted(_PAD_PX, 0, -_PAD_PX, 0))
    if box.width() >= _TIGHT_PX:
        line.chip(initials(_cell(given, at).author))
    return line


def _frame(given: Given, scene: Scene, at: int, box: QRectF, below: int) -> None:
    """The card itself, under what was laid out since `below`; a rail in the side's colour where it differs."""
    shapes = [Frame(box, "base", "border2" if given.row.differs and not given.dim else "border", 4)]
    if _cell(given, at).together:  # a bracket at all that were asked for at once
        shapes.append(Frame(QRectF(box.left() - 6, box.top() - 7, 2, box.height() + 14), "border2", "", 0))
    relation = given.row.from_first[-1 if at == 0 else at - 1]
    if relation.differs and not given.dim:
        shapes.append(Frame(QRectF(box.left(), box.top(), _RAIL_PX, box.height()), given.inks[at], "", 0))
    scene.shapes[below:below] = shapes


def _values(tools: Tools, given: Given, scene: Scene, at: int, box: QRectF) -> float:
    top = box.top()
    roomy = box.width() >= _ROOMY_PX
    left = box.left() + _PAD_PX + (_INDENT_PX if roomy else 0)
    tight = box.width() < _TIGHT_PX
    whole = box.right() - left - _PAD_PX
    name_px = whole if tight else _name_px(tools, given, whole, roomy=roomy)
    room = name_px if tight else whole - name_px
    if not scene.told:
        scene.told = [_told(tools, given, value, room, roomy=roomy) for value in given.row.values]
    for number, (value, texts) in enumerate(zip(given.row.values, scene.told, strict=True)):
        # As high as the highest side has it, so that arguments stand on common lines.
        high = max(_VALUE_PX, max(text.height_px for text in texts) + 2)
        name = QRectF(left, top, name_px, _VALUE_PX if tight else high)
        where = QPointF(left, top + _VALUE_PX - 1) if tight else QPointF(name.right(), top + 1)
        high += _VALUE_PX if tight else 0
        beside = _note_beside(tools, value, texts[-1], where.x(), box.right())
        high += 0 if beside else _NOTE_PX
        line = QRectF(box.left(), top, box.width(), high)
        scene.shapes.append(Frame(QRectF(left, top, box.right() - left - 4, 1), "grid", "", 0))
        if number == given.value:
            scene.shapes.append(Frame(line.adjusted(4, 1, -1, 0), "accent_soft", "", 0))
        _value(tools, given, scene, value, at, texts[at], name, where, line)
        if value.note and at == len(given.row.cells) - 1:
            _note(scene, value.note, line, name.left() if not beside else where.x(), beside=beside)
        if len(scene.values) == number:
            scene.values.append(line)
        top += high
    return top + 2


def _name_px(tools: Tools, given: Given, room: float, *, roomy: bool) -> float:
    """How wide the names are: a third of the card, or more where values leave room. The same on all sides."""
    letters, values = tools.letters, given.row.values
    names = max(letters.width(value.path, PATH_FONT) for value in values) + 14
    fair = max(_NAME_PX, room / 3)
    if names <= fair:
        return max(_NAME_PX / 2, names)
    widest = max(
        letters.width(text, "data") + (_rule_px(tools, value) if _tells_rule(given, value, roomy=roomy) else 0)
        for value in values
        for text in value.texts
        if text is not None
    )
    return min(names, max(fair, room - widest - _LEFT_OVER_PX))


def _tells_rule(given: Given, value: Value, *, roomy: bool) -> bool:
    return given.takes and (roomy or bool(value.rule))


def _rule_px(tools: Tools, value: Value) -> float:
    return tools.letters.width(value.rule or "exact", "caption") + 18


def _note_beside(tools: Tools, value: Value, text: Tinted, left: float, right: float) -> bool:
    """Whether what a value has otherwise has room behind it; else it stands below."""
    wide = tools.letters.width(value.note, "caption")
    return not value.note or left + text.natural_px + wide + 20 < right


def _note(scene: Scene, note: str, line: QRectF, left: float, *, beside: bool) -> None:
    wide = line.right() - left - 8
    high = line.height() if beside else _NOTE_PX
    box = QRectF(left, line.bottom() - high, wide, high)
    scene.shapes.append(Words(box, note, "caption", "text2", right=True))


def _told(tools: Tools, given: Given, value: Value, room: float, *, roomy: bool) -> list[Tinted]:
    """An argument as each side has it. Columns are of one width, and the golden's rule takes room in all of them."""
    if _tells_rule(given, value, roomy=roomy):
        room -= _rule_px(tools, value)
    return [_tinted(tools, given, value, side, room) for side in range(len(given.row.cells))]


def _tinted(tools: Tools, given: Given, value: Value, at: int, room: float) -> Tinted:
    text = value.texts[at]
    if text is None:
        return Tinted("–", tools.look.fonts.data, room)
    there = [side for side, cell in enumerate(given.row.cells) if cell is not None]
    apart = apart_among([value.texts[side] for side in there], there.index(at), values_apart)
    return Tinted(text, tools.look.fonts.data, room, apart)


def _apart(given: Given, at: int, differ: Callable[[str, str], Spans]) -> Spans:
    """Where the text of a side's card differs; nowhere where that is no difference."""
    relations = given.row.from_first if at == 0 else given.row.from_first[at - 1 : at]
    if not all(relation.differs for relation in relations):
        return []
    there = [side for side, cell in enumerate(given.row.cells) if cell is not None]
    return apart_among([_cell(given, side).text for side in there], there.index(at), differ)


def _value(
    tools: Tools,
    given: Given,
    scene: Scene,
    value: Value,
    at: int,
    text: Tinted,
    name: QRectF,
    where: QPointF,
    line: QRectF,
) -> None:
    quiet = given.dim or value.ignored
    scene.shapes.append(Path(name.adjusted(0, 0, -8, 0), value.path, "text3" if quiet else "text"))
    struck = value.ignored and value.texts[at] is not None
    fill = given.inks[at]
    scene.shapes.append(Text(text, where, fill, "text3" if quiet else "text", dim=quiet, struck=struck))
    if at == 0 and given.takes and (value.rule or line.width() >= _ROOMY_PX):
        rule = value.rule or "exact"
        wide = tools.letters.width(rule, "caption") + 14
        chip = QRectF(line.right() - wide - 8, name.center().y() - _RULE_PX / 2, wide, _RULE_PX)
        scene.shapes.append(Chip(chip, rule, TagKind.DASHED if value.ignored else TagKind.THIN, strong=False))


def _result(tools: Tools, scene: Scene, cell: Cell, box: QRectF) -> float:
    line = QRectF(box.left() + _PAD_PX, box.top(), box.width() - 2 * _PAD_PX, _VALUE_PX)
    told = Tinted(cell.result, tools.look.fonts.data, line.width() - 24)
    scene.shapes.append(Frame(QRectF(line.left(), line.top(), line.width(), told.height_px + 4), "raised", "", 4))
    scene.shapes.append(Text(told, QPointF(line.left() + 8, line.top() + 2), "golden", "text2"))
    return line.top() + told.height_px + 8
