"""The tables of evidence: a mark, words, and the decision, with a count where not all are shown."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QWidget

from trace_inspector.models.base.translation import tr
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.widgets.controls import Label, MarkLabel

LISTED = 60
LINE_PX = 20  # marks and figures are centred on the first line of words


def table_of(theme: Theme, names: tuple[str, ...]) -> tuple[QFrame, QGridLayout]:
    """A frame and its grid: the first column is for marks, the second takes the room, their names stand above."""
    frame = QFrame()
    frame.setObjectName("well")
    grid = QGridLayout(frame)
    grid.setContentsMargins(10, 6, 10, 8)
    grid.setHorizontalSpacing(10)
    grid.setVerticalSpacing(8)
    grid.setColumnStretch(1, 1)
    for column, name in enumerate(names, 1):
        grid.addWidget(Label(theme, name, font="caption", ink="text2"), 0, column)
    return frame, grid


def put_mark(theme: Theme, grid: QGridLayout, row: int, mark: str) -> None:
    """At the left of a row's first line."""
    put_at_top(grid, row, 0, MarkLabel(theme, mark, 14))


def put_at_top(grid: QGridLayout, row: int, column: int, widget: QWidget, right: bool = False) -> None:
    """Beside a row's first line."""
    widget.setFixedHeight(LINE_PX)
    side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
    grid.addWidget(widget, row, column, Qt.AlignmentFlag.AlignTop | side)


def count_shown(theme: Theme, grid: QGridLayout, count: int) -> None:
    """Say how many there are, where not all are shown."""
    if count > LISTED:
        words = tr("{0} of {1} shown").format(LISTED, count)
        grid.addWidget(Label(theme, words, font="caption", ink="text2"), grid.rowCount(), 1)
