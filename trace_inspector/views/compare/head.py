"""Above the rows: the sentence of the comparison, and the name of each column. Below them: what the signs mean."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolTip, QWidget

from trace_inspector.models.base.roles import MARK_OF
from trace_inspector.models.base.tips import plain_tip
from trace_inspector.models.base.translation import tr
from trace_inspector.models.compare.comparison import Compare
from trace_inspector.models.compare.sides import INKS, TITLES, label
from trace_inspector.models.compare.words import sentence
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.compare.area import RowArea
from trace_inspector.views.compare.columns import PAD_PX
from trace_inspector.views.painting.line_layout import GAP_PX, LineLayout
from trace_inspector.views.painting.shapes import Canvas, Frame, Picture, Shape, TextLine, full_text
from trace_inspector.views.widgets.controls import Elided, Label, MarkLabel, Tag, TagKind

_SIGN_PX, _APART_PX, _SIDE_PX = 20, 16, 12  # a sign, what is left behind its words, and around those of a side
_SENTENCE_PX, _COLUMNS_PX, _LEGEND_PX = 36, 32, 26
_ICONS = {"golden": "star", "observed": "trace", "baseline": "trace", "candidate": "trace", "other golden": "star"}


class SentenceLine(QWidget):
    """What the comparison comes to, by the rule that is chosen."""

    def __init__(self, theme: Theme, compare: Compare) -> None:
        super().__init__()
        self._compare = compare
        self._mark = MarkLabel(theme, "", 16)
        self._head = Label(theme, font="strong")
        self._rest = Elided(theme)
        self._how = Label(theme, font="secondary", ink="text2")
        self._tag = Tag(theme, tr("derived"), TagKind.DASHED)
        self._guessed = Tag(theme, tr("guessed"), TagKind.DASHED)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 12, 0)
        row.setSpacing(8)
        for widget, stretch in (
            (self._mark, 0),
            (self._head, 0),
            (self._rest, 1),
            (self._how, 0),
            (self._tag, 0),
            (self._guessed, 0),
        ):
            row.addWidget(widget, stretch)
        self.setMinimumHeight(theme.row(_SENTENCE_PX))
        for signal in (compare.rows_changed, compare.recoloured, compare.sides_changed):
            signal.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Say it again."""
        compare = self._compare
        if compare.rows is None:
            self._head.setText(tr("Comparing…") if compare.busy else "")
            self._rest.setText("")
            self._mark.set_mark("pending" if compare.busy else "")
            return
        says = compare.rows.packed.says[compare.rule]
        head, rest = sentence(says, compare.roles[0], compare.rows.packed.more)
        self._mark.set_mark(_mark(compare))
        self._head.setText(head)
        self._rest.setText(rest)
        by_hand = len(compare.by_hand)
        words = tr("{0} aligned by hand").format(by_hand) if by_hand else ""
        if compare.is_guessed:
            words = tr("Paired by case id, not by a run")
        self._how.setText(words or tr("Alignment by name, arguments and position"))
        self._tag.setVisible(not compare.is_guessed)
        self._guessed.setVisible(compare.is_guessed)
        if not words and self.sizeHint().width() > self.width():
            self._how.setText("")  # what is always so gives way to the sentence


def _mark(compare: Compare) -> str:
    """The run's verdict on the candidate, where there is one; else whether any call counts."""
    verdict, rows = compare.verdict, compare.rows
    if verdict is not None:
        return MARK_OF[verdict.status]
    return "failed" if rows is not None and any(bits >> compare.rule & 1 for bits in rows.packed.counts) else "passed"


