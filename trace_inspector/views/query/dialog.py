"""“Query results”: one SELECT over a results folder, its answer as a table or chart, and an export of all rows."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QCloseEvent, QKeyEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QStackedWidget, QVBoxLayout

from trace_inspector.flows.results.questions import QUESTIONS
from trace_inspector.models.base.translation import tr
from trace_inspector.models.runs.results_query import QueryState, ResultsQuery
from trace_inspector.views.blocks.keyed_list import KeyedList
from trace_inspector.views.query.chart import Chart, bars_of
from trace_inspector.views.query.sql_field import SqlField
from trace_inspector.views.widgets.controls import Button, ButtonKind, Label
from trace_inspector.views.widgets.dialog_frame import Dialog
from trace_inspector.views.widgets.fields import Choice
from trace_inspector.views.widgets.scroll_page import ScrollPage
from trace_inspector.views.window_context.desk import Desk
from trace_inspector.views.window_context.reporting import last_folder

NAME = "query-results"
SIZE_PX = (860, 600)
WIDEST_PX = 320  # of a column at first
_FIELD_PX = 128
_LOOKED_AT, _MOST_CHARS = 50, 60
_AROUND_PX = 28
_FIRST = "SELECT criterion, status, count(*) AS n\nFROM verdicts\nGROUP BY ALL\nORDER BY ALL"
_ENDINGS = {".csv": "csv", ".json": "json", ".parquet": "parquet"}


def show_query(desk: Desk, folder: Path) -> None:
    """The dialog for a folder; one that is there goes on with its own text."""
    dialog = desk.window.findChild(QueryDialog, NAME) or QueryDialog(desk)
    dialog.set_folder(folder)
    dialog.show()
    dialog.raise_()
    dialog.activateWindow()
    dialog.sql.setFocus()


class QueryDialog(Dialog):
    """Not modal: conversations can be looked at while the answer is read."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._desk = desk
        self._folder = Path()
        theme = desk.theme
        self.setObjectName(NAME)
        self.setWindowTitle(tr("Query results"))
        self.query = ResultsQuery(desk.jobs, self)
        self.sql = SqlField(theme)
        self.sql.setPlainText(_FIRST)
        self.sql.setFixedHeight(_FIELD_PX)
        self._where = Label(theme, font="secondary", ink="text2", wrap=True)
        entries = [(question.title, question.sql.strip()) for question in QUESTIONS]
        first = (tr("Ready-made questions…"), "")
        self.ready = Choice(theme, tr("Ready-made question"), [first, *entries], self._take)
        self.answer = KeyedList(theme, tr("Answer"), {})
        self.answer.setModel(self.query.table)
        self.chart = Chart(theme)
        self._middle = QStackedWidget()
        self.as_chart = Button(theme, tr("Chart"), ButtonKind.FRAMED, clicked=self._turn)
        self.sentence = Label(theme, font="secondary", ink="text2", wrap=True)
        self._start = Button(theme, tr("Ask"), ButtonKind.FILLED, clicked=self._ask)
        self._stop = Button(theme, tr("Stop"), ButtonKind.FRAMED, clicked=self.query.stop)
        self._export = Button(theme, tr("Export…"), ButtonKind.FRAMED, clicked=self._ask_path)
        self._lay_out()
        self.query.changed.connect(self._follow)
        self.resize(*SIZE_PX)
        self._follow()

    def sizeHint(self) -> QSize:
        """Room for some rows."""
        return QSize(*SIZE_PX)

    def set_folder(self, folder: Path) -> None:
        """The results that are asked."""
        if folder != self._folder:
            self.query.forget()
        self._folder = folder
        tables = tr("One SELECT over the tables of {0}: verdicts, turns, calls, votes, sentences.")
        self._where.setText(tables.format(folder))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape ends the query; without one it closes the dialog."""
        if event.key() == Qt.Key.Key_Escape and self.query.state is QueryState.RUNNING:
            self.query.stop()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Nobody reads an answer that comes later."""
        if self.query.state is QueryState.RUNNING:
            self.query.stop()
        super().closeEvent(event)

    def export(self, path: Path) -> None:
        """Write all rows into a file; its ending says in which form."""
        kind = _ENDINGS.get(path.suffix.lower())
        if kind is None:
            self.sentence.setText(tr("End the name of the file in {0}.").format(", ".join(_ENDINGS)))
            return
        self._desk.settings.setValue("folder", str(path.parent))
        self.query.export(self._folder, self.sql.toPlainText(), path, kind)

    def _lay_out(self) -> None:
        box = QVBoxLayout(self)
        box.setContentsMargins(16, 16, 16, 12)
        box.setSpacing(8)
        for part in (self._where, self.ready, self.sql):
            box.addWidget(part)
        scrolled = ScrollPage()
        scrolled.setWidget(self.chart)
        self._middle.addWidget(self.answer)
        self._middle.addWidget(scrolled)
        box.addWidget(self._middle, 1)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(self.sentence, 1, Qt.AlignmentFlag.AlignVCenter)
        for button in (self.as_chart, self._export, self._stop, self._start):
            foot.addWidget(button)
        box.addLayout(foot)

    def _take(self, sql: str) -> None:
        if sql:
            self.sql.setPlainText(sql)
            self._ask()

    def _ask(self) -> None:
        self.query.ask(self._folder, self.sql.toPlainText())

    def _turn(self) -> None:
        """The chart instead of the table, or the table again."""
        self._middle.setCurrentIndex(1 - self._middle.currentIndex())
        self.as_chart.setText(tr("Table") if self._middle.currentIndex() else tr("Chart"))

    def _ask_path(self) -> None:
        dialog = QFileDialog(self, tr("Export all rows"), last_folder(self._desk))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters([f"{kind.upper()} (*{ending})" for ending, kind in _ENDINGS.items()])
        dialog.setDefaultSuffix("csv")
        dialog.fileSelected.connect(lambda name: self.export(Path(name)))
        dialog.open()

    def _follow(self) -> None:
        runs = self.query.state is QueryState.RUNNING
        for part in (self.ready, self._start, self._export):
            part.setEnabled(not runs)
        self._stop.setEnabled(runs)
        self.sentence.setText(tr("Asking…") if runs else self.query.sentence)
        self._fit_columns()
        self.chart.show_bars(bars_of(self.query.table))
        if self._middle.currentIndex() and not self.chart.bars:
            self._turn()
        self.as_chart.setEnabled(bool(self.chart.bars))

    def _fit_columns(self) -> None:
        """As wide as the words of the first rows, within reason; further columns are scrolled to."""
        table, metrics = self.query.table, self.answer.fontMetrics()
        for number, column in enumerate(table.columns):
            texts = [column.title, *(column.text(record) for record in table.records[:_LOOKED_AT])]
            words_px = max(metrics.horizontalAdvance(text[:_MOST_CHARS]) for text in texts)
            self.answer.setColumnWidth(number, min(words_px + _AROUND_PX, WIDEST_PX))
