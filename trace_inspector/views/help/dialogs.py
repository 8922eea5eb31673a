"""The few dialogs: keys, about, a fault. None is opened at start; all text in them is plain."""

from __future__ import annotations

import platform
from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, Qt, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QPlainTextEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from trace_inspector import __version__
from trace_inspector.views.widgets.controls import Button, ButtonKind, Label, Tag
from trace_inspector.views.widgets.dialog_frame import Dialog
from trace_inspector.views.window_context.desk import Desk


def show_keys(desk: Desk) -> None:
    """Every action that has a key, in the order of the menus; then the keys of each view, panel and place."""
    from trace_inspector.views.layout.centre_views import VIEWS
    from trace_inspector.views.layout.panels import PANELS
    from trace_inspector.views.widgets.own_keys import PLACES

    groups = [(_tr("Everywhere"), [(entry.key, entry.text.rstrip("…"), entry.caption) for entry in desk.commands()])]
    shown = [(view.title, view.keys) for view in VIEWS] + [(panel.title, panel.keys) for panel in PANELS]
    for title, own_keys in (*shown, *PLACES.items()):
        groups.append((_tr(title), [(own.keys, _tr(own.does), "") for own in own_keys]))
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
    scroll.setAccessibleName(_tr("Keys"))
    show_inside(desk, _tr("Keys"), scroll, (560, 640))


def _add_keys(desk: Desk, grid: QGridLayout, title: str, lines: Sequence[tuple[str, str, str]]) -> None:
    """A title, and below it the keys, what they do, and the menu where that stands too."""
    if not lines:
        return
    row = grid.rowCount()
    head = Label(desk.look, title, font="strong")
    head.setContentsMargins(0, 12 if row > 1 else 0, 0, 0)
    grid.addWidget(head, row, 0, 1, 3)
    for at, (keys, does, menu) in enumerate(lines, start=row + 1):
        grid.addWidget(Tag(desk.look, keys), at, 0, Qt.AlignmentFlag.AlignRight)
        grid.addWidget(Label(desk.look, does), at, 1)
        grid.addWidget(Label(desk.look, menu, font="secondary", ink="text2"), at, 2)


def show_about(desk: Desk) -> None:
    """What this is, which version, and what it never does."""
    inside = QWidget()
    inside.setObjectName("page")
    box = QVBoxLayout(inside)
    box.setContentsMargins(24, 20, 24, 12)
    box.setSpacing(8)
    versions = f"{__version__} · Qt {qVersion()} · Python {platform.python_version()}"
    box.addWidget(Label(desk.look, "Trace Inspector", font="title"))
    box.addWidget(Label(desk.look, versions, font="secondary", ink="text2"))
    promise = _tr("Works on your own files, without an account. Code in a file is never run and nothing is fetched.")
    box.addWidget(Label(desk.look, promise, wrap=True))
    box.addWidget(Label(desk.look, _tr("Apache License 2.0"), font="secondary", ink="text2"))
    box.addStretch(1)
    show_inside(desk, _tr("About Trace Inspector"), inside, (420, 220))


def show_fault(desk: Desk) -> None:
    """What failed in the program itself, to be copied for a report."""
    inside = QWidget()
    inside.setObjectName("page")
    box = QVBoxLayout(inside)
    box.setContentsMargins(24, 20, 24, 12)
    box.setSpacing(8)
    box.addWidget(Label(desk.look, _tr("Something in Trace Inspector failed."), font="title"))
    words = _tr("Your files are untouched. The report names places in the program, nothing from your traces.")
    box.addWidget(Label(desk.look, words, wrap=True))
    report = QPlainTextEdit(desk.fault)
    report.setReadOnly(True)
    report.setTabChangesFocus(True)
    report.setFont(desk.look.fonts.data)
    report.setObjectName("excerpt")
    report.setAccessibleName(_tr("Report"))
    box.addWidget(report, 1)
    copy = Button(desk.look, _tr("Copy the report"), ButtonKind.LINK)
    copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(report.toPlainText()))
    box.addWidget(copy)
    show_inside(desk, _tr("Report of the last fault"), inside, (560, 420))


def show_inside(desk: Desk, title: str, inside: QWidget, size: tuple[int, int]) -> None:
    """Open a dialog with that inside, and a way to close it."""
    dialog = Dialog(desk.window)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(title)
    box = QVBoxLayout(dialog)
    box.setContentsMargins(0, 0, 0, 0)
    box.addWidget(inside, 1)
    foot = QHBoxLayout()
    foot.setContentsMargins(16, 4, 16, 12)
    foot.addStretch(1)
    foot.addWidget(Button(desk.look, _tr("Close"), ButtonKind.FILLED, clicked=dialog.close))
    box.addLayout(foot)
    dialog.resize(*size)
    dialog.open()


def _tr(text: str) -> str:
    return QCoreApplication.translate("Dialogs", text)
