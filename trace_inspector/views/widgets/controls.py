"""Small controls of our own: labels that never guess markup, links, tags, key caps, buttons with a focus ring."""

from __future__ import annotations

import enum
from collections.abc import Callable

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QAbstractButton, QFrame, QLabel, QSizePolicy, QToolTip, QWidget

from trace_inspector.models.base.roles import MARK_NAMES
from trace_inspector.models.base.tips import plain_tip
from trace_inspector.views.appearance.appearance import Theme

MOST_WIDTHS = 4  # cached per label: layouts ask for several in turn, dragging an edge for hundreds
MOST_CHARS = 20_000  # of a label: more than a screen holds, and Qt measures all of it at every turn
LEAST_LETTERS = 2  # with the ellipsis
TAG_PX = 16
LINES_PX = {"caption": 16, "secondary": 18, "body": 20, "strong": 20, "title": 20}


class Label(QLabel):
    """Plain text in one of the fonts and inks. Text from a trace goes only into labels of this kind."""

    def __init__(
        self, theme: Theme, text: str = "", *, font: str = "body", ink: str = "text", wrap: bool = False
    ) -> None:
        super().__init__()
        self._theme = theme
        self._ink = ink
        self._layouts: tuple[tuple[str, str], dict[int, list[QTextLayout]]] = (("", ""), {})  # by width
        self._least_px = LINES_PX.get(font, LINES_PX["body"])
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)
        self.setFont(getattr(theme.fonts, font))
        self.setWordWrap(wrap)
        if wrap:
            policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
            policy.setHeightForWidth(True)
            self.setSizePolicy(policy)
        self._tint()
        theme.changed.connect(self._tint)

    def setText(self, text: str) -> None:  # noqa: N802
        """Set plain text; what is too long for any label is cut."""
        super().setText(text if len(text) <= MOST_CHARS else f"{text[:MOST_CHARS]}…")

    def heightForWidth(self, width: int) -> int:
        """Wrapped lines have more space between them than the font's own."""
        if not self._spaced:
            return super().heightForWidth(width)
        margins = self.contentsMargins()
        layouts = self._laid_out(width - margins.left() - margins.right())
        return sum(layout.lineCount() for layout in layouts) * self._line_px + margins.top() + margins.bottom()

    def minimumSizeHint(self) -> QSize:
        """A wrapped text may be narrow."""
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), 80), self._line_px) if self._spaced else hint

    def sizeHint(self) -> QSize:
        """As high as its lines at the present width."""
        hint = super().sizeHint()
        return QSize(hint.width(), self.heightForWidth(max(hint.width(), 80))) if self._spaced else hint

    def paintEvent(self, event: QPaintEvent) -> None:
        """Wrapped text line by line; everything else as Qt does it."""
        if not self._spaced:
            super().paintEvent(event)
            return
        with QPainter(self) as painter:
            painter.setPen(self.palette().color(self.foregroundRole()))
            inside = self.contentsRect()
            for layout in self._laid_out(inside.width()):
                layout.draw(painter, QPointF(inside.topLeft()))

    @property
    def _line_px(self) -> int:
        return max(self._least_px, self.fontMetrics().lineSpacing())

    @property
    def _spaced(self) -> bool:
        return self.wordWrap() and not self.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse

    def _laid_out(self, width: int) -> list[QTextLayout]:
        shown = (self.text(), self.font().key())
        before, by_width = self._layouts
        if before != shown or (width not in by_width and len(by_width) == MOST_WIDTHS):
            self._layouts = (shown, by_width := {})
        if width not in by_width:
            by_width[width] = self._lay_out(width)
        return by_width[width]

    def _lay_out(self, width: int) -> list[QTextLayout]:
        option = QTextOption(self.alignment() & Qt.AlignmentFlag.AlignHorizontal_Mask)
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layouts, top, line_px = [], 0.0, self._line_px
        for paragraph in self.text().split("\n"):
            layout = QTextLayout(paragraph, self.font())
            layout.setTextOption(option)
            layout.beginLayout()
            while (line := layout.createLine()).isValid():
                line.setLineWidth(max(width, 1))
                line.setPosition(QPointF(0, top + (line_px - line.height()) / 2))
                top += line_px
            layout.endLayout()
            layouts.append(layout)
        return layouts

    def _tint(self) -> None:
        tinted = self.palette()
        tinted.setColor(self.foregroundRole(), self._theme.color(self._ink))
        self.setPalette(tinted)


