"""The pieces that Content is put together from: groups, texts, facts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QScrollArea,
    QSizePolicy,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from trace_inspector.models.base.translation import tr
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.widgets.controls import Button, ButtonKind, Elided, Label, MarkLabel

SHOWN_CHARS = 6_000
MOST_CHARS = 200_000
LEAST_NAME_PX, LONGEST_NAME_PX = 96, 168
SHORT_CHARS = 24
SHORT_ROW_PX = 270  # of a name and a value that need not wrap, in a panel as narrow as panels are


class Fold(QWidget):
    """The arrow at a group's head; a tab stop that Space and Enter press."""

    def __init__(self, theme: Theme, title: str, body: QWidget) -> None:
        super().__init__()
        self._theme = theme
        self._body = body
        self.setFixedSize(16, 20)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(tr("Fold {0}").format(title))

    def toggle(self) -> None:
        """Show or hide the group's body."""
        self._body.setHidden(not self._body.isHidden())
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space and Enter."""
        if event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.toggle()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, _event: QMouseEvent) -> None:
        """A click."""
        self.toggle()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The arrow, and a frame around it with the focus."""
        with QPainter(self) as painter:
            name = "right" if self._body.isHidden() else "down"
            self._theme.icons.paint(painter, name, self._theme.tokens.text2, 1, self.height() / 2, 14)
            if self.hasFocus():
                painter.setPen(self._theme.color("accent"))
                painter.drawRect(self.rect().adjusted(0, 1, -1, -2))


class Group(QWidget):
    """A heading with a quiet word, something at its right end, and a body that folds."""

    def __init__(self, theme: Theme, title: str, caption: str = "", right: Iterable[QWidget] = ()) -> None:
        super().__init__()
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(4)
        inside = QWidget()
        self.body = QVBoxLayout(inside)
        self.body.setContentsMargins(0, 0, 0, 0)
        self.body.setSpacing(4)
        head = QHBoxLayout()
        head.setSpacing(6)
        head.addWidget(Fold(theme, title, inside))
        head.addWidget(Label(theme, title, font="strong"))
        head.addWidget(Elided(theme, caption, font="secondary", ink="text2"), 1)
        for widget in right:
            head.addWidget(widget)
        box.addLayout(head)
        box.addWidget(inside)


class Growing(QWidget):
    """Widgets under each other that are made step by step, because all of them together would take too long."""

    def __init__(self, fill: Callable[[QVBoxLayout], Iterator[None]]) -> None:
        super().__init__()
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(12)
        self._box = box
        self._steps = fill(box)

    def grow(self) -> bool:
        """Make the next; false when all are there."""
        before = self._box.count()
        more = next(self._steps, self) is None
        for index in range(before, self._box.count()):
            item = self._box.itemAt(index)
            if item is not None and (widget := item.widget()) is not None:
                widget.show()
        return more

    def finish(self) -> None:
        """Make all that are not there yet."""
        for _step in self._steps:
            pass


