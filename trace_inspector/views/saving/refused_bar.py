"""A strip above everything: what other programs may refuse in a file that was saved. It blocks nothing."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from trace_inspector.models.base.counting import counted
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.base.tips import plain_tip
from trace_inspector.models.base.translation import tr
from trace_inspector.views.widgets.controls import Button, ButtonKind, Elided, MarkLabel
from trace_inspector.views.window_context.desk import Desk
from trace_inspector.work.golden.requests import Forecast

HEIGHT_PX = 32


def show_refused(desk: Desk, forecast: Forecast) -> QWidget | None:
    """The strip for a file that is still open."""
    return RefusedBar(desk, forecast) if desk.workspace.files.get(forecast.file) is not None else None


class RefusedBar(QWidget):
    """Names the first finding with its line; the link leads from one to the next."""

    def __init__(self, desk: Desk, forecast: Forecast) -> None:
        super().__init__()
        self._desk = desk
        self._forecast = forecast
        self._index = -1
        self.setObjectName("change-bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(HEIGHT_PX)
        self._words = Elided(desk.theme, font="secondary")
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 12, 0)
        row.setSpacing(12)
        row.addWidget(MarkLabel(desk.theme, "warning", 14))
        row.addWidget(self._words, 1)
        row.addWidget(Button(desk.theme, tr("Next place"), ButtonKind.LINK, clicked=self.go))
        row.addWidget(Button(desk.theme, tr("Dismiss"), ButtonKind.LINK, clicked=self.dismiss))
        self._show(0)
        desk.workspace.files.closed.connect(self._closed)

    def go(self) -> None:
        """Select the place of the next finding."""
        self._index = (self._index + 1) % len(self._forecast.findings)
        self._show(self._index)
        file = self._desk.workspace.files.get(self._forecast.file)
        if file is not None:
            row = file.table.row_near(self._forecast.findings[self._index].pointer)
            self._desk.workspace.selection.select(Selection(file.number, row))

    def dismiss(self) -> None:
        """Remove the strip."""
        self.hide()
        self.deleteLater()

    def _show(self, index: int) -> None:
        file = self._desk.workspace.files.get(self._forecast.file)
        finding = self._forecast.findings[index]
        name = file.name if file is not None else ""
        places = counted(self._forecast.count, "place")
        words = tr("{0} may refuse {1} at {2}. Line {3}: {4}")
        self._words.setText(words.format(self._forecast.system, name, places, finding.line, finding.message))
        self._words.setToolTip(plain_tip(finding.message))
        self.setAccessibleName(self._words.text())

    def _closed(self, number: int) -> None:
        if number == self._forecast.file:
            self.dismiss()
