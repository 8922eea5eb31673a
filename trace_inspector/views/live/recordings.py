"""The recordings that are kept: opened, or deleted once a person has said so."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence, Set
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from trace_inspector.core.translatable import N_
from trace_inspector.documents.recording.recordings import RecordingFile, delete, is_written, recordings_in
from trace_inspector.flows.live.receiver import FOLDER
from trace_inspector.models.base.record_table import Column, RecordTable
from trace_inspector.models.base.translation import tr
from trace_inspector.settings import data_folder
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.blocks.keyed_list import KeyedList
from trace_inspector.views.widgets.controls import Button, ButtonKind, Label

_LIST_PX = 108
_MINUTE_S, _HOUR_S, _DAY_S = 60, 3_600, 86_400

COLUMNS: tuple[Column[RecordingFile], ...] = (
    Column(N_("Recording"), lambda file: file.path.name, 260),
    Column(N_("Size"), lambda file: _size(file.size_bytes), 96, number=True, sort_key=lambda file: file.size_bytes),
    Column(N_("Age"), lambda file: _age(time.time() - file.changed_s), 120, sort_key=lambda file: -file.changed_s),
)


class RecordingList(QWidget):
    """The list, and below it what can be done, or the question whether to.

    `written` are never deleted, nor what another process records into.
    """

    opened = Signal(object)  # the paths that were chosen
    failed = Signal(str)  # why one is not deleted

    def __init__(self, theme: Theme, written: Callable[[], Set[Path]], is_open: Callable[[Path], bool]) -> None:
        super().__init__()
        self._written, self._is_open = written, is_open
        self._to_delete: tuple[RecordingFile, ...] = ()
        self.recordings: RecordTable[RecordingFile] = RecordTable(COLUMNS, lambda file: file.path, self)
        self.list = KeyedList(theme, tr("Recordings"), {})
        self.list.setModel(self.recordings)
        self.list.setFixedHeight(_LIST_PX)
        self.list.set_widths([column.width_px for column in COLUMNS], stretch=0)
        self.open_chosen = Button(theme, tr("Open"), ButtonKind.FRAMED, clicked=self._open)
        self.delete = Button(theme, tr("Delete…"), ButtonKind.FRAMED, clicked=self._ask_for_chosen)
        self.clear = Button(theme, tr("Clear…"), ButtonKind.FRAMED, clicked=self._ask_for_all)
        self.question = Label(theme, font="secondary", ink="text", wrap=True)
        self.confirm = Button(theme, tr("Delete"), ButtonKind.FRAMED, clicked=self._delete)
        self.keep = Button(theme, tr("Keep"), ButtonKind.FRAMED, clicked=self.end_question)
        self._lay_out()
        self._turn(asking=False)
        self.list.selectionModel().selectionChanged.connect(self._allow)

    def show_now(self) -> None:
        """The recordings as they are now."""
        self.recordings.show(_recordings())
        self._allow()

    @property
    def is_asking(self) -> bool:
        """Whether a person is asked whether to delete."""
        return bool(self._to_delete)

    def end_question(self) -> None:
        """Delete nothing, or nothing more."""
        if self._to_delete:
            self._to_delete = ()
            self._turn(asking=False)
            self.list.setFocus()

    def _lay_out(self) -> None:
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(8)
        box.addWidget(self.list)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(self.question, 1)
        foot.addStretch(0)
        for button in (self.confirm, self.keep, self.clear, self.delete, self.open_chosen):
            foot.addWidget(button)
        box.addLayout(foot)

    def _allow(self) -> None:
        self.open_chosen.setEnabled(bool(self.list.rows))
        written = self._written()
        self.delete.setEnabled(any(_is_deletable(file, written) for file in self._chosen()))
        self.clear.setEnabled(any(_is_deletable(file, written) for file in self.recordings.records))

    def _chosen(self) -> list[RecordingFile]:
        return [file for row in self.list.rows if (file := self.recordings.record(row)) is not None]

    def _open(self) -> None:
        self.opened.emit([file.path for file in self._chosen()])

    def _ask_for_chosen(self) -> None:
        paths = {file.path for file in self._chosen()}
        self._ask([file for file in _recordings() if file.path in paths], tr("Delete {0} recordings ({1}) for good?"))

    def _ask_for_all(self) -> None:
        self._ask(_recordings(), tr("Delete all {0} recordings ({1}) for good?"))

    def _ask(self, files: Sequence[RecordingFile], words: str) -> None:
        """Ask about those of them that nobody writes, as they are now; `words` where that is all of them."""
        written = self._written()
        asked = tuple(file for file in files if _is_deletable(file, written))
        if not asked:
            self._allow()
            return
        self._to_delete = asked
        self.question.setText(" ".join(self._sentences(asked, len(files) - len(asked), words)))
        self._turn(asking=True)
        self.keep.setFocus()

    def _sentences(self, asked: Sequence[RecordingFile], staying: int, words: str) -> Iterator[str]:
        size = _size(sum(file.size_bytes for file in asked))
        if len(asked) == 1:
            yield tr("Delete {0} ({1}) for good?").format(asked[0].path.name, size)
        else:
            yield (tr("Delete {0} recordings ({1}) for good?") if staying else words).format(f"{len(asked):,}", size)
        opened = sum(self._is_open(file.path) for file in asked)
        if opened:
            yield (
                tr("It is open in this window.")
                if len(asked) == 1
                else tr("1 of them is open in this window.")
                if opened == 1
                else tr("{0} of them are open in this window.").format(f"{opened:,}")
            )
        if staying:
            yield (
                tr("The one being written stays.")
                if staying == 1
                else tr("The {0} being written stay.").format(f"{staying:,}")
            )

    def _turn(self, *, asking: bool) -> None:
        for button in (self.clear, self.delete, self.open_chosen):
            button.setHidden(asking)
        for widget in (self.question, self.confirm, self.keep):
            widget.setHidden(not asking)

    def _delete(self) -> None:
        problem = ""
        written = self._written()
        for file in self._to_delete:
            name = file.path.name
            try:
                if file.path in written or not delete(file):
                    problem = tr("{0} was written since, and stays.").format(name)
            except OSError as refused:
                problem = tr("{0} cannot be deleted: {1}.").format(name, refused.strerror or refused)
        self.end_question()
        self.show_now()
        if problem:
            self.failed.emit(problem)


def _recordings() -> list[RecordingFile]:
    return recordings_in(data_folder() / FOLDER)


def _is_deletable(file: RecordingFile, written: Set[Path]) -> bool:
    return file.path not in written and not is_written(file.path)


def _size(size_bytes: int) -> str:
    return f"{size_bytes / 1_000_000:,.1f} MB" if size_bytes >= 100_000 else f"{size_bytes / 1_000:,.1f} kB"


def _age(seconds: float) -> str:
    if seconds < _HOUR_S:
        return tr("{0} minutes").format(max(0, int(seconds // _MINUTE_S)))
    if seconds < _DAY_S:
        return tr("{0} hours").format(int(seconds // _HOUR_S))
    return tr("{0} days").format(int(seconds // _DAY_S))