class SideHeads(QWidget):
    """Which side each column is, painted above the rows' own columns."""

    def __init__(self, theme: Theme, compare: Compare, area: RowArea) -> None:
        super().__init__()
        self._theme = theme
        self._compare = compare
        self._area = area
        self._letters = TextPainter(theme)
        self.shapes: list[Shape] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        for signal in (compare.rows_changed, compare.recoloured, compare.sides_changed, area.resized):
            signal.connect(self.update)
        compare.rows_changed.connect(self._name)
        compare.sides_changed.connect(self._name)

    def sizeHint(self) -> QSize:
        """One line."""
        return QSize(200, self._theme.row(_COLUMNS_PX))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """A block in the side's colour, its name, which file, and what it took."""
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), self._theme.color("window"))
            painter.fillRect(QRectF(0, self.height() - 1, self.width(), 1), self._theme.color("border"))
            canvas = Canvas(painter, self._theme, self._letters, QRectF(self.rect()))
            for shape in self._lay_out():
                shape.draw(canvas)

    def event(self, event: QEvent) -> bool:
        """The whole of a name that is cut short."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), plain_tip(self.tip(QPointF(event.pos()))), self)
            return True
        return super().event(event)

    def tip(self, point: QPointF) -> str:
        """What rests under the mouse and is not wholly seen; the file of a side in any case."""
        cut = full_text(self._lay_out(), point, self._letters)
        compare, columns = self._compare, self._area.columns
        files = (
            label(compare.files, ref)
            for side, ref in enumerate(compare.sides)
            if columns.side(side, 0, self.height()).contains(point)
        )
        return cut or next(files, "")

    def _name(self) -> None:
        pairs = zip(self._compare.roles, self._compare.sides, strict=False)
        names = [f"{TITLES[role]}: {label(self._compare.files, ref)}" for role, ref in pairs]
        if self._compare.is_guessed:
            names.append(tr("paired by case id, guessed"))
        self.setAccessibleName(", ".join(names))

    def _lay_out(self) -> list[Shape]:
        compare, columns, high = self._compare, self._area.columns, float(self.height())
        self.shapes = []
        three = len(compare.sides) > 2
        for index, (role, ref) in enumerate(zip(compare.roles, compare.sides, strict=False)):
            box = columns.side(index, 0, high).adjusted(PAD_PX, 0, -PAD_PX, 0)
            self.shapes.append(Frame(QRectF(box.left(), high / 2 - 8, 8, 16), INKS[role], "", 2))
            line = LineLayout(self.shapes, self._letters, box.adjusted(16, 0, 0, 0))
            name, title = label(compare.files, ref), tr(TITLES[role])
            line.text(str(index + 1) if three else "", "caption_strong", "text2")
            line.picture(_ICONS[role], INKS[role])
            shortened = min(self._letters.width(name, "body"), _NAME_PX)
            named = self._letters.width(title, "strong") + shortened + 3 * GAP_PX
            line.text_right(self._fact(index, line.room_px - named), "number", "text2")
            line.text(title, "strong", "text")
            if index == 0 and compare.is_guessed:
                line.chip(tr("guessed"), TagKind.DASHED, strong=False)
            if line.room_px >= min(self._letters.width(name, "body"), LEAST_NAME_PX):
                line.text(name, "body", "text2")
        left, wide = columns.reason
        words = tr("What it means") if three else tr("Under {0}").format(compare.rule_title)
        self.shapes.append(TextLine(QRectF(left + 8, 0, wide - 12, high), words, "secondary", "text2"))
        if not three and columns.gutters:
            box = columns.gutter(0, 0, high)
            words = tr("Take") if compare.takes else ""
            wide = self._letters.width(words, "secondary")
            self.shapes.append(TextLine(box.adjusted((box.width() - wide) / 2, 0, 0, 0), words, "secondary", "text2"))
        return self.shapes

    def _fact(self, side: int, room_px: float) -> str:
        """What a side took, as far as it leaves room for which side it is: that matters more."""
        compare = self._compare
        facts = compare.rows.packed.facts[side] if compare.rows is not None else ""
        if not facts and side == 0 and compare.takes:
            facts = tr("editable")
        some = (facts, facts.partition(", ")[0])
        return next((text for text in some if self._letters.width(text, "number") <= room_px), "")


LEAST_NAME_PX = 40.0  # of the name of a file; less of it says nothing
_NAME_PX = 120.0  # of the name of a file that stay before what its side took goes
_SIGNS = (("same", "same"), ("differs", "differs"), ("missing", "missing"), ("extra", "extra"), ("moved", "moved"))
_VERDICTS = (("failed", "counts against the verdict"), ("skip", "differs, allowed"))
_SHORT_VERDICTS = (("failed", "counts"), ("skip", "allowed"))


class SignLegend(QWidget):
    """What the signs and colours mean."""

    def __init__(self, theme: Theme, compare: Compare) -> None:
        super().__init__()
        self._theme = theme
        self._compare = compare
        self._letters = TextPainter(theme)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(
            tr("Signs: same, differs, missing, extra, moved. Colours name the side, not the verdict.")
        )
        compare.sides_changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """One line."""
        return QSize(200, self._theme.row(_LEGEND_PX))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Signs, then the sides' colours, then what colours are for."""
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), self._theme.color("window"))
            painter.fillRect(QRectF(0, 0, self.width(), 1), self._theme.color("border"))
            canvas = Canvas(painter, self._theme, self._letters, QRectF(self.rect()))
            left, high = 12.0, float(self.height())
            signs, sides = self.texts(self.width() - 2 * left)
            for mark, words in signs:
                Picture(mark, left, high / 2, 14).draw(canvas)
                left = self._words(painter, left + _SIGN_PX, words) + _APART_PX
            for words, role in zip(sides, self._compare.roles, strict=False):
                wide = self._letters.width(words, "secondary") + _SIDE_PX
                Frame(QRectF(left, high / 2 - 9, wide, 18), f"{INKS[role]}_fill", "", 2).draw(canvas)
                self._words(painter, left + _SIDE_PX / 2, words)
                left += wide + 8
            box = QRectF(left, 0, self.width() - left - 12, high)
            words = tr("Colours name the side, not the verdict")
            if self._letters.width(words, "secondary") < box.width():
                self._letters.right(painter, box, words, "secondary", "text2")

    def texts(self, room_px: float) -> tuple[list[tuple[str, str]], list[str]]:
        """Signs and sides in words, in short where there is little room: all sides, or none."""
        roles = self._compare.roles
        names = [tr(TITLES[role]).lower() for role in roles]
        apart = [tr("new in {0}") if index and len(roles) > 2 else tr("only in {0}") for index in range(len(roles))]
        whole = [words.format(name) for words, name in zip(apart, names, strict=True)]
        long, short = (
            [(mark, tr(words)) for mark, words in (*_SIGNS, *more)] for more in (_VERDICTS, _SHORT_VERDICTS)
        )
        forms = (long, whole), (long, names), (short, names)
        return next((form for form in forms if self._wide(*form) <= room_px), (long, []))

    def _wide(self, signs: Sequence[tuple[str, str]], sides: Sequence[str]) -> float:
        wide = sum(self._letters.width(words, "secondary") + _SIGN_PX + _APART_PX for _mark, words in signs)
        return wide + sum(self._letters.width(words, "secondary") + _SIDE_PX + 8 for words in sides)

    def _words(self, painter: QPainter, left: float, words: str) -> float:
        box = QRectF(left, 0, max(self.width() - left, 0), self.height())
        return left + self._letters.left(painter, box, words, "secondary", "text2")
