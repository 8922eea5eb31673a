"""Small buttons with a menu: how an argument is compared, and a name that is picked or written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QLineEdit, QMenu, QSizePolicy, QWidget

from trace_inspector.core.golden.matcher import Match
from trace_inspector.core.trace.summary import one_line
from trace_inspector.models.base.translation import tr
from trace_inspector.models.golden.values import FORMS, OFFERED
from trace_inspector.views.appearance.appearance import Theme

CHIP_PX = 22
_OPENS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down)
_MOST_ENTRIES = 60
Entries: TypeAlias = Callable[[], Sequence[tuple[str, str]]]  # texts and their values


class MatcherChip(QAbstractButton):
    """Shows how an argument is compared. Its menu, or the first letter of a match type, chooses another."""

    def __init__(self, theme: Theme, name: str, picked: Callable[[Match], object]) -> None:
        super().__init__()
        self._theme = theme
        self._name = name
        self._picked = picked
        self.match = Match.EXACT
        self.setFont(theme.fonts.secondary)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self._open)
        self.show_match(Match.EXACT)

    def show_match(self, match: Match) -> None:
        """Show another match type without reporting a change."""
        self.match = match
        form = FORMS[match]
        self.setText(form.word)
        self.setToolTip(tr(form.means))
        self.setAccessibleName(f"{self._name}: {form.word}")
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """The word, the arrow, half circles at both ends."""
        return QSize(
            self.fontMetrics().horizontalAdvance(self.text()) + 34, max(CHIP_PX, self.fontMetrics().height() + 6)
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens the menu; a letter picks the match type that begins with it."""
        letter = event.text().casefold()
        named = next((each for each in OFFERED if letter and FORMS[each].word.lstrip("± ").startswith(letter)), None)
        if event.key() in _OPENS and not event.modifiers():
            self._open()
        elif named is not None and not event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier:
            self._pick(named)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """A tinted pill; a plain frame for exactly, a dashed one for what is ignored."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            tokens, theme = self._theme.tokens, self._theme
            plain = self.match in (Match.EXACT, Match.IGNORE)
            pen = QPen(theme.color("control" if plain else "accent"), 1)
            if self.match is Match.IGNORE:
                pen.setDashPattern([2, 2])
            if self.hasFocus():
                pen = QPen(theme.color("accent"), 2)
            painter.setPen(pen)
            painter.setBrush(theme.color("base" if plain else "accent_soft"))
            half = (self.height() - 2) / 2
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), half, half)
            ink = "text2" if plain else "accent"
            painter.setPen(theme.color(ink))
            painter.setFont(self.font())
            words = QRectF(self.rect()).adjusted(10, 0, -20, 0)
            painter.drawText(words, int(Qt.AlignmentFlag.AlignVCenter), self.text())
            theme.icons.paint(painter, "down", getattr(tokens, ink), self.width() - 20, self.height() / 2, 12)

    def _open(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        offered = OFFERED if self.match in OFFERED else (self.match, *OFFERED)
        for match in offered:
            action = menu.addAction(FORMS[match].word)
            action.setCheckable(True)
            action.setChecked(match is self.match)
            action.triggered.connect(lambda _checked, to=match: self._pick(to))
            if match is self.match:
                menu.setActiveAction(action)
        menu.popup(self.mapToGlobal(QPoint(0, self.height())))

    def _pick(self, match: Match) -> None:
        if match is not self.match:
            self.show_match(match)
            self._picked(match)


class Pick(QWidget):
    """A word that is picked from a menu, or written: Enter opens the menu, F2 a field to write in."""

    def __init__(
        self, theme: Theme, name: str, entries: Entries, picked: Callable[[str], object],
        *, font: str = "data_strong", icon: str = "", frame: str = "", other: str = "", apart: bool = False,
    ) -> None:  # fmt: skip
        super().__init__()
        self._apart = apart  # another button opens the menu, and only what is written stands here
        self._theme = theme
        self._entries = entries
        self._picked = picked
        self._other = other
        self.button = _PickButton(theme, name, self.open, self.write, font, icon, frame)
        self._opener: QWidget = self.button
        self._value = ""  # of the entry that is picked now
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._field = _WordField(theme, name, self._written, self._close_field)
        self._field.hide()
        self.setFocusProxy(self.button)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.button)
        row.addWidget(self._field)
        if apart:
            self.hide()

    def show_words(self, words: str, value: str = "") -> None:
        """What is picked now; the entry of that value has a check mark."""
        self._value = value
        self.button.show_words(words)

    def write(self) -> None:
        """Open the field."""
        if self._other:
            self._field.setText(self.button.whole)
            self.button.hide()
            self.show()
            self._field.show()
            self._field.selectAll()
            self._field.setFocus()

    def open(self, opener: QWidget | None = None) -> None:
        """Open the menu, under another button where that is the one."""
        self._opener = opener or self.button
        entries = self._entries()
        if not entries and self._other:
            self.write()
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for words, value in entries[:_MOST_ENTRIES]:
            action = menu.addAction(one_line(words, 80).replace("&", "&&"))
            action.setCheckable(bool(self._value) and value == self._value)
            action.setChecked(action.isCheckable())
            action.triggered.connect(lambda _checked, to=value: self._picked(to))
        if self._other:
            if entries:
                menu.addSeparator()
            menu.addAction(self._other).triggered.connect(lambda _checked: self.write())
        menu.popup(self._opener.mapToGlobal(QPoint(0, self._opener.height())))

    def _written(self, text: str) -> None:
        self._opener.setFocus()
        self._close_field()
        if text.strip() and text != self.button.whole:
            self._picked(text.strip())

    def _close_field(self) -> None:
        self._field.hide()
        self.button.show()
        if self._apart:
            self.hide()


class _PickButton(QAbstractButton):
    """The word with an arrow."""

    def __init__(
        self, theme: Theme, name: str, opened: Callable[[], object], write: Callable[[], object], font: str,
        icon: str, frame: str,
    ) -> None:  # fmt: skip
        super().__init__()
        self._theme = theme
        self._name = name
        self._opened = opened
        self._write = write
        self._icon = icon
        self._frame = frame
        self.whole = ""
        self.setFont(getattr(theme.fonts, font))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(name)
        if frame:
            self.setText(name)
        self.clicked.connect(lambda _checked: opened())

    def show_words(self, words: str) -> None:
        """Another word; the accessible name has it too."""
        if words != self.whole:
            self.whole = words
            self.setText(one_line(words, 120))
            self.setAccessibleName(f"{self._name}: {self.text()}")
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        """The word, and what stands beside it."""
        extra = (34 if self.whole else 16) if self._frame else 24
        extra += 22 if self._icon else 0
        return QSize(
            self.fontMetrics().horizontalAdvance(self.text()) + extra, max(24, self.fontMetrics().height() + 8)
        )

    def minimumSizeHint(self) -> QSize:
        """A long word is cut."""
        return QSize(
            min(self.sizeHint().width(), 140 if self._frame and self.whole else 64), self.sizeHint().height()
        )

    def event(self, event: QEvent) -> bool:
        """F2 is for the word here, not for the tab."""
        is_ours = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_F2
        if event.type() == QEvent.Type.ShortcutOverride and is_ours:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and ↓ open the menu, F2 the field."""
        if event.key() in _OPENS and not event.modifiers():
            self._opened()
        elif event.key() == Qt.Key.Key_F2:
            self._write()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The word; a frame where it is a button, and one with the focus."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            theme, tokens = self._theme, self._theme.tokens
            box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
            if self.hasFocus():
                painter.setPen(QPen(theme.color("accent"), 2))
                painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
            elif self._frame:
                painter.setBrush(theme.color("base"))
                painter.setPen(QPen(theme.color("control" if self.underMouse() else "border2"), 1))
                painter.drawRoundedRect(box, 4, 4)
            left = 4.0
            if self._icon:
                left = 8.0 if self._frame else 4.0
                theme.icons.paint(painter, self._icon, tokens.text2, left, self.height() / 2, 14)
                left += 20
            painter.setPen(theme.color("text"))
            painter.setFont(self.font())
            arrow = bool(self.whole) or not self._frame
            left += 4 if arrow and self._frame else 0
            room = self.width() - left - (18 if arrow else 8)
            shown = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, int(room) + 1)
            painter.drawText(QRectF(left, 0, room + 1, self.height()), int(Qt.AlignmentFlag.AlignVCenter), shown)
            if arrow:
                right = left + self.fontMetrics().horizontalAdvance(shown) + 2
                theme.icons.paint(painter, "down", tokens.text2, right, self.height() / 2, 12)


class _WordField(QLineEdit):
    """The field of a word: Enter takes it, Esc and leaving do not."""

    def __init__(
        self, theme: Theme, name: str, written: Callable[[str], object], leave: Callable[[], object]
    ) -> None:
        super().__init__()
        self._done = written
        self._gone = leave
        self.setAccessibleName(name)
        self.setFont(theme.fonts.data)
        self.setFixedHeight(26)
        self.setMinimumWidth(120)
        self.setMaxLength(500)
        self.returnPressed.connect(lambda: self._done(self.text()))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Nothing is taken."""
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self._gone()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc gives the button back."""
        if event.key() == Qt.Key.Key_Escape:
            self._done("")
        else:
            super().keyPressEvent(event)
