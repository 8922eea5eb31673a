"""A line field of the Golden tab. It never changes its text while somebody types."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, QRegularExpression, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QRegularExpressionValidator
from PySide6.QtWidgets import QLineEdit, QMenu

from trace_inspector.core.values.values import Json
from trace_inspector.models.base.translation import tr
from trace_inspector.models.golden import values
from trace_inspector.models.golden.values import MOST_CHARS
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.golden.fields.marks import IconButton
from trace_inspector.views.golden.fields.typing_state import Find, Typing, Write
from trace_inspector.views.golden.fields.validation import ENTER, half, set_wrong, too_long, unless

LINE_PX = 26
# Whole characters, at most so many: Qt itself does not take what does not match, and half of a character never does.
_WHOLE = QRegularExpression(rf"(?s)\A(?:.{{1,{MOST_CHARS // 10}}}+){{0,10}}+\z")


class GoldenLine(QLineEdit):
    """One line. `write` is called with each text typed; `changed` when its problem may have changed."""

    def __init__(
        self, theme: Theme, name: str, write: Write, find: Find, changed: Callable[[], object], font: str = "data"
    ) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setFont(getattr(theme.fonts, font))
        self.setFixedHeight(max(LINE_PX, self.fontMetrics().height() + 10))
        self.setMaxLength(1_000_000)
        self.setValidator(QRegularExpressionValidator(_WHOLE, self))
        self._changed = changed
        self._putting = False
        self._typing = Typing(unless(self._why_not, write), find, self.text, self._put, self._mark)
        self.textEdited.connect(self._typed)
        self.inputRejected.connect(self._refuse_input)

    @property
    def problem(self) -> str:
        """Why the text was not written."""
        return self._typing.problem

    @property
    def golden_text(self) -> str:
        """The golden's text, even where the field has another one that was not written."""
        return self._typing.now

    def show_text(self, text: str, *, busy: bool) -> None:
        """Show the golden's present text."""
        self._typing.show(text, busy=busy, focused=self.hasFocus())
        self._mark()

    def go_to_end(self) -> None:
        """Move the cursor to where typing continues."""
        self.setCursorPosition(len(self.text()))

    def forget(self) -> None:
        """Reset: the field shows something else from now on."""
        self._typing.forget()

    def event(self, event: QEvent) -> bool:
        """Undo and redo are the window's; Esc is the field's while there is something to restore."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if self._typing.takes_key(event):
                event.accept()
                return True
            if self._typing.is_step(event) or event.key() == Qt.Key.Key_Escape:
                event.ignore()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter commits, Esc restores."""
        if event.key() in ENTER:
            self._typing.end()
            self._mark()
        elif event.key() == Qt.Key.Key_Escape or self._typing.is_step(event):
            if self._typing.takes_key(event):
                self._typing.restore()
                self._mark()
            else:
                event.ignore()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Typing from now on is one step of undo."""
        super().focusInEvent(event)
        if not self.problem:
            self._typing.begin()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Valid text is shown as the golden has it."""
        super().focusOutEvent(event)
        self._typing.end()
        self._mark()

    def _typed(self) -> None:
        self._typing.typed()
        self._mark()

    def _why_not(self, text: str) -> str:
        """Why the text cannot be written, as when the golden's is longer than Qt allows to type."""
        if self.hasAcceptableInput():
            return ""
        return too_long() if len(text) > MOST_CHARS else half()

    def _refuse_input(self) -> None:
        if not self._putting:
            self._typing.set_problem(
                tr(
                    "That text was not inserted: it is too long, or has an incomplete character, such as "
                    "half of an emoji."
                )
            )
            self._mark()

    def _put(self, text: str) -> None:
        position = self.cursorPosition()
        self._putting = True
        self.setText(text)
        self._putting = False
        self.setCursorPosition(min(position, len(text)) if self.hasFocus() else 0)

    def _mark(self) -> None:
        set_wrong(self, bool(self.problem))
        self._changed()


class ValuesButton(IconButton):
    """An arrow at the end of a field: the values that a tool's declaration names; hidden where none is named."""

    def __init__(self, theme: Theme, name: str, field: GoldenLine, picked: Callable[[Json], object]) -> None:
        super().__init__(theme, tr("Pick a value of {0}").format(name), "down", self.open)
        self._field = field
        self._picked = picked
        self._values: Sequence[Json] = ()
        field.installEventFilter(self)
        self.hide()

    def offer(self, named: Sequence[Json]) -> None:
        """Offer these values."""
        self._values = named

    @property
    def any(self) -> bool:
        """Whether there is anything to pick."""
        return bool(self._values)

    def open(self) -> None:
        """The menu under the field, the present value checked."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for value in self._values:
            action = menu.addAction(values.shown(value).replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(values.line_text(value) == self._field.text())
            action.triggered.connect(lambda _checked, to=value: self._picked(to))
            if action.isChecked():
                menu.setActiveAction(action)
        menu.popup(self._field.mapToGlobal(QPoint(0, self._field.height())))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """↓ in the field, which has one line and no other use for it."""
        if self.any and event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            alone = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.NoModifier
            if event.key() == Qt.Key.Key_Down and alone:
                self.open()
                return True
        return super().eventFilter(watched, event)
