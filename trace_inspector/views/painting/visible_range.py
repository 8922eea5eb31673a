"""Which rows of a list are visible and where: from an anchor that stays while heights around it become known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Generic, Protocol, TypeVar

from msgspec import Struct

from trace_inspector.models.conversation.heights import Heights
from trace_inspector.views.painting.row_layout import Layout

FAR = 3  # screens; what is farther is jumped to by estimates, what is nearer is measured on the way

Position = TypeVar("Position")


class RowOrder(Protocol[Position]):
    """The rows of a list and their heights, as far as those are known. A position says where a row stands now."""

    @property
    def heights(self) -> Heights: ...
    def last(self) -> Position: ...
    def step(self, position: Position, step: int, /) -> Position | None: ...
    def top_px(self, position: Position, /) -> float: ...
    def at_px(self, place_px: float, /) -> Position: ...
    def measured(self, position: Position, height_px: float, /) -> None: ...


class NumberedRows(Heights):
    """Rows whose positions are their numbers."""

    def __init__(self, guesses_px: Iterable[float] = ()) -> None:
        super().__init__()
        self.replace(0, 0, guesses_px)

    def __iter__(self) -> Iterator[float]:
        return iter(self._values)

    @property
    def heights(self) -> Heights:
        """Of the rows."""
        return self

    def last(self) -> int:
        """The last row."""
        return len(self) - 1

    def step(self, position: int, step: int) -> int | None:
        """The next (1) or previous (-1) row; None at the ends."""
        return position + step if 0 <= position + step < len(self) else None

    def at_px(self, place_px: float) -> int:
        """The row at that height."""
        return self.index_at(place_px)

    def measured(self, position: int, height_px: float) -> None:
        """A row was laid out."""
        self[position] = height_px


class VisibleRow(Struct, Generic[Position, Layout], frozen=True):
    """A row that is visible; `top_px` counts from the top of the view."""

    position: Position
    top_px: float
    height_px: float
    layout: Layout

    @property
    def bottom_px(self) -> float:
        """Where it ends."""
        return self.top_px + self.height_px


class VisibleRange(Generic[Position, Layout]):
    """The anchor is the topmost visible row; None where there are no rows. Rows are measured when they come near.

    A row that is revealed from far away comes to stand at `far_share` of the view, or at its nearer edge.
    """

    def __init__(
        self,
        order: RowOrder[Position],
        measure: Callable[[Position], tuple[Layout, float]],
        anchor: Position | None,
        far_share: float | None = None,
    ) -> None:
        self._order = order
        self._measure = measure
        self._first = self._anchor = anchor
        self._far_share = far_share
        self._anchor_layout: Layout | None = None
        self._find: Callable[[Layout | None], Position] | None = None  # where the anchor may stand elsewhere
        self.offset_px = 0.0  # of the anchor's top below the view's
        self.rows: list[VisibleRow[Position, Layout]] = []

    @property
    def total_px(self) -> float:
        """The height of all rows."""
        return self._order.heights.total_px

    @property
    def value_px(self) -> float:
        """How far the view is scrolled."""
        anchor = self.anchor
        return self._order.top_px(anchor) - self.offset_px if anchor is not None else 0.0

    @property
    def anchor(self) -> Position | None:
        """The topmost visible row."""
        if self._find is not None:
            self._anchor, self._find = self._find(self._anchor_layout), None
        return self._anchor

    def rows_changed(self, find: Callable[[Layout | None], Position]) -> None:
        """Rows came or went: the anchor is searched for when somebody looks."""
        self._find, self.rows = find, []

    def move(self, px: float, view_px: float) -> None:
        """Scroll by some pixels; far by estimates, near exactly."""
        if abs(px) <= FAR * view_px:
            self.offset_px -= px
            return
        value_px = max(self.value_px + px, 0.0)
        if self.anchor is not None:
            position = self._order.at_px(value_px)
            self.show(position, self._order.top_px(position) - value_px)

    def show(self, position: Position | None, offset_px: float) -> None:
        """Put a row at that height of the view."""
        self._anchor, self.offset_px, self._find = position, offset_px, None

    def show_first(self) -> None:
        """The first row at the top of the view."""
        self.show(self._first, 0.0)

    def show_last(self, view_px: float) -> None:
        """The last row at the bottom of the view."""
        if self.anchor is not None:
            last = self._order.last()
            self.show(last, view_px - self._measured(last)[1])

    def visible(self, position: Position) -> VisibleRow[Position, Layout] | None:
        """A row, if it is visible."""
        return next((row for row in self.rows if row.position == position), None)

    def reveal(self, position: Position, view_px: float) -> None:
        """Scroll no more than is needed to see a row that was laid out or will be; its beginning first."""
        row, top_px, order = self.visible(position), 0.0, self._order
        if row is not None:
            # The anchor stays: where it stood is what is searched for when rows come or go before the next layout.
            if row.top_px < 0 or row.height_px > view_px:
                self.offset_px -= row.top_px
            elif row.bottom_px > view_px:
                self.offset_px -= row.bottom_px - view_px
            return
        height_px = self._measured(position)[1]
        below_px = view_px - height_px
        if self.rows and position == self._order.step(self.rows[-1].position, 1):
            top_px = below_px
        elif not self.rows or position != self._order.step(self.rows[0].position, -1):
            is_above = not self.rows or order.top_px(position) < order.top_px(self.rows[0].position)
            top_px = view_px * self._far_share if self._far_share is not None else 0.0 if is_above else below_px
        self.show(position, max(0.0, min(top_px, below_px)))

    def lay_out(self, view_px: float) -> list[VisibleRow[Position, Layout]]:
        """What is visible now. No room stays free above the first row, nor below the last if others stand above."""
        rows = self._rows_around_anchor(view_px)
        if rows and rows[-1].bottom_px < view_px and self._order.step(rows[-1].position, 1) is None:
            self.offset_px += view_px - rows[-1].bottom_px
            rows = self._rows_around_anchor(view_px)
        if rows and rows[0].top_px > 0:
            self.show(rows[0].position, 0.0)
            rows = self._rows_around_anchor(view_px)
        self.rows = [row for row in rows if row.bottom_px > 0 and row.top_px < view_px] or rows[:1]
        if self.rows:
            self.show(self.rows[0].position, self.rows[0].top_px)
            self._anchor_layout = self.rows[0].layout
        return self.rows

    def _rows_around_anchor(self, view_px: float) -> list[VisibleRow[Position, Layout]]:
        anchor = self.anchor
        below: list[VisibleRow[Position, Layout]] = []
        position, top_px = anchor, self.offset_px
        while position is not None and (top_px < view_px or not below):
            layout, height_px = self._measured(position)
            below.append(VisibleRow(position, top_px, height_px, layout))
            top_px += height_px
            position = self._order.step(position, 1)
        above: list[VisibleRow[Position, Layout]] = []
        top_px = self.offset_px
        position = self._order.step(anchor, -1) if anchor is not None else None
        while position is not None and top_px > 0:
            layout, height_px = self._measured(position)
            top_px -= height_px
            above.append(VisibleRow(position, top_px, height_px, layout))
            position = self._order.step(position, -1)
        return [*reversed(above), *below]

    def _measured(self, position: Position) -> tuple[Layout, float]:
        layout, height_px = self._measure(position)
        self._order.measured(position, height_px)
        return layout, height_px