class Elided(Label):
    """A label that is elided where it does not fit; the whole text is its tooltip and accessible name."""

    def setText(self, text: str) -> None:  # noqa: N802
        """The whole text; painting decides how much of it shows."""
        super().setText(text)
        self.setAccessibleName(self.text())

    @property
    def tip(self) -> str:
        """The tooltip: the whole text where it is cut, unless another one is set."""
        line = " ".join(self.text().split())
        is_cut = self.fontMetrics().horizontalAdvance(line) > self.contentsRect().width()
        return self.toolTip() or (plain_tip(self.text()) if is_cut else "")

    def event(self, event: QEvent) -> bool:
        """Tips are made when they are asked for."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and self.tip:
            QToolTip.showText(event.globalPos(), self.tip, self)
            return True
        return super().event(event)

    def minimumSizeHint(self) -> QSize:
        """Any width will do."""
        return QSize(24, super().minimumSizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The text, cut where the label ends."""
        with QPainter(self) as painter:
            painter.setFont(self.font())
            painter.setPen(self.palette().color(self.foregroundRole()))
            line = " ".join(self.text().split())
            shown = self.fontMetrics().elidedText(line, Qt.TextElideMode.ElideRight, self.contentsRect().width())
            if shown != line and len(shown) <= LEAST_LETTERS:
                return  # a letter and an ellipsis tell nothing: the tip has all of it
            painter.drawText(self.contentsRect(), int(self.alignment() | Qt.AlignmentFlag.AlignVCenter), shown)


class MarkLabel(QWidget):
    """A verdict's mark; none at all takes no room."""

    def __init__(self, theme: Theme, mark: str = "", size_px: int = 16) -> None:
        super().__init__()
        self._theme = theme
        self._mark = mark
        self._size_px = size_px
        self.setFixedSize(size_px, size_px)
        self.setAccessibleName(MARK_NAMES[mark] if mark else "")
        if not mark:
            self.hide()

    def set_mark(self, mark: str) -> None:
        """Another one."""
        self._mark = mark
        self.setAccessibleName(MARK_NAMES[mark] if mark else "")
        self.setVisible(bool(mark))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The drawing."""
        if self._mark:
            with QPainter(self) as painter:
                self._theme.icons.paint_mark(
                    painter, self._mark, self._theme.tokens, 0, self.height() / 2, self._size_px
                )


class TagKind(enum.Enum):
    """The styles of a small word in a frame."""

    THIN = "thin"
    FILLED = "filled"
    DASHED = "dashed"
    HUMAN = "human"


class Tag(QWidget):
    """A word in a frame, 16 high at the usual text size: provenance, keys, initials of an agent."""

    def __init__(self, theme: Theme, text: str, kind: TagKind = TagKind.THIN, *, strong: bool = False) -> None:
        super().__init__()
        self._theme = theme
        self._text = text
        self._kind = kind
        self.setFont(theme.fonts.caption_strong if strong else theme.fonts.caption)
        self.setAccessibleName(text)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """As large as its letters ask for."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def _fit(self) -> None:
        letters = self.fontMetrics()
        self.setFixedSize(max(24, letters.horizontalAdvance(self._text) + 10), max(TAG_PX, letters.height() + 2))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Frame and word."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            paint_tag(painter, QRectF(self.rect()), self._text, self._kind, self._theme, self.font())


def paint_tag(painter: QPainter, box: QRectF, text: str, kind: TagKind, theme: Theme, font: QFont) -> None:
    """A tag inside any painter, so that rows and labels draw the same thing."""
    tokens = theme.tokens
    ink = tokens.accent if kind is TagKind.HUMAN else tokens.text2
    pen = QPen(QColor(tokens.accent if kind is TagKind.HUMAN else tokens.border2), 1)
    if kind is TagKind.DASHED:
        pen = QPen(QColor(tokens.control), 1, Qt.PenStyle.DashLine)
        pen.setDashPattern([2, 2])
    if kind is TagKind.FILLED:
        pen = QPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(tokens.sunken))
    else:
        painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen)
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
    painter.setPen(QColor(ink))
    painter.setFont(font)
    painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), text)


