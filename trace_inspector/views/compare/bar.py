"""What can be done with the current row, below it: real buttons, with the keys that do the same."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from trace_inspector.engine.trace_grid.row import Row, RowKind
from trace_inspector.models.base.translation import tr
from trace_inspector.models.compare.apply_preview import (
    TAKE_OBSERVED,
    applies_whole_turn,
    can_align,
    effect,
    has_place,
    title,
)
from trace_inspector.models.compare.comparison import Compare
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.compare.key_button import KeyButton
from trace_inspector.views.widgets.controls import Elided

HIGH_PX = 36


class ActionBar(QWidget):
    """Follows the current row; hidden where nothing can be done with it. Each signal is one of its buttons."""

    keep_wanted = Signal()
    take_wanted = Signal(int)  # the side
    turn_wanted = Signal()
    ignore_wanted = Signal()
    align_wanted = Signal()

    def __init__(self, theme: Theme, compare: Compare) -> None:
        super().__init__()
        self._theme = theme
        self._compare = compare
        self.waiting = ""  # what a call that is to be aligned by hand waits for
        self.has_actions = False
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 0, 12, 0)
        row.setSpacing(6)
        self._keep = self._button("", tr("Keep golden"), "1", self.keep_wanted.emit)
        self._second = self._button("", tr("Take baseline"), "2", lambda: self.take_wanted.emit(1))
        self._last = self._button("", tr(TAKE_OBSERVED), "2", lambda: self.take_wanted.emit(-1))
        self._turn = self._button("", tr("Take the whole turn"), "t", self.turn_wanted.emit)
        self._ignore = self._button("eyeoff", tr("Ignore argument…"), "i", self.ignore_wanted.emit)
        self._align = self._button("", tr("Align by hand"), "m", self.align_wanted.emit)
        self._effect_label = Elided(theme, font="secondary", ink="text2")
        self._effect_label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        for button in (self._keep, self._second, self._last, self._turn, self._ignore, self._align):
            row.addWidget(button)
        row.addWidget(self._effect_label, 1)

    @property
    def high_px(self) -> int:
        """How high it is."""
        return self._theme.row(HIGH_PX)

    def refresh(self) -> None:
        """The buttons of the current row."""
        row, compare = self._compare.row, self._compare
        self.has_actions = row is not None and self._compare.rows is not None and self._has_some(row)
        if row is None or compare.rows is None or not self.has_actions:
            return
        takes, kept = compare.takes and has_place(compare.rows, compare.current), compare.is_kept
        three, last = len(compare.sides) > 2, takes and self._differs(row, len(compare.sides) - 1)
        self._keep.setVisible(takes and row.differs)
        self._keep.set_words(tr("Golden kept") if kept else tr("Keep golden"), icon="check" if kept else "")
        self._second.setVisible(three and takes and self._differs(row, 1))
        self._last.setVisible(last)
        self._last.set_words(tr("Take candidate") if three else title(row), key="3" if three else "2")
        self._ignore.setVisible(takes and bool(row.values) and row.cells[0] is not None)
        has_one_argument = len(row.values) == 1 or compare.value >= 0
        self._ignore.set_words(self._ignore_words(row) if has_one_argument else tr("Ignore argument…"))
        self._align.setVisible(can_align(compare.rows, compare.current))
        self._align.set_words(tr("Align with the marked call") if self.waiting else tr("Align by hand"))
        self._turn.setVisible(self._takes_turn(row))
        says = compare.takes and (self._takes_turn(row) or self._differs(row, len(compare.sides) - 1))
        self._effect_label.setText(self.waiting or (effect(compare, row) if says else ""))
        if not applies_whole_turn(row) and not three and last and self._is_narrow():
            self._last.set_words(tr("Take observed"))

    def _is_narrow(self) -> bool:
        above, inside = self.parentWidget(), self.layout()
        return above is not None and inside is not None and inside.totalMinimumSize().width() > above.width()

    def _differs(self, row: Row, side: int) -> bool:
        """Whether a side has something else than the golden: in the current argument, where one is."""
        argument = self._compare.value
        alone = row.values[argument].alone if 0 <= argument < len(row.values) else -1
        return row.stands_apart(side) and alone in (-1, 0, side)

    def _has_some(self, row: Row) -> bool:
        if self.waiting and row.kind is RowKind.CALL:
            return True
        able = self._compare.takes or row.kind is RowKind.CALL
        return able and (row.differs or bool(row.values) or self._takes_turn(row))

    def _takes_turn(self, row: Row) -> bool:
        compare, rows = self._compare, self._compare.rows
        if rows is None or row.kind is not RowKind.TURN or not compare.takes:
            return False
        return rows.can_take_turn(compare.current, len(compare.sides) - 1)

    def _ignore_words(self, row: Row) -> str:
        value = row.values[max(self._compare.value, 0)]
        words = tr("Compare {0} again") if value.ignored else tr("Ignore {0}")
        return words.format(value.path if len(value.path) < 24 else f"{value.path[:22]}…")

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The fill of the current row goes on; it is painted below."""

    def _button(self, icon: str, words: str, key: str, run: Callable[[], object]) -> KeyButton:
        button = KeyButton(self._theme, words, key, icon)
        button.clicked.connect(lambda _checked: run())
        return button
