"""All keys in one list: those of actions, and those that are active only in one place."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QScrollArea, QWidget

from trace_inspector.models.base.translation import tr
from trace_inspector.views.help.own_keys import OwnKey
from trace_inspector.views.widgets.controls import Label, Tag
from trace_inspector.views.widgets.dialog_frame import show_inside
from trace_inspector.views.window_context.desk import Desk


def show_keys(desk: Desk, places: Sequence[tuple[str, Sequence[OwnKey]]]) -> None:
    """Every action that has a key, in the order of the menus; then the keys of each view, panel and other place."""
    groups = [(tr("Everywhere"), [(entry.key, entry.text.rstrip("…"), entry.caption) for entry in desk.commands()])]
    for title, own_keys in places:
        groups.append((tr(title), [(own.keys, tr(own.does), "") for own in own_keys]))
    inside = QWidget()
    inside.setObjectName("page")
    grid = QGridLayout(inside)
    grid.setContentsMargins(16, 12, 16, 12)
    grid.setHorizontalSpacing(24)
    grid.setVerticalSpacing(6)
    for title, lines in groups:
        _add_keys(desk, grid, title, [line for line in lines if line[0]])
    grid.setColumnStretch(1, 1)
    grid.setRowStretch(grid.rowCount(), 1)
    scroll = QScrollArea()
    scroll.setWidgetResizable(True)
    scroll.setWidget(inside)
    scroll.setAccessibleName(tr("Keys"))
    show_inside(desk.theme, desk.window, tr("Keys"), scroll, (560, 640))


def _add_keys(desk: Desk, grid: QGridLayout, title: str, lines: Sequence[tuple[str, str, str]]) -> None:
    """A title, and below it the keys, what they do, and the menu that has it too."""
    if not lines:
        return
    row = grid.rowCount()
    head = Label(desk.theme, title, font="strong")
    head.setContentsMargins(0, 12 if row > 1 else 0, 0, 0)
    grid.addWidget(head, row, 0, 1, 3)
    for index, (keys, does, menu) in enumerate(lines, start=row + 1):
        grid.addWidget(Tag(desk.theme, keys), index, 0, Qt.AlignmentFlag.AlignRight)
        grid.addWidget(Label(desk.theme, does), index, 1)
        grid.addWidget(Label(desk.theme, menu, font="secondary", ink="text2"), index, 2)
