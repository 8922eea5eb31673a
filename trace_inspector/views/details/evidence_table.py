"""The tables in which evidence stands: a mark, words, and what was decided, with a count where not all are shown."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QFrame, QGridLayout

from trace_inspector.views.controls import Label
from trace_inspector.views.look import Look

LISTED = 60


def table_of(look: Look, names: tuple[str, ...]) -> tuple[QFrame, QGridLayout]:
    """A frame and its grid: the first column is for marks, the second takes the room, their names stand above."""
    frame = QFrame()
    frame.setObjectName("well")
    grid = QGridLayout(frame)
    grid.setContentsMargins(10, 6, 10, 8)
    grid.setHorizontalSpacing(10)
    grid.setVerticalSpacing(8)
    grid.setColumnStretch(1, 1)
    for at, name in enumerate(names, 1):
        grid.addWidget(Label(look, name, font="caption", ink="text2"), 0, at)
    return frame, grid


def count_shown(look: Look, grid: QGridLayout, count: int) -> None:
    """Say how many there are, where not all are shown."""
    if count > LISTED:
        words = QCoreApplication.translate("Verdicts", "{0} of {1} shown").format(LISTED, count)
        grid.addWidget(Label(look, words, font="caption", ink="text2"), grid.rowCount(), 1)
