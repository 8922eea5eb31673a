"""All keys in one list: those of actions, and those that are active only in one place."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from trace_inspector.models.base.translation import tr
from trace_inspector.views.help.own_keys import OwnKey
from trace_inspector.views.widgets.controls import Label, Tag
from trace_inspector.views.widgets.dialog_frame import show_inside
from trace_inspector.views.widgets.fields import LineField
from trace_inspector.views.widgets.scroll_page import ScrollPage
from trace_inspector.views.window_context.desk import Desk

GROUP_GAP_PX = 12


class _Line(Struct, frozen=True):
    """What is found by its words, and hidden while it is not."""

    words: str
    shown: tuple[QWidget, ...]


def show_keys(desk: Desk, places: Sequence[tuple[str, Sequence[OwnKey]]]) -> None:
    """Every action that has a key, in the order of the menus; then the keys of each view, panel and other place."""
    everywhere = [(entry.key, (entry.usual or entry.text).rstrip("…"), entry.caption) for entry in desk.commands()]
    groups = [(tr("Everywhere"), everywhere)]
    groups += [(tr(title), [(own.keys, tr(own.does), "") for own in own_keys]) for title, own_keys in places]
    show_inside(desk.theme, desk.window, tr("Keys"), KeyList(desk, groups), (640, 640))


class KeyList(QWidget):
    """The keys by place, of which those remain that what is typed is found in."""

    def __init__(self, desk: Desk, groups: Sequence[tuple[str, Sequence[tuple[str, str, str]]]]) -> None:
        super().__init__()
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._desk = desk
        self._groups: list[tuple[Label, list[_Line]]] = []
        self.field = LineField(desk.theme, tr("Find a key"), self._find, tr("Find a key or what it does"))
        self.field.textChanged.connect(self._find)
        inside = QWidget()
        inside.setObjectName("page")
        self._grid = QGridLayout(inside)
        self._grid.setContentsMargins(16, 4, 16, 12)
        self._grid.setHorizontalSpacing(24)
        self._grid.setVerticalSpacing(6)
        for title, lines in groups:
            self._add(title, [line for line in lines if line[0]])
        self._nothing = Label(desk.theme, tr("No key has these words."), ink="text2")
        self._nothing.hide()
        self._grid.addWidget(self._nothing, self._grid.rowCount(), 0, 1, 3)
        self._grid.setColumnStretch(1, 1)
        self._grid.setRowStretch(self._grid.rowCount(), 1)
        self._page = ScrollPage()
        self._page.setWidget(inside)
        self._page.setAccessibleName(tr("Keys"))
        self._page.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # the arrows scroll
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 12, 0, 0)
        box.setSpacing(4)
        field = QVBoxLayout()
        field.setContentsMargins(16, 0, 16, 0)
        field.addWidget(self.field)
        box.addLayout(field)
        box.addWidget(self._page, 1)

    def _add(self, title: str, lines: Sequence[tuple[str, str, str]]) -> None:
        """A title, and below it the keys, what they do, and the menu that has it too."""
        if not lines:
            return
        theme, row = self._desk.theme, self._grid.rowCount()
        head = Label(theme, title, font="strong")
        head.setContentsMargins(0, GROUP_GAP_PX if self._groups else 0, 0, 0)
        self._grid.addWidget(head, row, 0, 1, 3)
        found: list[_Line] = []
        for index, (keys, does, menu) in enumerate(lines, start=row + 1):
            tag, words = Tag(theme, keys), Label(theme, does, wrap=True)
            where = Label(theme, menu, font="secondary", ink="text2")
            self._grid.addWidget(tag, index, 0, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self._grid.addWidget(words, index, 1)
            self._grid.addWidget(where, index, 2)
            found.append(_Line(" ".join((title, keys, does, menu)).casefold(), (tag, words, where)))
        self._groups.append((head, found))

    def _find(self, text: str) -> None:
        """Show the lines in which every typed word stands."""
        words = text.casefold().split()
        any_fits = False
        for head, lines in self._groups:
            fits = [all(word in line.words for word in words) for line in lines]
            for line, fit in zip(lines, fits, strict=True):
                for widget in line.shown:
                    widget.setVisible(fit)
            head.setVisible(any(fits))
            any_fits = any_fits or any(fits)
        self._nothing.setVisible(not any_fits)
