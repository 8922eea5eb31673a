"""A strip above everything after a crash: offers the files that were open."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from trace_inspector.models.base.tips import plain_tip
from trace_inspector.models.base.translation import tr
from trace_inspector.views.actions import files
from trace_inspector.views.help import dialogs
from trace_inspector.views.widgets.controls import Button, ButtonKind, Elided, MarkLabel
from trace_inspector.views.window_context.desk import Desk

HEIGHT_PX = 32
TOLD = 12  # names of files in a tip


class CrashBar(QWidget):
    """Hidden after its first use, except to show the report. `done` is called when it is no longer needed."""

    def __init__(self, desk: Desk, left_open: tuple[str, ...], done: Callable[[], None]) -> None:
        super().__init__()
        self._desk = desk
        self._left_open = left_open
        self._done = done
        self.setObjectName("change-bar")
        self.setAccessibleName(tr("After an unexpected end"))
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(HEIGHT_PX)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 12, 0)
        row.setSpacing(12)
        row.addWidget(MarkLabel(desk.theme, "warning", 14))
        words = Elided(desk.theme, font="secondary")
        words.setText(tr("Trace Inspector did not close properly last time. Your files are untouched."))
        row.addWidget(words, 1)
        if left_open:
            again = Button(desk.theme, _reopen_words(left_open), ButtonKind.LINK, clicked=self.reopen)
            again.setToolTip(plain_tip("\n".join(left_open[:TOLD])))
            row.addWidget(again)
        row.addWidget(Button(desk.theme, tr("Report"), ButtonKind.LINK, clicked=lambda: dialogs.show_fault(desk)))
        row.addWidget(Button(desk.theme, tr("Dismiss"), ButtonKind.LINK, clicked=self.dismiss))

    def reopen(self) -> None:
        """Open what was open, the samples with the replies recorded for them."""
        files.reopen_paths(self._desk, self._left_open)
        self.dismiss()

    def dismiss(self) -> None:
        """Dismiss the strip."""
        self._done()
        self.hide()
        self.deleteLater()


def _reopen_words(left_open: tuple[str, ...]) -> str:
    if len(left_open) == 1:
        return tr("Reopen 1 file")
    return tr("Reopen {0} files").format(f"{len(left_open):,}")
