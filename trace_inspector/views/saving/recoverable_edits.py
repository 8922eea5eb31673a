"""A strip above everything: unsaved edits of an earlier window, to recover, to forget, or to keep for later."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from trace_inspector.core.golden.recoverable_edits import KEPT_DAYS, OnDisk, Recoverable
from trace_inspector.core.translatable import N_
from trace_inspector.models.base.counting import counted
from trace_inspector.models.base.tips import plain_tip
from trace_inspector.models.base.translation import tr
from trace_inspector.models.golden.recovery import GoldenRecovery
from trace_inspector.views.widgets.controls import Button, ButtonKind, Elided, Label, MarkLabel
from trace_inspector.views.window_context.desk import Desk

ROW_PX = 26
MOST_SHOWN = 4  # without scrolling
_ON_DISK = {
    OnDisk.SAME: N_("the file has not changed since"),
    OnDisk.CHANGED: N_("the file has changed since"),
    OnDisk.GONE: N_("the file is gone; a copy was stored"),
}


class RecoverableEdits(QWidget):
    """Hidden while there is nothing to offer."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._recovery: GoldenRecovery = desk.workspace.recovery
        self.setObjectName("change-bar")
        self.setAccessibleName(tr("Unsaved edits of an earlier session"))
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        theme = desk.theme
        self._words = Elided(theme, font="secondary")
        self._all = Button(theme, tr("Recover all"), ButtonKind.LINK, clicked=self.recover_all)
        self._undo = Button(theme, tr("Undo"), ButtonKind.LINK, clicked=self.undo)
        later = Button(theme, tr("Later"), ButtonKind.LINK, clicked=self._recovery.later)
        head = QHBoxLayout()
        head.setSpacing(12)
        head.addWidget(MarkLabel(theme, "warning", 14))
        head.addWidget(self._words, 1)
        head.addWidget(self._undo)
        head.addWidget(self._all)
        head.addWidget(later)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setAccessibleName(tr("Files with edits"))
        self._scroll.setObjectName("see-through")
        box = QVBoxLayout(self)
        box.setContentsMargins(12, 6, 12, 6)
        box.setSpacing(2)
        box.addLayout(head)
        box.addWidget(self._scroll)
        self._recovery.changed.connect(self._show)
        self._show()

    def recover_all(self) -> None:
        """Open every file with its newest edits."""
        paths = set()
        for edits in self._recovery.recoverable:
            if edits.file not in paths:
                paths.add(edits.file)
                self._recovery.recover(edits)

    def undo(self) -> None:
        """Offer again what was forgotten last."""
        forgotten = self._recovery.forgotten
        if forgotten is not None:
            self._recovery.bring_back(forgotten.journal)

    def _show(self) -> None:
        recoverable, problems = self._recovery.recoverable, self._recovery.problems
        forgotten = self._recovery.forgotten
        had_focus = self.focusWidget() is not None and self.isAncestorOf(self.focusWidget())
        self.setVisible(bool(recoverable or problems) or forgotten is not None)
        self._undo.setVisible(forgotten is not None)
        self._scroll.setVisible(bool(recoverable or problems))
        self._all.setVisible(len(recoverable) > 1)
        if forgotten is not None:
            words = tr("Discarded {0} of {1}; kept for {2} days in Preferences.")
            self._words.setText(words.format(amount_words(forgotten), forgotten.file.name, KEPT_DAYS))
            self._undo.setAccessibleName(tr("Undo discarding the edits of {0}").format(forgotten.file.name))
        if had_focus and forgotten is not None:
            self._undo.setFocus()
        if not recoverable and not problems:
            return
        if forgotten is None:
            self._words.setText(_heading(recoverable))
        inside = QWidget()
        inside.setObjectName("change-bar")
        inside.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        grid = QGridLayout(inside)
        grid.setContentsMargins(26, 0, 0, 0)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        for row, edits in enumerate(recoverable):
            self._add(grid, row, edits)
        for row, sentence in enumerate(problems, len(recoverable)):
            label = Elided(self._desk.theme, font="secondary", ink="text2")
            label.setText(sentence)
            label.setToolTip(plain_tip(sentence))
            grid.addWidget(label, row, 0, 1, grid.columnCount() or 1)
        self._scroll.setWidget(inside)
        self._scroll.setFixedHeight(min(len(recoverable) + len(problems), MOST_SHOWN) * ROW_PX)
        if had_focus and forgotten is None:
            self._all.setFocus()

    def _add(self, grid: QGridLayout, row: int, edits: Recoverable) -> None:
        theme = self._desk.theme
        name = Label(theme, edits.file.name, font="secondary")
        name.setToolTip(plain_tip(str(edits.file)))
        label = Elided(theme, font="secondary", ink="text2")
        label.setText(" · ".join(filter(None, (
            amount_words(edits), when_words(edits.last_s), tr(_ON_DISK[edits.on_disk]), edits.note,
        ))))  # fmt: skip
        recover = Button(theme, tr("Recover"), ButtonKind.LINK, clicked=partial(self._recovery.recover, edits))
        recover.setAccessibleName(tr("Recover {0}").format(edits.file.name))
        forget = Button(theme, tr("Discard"), ButtonKind.LINK, clicked=partial(self._recovery.forget, edits))
        forget.setAccessibleName(tr("Discard the edits of {0}").format(edits.file.name))
        for column, widget in enumerate((name, label, recover, forget)):
            grid.addWidget(widget, row, column)


def _heading(recoverable: Sequence[Recoverable]) -> str:
    if not recoverable:
        return tr("Stored edits of an earlier session cannot be read. They stay where they are.")
    words = tr("Unsaved edits of {0} remain from an earlier session. Nothing is lost.")
    return words.format(counted(len({edits.file for edits in recoverable}), "file"))


def amount_words(recoverable: Recoverable) -> str:
    """The number of edits, and of texts that had not become edits."""
    edits = counted(recoverable.edits, "edit") if recoverable.edits or not recoverable.drafts else ""
    return " · ".join(
        filter(None, (edits, counted(len(recoverable.drafts), "unfinished text") if recoverable.drafts else ""))
    )


def when_words(last_s: float) -> str:
    """The time, and the day unless that is today."""
    moment = time.localtime(last_s)
    today = time.strftime("%Y%j", moment) == time.strftime("%Y%j")
    return time.strftime("%H:%M" if today else "%Y-%m-%d %H:%M", moment)
