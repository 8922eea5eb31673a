"""The columns of a list that is wider than its room: the last give way, counted, until somebody wants them all."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtWidgets import QHBoxLayout, QHeaderView

from trace_inspector.views.controls import Button, ButtonKind, Label
from trace_inspector.views.look import Look
from trace_inspector.views.tree_view import TreeView


class FittedColumns(QObject):
    """One column takes the room that is left; where there is none, columns are left out from the right."""

    def __init__(self, look: Look, view: TreeView, stretch: int) -> None:
        super().__init__(view)
        self._view = view
        self._stretch = stretch
        self._widths: list[int] = []
        self._left_out: Collection[int] = ()
        self._all = False
        self._words = Label(look, font="secondary", ink="text2")
        self._more = Button(look, _tr("Show all"), ButtonKind.LINK, clicked=self.show_all)
        self._more.setAccessibleName(_tr("Show all columns"))
        view.viewport().installEventFilter(self)

    def add_to(self, foot: QHBoxLayout) -> None:
        """Say in a foot how many columns there are, and how to see them."""
        foot.addWidget(self._words)
        foot.addWidget(self._more)

    def lay_out(self, widths_px: Sequence[int], left_out: Collection[int] = ()) -> None:
        """Other columns; some are left out whatever room there is."""
        if (list(widths_px), left_out) == (self._widths, self._left_out):
            return
        self._widths, self._left_out = list(widths_px), left_out
        for at, width in enumerate(self._widths):
            self._view.setColumnWidth(at, width)
        self._fit()

    def show_all(self) -> None:
        """However little room there is: the list scrolls sideways from now on."""
        self._all = True
        self._fit()

    def eventFilter(self, _viewport: QObject, event: QEvent) -> bool:
        """Another width."""
        if event.type() == QEvent.Type.Resize:
            self._fit()
        return False

    def _fit(self) -> None:
        wanted = [at for at in range(len(self._widths)) if at not in self._left_out]
        kept, room = list(wanted), self._view.viewport().width()
        while not self._all and len(kept) > 1 and sum(self._widths[at] for at in kept) > room:
            kept.pop()
        for at in range(len(self._widths)):
            self._view.setColumnHidden(at, at not in kept)
        filled = sum(self._widths[at] for at in kept) <= room
        mode = QHeaderView.ResizeMode.Stretch if filled else QHeaderView.ResizeMode.Interactive
        self._view.header().setSectionResizeMode(self._stretch, mode)
        self._words.setText(_tr("{0} of {1} columns").format(len(kept), len(wanted)))
        for part in (self._words, self._more):
            part.setVisible(len(kept) < len(wanted))


def _tr(text: str) -> str:
    return QCoreApplication.translate("Columns", text)
