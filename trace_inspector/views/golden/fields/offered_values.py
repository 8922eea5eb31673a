"""The values that a tool's declaration names for an argument, to be picked: with ↓ in its field, or by an arrow."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMenu

from trace_inspector.core.values.values import Json
from trace_inspector.models.base.translation import tr
from trace_inspector.models.golden import values
from trace_inspector.views.appearance.appearance import Look
from trace_inspector.views.golden.fields.line_field import GoldenLine
from trace_inspector.views.golden.fields.marks import IconButton


class OfferedValues(IconButton):
    """An arrow at the end of a field; hidden where nothing is named."""

    def __init__(self, look: Look, name: str, field: GoldenLine, picked: Callable[[Json], object]) -> None:
        super().__init__(look, tr("Pick a value of {0}").format(name), "down", self.open)
        self._field = field
        self._picked = picked
        self._values: Sequence[Json] = ()
        field.installEventFilter(self)
        self.hide()

    def offer(self, named: Sequence[Json]) -> None:
        """These may be picked."""
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
