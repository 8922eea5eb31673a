"""What a section of the Golden tab is: a body under a heading that folds, updated in place."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from trace_inspector.models.golden.context import GoldenContext
from trace_inspector.views.appearance.appearance import Theme


class SectionBody(QWidget):
    """The inside of a section. Its heading shows `count`, `caption` and the widget `right`."""

    head_changed = Signal()
    desk_requested = Signal(object)  # a function to be called with the desk

    def __init__(self) -> None:
        super().__init__()
        self.count: int | None = None
        self.caption = ""
        self.right: QWidget | None = None
        self.starts_folded = False

    @abstractmethod
    def show_golden(self, context: GoldenContext) -> bool:
        """Show a golden, often the same one after an edit; false when there is nothing to show of it.

        A field that has the focus keeps it, with its text and cursor, while the person types.
        """


Make: TypeAlias = Callable[[Theme, GoldenContext], SectionBody | None]


class Section(NamedTuple):
    """One line of SECTIONS. `make` returns None where the golden has no such thing; it is called again later."""

    id: str
    title: str
    make: Make
