"""The Find panel: what to look for, how and where; hits as they are found, and Enter goes there."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPoint, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QDockWidget,
    QHBoxLayout,
    QLineEdit,
    QStackedWidget,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from trace_inspector.models.base.roles import Role
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.base.translation import tr
from trace_inspector.models.search.find_model import FindModel
from trace_inspector.models.search.find_query import Query
from trace_inspector.models.search.finding import MOST_HITS, Finding
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.details.panel import VERDICTS, DetailsPanel
from trace_inspector.views.judge_calls.panel import JudgeCallsPanel
from trace_inspector.views.widgets.check_mark import Check
from trace_inspector.views.widgets.controls import Button, ButtonKind, Elided
from trace_inspector.views.widgets.empty_state import EmptyState
from trace_inspector.views.widgets.panel import PanelWidget
from trace_inspector.views.widgets.tree_view import ROW_PX, Index, TreeView
from trace_inspector.views.window_context.context_menu import Sections, do, offer_menu
from trace_inspector.views.window_context.desk import Desk
from trace_inspector.views.window_context.navigate import show_place

WAIT_MS = 250
WIDTHS_PX = [400, 280, 160, 170]
FIELD_PX = 320


class FindPanel(PanelWidget):
    """Moving through the list shows each place; the keyboard stays here until Enter."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.theme, tr("Find"))
        self._desk = desk
        self.finding = Finding(desk.workspace.files, desk.workspace.selection, desk.workspace.run, desk.jobs, self)
        self.model = FindModel(self.finding, self)
        self.field = _FindField()
        self.field.setFont(desk.theme.fonts.secondary)
        self.field.setPlaceholderText(tr("Find text…"))
        self.field.setAccessibleName(tr("Find text"))
        self.field.setMaximumWidth(FIELD_PX)
        self.everywhere = Check(desk.theme, tr("All files, verdicts and judge replies"))
        self.match_case = Check(desk.theme, tr("Match case"))
        self.pattern = Check(desk.theme, tr("Regular expression"))
        self._words = Elided(desk.theme, font="secondary", ink="text2")
        self._stop = Button(desk.theme, tr("Stop"), ButtonKind.LINK, clicked=self.finding.stop)
        self.view = TreeView(desk.theme, tr("Found"))
        self.view.setRootIsDecorated(False)
        self.view.setIndentation(0)
        self.view.setModel(self.model)
        self.view.setItemDelegate(HitDelegate(desk.theme, self.view))
        self.view.setSortingEnabled(True)
        self.view.header().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.view.header().setSortIndicatorClearable(True)
        self.view.set_widths(WIDTHS_PX, stretch=0)
        self._notice = EmptyState(desk.theme)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.view)
        self._stack.addWidget(self._notice)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addLayout(self._bar())
        box.addWidget(self._stack, 1)
        self.setFocusProxy(self.field)
        self._soon = QTimer(self, singleShot=True, interval=WAIT_MS)
        self._soon.timeout.connect(self.look)
        self.field.textChanged.connect(lambda _text: self._soon.start())
        for check in (self.everywhere, self.match_case, self.pattern):
            check.toggled.connect(lambda _on: self._soon.start())
        self.field.returnPressed.connect(self._enter)
        self.view.opened.connect(self._go)
        self.view.clicked.connect(self._show)
        offer_menu(self.view, self._offered)
        self.finding.changed.connect(self._show_state)
        self._show_state()

    def begin(self, *, everywhere: bool) -> None:
        """Type what to look for, in the file in front or in everything."""
        self.everywhere.setChecked(everywhere)
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def look(self) -> None:
        """Search for the text of the field."""
        self._soon.stop()
        query = Query(
            self.field.text(), self.match_case.isChecked(), self.pattern.isChecked(), self.everywhere.isChecked()
        )
        self.finding.start(query)

    def step(self, step: int) -> None:
        """Show the next (1) or previous (-1) hit, around the ends."""
        count = self.model.rowCount()
        if count:
            current = self.view.currentIndex().row()
            row = (current + step) % count if current >= 0 else (0 if step > 0 else count - 1)
            self.view.setCurrentIndex(self.model.index(row, 0))
            self._show(self.view.currentIndex())

    def _bar(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(12, 4, 12, 4)
        row.setSpacing(12)
        row.addWidget(self.field, 1)
        for check in (self.everywhere, self.match_case, self.pattern):
            row.addWidget(check)
        row.addWidget(self._words, 1)
        row.addWidget(self._stop)
        return row

    def _enter(self) -> None:
        """Search at once; with hits in the list, move into it."""
        if self._soon.isActive() or self.finding.query is None:
            self.look()
        elif self.model.rowCount():
            self.view.setFocus()
            self.step(1)

    def _show(self, index: QModelIndex) -> None:
        place = index.data(Role.SELECTION)
        if not isinstance(place, Selection):
            return
        show_place(self._desk, place)
        dock = self._desk.docks.get("details")
        details = dock.widget() if isinstance(dock, QDockWidget) else None
        if self.model.records[index.row()].verdict and isinstance(details, DetailsPanel):
            details.tabs.setCurrentIndex(VERDICTS)

    def _offered(self, place: QPoint) -> Sections:
        index = self.view.indexAt(place)
        if index.isValid():
            yield (do(tr("Go there"), lambda: self._go(index)),)
            yield self._desk.actions(("copy",))

    def _go(self, index: QModelIndex) -> None:
        self._show(index)
        reply = self.model.records[index.row()].reply
        dock = self._desk.docks.get("judge-calls")
        calls = dock.widget() if dock is not None else None
        if reply and dock is not None and isinstance(calls, JudgeCallsPanel):
            dock.show()
            dock.raise_()
            calls.show_reply(reply)
            calls.view.setFocus()
        else:
            self._desk.take_focus()

    def _show_state(self) -> None:
        """Show the count of hits, or why there are none."""
        finding, count = self.finding, self.model.rowCount()
        self.set_count(count)
        self._stop.setVisible(finding.running)
        self._words.setText(_state(finding, count))
        self._stack.setCurrentWidget(self.view if count else self._notice)
        if not count:
            self._notice.show_message(*_empty(finding))


class _FindField(QLineEdit):
    """Down goes on to the list, like Enter."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Down, or text."""
        if event.key() == Qt.Key.Key_Down:
            self.returnPressed.emit()
        else:
            super().keyPressEvent(event)


def _state(finding: Finding, count: int) -> str:
    if finding.query is None or not finding.query.text or finding.sentence:
        return ""
    texts = [tr("{0} found").format(f"{count:,}")]
    if finding.full:
        texts = [tr("The first {0} found; more are not shown").format(f"{MOST_HITS:,}")]
    elif finding.running:
        texts.append(tr("searching…"))
    elif finding.stopped:
        texts.append(tr("stopped"))
    if finding.unread:
        texts.append(tr("{0} still being read").format(finding.unread))
    if finding.slow:
        texts.append(tr("{0} texts skipped, because they took too long").format(f"{finding.slow:,}"))
    return " · ".join(texts)


def _empty(finding: Finding) -> tuple[str, str]:
    if finding.sentence:
        return finding.sentence, tr("Change the expression, or look for plain text.")
    if finding.query is None or not finding.query.text:
        return tr("Find text in what is open."), tr(
            "Ctrl+F looks in the file in front; Ctrl+Shift+F in all files, verdict reasons and judge replies."
        )
    if finding.running:
        return tr("Searching…"), tr("Places show as soon as they are found.")
    step = tr("Try a shorter text.") if finding.query.everywhere else tr("Try a shorter text, or look in all files.")
    return tr("Nothing was found."), step


def panel_of(desk: Desk) -> QWidget | None:
    """The panel, in front of others."""
    dock = desk.docks.get("find")
    if dock is None:
        return None
    dock.show()
    dock.raise_()
    inside: QWidget = dock.widget()
    return inside


class HitDelegate(QStyledItemDelegate):
    """One line a hit: the match is tinted; then its place."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text_painter = TextPainter(theme)

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        """All rows are equally high."""
        return QSize(80, self._theme.row(ROW_PX))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """The words before the hit, the hit, and those behind it."""
        box = QRectF(option.rect).adjusted(12 if index.column() == 0 else 6, 0, -8, 0)
        text, tints = str(index.data() or ""), index.data(Role.TINTS)
        if not tints:
            self._text_painter.left(painter, box, text, "secondary", "text2")
            return
        start, end = tints[0]
        width, hit = self._text_painter.width(text[:start], "body"), self._text_painter.width(text[start:end], "body")
        tint = QRectF(box.left() + width, box.center().y() - 9, hit, 18).intersected(box)
        painter.fillRect(tint, self._theme.color("accent_soft"))
        painter.fillRect(QRectF(tint.left(), tint.bottom() - 1, tint.width(), 1), self._theme.color("accent"))
        self._text_painter.left(painter, box, text, "body", "text")
