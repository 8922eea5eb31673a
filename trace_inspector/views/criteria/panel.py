"""The criteria editor: every metric with its switch, the form of the chosen one, and the file they make."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QModelIndex, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QKeySequence, QPainter
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QPlainTextEdit,
    QSplitter,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from trace_inspector.core.trace.criteria import Criteria
from trace_inspector.engine.scoring.metric_names import RUBRICS_OF_ANSWERS
from trace_inspector.models.base.roles import Role
from trace_inspector.models.base.translation import tr
from trace_inspector.models.evaluation.criteria_draft import CriteriaDraft
from trace_inspector.models.evaluation.criteria_table import CriteriaTable
from trace_inspector.models.evaluation.evaluation_options import CriteriaFrom
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.criteria.add_group import AddGroupDialog
from trace_inspector.views.criteria.form import CriterionForm
from trace_inspector.views.widgets.check_mark import paint_box
from trace_inspector.views.widgets.controls import Button, ButtonKind, Elided
from trace_inspector.views.widgets.fitted_columns import FittedColumns
from trace_inspector.views.widgets.panel import PanelWidget
from trace_inspector.views.widgets.tree_view import Index, Offer, TreeView
from trace_inspector.views.window_context.desk import Desk

WIDTHS_PX = [264, 86, 84, 110, 74, 110]
NAME_LEAST_PX = 180
ROW_PX = 32
BOX_PX = 14


class CriteriaPanel(PanelWidget):
    """Evaluations use the edited criteria; they are on disk once saved."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.theme, tr("Criteria"))
        self._desk = desk
        self._evaluation = desk.workspace.evaluation
        self._asked = False
        self.draft = CriteriaDraft(desk.jobs, self)
        self.table = CriteriaTable(self.draft, self._has, self)
        self.view = _CriteriaList(desk.theme, self.table)
        self.form = CriterionForm(desk.theme, self.draft)
        self.text = QPlainTextEdit()
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setFont(desk.theme.fonts.data)
        self.text.setAccessibleName(tr("The criteria as a file"))
        self._where = Elided(desk.theme, font="secondary", ink="text2")
        self._add_group = Button(desk.theme, tr("Add rubric group…"), ButtonKind.LINK, clicked=self._ask_group)
        self._undo = Button(desk.theme, tr("Undo"), ButtonKind.LINK, clicked=self.draft.undo)
        self._redo = Button(desk.theme, tr("Redo"), ButtonKind.LINK, clicked=self.draft.redo)
        self._as_found = Button(desk.theme, tr("Reset"), ButtonKind.LINK, clicked=self._reset)
        self._save = Button(desk.theme, tr("Save"), ButtonKind.LINK, clicked=self._save_in_place)
        bar = QHBoxLayout()
        bar.setContentsMargins(12, 4, 8, 4)
        bar.setSpacing(8)
        bar.addWidget(self._where, 1)
        self.view.columns.add_to(bar)
        for button in (
            self._add_group,
            self._undo,
            self._redo,
            self._as_found,
            Button(desk.theme, tr("Open…"), ButtonKind.LINK, clicked=self._ask_file),
            self._save,
            Button(desk.theme, tr("Save as…"), ButtonKind.LINK, clicked=self._ask_target),
        ):
            bar.addWidget(button)
        split = QSplitter(Qt.Orientation.Horizontal)
        for index, (part, share) in enumerate(((self.view, 5), (self.form, 4), (self.text, 3))):
            split.addWidget(part)
            split.setStretchFactor(index, share)
        split.setHandleWidth(1)
        split.setSizes([800, 460, 340])
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addLayout(bar)
        box.addWidget(split, 1)
        self.setFocusProxy(self.view)
        self.view.selectionModel().currentRowChanged.connect(self._choose)
        self.view.opened.connect(lambda _index: self.form.setFocus())
        self.draft.changed.connect(self._show)
        self.draft.edited.connect(lambda: self._evaluation.edit_criteria(self.draft.criteria))
        self.draft.saved.connect(lambda path: desk.say(tr("Saved {0}.").format(Path(path).name)))
        self.draft.failed.connect(desk.say)
        for signal in (desk.workspace.files.changed, desk.workspace.files.closed):
            signal.connect(self._follow)
        self._evaluation.chosen.connect(self._follow)
        self._later = QTimer(self, singleShot=True, interval=0)  # the panel is in its dock then
        self._later.timeout.connect(self._follow)
        self.seen.connect(self._later.start)  # the metrics are requested when the panel is first seen
        self._show()

    def event(self, event: QEvent) -> bool:
        """Undo and redo in here are those of the editor."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._step(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The same keys, when no field wants them."""
        step = self._step(event)
        if step is None:
            super().keyPressEvent(event)
        else:
            step()

    def _step(self, event: QKeyEvent) -> Callable[[], None] | None:
        """The step that a key undoes or redoes."""
        if event.matches(QKeySequence.StandardKey.Undo):
            return self.draft.undo
        return self.draft.redo if event.matches(QKeySequence.StandardKey.Redo) else None

    def set_options(
        self, criteria: Criteria | None, path: str, metrics: Sequence[str], option: str, value: str
    ) -> str:
        """Set an option of criteria that are in force; a sentence where what is edited here forbids it."""

        def put() -> None:
            for metric in metrics:
                self.draft.set_option(metric, (option,), value)

        return self._edit(criteria, path, put)

    def add_rubric(self, rubric_id: str, text: str) -> str:
        """Add a rubric to the criteria in force, to be worded; a sentence where what is edited here forbids it."""
        file = self._evaluation.criteria_file

        def put() -> None:
            shown = self.form.shown
            metric = shown if self.draft.rubrics(shown) else RUBRICS_OF_ANSWERS
            self.draft.add_rubric(metric, rubric_id, text)
            self._show_line(metric)

        return self._edit(file.criteria if file else None, str(file.path) if file else "", put)

    def _edit(self, criteria: Criteria | None, path: str, put: Callable[[], None]) -> str:
        draft = self.draft
        if draft.lines and self._evaluation.options.criteria is CriteriaFrom.EDITED:
            put()
        elif draft.is_changed:
            return tr("The criteria panel has edits that are not in use. Save or undo them first.")
        else:
            self._asked = True
            draft.load(criteria, path, put)
        return ""

    def _load(self) -> None:
        self._asked = True
        file = self._evaluation.criteria_file
        self.draft.load(file.criteria if file else None, str(file.path) if file else "")

    def _follow(self, _number: int = 0) -> None:
        """Another file, another judge: what can run changes, and what is found when nothing was edited."""
        file = self._evaluation.criteria_file
        path = str(file.path) if file else ""
        another = path != self.draft.path if path else not self._asked
        if self.is_seen and another and not self.draft.is_changed:
            self._load()
        self.table.follow()

    def _has(self) -> frozenset[str]:
        files = self._desk.workspace.files.in_order
        golden = {"golden", "scenario"} if any(file.has_suites for file in files) else set()
        judge = self._evaluation.judge
        asked = {"judge", "Vertex service"} if judge.live else {"judge"} if judge.kind else set()
        asked |= {"grounding model"} if judge.grounding_model else set()
        return frozenset(golden | asked)

    def _choose(self, index: QModelIndex) -> None:
        self.form.show_metric(self.table.metric(index.row()))

    def _show(self) -> None:
        draft = self.draft
        on = sum(line.on for line in draft.lines)
        changed = tr(" · edited, used for evaluating") if draft.is_changed else ""
        source = Path(draft.path).name if draft.path else draft.source
        description = (
            tr("{0}: {1} criteria{2}").format(source, on, changed) if draft.lines else tr("Loading the metrics…")
        )
        self._where.setText(draft.problem or description)
        text = draft.seen.text or draft.seen.problem if draft.seen else ""
        if text != self.text.toPlainText():
            position = self.text.verticalScrollBar().value()
            self.text.setPlainText(text)
            self.text.verticalScrollBar().setValue(position)
        wrong = bool(draft.seen and draft.seen.wrong)
        self._save.setEnabled(bool(draft.path) and draft.is_changed and not wrong)
        self._undo.setEnabled(draft.can_undo)
        self._redo.setEnabled(draft.can_redo)
        self._as_found.setEnabled(self._evaluation.options.criteria is CriteriaFrom.EDITED)
        self._add_group.setEnabled(draft.has_groups)
        if draft.lines and not self.view.currentIndex().isValid():
            self._show_line(self.form.shown)

    def _show_line(self, metric: str) -> None:
        """Make that metric the current one, or the first where it no longer exists."""
        self.view.setCurrentIndex(self.table.index(max(0, self.table.row_of(metric)), 0))

    def _ask_group(self) -> None:
        AddGroupDialog(self._desk.theme, self.draft.wrong_with_group, self._take_group, self).open()

    def _take_group(self, name: str) -> None:
        self._show_line(self.draft.add_group(name))
        self.form.setFocus()

    def _reset(self) -> None:
        self._evaluation.edit_criteria(None)
        self._load()

    def _save_in_place(self) -> None:
        self.draft.save(Path(self.draft.path))

    def _ask_file(self) -> None:
        name, _filter = QFileDialog.getOpenFileName(self, tr("Open criteria"), self.draft.path, _FILTER)
        if name:
            self._desk.workspace.files.open([name])

    def _ask_target(self) -> None:
        proposed = self.draft.path or "test_config.json"
        name, _filter = QFileDialog.getSaveFileName(self, tr("Save criteria"), proposed, _FILTER)
        if name:
            self.draft.save(Path(name))


