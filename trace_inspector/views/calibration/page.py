"""Is the judge right? A row for each judged question, and below it the figures of one with what they rest on."""

from __future__ import annotations

from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QFileDialog, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from trace_inspector.models.base.record_table import RecordTable
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.base.translation import tr
from trace_inspector.models.review.calibration_table import COLUMNS
from trace_inspector.models.review.output_places import Place
from trace_inspector.views.blocks.blocks import show_page
from trace_inspector.views.blocks.run_cells import RunCells
from trace_inspector.views.calibration.question_page import QuestionPage
from trace_inspector.views.widgets.centre_view import CentreView
from trace_inspector.views.widgets.controls import Button, Elided, Label, hline
from trace_inspector.views.widgets.empty_state import EmptyState
from trace_inspector.views.widgets.scroll_page import ScrollPage
from trace_inspector.views.widgets.tree_view import ROW_PX, TreeView
from trace_inspector.views.window_context.desk import Desk
from trace_inspector.views.window_context.navigate import show_place
from trace_inspector.views.window_context.reporting import last_folder

if TYPE_CHECKING:
    from trace_inspector.engine.calibration.calibration import Calibration, JudgedOutput

WIDTHS_PX = [0, 200, 96, 96, 96, 64, 136]
JUDGE, ROOMY_PX = 1, 860
MOST_ROWS = 6  # of questions in sight at once
FILE_NAME = "calibration.html"