class PassageView(QTextEdit):
    """Plain text to read and select, as high as its lines; a word wider than the panel is broken."""

    def __init__(self, theme: Theme, text: str, font: str, ink: str) -> None:
        super().__init__()
        self._theme = theme
        self._ink = ink
        self.setReadOnly(True)
        self.setAcceptRichText(False)
        self.setTabChangesFocus(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(0)
        self.setFont(getattr(theme.fonts, font))
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._heights: dict[int, int] = {}  # by width, because layouts ask many times
        self.textChanged.connect(self._heights.clear)
        self.setPlainText(text)
        self._tint()
        theme.changed.connect(self._tint)

    def heightForWidth(self, width: int) -> int:
        """The lines at that width."""
        if width not in self._heights:
            ruler = self.document().clone()  # the shown document stays as wide as the panel
            ruler.setTextWidth(max(width, 1))
            self._heights[width] = math.ceil(ruler.size().height())
        return self._heights[width]

    def sizeHint(self) -> QSize:
        """One line; the height depends on the width."""
        return QSize(80, self.fontMetrics().height())

    def minimumSizeHint(self) -> QSize:
        """It may be narrow."""
        return QSize(40, self.fontMetrics().height())

    def focusInEvent(self, event: QFocusEvent) -> None:
        """All of the frame is drawn, not only where the text cursor is."""
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Remove the frame."""
        super().focusOutEvent(event)
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The text, and a frame around it with the focus."""
        super().paintEvent(event)
        if self.hasFocus():
            with QPainter(self.viewport()) as painter:
                painter.setPen(self._theme.color("accent"))
                painter.drawRect(self.viewport().rect().adjusted(0, 0, -1, -1))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The page scrolls, not the passage."""
        event.ignore()

    def _tint(self) -> None:
        tinted = self.palette()
        tinted.setColor(QPalette.ColorRole.Text, self._theme.color(self._ink))
        tinted.setColor(QPalette.ColorRole.Base, Qt.GlobalColor.transparent)
        self.setPalette(tinted)


class CutText(QWidget):
    """Plain text that can be selected; long text is cut, with its length and a button that shows all of it."""

    def __init__(self, theme: Theme, text: str, *, font: str = "body", ink: str = "text", name: str = "") -> None:
        super().__init__()
        self._text = text
        self._passage = PassageView(theme, text[:SHOWN_CHARS], font, ink)
        self._passage.setAccessibleName(name or text[:200])
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(4)
        box.addWidget(self._passage)
        if len(text) > SHOWN_CHARS:
            box.addLayout(self._rest(theme))

    def _rest(self, theme: Theme) -> QHBoxLayout:
        row = QHBoxLayout()
        shown = tr("{0:,} of {1:,} characters")
        count = Label(theme, shown.format(SHOWN_CHARS, len(self._text)), font="secondary", ink="text2")
        row.addWidget(count)
        more = Button(theme, tr("Show all"), ButtonKind.LINK)

        def show() -> None:
            self._passage.setPlainText(self._text[:MOST_CHARS])
            self._passage.updateGeometry()
            count.setText(shown.format(min(MOST_CHARS, len(self._text)), len(self._text)))
            more.hide()

        more.clicked.connect(show)
        row.addWidget(more)
        row.addStretch(1)
        return row


def show_page(area: QScrollArea, page: QWidget, *, same_place: bool) -> None:
    """Put another page into a scroll area; what is about the same row stays where it was scrolled to."""
    bar = area.verticalScrollBar()
    position = bar.value() if same_place else 0
    area.setWidget(page)
    if position:
        QTimer.singleShot(0, area, lambda: bar.setValue(position))


def facts(theme: Theme, rows: Sequence[tuple[str, str]], *, data: bool = False) -> QWidget:
    """Names and values under each other; values can be selected."""
    holder = QWidget()
    grid = QGridLayout(holder)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(16)
    grid.setVerticalSpacing(4)
    grid.setColumnStretch(1, 1)
    grid.setColumnMinimumWidth(0, LEAST_NAME_PX)
    letters = QFontMetrics(theme.fonts.secondary)
    names_px = max((letters.horizontalAdvance(name) for name, _value in rows), default=0)
    short_px = SHORT_ROW_PX - max(LEAST_NAME_PX, min(names_px, LONGEST_NAME_PX))
    for row, (name, value) in enumerate(rows):
        long = letters.horizontalAdvance(name) > LONGEST_NAME_PX
        key = Label(theme, name, font="secondary", ink="text2", wrap=long)
        if long:
            key.setFixedWidth(LONGEST_NAME_PX)
        shown = _value(theme, name, value, "data" if data else "secondary", short_px)
        grid.addWidget(key, row, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(shown, row, 1)
    return holder


class _Short(Label):
    """A value of one line that can be selected, with a frame around it while it has the focus."""

    def __init__(self, theme: Theme, name: str, value: str, font: str) -> None:
        super().__init__(theme, value, font=font)
        self._frame = theme
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setAccessibleName(f"{name}: {value}")

    def paintEvent(self, event: QPaintEvent) -> None:
        """The value, and the frame."""
        super().paintEvent(event)
        if self.hasFocus():
            with QPainter(self) as painter:
                painter.setPen(self._frame.color("accent"))
                painter.drawRect(self.rect().adjusted(0, 0, -1, -1))


def _value(theme: Theme, name: str, value: str, font: str, short_px: int) -> QWidget:
    """A short value in a label, which is made ten times as fast as a text field; a page may have a hundred."""
    is_short = len(value) <= SHORT_CHARS and "\n" not in value
    if not is_short or QFontMetrics(getattr(theme.fonts, font)).horizontalAdvance(value) > short_px:
        return CutText(theme, value, font=font, name=f"{name}: {value[:200]}")
    return _Short(theme, name, value, font)


def banner(theme: Theme, mark: str, text: str, tone: str) -> QFrame:
    """A sentence that must not be overlooked."""
    frame = QFrame()
    frame.setObjectName("panel")
    frame.setProperty("tone", tone)
    row = QHBoxLayout(frame)
    row.setContentsMargins(12, 8, 12, 8)
    row.setSpacing(10)
    row.addWidget(MarkLabel(theme, mark, 16), 0, Qt.AlignmentFlag.AlignTop)
    row.addWidget(Label(theme, text, wrap=True), 1)
    return frame
