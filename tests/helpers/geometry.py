"""Looks for what is wrong with a window by geometry: cut texts, overlaps, sideways scroll bars, what sticks out."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path

from msgspec import Struct
from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QApplication,
    QLineEdit,
    QMenu,
    QScrollBar,
    QSizeGrip,
    QSplitterHandle,
    QTabBar,
    QToolTip,
    QWidget,
)

import trace_inspector
from tests.helpers.painted_texts import PaintedText, painted_texts
from trace_inspector.views.blocks.raw_text import RawText
from trace_inspector.views.filtering.popup import FilterPopup
from trace_inspector.views.widgets.palette import Palette

SLACK_PX = 1.5  # rounding, and the overhang of slanted letters
ELLIPSIS = "…"
LEAST_LETTERS = 2  # with the ellipsis
PIECES_PX = 16.0  # between two pieces of one line, one of which may end in a space of the largest text
OVERLAYS = (Palette, FilterPopup)
UNWRAPPED = (RawText,)  # shows the lines of a file as they are
_NO_TIP = "nobody gave a tip"
_PATH_LENGTH = 5


class Finding(Struct, frozen=True, order=True):
    """Something wrong, the widget where it is, its text, and its place in the window."""

    what: str
    path: str
    text: str
    place: tuple[int, int, int, int]

    def __str__(self) -> str:
        left, top, width, height = self.place
        return f"{self.what}: “{self.text}” in {self.path} at {left},{top} {width}×{height}"


def findings(window: QWidget) -> list[Finding]:
    """All that is wrong with a shown window, its parts and their texts."""
    shown = [widget for widget in _widgets(window) if widget.isVisible() and not widget.visibleRegion().isEmpty()]
    texts = [(widget, text) for widget in shown for text in painted_texts(widget)]
    return sorted(
        {
            *_too_large(window),
            *(found for widget in shown for found in _sticking_out(widget)),
            *(found for widget in shown for found in _overlapping_children(widget)),
            *(found for widget in shown for found in _lost_tabs(widget)),
            *_sideways(shown),
            *(found for widget, text in texts for found in _cut(widget, text)),
            *_nothing_left(texts),
            *_overlapping_texts(texts),
        }
    )


def _widgets(window: QWidget) -> Iterator[QWidget]:
    """The window and all in it, but not in windows that belong to it."""
    yield window
    for child in window.children():
        if isinstance(child, QWidget) and not child.isWindow():
            yield from _widgets(child)


def _too_large(window: QWidget) -> Iterator[Finding]:
    screen = window.screen().size()
    if window.width() > screen.width() or window.height() > screen.height():
        yield _finding("larger than the screen", window, window.windowTitle(), QRectF(window.rect()))


def _sticking_out(widget: QWidget) -> Iterator[Finding]:
    """A part beyond its parent. In what scrolls only sideways: up and down it may."""
    parent = widget.parentWidget()
    is_qts_own = isinstance(widget, QSplitterHandle) or widget.objectName().startswith("qt_qmainwindow")
    if parent is None or widget.isWindow() or is_qts_own:
        return
    inside, room = widget.geometry(), parent.rect()
    is_out = inside.left() < room.left() - 1 or inside.right() > room.right() + 1
    if not _scrolls(parent):
        is_out = is_out or inside.top() < room.top() - 1 or inside.bottom() > room.bottom() + 1
    if is_out:
        yield _finding("beyond its parent", widget, _own_text(widget), QRectF(widget.rect()))


def _overlapping_children(parent: QWidget) -> Iterator[Finding]:
    children = [
        child
        for child in parent.children()
        if isinstance(child, QWidget)
        and child.isVisible()
        and not child.isWindow()
        and not isinstance(child, QSplitterHandle | QSizeGrip)
        and not child.objectName().startswith("qt_")
        and not isinstance(child, OVERLAYS)
    ]
    for one, other in combinations(children, 2):
        both = one.geometry() & other.geometry() & parent.rect()  # docks behind tabs are kept outside
        if both.width() > 2 and both.height() > 2:
            name = f"{_own_text(one) or _name(one)} / {_own_text(other) or _name(other)}"
            yield _finding("widgets overlap", parent, name, QRectF(both))


def _lost_tabs(bar: QWidget) -> Iterator[Finding]:
    """Tabs outside of their bar, without buttons that bring them there."""
    if not isinstance(bar, QTabBar) or any(child.isVisible() for child in bar.findChildren(QWidget)):
        return
    for tab in range(bar.count()):
        if bar.isTabVisible(tab) and not bar.rect().adjusted(-1, -1, 1, 1).contains(bar.tabRect(tab)):
            yield _finding("tab out of sight", bar, bar.tabText(tab), QRectF(bar.tabRect(tab)))


def _sideways(shown: Sequence[QWidget]) -> Iterator[Finding]:
    bars = (bar for bar in shown if isinstance(bar, QScrollBar) and bar.maximum() > 0)
    for bar in bars:
        if bar.orientation() is Qt.Orientation.Horizontal and not _is_in(bar, UNWRAPPED):
            yield _finding("scrolls sideways", bar, f"{bar.maximum()} px too narrow", QRectF(bar.rect()))


def _cut(widget: QWidget, text: PaintedText) -> Iterator[Finding]:
    if isinstance(widget, QLineEdit) and not widget.placeholderText().startswith(text.text.rstrip(ELLIPSIS)):
        return  # what is typed scrolls with the cursor
    room = text.clip & QRectF(widget.rect())
    sight = QRectF(widget.visibleRegion().boundingRect())
    letters = text.letters
    if not _vertically_in(letters, room if not _scrolls(widget) else room & sight):
        if not _scrolls(widget) and _horizontally_in(letters, room) and room.width() > 0:
            yield _finding("cut above or below", widget, text.text, letters)
        return
    if not _horizontally_in(letters, room & sight) and not _scrolls_sideways(widget):
        yield _finding("cut", widget, text.text, letters)
    elif ELLIPSIS in text.text and not _is_whole(widget, text.text) and not _tip(widget, letters):
        yield _finding("no tip", widget, text.text, letters)


def _nothing_left(texts: Sequence[tuple[QWidget, PaintedText]]) -> Iterator[Finding]:
    """A letter and an ellipsis tell nobody anything, unless they end a line that was painted in pieces."""
    for widget, text in texts:
        if ELLIPSIS in text.text and len(text.text.strip()) <= LEAST_LETTERS:
            left, middle = text.letters.left(), text.letters.center().y()
            ends = (
                other.letters
                for owner, other in texts
                if owner is widget and other is not text and other.letters.top() < middle < other.letters.bottom()
            )
            if not any(abs(end.right() - left) < PIECES_PX for end in ends):
                yield _finding("nothing left", widget, text.text, text.letters)


def _horizontally_in(letters: QRectF, room: QRectF) -> bool:
    return room.left() - SLACK_PX <= letters.left() and letters.right() <= room.right() + SLACK_PX


def _vertically_in(letters: QRectF, room: QRectF) -> bool:
    return room.top() - SLACK_PX <= letters.top() and letters.bottom() <= room.bottom() + SLACK_PX


def _tip(widget: QWidget, letters: QRectF) -> str:
    """What a tip would say there."""
    at = letters.center().toPoint()
    QToolTip.showText(QPoint(), _NO_TIP, widget)
    QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, at, widget.mapToGlobal(at)))
    told = QToolTip.text()
    QToolTip.hideText()
    return "" if told == _NO_TIP else told


def _is_whole(widget: QWidget, text: str) -> bool:
    """Whether these dots are no omission: the text was written so."""
    is_excerpt = text.startswith(ELLIPSIS) and len(text) > LEAST_LETTERS  # around what was looked for
    return is_excerpt or isinstance(widget, QMenu) or text in _texts_with_dots() or text == _own_text(widget)


@cache
def _texts_with_dots() -> frozenset[str]:
    """Every text of the program that has dots of its own."""
    found = set()
    for file in Path(trace_inspector.__file__).parent.rglob("*.py"):
        source = file.read_text("utf-8")
        if ELLIPSIS in source:
            found |= {
                node.value.replace("&", "")
                for node in ast.walk(ast.parse(source))
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and ELLIPSIS in node.value
            }
    return frozenset(found)


def _overlapping_texts(texts: Sequence[tuple[QWidget, PaintedText]]) -> Iterator[Finding]:
    """Texts on top of each other, whoever painted them."""
    placed = []
    for widget, text in texts:
        sight = QRectF(widget.visibleRegion().boundingRect())
        seen = text.letters & text.clip & QRectF(widget.rect()) & sight
        if seen.width() > 2 and seen.height() > 2:
            corner = widget.mapTo(widget.window(), QPoint())
            placed.append((seen.translated(corner), widget, text))
    placed.sort(key=lambda one: one[0].top())
    for at, (box, widget, text) in enumerate(placed):
        for other_box, other, other_text in placed[at + 1 :]:
            if other_box.top() >= box.bottom():
                break
            both = box & other_box
            if both.width() > 2 and both.height() > 2 and _overlay(widget) is _overlay(other):
                place = both.translated(-other.mapTo(other.window(), QPoint()))
                yield _finding("texts overlap", other, f"{text.text} / {other_text.text}", place)


def _overlay(widget: QWidget) -> QWidget | None:
    """What lies over the window on purpose, if the widget is in it."""
    return next((above for above in _upwards(widget) if isinstance(above, OVERLAYS)), None)


def _is_in(widget: QWidget, kinds: tuple[type[QWidget], ...]) -> bool:
    return any(isinstance(above, kinds) for above in _upwards(widget))


def _upwards(widget: QWidget | None) -> Iterator[QWidget]:
    """The widget and what it lies in, up to its window."""
    while widget is not None:
        yield widget
        widget = None if widget.isWindow() else widget.parentWidget()


def _scrolls(widget: QWidget) -> bool:
    """Whether a scroll area shows a part of it, or of a part that it lies in."""
    above = (one.parentWidget() for one in _upwards(widget) if not one.isWindow())
    return any(isinstance(one, QAbstractScrollArea) for one in above)


def _scrolls_sideways(widget: QWidget) -> bool:
    """Whether it is the inside of something with a sideways scroll bar, which is a finding of its own."""
    area = widget.parentWidget()
    return isinstance(area, QAbstractScrollArea) and area.horizontalScrollBar().maximum() > 0


def _finding(what: str, widget: QWidget, text: str, box: QRectF) -> Finding:
    inside = box.translated(widget.mapTo(widget.window(), QPoint())).toAlignedRect()
    return Finding(what, _path(widget), text, _numbers(inside))


def _numbers(box: QRect) -> tuple[int, int, int, int]:
    return box.left(), box.top(), box.width(), box.height()


def _path(widget: QWidget) -> str:
    names = []
    while True:
        names.append(_name(widget))
        parent = widget.parentWidget()
        if widget.isWindow() or parent is None:
            break
        widget = parent
    kept = [name for name in reversed(names) if name != "QWidget" and not name.startswith("qt_")]
    return "/".join(kept[-_PATH_LENGTH:])


def _name(widget: QWidget) -> str:
    own = type(widget).__name__
    return f"{own}#{widget.objectName()}" if widget.objectName() else own


def _own_text(widget: QWidget) -> str:
    told = getattr(widget, "text", None)
    text = told() if callable(told) else ""
    return text if isinstance(text, str) else ""
