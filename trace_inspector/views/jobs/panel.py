"""The Jobs panel: what is loading or being scored, how far it is, how long it may take, and Stop.

Beside the list is the page of the run.
"""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QStyledItemDelegate, QStyleOptionViewItem, QVBoxLayout, QWidget

from trace_inspector.models.base.roles import Role
from trace_inspector.models.base.translation import tr
from trace_inspector.models.evaluation.jobs_model import JobsModel
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.jobs.run_page import RunPage
from trace_inspector.views.widgets.controls import Button, ButtonKind, Label
from trace_inspector.views.widgets.fitted_columns import FittedColumns
from trace_inspector.views.widgets.panel import PanelWidget
from trace_inspector.views.widgets.tree_view import Index, TreeView
from trace_inspector.views.window_context.context_menu import Sections, do, offer_menu
from trace_inspector.views.window_context.desk import Desk
from trace_inspector.work.processes.jobs import JobState

BAR_PX = 120
LIST_SHARE, RUN_SHARE = 3, 2
WIDTHS_PX = [320, 90, 320, 160]
JOB_LEAST_PX = 180


class JobsPanel(PanelWidget):
    """The selected job can be stopped by the button below the list or by Delete."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.theme, tr("Jobs"))
        self._desk = desk
        self.model = JobsModel(desk.jobs, self)
        self.view = TreeView(desk.theme, tr("Jobs"))
        self.view.setRootIsDecorated(False)
        self.view.setIndentation(0)
        self.view.setModel(self.model)
        self.view.setItemDelegate(_JobDelegate(desk.theme, self.view))
        self.columns = FittedColumns(desk.theme, self.view, stretch=0, least_px=JOB_LEAST_PX)
        self.columns.lay_out(WIDTHS_PX)
        offer_menu(self.view, self._offered)
        self._words = Label(desk.theme, font="secondary", ink="text2")
        self._stop = Button(desk.theme, tr("Stop this job"), ButtonKind.LINK, clicked=self._stop_current)
        foot = QHBoxLayout()
        foot.setContentsMargins(12, 0, 12, 2)
        foot.addWidget(self._words)
        foot.addStretch(1)
        self.columns.add_to(foot)
        foot.addWidget(self._stop)
        self.run_page = RunPage(desk)
        foot.addWidget(self.run_page.stop)
        foot.addWidget(self.run_page.resume)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setHandleWidth(1)
        split.addWidget(self.view)
        split.addWidget(self.run_page)
        split.setSizes([LIST_SHARE * 300, RUN_SHARE * 300])
        split.setStretchFactor(0, LIST_SHARE)
        split.setStretchFactor(1, RUN_SHARE)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(split, 1)
        box.addLayout(foot)
        self.setFocusProxy(self.view)
        desk.jobs.changed.connect(self._recount)
        self.view.selectionModel().currentChanged.connect(self._recount)
        self._recount()

    def _recount(self) -> None:
        running = [job for job in self._desk.jobs.jobs if job.state is JobState.RUNNING]
        ended = len(self._desk.jobs.jobs) - len(running)
        self._words.setText(tr("{0} running, {1} ended").format(len(running), ended))
        self.set_count(len(running))
        self._stop.setEnabled(bool(running))

    def _offered(self, place: QPoint) -> Sections:
        number = self.view.indexAt(place).data(Role.NUMBER)
        if any(job.number == number and job.state is JobState.RUNNING for job in self._desk.jobs.jobs):
            yield (do(tr("Stop this job"), lambda: self._desk.jobs.stop(number)),)
        yield self._desk.actions(("copy",))

    def _stop_current(self) -> None:
        number = self.view.currentIndex().data(Role.NUMBER)
        running = [job.number for job in self._desk.jobs.jobs if job.state is JobState.RUNNING]
        if number in running:
            self._desk.jobs.stop(number)
        elif running:
            self._desk.jobs.stop(running[-1])


class _JobDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text_painter = TextPainter(theme)

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        """All rows are equally high."""
        return QSize(80, 24)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Words, and a bar where the progress is known."""
        box = QRectF(option.rect).adjusted(12 if index.column() == 0 else 6, 0, -8, 0)
        if index.column() == 0 and (mark := index.data(Role.MARK)):
            self._theme.icons.paint_mark(painter, mark, self._theme.tokens, box.left(), box.center().y(), 14)
            box.setLeft(box.left() + 22)
        fraction = index.data(Role.FRACTION)
        if isinstance(fraction, float):
            bar = QRectF(box.left(), box.center().y() - 3, min(BAR_PX, box.width()), 6)
            painter.fillRect(bar, self._theme.color("border2"))
            bar.setWidth(bar.width() * fraction)
            painter.fillRect(bar, self._theme.color("accent_fill"))
            box.setLeft(box.left() + BAR_PX + 8)
        font, ink = ("body", "text") if index.column() == 0 else ("secondary", "text2")
        self._text_painter.left(painter, box, str(index.data() or ""), font, ink)
