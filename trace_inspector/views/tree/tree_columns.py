"""Which columns the tree shows, how wide and in which order: as chosen, as far as there is room."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace
from PySide6.QtCore import QEvent, QObject, QPoint, QSettings, Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QMenu

from trace_inspector.core.verdict.verdict import Status
from trace_inspector.models.base.translation import tr
from trace_inspector.models.tree.columns import Sorting, TreeColumn
from trace_inspector.models.tree.trace_tree import TraceTreeModel
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.tree.cell_delegates import LANE_PX, PADDING_PX
from trace_inspector.views.widgets.tree_view import TreeView

SCORE_PX = 76
NAMED_SCORE_PX = 112  # both ends of a long name are readable
LEAST_TEXT_PX, CALM_TEXT_PX = 300, 460  # of what happened: at least, and before columns that nobody chose
TEXT_SHARE = 0.55  # between the two
LAST_TEXT_PX = 190  # before the latency and the second score go, too
LEAST_SCORES = 2
OTHER_WIDTHS_PX = {
    TreeColumn.TIME: LANE_PX + 2 * PADDING_PX,
    TreeColumn.LATENCY: 68,
    TreeColumn.TOKENS: 68,
    TreeColumn.AUTHOR: 132,
    TreeColumn.START: 68,
    TreeColumn.CANDIDATE: 112,
    TreeColumn.PERSONA: 112,
    TreeColumn.RUN: 44,
}

# Where it is narrow: after the scores that did not fail, before those that did.
_HIDDEN_FIRST = (
    TreeColumn.START,
    TreeColumn.AUTHOR,
    TreeColumn.RUN,
    TreeColumn.TOKENS,
    TreeColumn.TIME,
    TreeColumn.PERSONA,
    TreeColumn.CANDIDATE,
)
_NOT_AT_FIRST = frozenset({TreeColumn.AUTHOR, TreeColumn.START})
# What people look for first. A score that nothing was compared for says least.
_RANKS = ({Status.FAILED, Status.ERROR}, {Status.PASSED, Status.PENDING}, {Status.INFORMATIONAL})
_FAILING, _UNDECIDED = 0, len(_RANKS)
_SHOWN, _HIDDEN, _ORDER, _WIDTHS = "tree/shown", "tree/hidden", "tree/order", "tree/widths"
_SORTING, _REVERSED = "tree/sorting", "reversed"
_LEAST_PX, _MOST_PX = 20, 2000  # of a stored width


class TreeColumns(QObject):
    """A column is identified by its key, so that a choice applies to the next run too."""

    changed = Signal()  # other columns are shown

    def __init__(self, theme: Theme, tree: TreeView, model: TraceTreeModel, settings: QSettings) -> None:
        super().__init__(tree)
        self._theme = theme
        self._tree = tree
        self._model = model
        self._settings = settings
        self._text_painter = TextPainter(theme)
        self._shown = set(_stored(settings, _SHOWN))  # chosen despite little room, or although hidden at first
        self._hidden = set(_stored(settings, _HIDDEN))
        self._order = _stored(settings, _ORDER)
        self._widths = _widths_in(_stored(settings, _WIDTHS))  # by key, of those that were dragged
        self._arranging = False
        self._laid_out: list[str] = []
        self._fitted: tuple[object, ...] = ()  # what the columns were chosen by
        self._failed: set[str] = set()  # keys of scores that failed: one that passes after an edit stays in sight
        self.shown = self.total = 0  # visible columns, and those that would be with more room
        head = tree.header()
        head.setSectionsMovable(True)
        head.setFirstSectionMovable(False)
        head.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        head.customContextMenuRequested.connect(lambda position: self.ask(head.mapToGlobal(position)))
        head.setSectionsClickable(True)
        head.sectionClicked.connect(self.sort)
        head.sectionMoved.connect(self._moved)
        head.sectionResized.connect(self._resized)
        model.modelReset.connect(self._reset)
        theme.changed.connect(self._take_text_size)
        model.sort_by(_sorting_in(_stored(settings, _SORTING)))
        tree.viewport().installEventFilter(self)  # it may get its width long after the window did

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Another width has room for other columns."""
        if isinstance(event, QResizeEvent) and event.size().width() != event.oldSize().width():
            self.fit()
        return super().eventFilter(watched, event)

    def lay_out(self) -> bool:
        """Widths, order, and which are shown, when the model has other columns; whether it has."""
        keys = self._keys()
        if keys == self._laid_out:
            return False
        self._laid_out = keys
        self._failed.clear()
        self._set_widths()
        self._arrange()
        self.fit()
        return True

    def follow(self) -> None:
        """More was read or judged: a column may have its first value, or its first failure, now."""
        if self._facts() != self._fitted:
            self.fit()

    def fit(self) -> None:
        """Hide columns where the text would have no room: what failed and what was chosen last."""
        columns, keys, self._fitted = self._columns(), self._keys(), self._facts()
        ranks = {column: self._rank(column) for column, kind in enumerate(columns) if kind is TreeColumn.SCORE}
        self._failed.update(keys[column] for column, rank in ranks.items() if rank == _FAILING)
        ranks |= {column: _FAILING for column in ranks if keys[column] in self._failed}
        offered = [column for column in range(1, len(columns)) if self._is_offered(column, keys[column])]
        width, grown = self._tree.viewport().width(), self._theme.grown
        text = max(grown(LEAST_TEXT_PX), min(grown(CALM_TEXT_PX), math.ceil(width * TEXT_SHARE)))
        room = width - text - sum(self._width(column) for column in offered)
        scores = sorted((column for column in offered if column in ranks), key=lambda column: (ranks[column], column))
        calm = [column for column in scores[LEAST_SCORES:] if ranks[column] != _FAILING]
        failing = [column for column in scores[LEAST_SCORES:] if ranks[column] == _FAILING]
        others = [column for kind in _HIDDEN_FIRST for column in offered if columns[column] is kind]
        hidden_first = [
            column for column in (*reversed(calm), *others, *reversed(failing)) if keys[column] not in self._shown
        ]
        last = [column for column in offered if columns[column] is TreeColumn.LATENCY] + scores[1:LEAST_SCORES][::-1]
        self._keep_visible(offered, hidden_first, last, room, text - grown(LAST_TEXT_PX))

    def _facts(self) -> tuple[object, ...]:
        model = self._model
        return model.filled_columns, model.awaits_verdicts, *map(model.outcomes, model.metrics)

    def _rank(self, column: int) -> int:
        outcomes = self._model.outcomes(self._model.metrics[column - self._model.column(TreeColumn.SCORE)])
        return next((rank for rank, statuses in enumerate(_RANKS) if outcomes & statuses), _UNDECIDED)

    def _keep_visible(
        self, offered: list[int], hidden_first: list[int], last: list[int], room: int, spare: int
    ) -> None:
        """Hide the first ones while there is no room; the last ones only when the text can spare no more."""
        kept = set(offered)
        for waiting, least in ((hidden_first, 0), (last, -spare)):
            while room < least and waiting:
                column_hidden = waiting.pop(0)
                kept.discard(column_hidden)
                room += self._width(column_hidden)
        self._arranging = True
        for column in range(1, self._model.columnCount()):
            self._tree.setColumnHidden(column, column not in kept)
        self._arranging = False
        self.shown, self.total = len(kept) + 1, len(offered) + 1
        self.changed.emit()

    def show_all(self) -> None:
        """Show every offered column, however little room there is."""
        keys = self._keys()
        self._shown.update(key for column, key in enumerate(keys) if column and self._is_offered(column, key))
        self._store()

    def choose(self, column: int, shown: bool) -> None:
        """Show a column, or leave it out."""
        key = self._keys()[column]
        (self._shown.add if shown else self._shown.discard)(key)
        (self._hidden.discard if shown else self._hidden.add)(key)
        self._store()

    def sort(self, column: int) -> None:
        """Sort by a column, then by it the other way, then by none: as rows are in the file."""
        kind, metric = self._model.identity(column)
        now = self._model.sorting
        if now is None or (now.kind, now.metric) != (kind, metric):
            self._sort_by(Sorting(kind, metric))
        else:
            self._sort_by(None if now.is_reversed else replace(now, is_reversed=True))

    def _sort_by(self, sorting: Sorting | None) -> None:
        words = [] if sorting is None else [sorting.kind.name.lower(), sorting.metric]
        self._settings.setValue(_SORTING, [*words, _REVERSED] if sorting and sorting.is_reversed else words)
        self._model.sort_by(sorting)
        self._set_widths()
        self._fitted = ()
        self.fit()
        self._tree.scrollTo(self._tree.currentIndex())

    def menu(self) -> QMenu:
        """The menu of columns: the visible ones are checked."""
        menu = QMenu(self._tree)
        menu.setAccessibleName(tr("Columns"))
        for column in range(1, self._model.columnCount()):
            name = self._model.headerData(column, Qt.Orientation.Horizontal)
            action = QAction(str(name).replace("&", "&&"), menu)
            action.setCheckable(True)
            action.setChecked(not self._tree.isColumnHidden(column))
            action.toggled.connect(lambda shown, column=column: self.choose(column, shown))
            menu.addAction(action)
        menu.addSeparator()
        menu.addMenu(self._sort_menu(menu))
        menu.addSeparator()
        menu.addAction(tr("Show &all")).triggered.connect(self.show_all)
        menu.addAction(tr("Restore de&faults")).triggered.connect(self._forget)
        return menu

    def _sort_menu(self, parent: QMenu) -> QMenu:
        """What a click on a header does, for the keyboard: the same column again turns it round."""
        menu = QMenu(tr("&Sort by"), parent)
        menu.addAction(tr("Order of the &file")).triggered.connect(partial(self._sort_by, None))
        for column in range(self._model.columnCount()):
            if not self._tree.isColumnHidden(column):
                name = str(self._model.headerData(column, Qt.Orientation.Horizontal))
                menu.addAction(name.replace("&", "&&")).triggered.connect(partial(self.sort, column))
        return menu

    def ask(self, position: QPoint) -> None:
        """Open the menu of columns."""
        menu = self.menu()
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(position)

    def _forget(self) -> None:
        self._shown.clear()
        self._hidden.clear()
        self._order = []
        self._widths.clear()
        self._sort_by(None)
        self._store()
        self._arrange()

    def _is_offered(self, column: int, key: str) -> bool:
        """Whether it is shown where there is room: as chosen, else if it has a value in this file."""
        if key in self._shown or key in self._hidden:
            return key in self._shown
        kind = self._model.column_kind(column)
        if kind is TreeColumn.SCORE:
            metric = self._model.metrics[column - self._model.column(TreeColumn.SCORE)]
            return self._model.awaits_verdicts or bool(self._model.outcomes(metric))
        return kind not in _NOT_AT_FIRST and kind in self._model.filled_columns

    def _store(self) -> None:
        for name, keys in ((_SHOWN, sorted(self._shown)), (_HIDDEN, sorted(self._hidden)), (_ORDER, self._order)):
            self._settings.setValue(name, keys)
        self._store_widths()
        self.fit()

    def _store_widths(self) -> None:
        self._settings.setValue(_WIDTHS, [f"{key}={width}" for key, width in sorted(self._widths.items())])

    def _reset(self) -> None:
        """A model without columns, as between a file and its reload: the header has lost them all."""
        self._failed.clear()
        if not self._model.columnCount():
            self._laid_out = []

    def _resized(self, section: int, _before: int, width_px: int) -> None:
        """Only the first column changes its width by itself."""
        if not self._arranging and section and width_px:
            self._widths[self._keys()[section]] = max(_LEAST_PX, min(width_px, _MOST_PX))
            self._store_widths()

    def _take_text_size(self) -> None:
        """Larger letters need wider columns."""
        if self._model.columnCount():
            self._set_widths()
            self.fit()

    def _set_widths(self) -> None:
        self._arranging = True
        self._tree.set_widths(
            [0, *(self._width(column) for column in range(1, self._model.columnCount()))], stretch=0,
            grow=False,
        )  # fmt: skip
        self._arranging = False

    def _moved(self, _section: int, _before: int, _after: int) -> None:
        if self._arranging:
            return
        head, keys = self._tree.header(), self._keys()
        now = [keys[head.logicalIndex(visual)] for visual in range(1, self._model.columnCount())]
        self._order = [*now, *(key for key in self._order if key not in now)]
        self._store()

    def _arrange(self) -> None:
        """In the stored order; columns that are not in it stay where the model has them."""
        head, keys = self._tree.header(), self._keys()
        ranks = {key: column for column, key in enumerate(self._order)}
        sections = sorted(
            range(1, len(keys)),
            key=lambda column: (ranks.get(keys[column], self._place(column, keys, ranks)), column),
        )
        self._arranging = True
        for to, section in enumerate(sections, 1):
            head.moveSection(head.visualIndex(section), to)
        self._arranging = False

    def _place(self, column: int, keys: list[str], ranks: dict[str, int]) -> int:
        """The rank of a column that was never moved: after the one before it in the model."""
        return next((ranks[keys[before]] for before in reversed(range(column)) if keys[before] in ranks), -1)

    def _columns(self) -> list[TreeColumn]:
        return [self._model.column_kind(index) for index in range(self._model.columnCount())]

    def _keys(self) -> list[str]:
        return list(self._each_key())

    def _each_key(self) -> Iterator[str]:
        first = self._model.column(TreeColumn.SCORE)
        for index, column in enumerate(self._columns()):
            name = f" {self._model.metrics[index - first].name}" if column is TreeColumn.SCORE else ""
            yield column.name.lower() + name

    def _width(self, index: int) -> int:
        """The stored width; else that of its figures and its name, or of a part of a long name."""
        chosen = self._widths.get(self._keys()[index])
        if chosen is not None:
            return chosen
        column = self._model.column_kind(index)
        name = str(self._model.headerData(index, Qt.Orientation.Horizontal))
        named, grown = int(self._text_painter.width(name, "secondary")) + 20, self._theme.grown
        if column in OTHER_WIDTHS_PX:
            return max(grown(OTHER_WIDTHS_PX[column]), named)
        return max(grown(SCORE_PX), min(named, grown(NAMED_SCORE_PX)))


def _widths_in(words: list[str]) -> dict[str, int]:
    pairs = (word.rpartition("=") for word in words)
    widths = {key: int(width) for key, _sign, width in pairs if re.fullmatch("[0-9]{1,4}", width)}
    return {key: width for key, width in widths.items() if _LEAST_PX <= width <= _MOST_PX}


def _sorting_in(words: list[str]) -> Sorting | None:
    kinds = {kind.name.lower(): kind for kind in TreeColumn}
    kind = kinds.get(words[0]) if words else None
    if kind is None:
        return None
    return Sorting(kind, next(iter(words[1:2]), ""), is_reversed=words[2:] == [_REVERSED])


def _stored(settings: QSettings, name: str) -> list[str]:
    value = settings.value(name, [])
    words = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    return [str(word) for word in words]
