"""Fields of forms: a choice, a line of text, a number, and the label before them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QHelpEvent, QKeyEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QLineEdit,
    QSizePolicy,
    QStyle,
    QStyleOptionComboBox,
    QToolTip,
    QWidget,
)

from trace_inspector.models.base.tips import plain_tip
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.widgets.controls import Label

FIELD_PX = 28
SECONDARY_PX = 12  # letters of labels at a text size of 100 %
CHOICE_MARGINS_PX = 40  # before the words of a choice, and for the arrow behind them
Value = TypeVar("Value")


class Choice(QComboBox, Generic[Value]):
    """One of a few values by their names. `picked` is called only for the person's own choice."""

    def __init__(
        self, theme: Theme, name: str, entries: Sequence[tuple[str, Value]], picked: Callable[[Value], object]
    ) -> None:
        super().__init__()
        self._theme = theme
        self._values: list[Value] = []
        self.setAccessibleName(name)
        self.setFont(theme.fonts.body)
        _grow(self)
        self.setMinimumContentsLength(12)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.view().setAccessibleName(name)
        self.view().setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.offer(entries)
        self.activated.connect(lambda index: picked(self._values[index]))

    def offer(self, entries: Sequence[tuple[str, Value]]) -> None:
        """Other entries; the chosen value stays chosen where it still is one."""
        before = self.value
        self.clear()
        self._values = [value for _text, value in entries]
        self.addItems([text for text, _value in entries])
        if before is not None:
            self.choose(before)

    @property
    def value(self) -> Value | None:
        """What is chosen."""
        index = self.currentIndex()
        return self._values[index] if 0 <= index < len(self._values) else None

    def choose(self, value: Value) -> None:
        """Show a value without reporting a change."""
        if value in self._values:
            self.setCurrentIndex(self._values.index(value))

    def changeEvent(self, event: QEvent) -> None:
        """Other letters."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            _grow(self)

    def event(self, event: QEvent) -> bool:
        """What is cut has a tip."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and not self.toolTip():
            words = self.currentText()
            QToolTip.showText(event.globalPos(), plain_tip(words) if self._shown(words) != words else "", self)
            return True
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The field as Qt draws it, with our own arrow; what is too long ends in an ellipsis."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        option.currentText = self._shown(option.currentText)
        with QPainter(self) as painter:
            self.style().drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option, painter, self)
            self.style().drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option, painter, self)
            tokens = self._theme.tokens
            ink = tokens.text2 if self.isEnabled() else tokens.text3
            self._theme.icons.paint(painter, "down", ink, self.width() - 22, self.height() / 2, 14)

    def _shown(self, words: str) -> str:
        return self.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, self.width() - CHOICE_MARGINS_PX)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scrolling a page must not change its fields."""
        event.ignore()


class LineField(QLineEdit):
    """One line of text; `written` is called when it is finished."""

    def __init__(self, theme: Theme, name: str, written: Callable[[str], object], hint: str = "") -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setFont(theme.fonts.body)
        _grow(self)
        self.setPlaceholderText(hint)
        self.setToolTip(plain_tip(hint))
        self._reported = ""
        self._written = written
        self.editingFinished.connect(self._finish)

    def changeEvent(self, event: QEvent) -> None:
        """Other letters."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            _grow(self)

    def show_text(self, text: str) -> None:
        """Show a text without reporting a change."""
        self._reported = text
        if text != self.text():
            self.setText(text)

    def _finish(self) -> None:
        text = self.text().strip()
        if text != self._reported:
            self._reported = text
            self._written(text)


class EntryField(LineField):
    """A line that is written with Enter and left with Esc."""

    def __init__(self, theme: Theme, name: str, hint: str, take: Callable[[str], object], left: Callable[[], object]):
        super().__init__(theme, name, lambda _text: None, hint)
        self._take, self._left = take, left
        self.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter takes the text, Esc leaves what was."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._take(self.text())
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape):
            self.hide()
            self._left()
        else:
            super().keyPressEvent(event)


class Number(LineField):
    """A whole number between bounds, typed or stepped with the arrow keys."""

    def __init__(self, theme: Theme, name: str, bounds: tuple[int, int], counted: Callable[[int], object]) -> None:
        super().__init__(theme, name, self._take)
        self._bounds = bounds
        self._counted = counted
        self._number = bounds[0]

    def show_number(self, number: int) -> None:
        """Show a number without reporting a change."""
        self._number = number
        self.show_text(str(number))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and down step the number."""
        step = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            self._take(str(self._number + step))

    def _take(self, text: str) -> None:
        least, most = self._bounds
        digits = text.isascii() and text.isdigit() and len(text) < 10
        number = min(max(int(text), least), most) if digits else self._number
        is_changed = number != self._number
        self.show_number(number)
        if is_changed:
            self._counted(number)


def _grow(field: QWidget) -> None:
    """A field is as high as its font needs."""
    field.setMinimumHeight(max(FIELD_PX, field.fontMetrics().height() + 12))


class Form(QWidget):
    """Rows of a label and a field, aligned."""

    def __init__(self, theme: Theme, label_px: int = 96) -> None:
        super().__init__()
        self._theme = theme
        self._label_px = label_px
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(8)
        self._grid.setColumnStretch(1, 1)
        self._labels: dict[QWidget, Label] = {}
        theme.changed.connect(self._widen)

    def add(self, text: str, *fields: QWidget) -> None:
        """Add a row; several fields are placed side by side."""
        row = self._grid.rowCount()
        label = Label(self._theme, text, font="secondary", ink="text2", wrap=True)
        label.setFixedWidth(self._widest_px)
        label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignVCenter)
        for column, field in enumerate(fields):
            self._grid.addWidget(field, row, 1 + column)
        self._labels[fields[0]] = label

    def _widen(self) -> None:
        """Labels grow with their letters."""
        for label in self._labels.values():
            label.setFixedWidth(self._widest_px)

    @property
    def _widest_px(self) -> int:
        return round(self._label_px * self._theme.fonts.secondary.pixelSize() / SECONDARY_PX)

    def add_below(self, field: QWidget) -> None:
        """Add a widget under the fields, without a label."""
        self._grid.addWidget(field, self._grid.rowCount(), 1, 1, -1)

    def rename(self, field: QWidget, text: str) -> None:
        """Another label before a field."""
        self._labels[field].setText(text)

    def show_row(self, field: QWidget, *, shown: bool) -> None:
        """Show or hide a row; a hidden one takes no room."""
        field.setVisible(shown)
        self._labels[field].setVisible(shown)
