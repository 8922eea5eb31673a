"""Where rows are left out: a band that counts them, and a line above all with the way to see them again."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from trace_inspector.models.base.translation import tr
from trace_inspector.models.compare.comparison import Compare
from trace_inspector.models.compare.visible_rows import shown_words
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.compare.columns import PAD_PX
from trace_inspector.views.compare.key_button import KeyButton
from trace_inspector.views.compare.row_shapes import CompareRowLayout, RowAction
from trace_inspector.views.painting.row_layout import ClickArea, Measures
from trace_inspector.views.painting.shapes import Frame, TextLine
from trace_inspector.views.widgets.controls import Elided

_BAND_PX = 22


def add_band(measures: Measures, layout: CompareRowLayout, words: str, wide_px: float) -> None:
    """A band with those words, as wide as all columns, below what the layout has."""
    top, high = layout.height_px, measures.row_px(_BAND_PX)
    layout.shapes.append(Frame(QRectF(0, top, wide_px, high), "window", "", 0))
    layout.shapes.append(Frame(QRectF(0, top + high - 1, wide_px, 1), "border", "", 0))
    room = QRectF(PAD_PX + 24, top, wide_px - PAD_PX - 36, high)
    layout.shapes.append(TextLine(room, words, "secondary", "text2"))
    layout.click_areas.append(ClickArea(QRectF(0, top, wide_px, high), RowAction.SHOW_ALL))
    layout.head_px = layout.height_px = top + high


class ShownLine(QWidget):
    """Hidden where nothing is left out. `left` gives the keyboard back."""

    left = Signal()

    def __init__(self, theme: Theme, compare: Compare) -> None:
        super().__init__()
        self._compare = compare
        self.words = Elided(theme)
        self.button = KeyButton(theme, tr("Show all rows"), "a")
        self.button.clicked.connect(lambda _checked: self._show_all())
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 4, 12, 4)
        row.setSpacing(8)
        row.addWidget(self.words, 1)
        row.addWidget(self.button)
        compare.rows_changed.connect(self._refresh)
        compare.sides_changed.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        words = shown_words(self._compare)
        self.words.setText(words)
        self.setVisible(bool(words))

    def _show_all(self) -> None:
        self.left.emit()
        self._compare.show_all()