class ButtonKind(enum.Enum):
    """A page has at most one filled button."""

    FILLED = "filled"
    FRAMED = "framed"
    LINK = "link"


class Button(QAbstractButton):
    """A button with a focus ring outside its edge: icon and words, and a key cap at the right end."""

    RING_PX = 3

    def __init__(
        self, theme: Theme, text: str, kind: ButtonKind = ButtonKind.FRAMED, *, icon: str = "", key: str = "",
        clicked: Callable[[], object] | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self._theme = theme
        self._kind = kind
        self._icon = icon
        self._key = key
        self.setText(text)
        self.setAccessibleName(text)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFont(theme.fonts.strong if kind is ButtonKind.FILLED else theme.fonts.body)
        if kind is ButtonKind.LINK:
            self.setFont(theme.fonts.secondary)
            self.setCursor(Qt.CursorShape.PointingHandCursor)
            self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        if clicked is not None:
            self.clicked.connect(lambda _checked: clicked())

    @property
    def is_filled(self) -> bool:
        """Whether it is the filled one, the default of its page."""
        return self._kind is ButtonKind.FILLED

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses too, not only the space bar."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        """Room for the words, the icon, the key cap and the ring."""
        words = self.fontMetrics().horizontalAdvance(self.text())
        if self._kind is ButtonKind.LINK:
            return QSize(words + 2 * self.RING_PX, 20)
        extra = (28 if self._icon else 0) + (self._key_width() + 16 if self._key else 0)
        return QSize(words + extra + 32 + 2 * self.RING_PX, 36 + 2 * self.RING_PX)

    def minimumSizeHint(self) -> QSize:
        """A button is never cut."""
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Ring, frame, icon, words, key."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            tokens = self._theme.tokens
            box = QRectF(self.rect()).adjusted(self.RING_PX, self.RING_PX, -self.RING_PX, -self.RING_PX)
            if self._kind is ButtonKind.LINK:
                self._paint_link(painter)
                return
            if self.hasFocus():
                painter.setPen(QPen(QColor(tokens.accent), 2))
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 6, 6)
            fill, frame, ink = self._colours()
            painter.setBrush(self._theme.color(fill))
            painter.setPen(QPen(self._theme.color(frame), 1))
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
            left = box.left() + 14
            if self._icon:
                self._theme.icons.paint(painter, self._icon, tokens.text2, left, box.center().y(), 16)
                left += 24
            painter.setPen(self._theme.color(ink))
            painter.setFont(self.font())
            if self._icon or self._key:
                align = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
                painter.drawText(box.adjusted(left - box.left(), 0, 0, 0), int(align), self.text())
            else:
                painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), self.text())
            if self._key:
                width = self._key_width()
                cap = QRectF(box.right() - width - 12, box.center().y() - 9, width, 18)
                paint_tag(painter, cap, self._key, TagKind.THIN, self._theme, self._theme.fonts.caption)

    def _colours(self) -> tuple[str, str, str]:
        """Fill, frame and ink, by the names of tokens."""
        filled = self._kind is ButtonKind.FILLED
        if not self.isEnabled():
            return ("sel_idle", "sel_idle", "text3") if filled else ("window", "border", "text3")
        if filled:
            return "accent_fill", "accent_fill", "on_accent"
        touched = self.underMouse()
        return "raised" if touched or self.isDown() else "base", "control" if touched else "border2", "text"

    def _key_width(self) -> int:
        return QFontMetrics(self._theme.fonts.caption).horizontalAdvance(self._key) + 12

    def _paint_link(self, painter: QPainter) -> None:
        tokens = self._theme.tokens
        painter.setPen(QColor(tokens.accent if self.isEnabled() else tokens.text3))
        font = QFont(self.font())
        font.setUnderline(self.underMouse())
        painter.setFont(font)
        painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignCenter), self.text())
        if self.hasFocus():
            painter.setPen(QPen(QColor(tokens.accent), 2))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)


def hline() -> QFrame:
    """A line between groups."""
    line = QFrame()
    line.setObjectName("line")
    line.setFixedHeight(1)
    return line
