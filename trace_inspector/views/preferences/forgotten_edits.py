"""In the preferences: unsaved edits that somebody forgot, to be offered again while they are kept."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from trace_inspector.core.golden.recoverable_edits import KEPT_DAYS, Recoverable
from trace_inspector.models.base.counting import counted
from trace_inspector.models.base.tips import plain_tip
from trace_inspector.models.base.translation import tr
from trace_inspector.views.saving.recoverable_edits import amount_words, when_words
from trace_inspector.views.widgets.controls import Button, ButtonKind, Elided, Label
from trace_inspector.views.window_context.desk import Desk

MOST_SHOWN = 20


class ForgottenEdits(QWidget):
    """One line for each; the list comes from a child, as journals may be large."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self.setAccessibleName(tr("Discarded edits"))
        self.status = Label(desk.theme, tr("Looking…"), font="secondary", ink="text2", wrap=True)
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(2)
        self._box.addWidget(self.status)
        desk.workspace.recovery.list_forgotten(self._show)

    def _show(self, forgotten: tuple[Recoverable, ...]) -> None:
        with suppress(RuntimeError):  # the preferences were closed meanwhile, and Qt has forgotten this
            self._list(forgotten)

    def _list(self, forgotten: tuple[Recoverable, ...]) -> None:
        words = tr(
            "None. Unsaved edits that you discard after a restart are kept for {0} days and listed here."
        ).format(KEPT_DAYS)
        if forgotten:
            shown = min(len(forgotten), MOST_SHOWN)
            words = tr("Kept for {0} days: {1} of {2}.").format(KEPT_DAYS, shown, counted(len(forgotten), "file"))
        self.status.setText(words)
        for edits in forgotten[:MOST_SHOWN]:
            self._box.addWidget(self._line(edits))

    def _line(self, edits: Recoverable) -> QWidget:
        theme = self._desk.theme
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        label = Elided(theme, font="secondary")
        label.setText(" · ".join((edits.file.name, amount_words(edits), when_words(edits.last_s))))
        label.setToolTip(plain_tip(str(edits.file)))
        again = Button(theme, tr("Offer again"), ButtonKind.LINK, clicked=partial(self._bring_back, edits, line))
        again.setAccessibleName(tr("Offer the edits of {0} again").format(edits.file.name))
        row.addWidget(label, 1)
        row.addWidget(again)
        return line

    def _bring_back(self, edits: Recoverable, line: QWidget) -> None:
        line.hide()
        self._desk.workspace.recovery.bring_back(edits.journal)
