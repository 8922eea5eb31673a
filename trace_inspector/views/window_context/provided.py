"""Protocols of what the window provides to its parts, independent of its classes."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QModelIndex

from trace_inspector.views.widgets.centre_view import CentreView
from trace_inspector.views.widgets.tree_view import TreeView


class PlumbingSwitch(Protocol):
    """Shows or hides transport and queue spans."""

    @property
    def plumbing_hidden(self) -> bool:
        """Whether they are left out."""

    def hide_plumbing(self, hidden: bool) -> None:
        """Leave them out, or show them again."""


class TraceTree(PlumbingSwitch, Protocol):
    """The tree of the file in front."""

    @property
    def tree(self) -> TreeView:
        """The rows."""

    @property
    def rows(self) -> list[int]:
        """The selected ones."""

    @property
    def shows_tree(self) -> bool:
        """Whether there is anything in it."""

    def shows(self, number: int) -> bool:
        """Whether that file is in front."""

    def index_of(self, row: int) -> QModelIndex:
        """The index of a row."""

    def expand_all(self) -> None:
        """Unfold everything."""

    def collapse_to_turns(self) -> None:
        """Fold everything up to the turns."""

    def choose_columns(self) -> None:
        """Ask which columns are shown."""


class ViewSwitch(Protocol):
    """Turns from one view of the centre to another."""

    @property
    def shown(self) -> str:
        """The id of the view in front."""

    def view(self, name: str) -> CentreView | None:
        """A view; None before it was in front."""

    def show_view(self, name: str) -> CentreView:
        """Bring a view to the front and focus it."""

    def take_focus(self) -> None:
        """Focus the view in front."""


class FilterEntry(Protocol):
    """The filter field."""

    def focus(self) -> None:
        """Begin to type."""

    def drop(self) -> None:
        """No filter."""


class PanelSpace(Protocol):
    """Divides the window among the centre and the panels."""

    @property
    def folded(self) -> bool:
        """Whether only the tabs of the panels at the bottom are shown."""

    def is_shown(self, name: str) -> bool:
        """Whether a panel is shown, and not folded away."""

    def fold(self, *, folded: bool) -> None:
        """Leave only the tabs of the panels at the bottom, or show all of them."""

    def reset(self) -> None:
        """Every layout as it first was."""
