"""The columns of a list that is wider than its room: the last are hidden and counted, until all are requested."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QHBoxLayout, QHeaderView

from trace_inspector.models.base.translation import tr
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.widgets.controls import Button, ButtonKind, Label
from trace_inspector.views.widgets.tree_view import TreeView


class FittedColumns(QObject):
    """One column takes the remaining room. Where there is none it shrinks first, down to its least width.

    Then columns are hidden from the right.
    """

    def __init__(self, theme: Theme, view: TreeView, stretch: int, least_px: int) -> None:
        super().__init__(view)
        self._theme = theme
        self._view = view
        self._stretch = stretch
        self._drawn_least_px = least_px  # at a text size of 100 %, as all that others say
        self._drawn_px: list[int] = []
        self._left_out: Collection[int] = ()
        self._all = False
        self._words = Label(theme, font="secondary", ink="text2")
        self._more = Button(theme, tr("Show all"), ButtonKind.LINK, clicked=self.show_all)
        self._more.setAccessibleName(tr("Show all columns"))
        for part in (self._words, self._more):  # shown without a parent it would be a window, and take the focus
            part.setParent(view)
        view.viewport().installEventFilter(self)
        theme.changed.connect(self._take_widths)

    def add_to(self, foot: QHBoxLayout) -> None:
        """Show in a foot how many columns there are, with a button that shows all."""
        foot.addWidget(self._words)
        foot.addWidget(self._more)

    def lay_out(self, widths_px: Sequence[int], left_out: Collection[int] = ()) -> None:
        """Set other columns; some are hidden whatever room there is."""
        if (list(widths_px), left_out) == (self._drawn_px, self._left_out):
            return
        self._drawn_px, self._left_out = list(widths_px), left_out
        self._take_widths()

    def show_all(self) -> None:
        """Show all columns: the list scrolls sideways from now on."""
        self._all = True
        self._fit()

    def _take_widths(self) -> None:
        """Other columns, or letters of another size."""
        for column, width in enumerate(self._widths):
            self._view.setColumnWidth(column, width)
        self._fit()

    @property
    def _widths(self) -> list[int]:
        return [self._theme.grown(width) for width in self._drawn_px]

    @property
    def _least_px(self) -> int:
        return self._theme.grown(self._drawn_least_px)

    def eventFilter(self, _viewport: QObject, event: QEvent) -> bool:
        """Another width."""
        if event.type() == QEvent.Type.Resize:
            self._fit()
        return False

    def _fit(self) -> None:
        offered = [column for column in range(len(self._widths)) if column not in self._left_out]
        kept, room = list(offered), self._view.viewport().width()
        while not self._all and len(kept) > 1 and self._needed(kept) > room:
            kept.pop()
        for column in range(len(self._widths)):
            self._view.setColumnHidden(column, column not in kept)
        self._fill(kept, room)
        self._words.setText(tr("{0} of {1} columns").format(len(kept), len(offered)))
        for part in (self._words, self._more):
            part.setVisible(len(kept) < len(offered))

    def _needed(self, kept: Sequence[int]) -> int:
        return sum(
            min(self._least_px, self._widths[column]) if column == self._stretch else self._widths[column]
            for column in kept
        )

    def _fill(self, kept: Sequence[int], room: int) -> None:
        """Without the column that takes the remaining room, the first one does."""
        filler = self._stretch if self._stretch in kept else next(iter(kept), self._stretch)
        filler = filler if self._needed(kept) <= room else -1
        head, modes = self._view.header(), QHeaderView.ResizeMode
        for column, width in enumerate(self._widths):
            if column != filler and head.sectionResizeMode(column) is modes.Stretch:
                head.setSectionResizeMode(column, modes.Interactive)
                head.resizeSection(column, width)
        if filler >= 0:
            head.setSectionResizeMode(filler, modes.Stretch)