class CalibrationPage(CentreView):
    """Shows what the workspace's calibrations know, independent of the selection."""

    follows_filter = False

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._calibrations = desk.workspace.calibrations
        theme = desk.theme
        self.setObjectName("page")
        self.table: RecordTable[Calibration] = RecordTable(COLUMNS, _key, self)
        self.questions = TreeView(theme, tr("Judged questions"))
        self.questions.setRootIsDecorated(False)
        self.questions.setIndentation(0)
        self.questions.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.questions.setModel(self.table)
        self.questions.setItemDelegate(RunCells(theme, self.questions))
        self.questions.set_widths(WIDTHS_PX, stretch=0)
        self.questions.leave_out(JUDGE, ROOMY_PX, stretch=0)  # it stands below, with the figures
        self.questions.opened.connect(self._enter)
        self.detail = ScrollPage()
        self.detail.setAccessibleName(tr("Figures of the question"))
        self._page: QuestionPage | None = None
        self._shown: Calibration | None = None
        self._title = Label(theme, tr("Is the judge right?"), font="title")
        self._about = Elided(theme, font="secondary", ink="text2")
        self._notice = EmptyState(theme)
        self._stack = QStackedWidget()
        self._lay_out()
        self.questions.selectionModel().currentChanged.connect(self._turn)
        self._calibrations.changed.connect(self._refresh)
        theme.changed.connect(self._fit_rows)
        self._refresh()

    def take_focus(self) -> None:
        """Focus the questions."""
        self.questions.setFocus()

    def showEvent(self, event: QShowEvent) -> None:
        """Somebody looks."""
        super().showEvent(event)
        self._calibrations.look()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Side by side where there is room."""
        super().resizeEvent(event)
        if self._page is not None:
            self._page.fit(self.width())

    def _lay_out(self) -> None:
        theme, desk = self._desk.theme, self._desk
        head = QHBoxLayout()
        head.setContentsMargins(16, 8, 12, 8)
        head.setSpacing(12)
        head.addWidget(self._title)
        head.addWidget(self._about, 1)
        self.review = Button(theme, tr("Review turns…"), clicked=lambda: desk.perform("review"))
        self.export = Button(theme, tr("Export…"), clicked=self._export)
        self.again = Button(theme, tr("Judge what is labelled again…"), clicked=self._judge_again)
        self.again.setToolTip(
            tr(
                "After a change of the judge: the conversations with labels alone, in a run of their own. What it "
                "would cost is shown first; both judges then stand side by side here, on the same outputs."
            )
        )
        head.addWidget(self.again)
        head.addWidget(self.review)
        head.addWidget(self.export)
        both = QWidget()
        column = QVBoxLayout(both)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.questions)
        column.addWidget(hline())
        column.addWidget(self.detail, 1)
        self._stack.addWidget(self._notice)
        self._stack.addWidget(both)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addLayout(head)
        box.addWidget(hline())
        box.addWidget(self._stack, 1)

    def _refresh(self) -> None:
        known = self._calibrations.all
        self.table.show(known)
        self._fit_rows()
        self._stack.setCurrentIndex(int(bool(known)))
        self.export.setEnabled(bool(known))
        self._notice.show_message(*self._absent())
        self._about.setText(self._about_words())
        if known and not self.questions.currentIndex().isValid():
            first = next((row for row, found in enumerate(self.table.records) if not found.stale), 0)
            self.questions.setCurrentIndex(self.table.index(first, 0))
        self._turn(self.questions.currentIndex())

    def _fit_rows(self) -> None:
        rows = min(MOST_ROWS, max(1, self.table.rowCount()))
        high = self.questions.header().height() + rows * self._desk.theme.row(ROW_PX) + 2
        self.questions.setFixedHeight(high)

    def _turn(self, index: QModelIndex) -> None:
        """Another question."""
        found = self.table.record(index.row()) if index.isValid() else None
        self.again.setEnabled(
            found is not None and not found.stale and bool(self._calibrations.labelled_cases(found))
        )
        if found == self._shown:
            return  # measured again, with the same outcome: whoever reads on keeps his place
        same = found is not None and self._shown is not None and _key(found) == _key(self._shown)
        self._shown = found
        if found is None:
            self._page = None
            show_page(self.detail, QWidget(), same_place=False)
            return
        self._page = QuestionPage(
            self._desk.theme,
            found,
            opened=self._open,
            open_test=lambda: self._calibrations.open_test_part(found.question),
            reveal=self.detail.ensureWidgetVisible,
        )
        show_page(self.detail, self._page, same_place=same)
        self._page.fit(self.width())

    def _enter(self, _index: QModelIndex) -> None:
        """Into the outputs of the question."""
        if self._page is not None and self._page.outputs.rows:
            self._page.outputs.rows[0].setFocus()

    def _open(self, output: JudgedOutput) -> None:
        """Show an output at its place."""
        if output.asked is not None:
            self._desk.workspace.places.find(output.asked, partial(self._show_output, output))
        else:
            self._show_output(output, None)

    def _show_output(self, output: JudgedOutput, place: Place | None) -> None:
        if place is None:
            asked = output.asked
            name = PurePath(asked.file).name if asked is not None else output.place
            self._desk.say(tr("This output is not in the open files any more. Open {0} again.").format(name))
            return
        show_place(self._desk, Selection(place.file.number, place.row))
        if self._desk.centre is not None:
            self._desk.centre.show_view("tree")

    def _judge_again(self) -> None:
        """Show what it would cost; the dialog starts it."""
        if self._shown is not None:
            self._desk.workspace.evaluation.prepare(self._calibrations.labelled_cases(self._shown))
            self._desk.perform("evaluate-with")

    def _export(self) -> None:
        proposed = str(Path(last_folder(self._desk)) / FILE_NAME)
        name, _filter = QFileDialog.getSaveFileName(
            self._desk.window, tr("Export the calibration"), proposed, tr("HTML page (*.html)")
        )
        if name:
            self._desk.settings.setValue("folder", str(Path(name).parent))
            self._calibrations.export(Path(name))

    def _about_words(self) -> str:
        found = self._calibrations
        if not found.all:
            return ""
        words = [tr("positive is a failure; intervals hold 95 %")]
        if found.too_large:
            words.insert(0, tr("{0} files are too large to be read again here").format(len(found.too_large)))
        if found.busy:
            words.insert(0, tr("comparing…"))
        return " · ".join(words)

    def _absent(self) -> tuple[str, str]:
        found = self._calibrations
        if found.is_hidden:
            return tr("A review is open."), tr("What judges said is told when it has ended.")
        if found.problem:
            return found.problem, tr("Open the page again, or use the command “calibrate”.")
        if not self._desk.workspace.files.in_order:
            return tr("Nothing is open."), tr("Open results, or conversations, and evaluate them with a judge (F5).")
        if found.busy or found.labels is None:
            return tr("Comparing judges with people…"), ""
        if not found.labels:
            return tr("Nobody has labelled anything yet."), tr(
                "Say of some turns what you think (Ctrl+Shift+L). Then this page tells how far each judge agrees."
            )
        return tr("No label is about something that a judge decided here."), tr(
            "Evaluate with a judge (Ctrl+F5), or review turns by the question that a judge answered."
        )


def _key(found: Calibration) -> tuple[str, str, str]:
    return found.question, found.level.value, found.judge.digest
