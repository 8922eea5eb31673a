"""Tab follows the visual order of a page, also where its pieces were made in another order."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractScrollArea, QLayout, QScrollArea, QWidget


def arrange(page: QWidget) -> None:
    """Set the tab order of the page to that of its layouts."""
    stops = list(_stops(page))
    if stops != list(_chain(stops)):
        for widget, other in pairwise(stops):
            QWidget.setTabOrder(widget, other)


def _stops(inside: QWidget) -> Iterator[QWidget]:
    """The stops in a widget, itself first."""
    if inside.isHidden() or not inside.isEnabled():
        return
    # With a focus proxy Qt stops at the whole: it must not stay elsewhere in the order.
    if inside.focusPolicy() & Qt.FocusPolicy.TabFocus or inside.focusProxy() is not None:
        yield inside
    layout = inside.layout()
    page = inside.widget() if isinstance(inside, QScrollArea) else None
    if page is not None:
        yield from _stops(page)
    elif layout is not None:
        yield from _laid_out(layout)
    elif not isinstance(inside, QAbstractScrollArea):  # those hold only their own scroll bars
        for child in inside.children():
            if isinstance(child, QWidget) and not child.isWindow():
                yield from _stops(child)


def _laid_out(layout: QLayout) -> Iterator[QWidget]:
    for index in range(layout.count()):
        item = layout.itemAt(index)
        widget, inner = (item.widget(), item.layout()) if item is not None else (None, None)
        if widget is not None:
            yield from _stops(widget)
        elif inner is not None:
            yield from _laid_out(inner)


def _chain(stops: list[QWidget]) -> Iterator[QWidget]:
    """The same in Qt's present order, from the first on."""
    remaining = set(stops)
    widget = stops[0] if stops else None
    while widget is not None and remaining:
        if widget in remaining:
            remaining.discard(widget)
            yield widget
        widget = widget.nextInFocusChain()
