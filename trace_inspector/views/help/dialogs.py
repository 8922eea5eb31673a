"""What this is, and what failed in it. Neither is opened at start; all text in them is plain."""

from __future__ import annotations

import platform

from PySide6.QtCore import qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from trace_inspector.models.base.translation import tr
from trace_inspector.version import __version__
from trace_inspector.views.widgets.controls import Button, ButtonKind, Label
from trace_inspector.views.widgets.dialog_frame import show_inside
from trace_inspector.views.window_context.desk import Desk


def show_about(desk: Desk) -> None:
    """What this is, which version, and what it never does."""
    inside = QWidget()
    inside.setObjectName("page")
    box = QVBoxLayout(inside)
    box.setContentsMargins(24, 20, 24, 12)
    box.setSpacing(8)
    versions = f"{__version__} · Qt {qVersion()} · Python {platform.python_version()}"
    box.addWidget(Label(desk.theme, "Trace Inspector", font="title"))
    box.addWidget(Label(desk.theme, versions, font="secondary", ink="text2"))
    promise = tr("Works on your own files, without an account. Code in a file is never run and nothing is fetched.")
    box.addWidget(Label(desk.theme, promise, wrap=True))
    box.addWidget(
        Label(desk.theme, tr("Apache License 2.0; fonts: SIL Open Font License 1.1"), font="secondary", ink="text2")
    )
    box.addStretch(1)
    show_inside(desk.theme, desk.window, tr("About Trace Inspector"), inside, (420, 220))


def show_fault(desk: Desk) -> None:
    """What failed in the program itself, to be copied for a report."""
    inside = QWidget()
    inside.setObjectName("page")
    box = QVBoxLayout(inside)
    box.setContentsMargins(24, 20, 24, 12)
    box.setSpacing(8)
    box.addWidget(Label(desk.theme, tr("Something in Trace Inspector failed."), font="title"))
    words = tr("Your files are untouched. The report names places in the program, nothing from your traces.")
    box.addWidget(Label(desk.theme, words, wrap=True))
    report = QPlainTextEdit(desk.fault)
    report.setReadOnly(True)
    report.setTabChangesFocus(True)
    report.setFont(desk.theme.fonts.data)
    report.setObjectName("excerpt")
    report.setAccessibleName(tr("Report"))
    box.addWidget(report, 1)
    copy = Button(desk.theme, tr("Copy the report"), ButtonKind.LINK)
    copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(report.toPlainText()))
    box.addWidget(copy)
    show_inside(desk.theme, desk.window, tr("Report of the last error"), inside, (560, 420))