_FILTER = "ADK eval configuration (*.json)"


class _CriteriaList(TreeView):
    """Space switches the current criterion on or off."""

    def __init__(self, theme: Theme, table: CriteriaTable) -> None:
        super().__init__(theme, tr("Criteria"))
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setModel(table)
        self.setItemDelegate(_CriterionDelegate(theme, self))
        self.columns = FittedColumns(theme, self, 0, NAME_LEAST_PX)
        self.columns.lay_out(WIDTHS_PX)
        self.offers = self._offered

    def _offered(self, index: QModelIndex) -> Iterable[Offer]:
        is_on = index.siblingAtColumn(0).data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Checked
        yield tr("Switch off") if is_on else tr("Switch on"), partial(self._switch, index.siblingAtColumn(0))
        yield tr("Edit"), partial(self.opened.emit, index)

    def _switch(self, index: QModelIndex) -> None:
        on = index.data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Checked
        state = Qt.CheckState.Unchecked if on else Qt.CheckState.Checked
        self.model().setData(index, state, Qt.ItemDataRole.CheckStateRole)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The space bar, besides the keys of every list."""
        index = self.currentIndex().siblingAtColumn(0)
        if event.key() == Qt.Key.Key_Space and index.isValid():
            self._switch(index)
        else:
            super().keyPressEvent(event)


class _CriterionDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text_painter = TextPainter(theme)

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        """All rows are equally high."""
        return QSize(80, ROW_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """The switch before the name; quiet when it is off."""
        box = QRectF(option.rect).adjusted(12 if index.column() == 0 else 8, 0, -8, 0)
        off = bool(index.data(Role.DIM))
        if index.column() == 0:
            on = index.data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Checked
            square = QRectF(box.left(), box.center().y() - BOX_PX / 2, BOX_PX, BOX_PX)
            paint_box(painter, self._theme, square, checked=on)
            box.setLeft(box.left() + BOX_PX + 10)
        if mark := index.data(Role.MARK):
            self._theme.icons.paint_mark(painter, mark, self._theme.tokens, box.left(), box.center().y(), 14)
            box.setLeft(box.left() + 22)
        font = "data" if index.column() == 0 else "number" if index.column() in (1, 4) else "secondary"
        ink = "text3" if off else "text" if index.column() < 2 else "text2"
        self._text_painter.left(painter, box, str(index.data() or ""), font, ink)
