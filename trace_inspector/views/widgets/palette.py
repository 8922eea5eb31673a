"""The command palette and “go to”: a field, a short list, Enter. Reachable and usable by keys alone."""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from msgspec import Struct
from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
    QTimer,
)
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLineEdit,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from trace_inspector.models.base.translation import tr
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.widgets.controls import Label, TagKind, paint_tag
from trace_inspector.views.widgets.fuzzy import ranked

WIDTH_PX = 640
END_SHARE = 0.35  # of a line, at most
ROW_PX = 32
MOST_ROWS = 10
MOST_SHOWN = 500
BUDGET_S = 0.006
REFRESH_S = 0.08
AT_ONCE_S = 0.04  # what Enter waits for

Index = QModelIndex | QPersistentModelIndex


class Entry(Struct, frozen=True):
    """One line: what it does, a quiet word about it, its key, and what happens on Enter.

    `end` is at the right end, where no long text pushes it out: a file that tells two lines apart, or a figure.
    `usual` is what it is called when `text` says what it would do at present.
    """

    text: str
    run: Callable[[], object]
    caption: str = ""
    key: str = ""
    mark: str = ""
    enabled: bool = True
    end: str = ""
    usual: str = ""


# How well it matches, and how to make the entry when it is one of those shown.
Candidate: TypeAlias = tuple[int, Callable[[], Entry]]
Search: TypeAlias = Callable[[str], Iterator[Candidate | None]]


