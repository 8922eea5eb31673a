"""Rubrics of a file that is not open: it is chosen, read in a child, and its rubrics are listed to pick from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QListWidget, QListWidgetItem, QVBoxLayout

from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.trace.summary import one_line
from trace_inspector.models.base.translation import tr
from trace_inspector.views.widgets.controls import Button, ButtonKind, Label
from trace_inspector.views.widgets.dialog_frame import Dialog
from trace_inspector.views.window_context.context_menu import do, offer_menu
from trace_inspector.views.window_context.desk import Desk
from trace_inspector.views.window_context.reporting import last_folder
from trace_inspector.work.processes.request_child import Answer
from trace_inspector.work.runs.rubric_reading import rubric_reader

SIZE_PX = (620, 420)
NAME = "rubric-file"
Take = Callable[[Sequence[Rubric]], object]


def ask_for_rubrics(take: Take, desk: Desk) -> None:
    """Ask for a file; `take` gets the rubrics that are picked of it."""
    title = tr("Add rubrics from a file")
    name, _filter = QFileDialog.getOpenFileName(desk.window, title, last_folder(desk))
    if name:
        read_rubrics(Path(name), take, desk)


def read_rubrics(path: Path, take: Take, desk: Desk) -> None:
    """Read them, and list them; a file that has none, or cannot be read, is one sentence."""

    def answered(answer: Answer) -> None:
        if isinstance(answer.value, tuple):
            RubricFileDialog(desk, path.name, answer.value, take).open()
        else:
            desk.say(f"{path.name}: {answer.sentence}")

    desk.say(tr("Reading {0}…").format(path.name))
    desk.jobs.ask(rubric_reader, str(path), answered)


class RubricFileDialog(Dialog):
    """All are picked at first. Space leaves the current one out, Enter takes what is picked."""

    def __init__(self, desk: Desk, name: str, rubrics: Sequence[Rubric], take: Take) -> None:
        super().__init__(desk.window)
        self.setObjectName(NAME)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Add rubrics from {0}").format(one_line(name, 60)))
        self._rubrics = tuple(rubrics)
        self._take = take
        theme = desk.theme
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Rubrics of the file"))
        self.list.setFont(theme.fonts.body)
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setSpacing(3)
        for rubric in rubrics:
            item = QListWidgetItem(one_line(f"{rubric.id}: {rubric.text}" if rubric.id else rubric.text, 300))
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked)
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        offer_menu(self.list, lambda place: (self._offered(self.list.itemAt(place)),))
        self.add = Button(theme, "", ButtonKind.FILLED, clicked=self._add)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(Button(theme, tr("Cancel"), ButtonKind.FRAMED, clicked=self.reject))
        foot.addWidget(self.add)
        box = QVBoxLayout(self)
        box.setContentsMargins(16, 16, 16, 12)
        box.setSpacing(8)
        hint = tr("Space leaves a rubric out. A rubric keeps its id unless another one has it.")
        box.addWidget(Label(theme, hint, font="secondary", ink="text2", wrap=True))
        box.addWidget(self.list, 1)
        box.addLayout(foot)
        self.resize(*SIZE_PX)
        self.list.itemChanged.connect(lambda _item: self._show_count())
        self._show_count()
        self.list.setFocus()

    def _offered(self, item: QListWidgetItem | None) -> list[QAction]:
        if item is None:
            return []
        is_in, states = item.checkState() is Qt.CheckState.Checked, Qt.CheckState
        turned = states.Unchecked if is_in else states.Checked
        return [do(tr("Leave out") if is_in else tr("Include"), lambda: item.setCheckState(turned))]

    @property
    def _picked(self) -> list[Rubric]:
        checked = Qt.CheckState.Checked
        return [rubric for row, rubric in enumerate(self._rubrics) if self.list.item(row).checkState() is checked]

    def _show_count(self) -> None:
        count = len(self._picked)
        self.add.setText(tr("Add 1 rubric") if count == 1 else tr("Add {0} rubrics").format(count))
        self.add.setAccessibleName(self.add.text())
        self.add.setEnabled(count > 0)
        self.add.updateGeometry()

    def _add(self) -> None:
        picked = self._picked
        self.accept()
        self._take(picked)
