"""Asks once before edits would be lost: the files with their edits, to be saved, discarded, or left for later."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QScrollArea, QWidget

from trace_inspector.core.translatable import N_
from trace_inspector.models.base.counting import counted
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.tips import plain_tip
from trace_inspector.models.base.translation import tr
from trace_inspector.models.golden.saving import GoldenSaving
from trace_inspector.views.saving.dialog import SavingDialog
from trace_inspector.views.saving.waiting import when_done, when_written
from trace_inspector.views.widgets.controls import Button, ButtonKind, Elided, Label
from trace_inspector.views.window_context.desk import Desk

NAME = "unsaved"
_ROW_PX = 24
_REASON_PX = 44
_MOST_ROWS = 8


class Asked(Struct, frozen=True):
    """The action that is about to happen, in words."""

    title: str
    discard: str
    saves: bool = True  # whether saving leads there as well
    keeps: bool = False  # whether the edits can stay in their journals, to be offered with the next start


CLOSE = Asked(N_("Save before closing?"), N_("Discard"))
QUIT = Asked(N_("Save before quitting?"), N_("Discard"), keeps=True)
RELOAD = Asked(N_("Discard the edits and read the file again?"), N_("Discard and reload"), saves=False)


def ask_when_written(desk: Desk, file: OpenFile, asked: Asked, then: Callable[[], None]) -> None:
    """Ask once the last typing is in the journal, unless the file is closed by then."""

    def now() -> None:
        if desk.workspace.files.get(file.number) is file:
            ask(desk, desk.workspace.saving, [file], asked, then)

    when_written(desk, [file], now)


def ask(desk: Desk, saving: GoldenSaving, files: Sequence[OpenFile], asked: Asked, then: Callable[[], None]) -> None:
    """Ask where any of these files has unsaved edits; `then` is called once they are dealt with."""
    unsaved = [file for file in files if saving.is_unsaved(file)]
    dialog = desk.window.findChild(UnsavedDialog, NAME)
    if not unsaved:
        then()
    elif dialog is not None:
        dialog.activateWindow()
    else:
        UnsavedDialog(desk, saving, unsaved, asked, then).open()


class UnsavedDialog(SavingDialog):
    """Stays open when something could not be saved, and shows why."""

    def __init__(
        self, desk: Desk, saving: GoldenSaving, files: Sequence[OpenFile], asked: Asked, then: Callable[[], None]
    ) -> None:
        drafts = desk.workspace.goldens.drafts
        self._unfinished = {file.number: len(drafts.unfinished(file.number)) for file in files}
        where = files[0].name if len(files) == 1 else tr("{0} files").format(len(files))
        words = tr("Not on disk yet: {0} in {1}.").format(_what(files, sum(self._unfinished.values())), where)
        if len(files) == 1:
            words = f"{words} {drafts.why_unfinished(files[0].number)}".strip()
        if any(desk.workspace.goldens.is_changing(file.number) for file in files):
            words += tr(" The last edits are still being written down, which takes unusually long.")
        super().__init__(desk, NAME, tr(asked.title), words, (520, 200))
        self._desk = desk
        self._saving = saving
        self._files = tuple(files)
        self._then = then
        self._rows = {file.number: self._row(file) for file in files}
        self._lay_out()
        self.save = Button(desk.theme, _save_words(files), ButtonKind.FILLED, clicked=self._save)
        self.discard = Button(desk.theme, tr(asked.discard), clicked=self._discard)
        self.later = Button(desk.theme, tr("Keep for next start"), clicked=self._end)
        kind = ButtonKind.FRAMED if asked.saves else ButtonKind.FILLED  # Enter must discard nothing
        self.keep = Button(desk.theme, tr("Cancel"), kind, clicked=self.reject)
        self.save.setVisible(asked.saves)
        self.later.setVisible(asked.keeps)
        self.add_buttons(self.discard, self.later, self.keep, self.save)
        (self.save if asked.saves else self.keep).setFocus()

    def _row(self, file: OpenFile) -> tuple[Elided, Label, Label]:
        theme = self._desk.theme
        why = Label(theme, font="secondary", ink="fail", wrap=True)
        why.hide()
        name = Elided(theme)
        name.setText(file.name)
        name.setToolTip(plain_tip(str(file.path)))
        is_any = file.unsaved or self._unfinished[file.number]
        edits = _what([file], self._unfinished[file.number]) if is_any else ""
        return name, Label(theme, edits, font="secondary", ink="text2"), why

    def _lay_out(self) -> None:
        inside = QWidget()
        inside.setObjectName("page")
        grid = QGridLayout(inside)
        grid.setContentsMargins(0, 0, 8, 0)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(0, 1)
        for index, (name, edits, why) in enumerate(self._rows.values()):
            grid.addWidget(name, 2 * index, 0)
            grid.addWidget(edits, 2 * index, 1, Qt.AlignmentFlag.AlignRight)
            grid.addWidget(why, 2 * index + 1, 0, 1, 2)
        grid.setRowStretch(2 * len(self._rows), 1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setWidget(inside)
        scroll.setAccessibleName(tr("Files with unsaved edits"))
        scroll.setMinimumHeight(min(len(self._rows), _MOST_ROWS) * _ROW_PX + 8)
        self.inside.addWidget(scroll, 1)

    def _save(self) -> None:
        self.save.setEnabled(False)
        self.discard.setEnabled(False)
        self.later.setEnabled(False)
        unsaved = [file.number for file in self._files if self._saving.is_unsaved(file)]
        self._saving.save_all(unsaved, self._saved)

    def _saved(self, refused: Mapping[int, str]) -> None:
        if self.gone:  # the dialog was cancelled meanwhile: close nothing
            return
        if not refused and not any(map(self._saving.is_unsaved, self._files)):
            self._end()
            return
        self.save.setEnabled(True)
        self.discard.setEnabled(True)
        self.later.setEnabled(True)
        for number, (_name, edits, why) in self._rows.items():
            why.setText(refused.get(number, ""))
            why.setVisible(number in refused)
            edits.setText("" if number in refused else tr("saved"))
        self.words.setText(tr("Not everything could be saved. Nothing was closed, and all edits are still there."))
        self.resize(self.width(), self.height() + _REASON_PX * min(len(refused), _MOST_ROWS))
        self.keep.setFocus()

    def _discard(self) -> None:
        for button in (self.save, self.discard, self.later, self.keep):
            button.setEnabled(False)
        for file in self._files:
            self._desk.workspace.goldens.leave(file.number, forget=True)
        when_done(self._desk, self._end)

    def _end(self) -> None:
        self.accept()
        self._then()


def _what(files: Sequence[OpenFile], unfinished: int) -> str:
    """The number of edits, and of texts that could not become edits."""
    edits = sum(file.unsaved for file in files)
    parts = [counted(edits, "edit")] if edits or not unfinished else []
    return tr(" and ").join([*parts, *([counted(unfinished, "unfinished text")] if unfinished else [])])


def _save_words(files: Sequence[OpenFile]) -> str:
    return tr("Save") if len(files) == 1 else tr("Save all")