class EntryModel(QAbstractListModel):
    """The entries that match, best first."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._all: Sequence[Entry] = ()
        self._searched: list[tuple[str, str]] = []
        self.shown: list[Entry] = []
        self.matching = 0

    def rowCount(self, parent: Index | None = None) -> int:
        """Top level only."""
        return 0 if parent is not None and parent.isValid() else len(self.shown)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The text, for painting and for screen readers."""
        if not index.isValid():
            return None
        entry = self.shown[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return " ".join(part for part in (entry.text, entry.caption, entry.end, entry.key) if part)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Disabled entries are listed, greyed."""
        if index.isValid() and not self.shown[index.row()].enabled:
            return Qt.ItemFlag.ItemNeverHasChildren
        return super().flags(index)

    def offer(self, entries: Sequence[Entry]) -> None:
        """Another list to choose from."""
        self._all = entries
        self._searched = [(entry.text, entry.caption) for entry in entries]
        self.find("")

    def show(self, entries: Sequence[Entry], matching: int) -> None:
        """Show entries that a search has found."""
        self.beginResetModel()
        self.shown, self.matching = list(entries), matching
        self.endResetModel()

    def find(self, query: str) -> None:
        """Only what matches."""
        self.beginResetModel()
        matches = ranked(query, self._searched)
        self.matching = len(matches)
        self.shown = [self._all[index] for index in matches[:MOST_SHOWN]]
        self.endResetModel()


class _EntryDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text_painter = TextPainter(theme)

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        """All rows are equally high."""
        return QSize(WIDTH_PX, ROW_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Text, caption, key."""
        model = index.model()
        if not isinstance(model, EntryModel):
            return
        entry = model.shown[index.row()]
        box = QRectF(option.rect)
        if option.state & option.state.State_Selected:
            painter.fillRect(box, self._theme.color("sel"))
            painter.fillRect(QRectF(box.left(), box.top(), 2, box.height()), self._theme.color("accent"))
        box.adjust(12, 0, -12, 0)
        if entry.key:
            width = self._text_painter.width(entry.key, "caption") + 12
            cap = QRectF(box.right() - width, box.center().y() - 9, width, 18)
            paint_tag(painter, cap, entry.key, TagKind.THIN, self._theme, self._theme.fonts.caption)
            box.setRight(cap.left() - 8)
        if entry.end:
            room = box.adjusted(box.width() * (1 - END_SHARE), 0, 0, 0)
            box.setRight(box.right() - self._text_painter.right(painter, room, entry.end, "secondary", "text2") - 12)
        if entry.mark:
            self._theme.icons.paint_mark(painter, entry.mark, self._theme.tokens, box.left(), box.center().y(), 14)
            box.setLeft(box.left() + 22)
        box.setLeft(box.left() + self._text_painter.left(painter, box, entry.text, "body", _ink(entry)) + 8)
        if entry.caption and box.width() > 24:
            self._text_painter.left(painter, box, entry.caption, "secondary", "text2")


class Palette(QFrame):
    """Lies over the window's upper part while it is open."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._before: QWidget | None = None
        self._search: Search | None = None
        self._steps: Iterator[Candidate | None] = iter(())
        self._matches: list[tuple[int, int, Callable[[], Entry]]] = []  # points, minus the order, how to make it
        self._matching = 0
        self._refreshed_s = 0.0
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._go_on)
        self.setObjectName("card")
        self.field = QLineEdit()
        self.field.setAccessibleName(tr("Search"))
        self.field.setClearButtonEnabled(False)
        self._model = EntryModel(self)
        self.list = QListView()
        self.list.setModel(self._model)
        self.list.setItemDelegate(_EntryDelegate(theme, self.list))
        self.list.setUniformItemSizes(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName(tr("Matches"))
        self._count = Label(theme, font="caption", ink="text2")
        box = QVBoxLayout(self)
        box.setContentsMargins(8, 8, 8, 8)
        box.setSpacing(8)
        box.addWidget(self.field)
        box.addWidget(self.list)
        box.addWidget(self._count)
        self.field.textChanged.connect(self._find)
        self.field.installEventFilter(self)
        self.list.clicked.connect(self._take)
        self.hide()

    def ask(self, prompt: str, entries: Sequence[Entry]) -> None:
        """Offer entries; the chosen one is run after the palette is closed."""
        self._search = None
        self._model.offer(entries)
        self._open(prompt)

    def search(self, prompt: str, search: Search) -> None:
        """Offer the results of a search: it is called with each query, and iterated in small batches."""
        self._search = search
        self._open(prompt)

    def _open(self, prompt: str) -> None:
        self._before = QApplication.focusWidget()
        self.field.setPlaceholderText(prompt)
        self.field.setAccessibleName(prompt)
        self.setAccessibleName(prompt)
        self.field.clear()
        self._find("")
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    @property
    def searching(self) -> bool:
        """Whether more may be found."""
        return self._timer.isActive()

    def leave(self) -> None:
        """Close, and give the focus back."""
        self._timer.stop()
        self.hide()
        before, self._before = self._before, None
        # A page may have been replaced meanwhile, and the focused widget deleted.
        if before is not None and any(before is widget for widget in QApplication.allWidgets()):
            before.setFocus(Qt.FocusReason.PopupFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The field keeps the focus; arrows, Enter and Escape belong to the list."""
        if watched is self.field and event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._key(event)
        if watched is self.field and event.type() is QEvent.Type.FocusOut and self.isVisible():
            self._before = None
            self._timer.stop()
            self.hide()
        if watched is self.field and isinstance(event, QKeyEvent) and _escapes(event):
            event.accept()  # it closes the palette, and does not stop the job in front
            return True
        return super().eventFilter(watched, event)

    def _key(self, event: QKeyEvent) -> bool:
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 9, Qt.Key.Key_PageUp: -9}
        key = Qt.Key(event.key())
        if key in steps:
            self._move(steps[key])
        elif key is Qt.Key.Key_Escape:
            self.leave()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self._timer.isActive():  # the list may still be that of the previous query
                self._walk(AT_ONCE_S)
                self._refresh()
            self._take(self.list.currentIndex())
        else:
            return False
        return True

    def _move(self, step: int) -> None:
        count = self._model.rowCount()
        if count:
            row = min(max(self.list.currentIndex().row() + step, 0), count - 1)
            self.list.setCurrentIndex(self._model.index(row))

    def _take(self, index: QModelIndex) -> None:
        if not index.isValid() or not self._model.shown[index.row()].enabled:
            return
        run = self._model.shown[index.row()].run
        self.leave()
        run()

    def _find(self, query: str) -> None:
        if self._search is None:
            self._model.find(query)
            self._show_count()
            return
        self._steps, self._matches, self._matching = self._search(query), [], 0
        self._refreshed_s = time.perf_counter()
        self._timer.start()
        self._go_on()

    def _go_on(self) -> None:
        ended = self._walk(BUDGET_S)
        if ended:
            self._timer.stop()
        if ended or time.perf_counter() - self._refreshed_s > REFRESH_S:
            self._refresh()

    def _walk(self, most_s: float) -> bool:
        """Find a little more; true at the end."""
        until_s = time.perf_counter() + most_s
        for candidate in self._steps:
            if candidate is not None:
                points, make = candidate
                self._matching += 1
                ranked_so = (points, -self._matching, make)
                if len(self._matches) < MOST_SHOWN:
                    heapq.heappush(self._matches, ranked_so)
                elif ranked_so > self._matches[0]:
                    heapq.heapreplace(self._matches, ranked_so)
            if time.perf_counter() > until_s:
                return False
        return True

    def _refresh(self) -> None:
        best = sorted(self._matches, key=lambda match: match[:2], reverse=True)
        chosen = self.list.currentIndex().row()
        self._model.show([make() for _points, _order, make in best], self._matching)
        self._refreshed_s = time.perf_counter()
        self._show_count(max(chosen, 0))

    def _show_count(self, chosen: int = 0) -> None:
        shown, matching = len(self._model.shown), self._model.matching
        self.list.setCurrentIndex(self._model.index(min(chosen, max(shown - 1, 0))))
        self._count.setText(
            tr("No match. Try other text, or press Esc to close.")
            if not matching
            else tr("{0} of {1} shown").format(shown, matching)
            if shown < matching
            else tr("{0} matching").format(matching)
        )
        self._fit(shown)

    def _fit(self, shown: int) -> None:
        """As high as its rows, in the middle of the window's upper part."""
        window, layout = self.parentWidget(), self.layout()
        if window is None or layout is None:
            return
        rows = min(max(shown, 1), MOST_ROWS)
        self.list.setFixedHeight(rows * ROW_PX)
        width = min(WIDTH_PX, window.width() - 32)
        self.resize(width, layout.sizeHint().height())
        self.move((window.width() - width) // 2, 72)


def _escapes(event: QKeyEvent) -> bool:
    return event.type() is QEvent.Type.ShortcutOverride and event.key() == Qt.Key.Key_Escape


def _ink(entry: Entry) -> str:
    return "text" if entry.enabled else "text3"
