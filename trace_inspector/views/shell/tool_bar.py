"""A tool bar that is never wider than its window: what finds no room is in a menu at its right end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct, field
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMenu, QToolBar, QToolButton, QWidget

from trace_inspector.models.base.translation import tr

BAR_PX = 40
PART_PX = 28
SPACING_PX, PADDING_PX = 4, 6


class _Part(Struct):
    """A widget of the bar. What has a `need` may give way, the highest first; then its actions are in the menu."""

    widget: QWidget
    shown: QAction
    need: int = 0
    actions: Sequence[QAction] = field(default_factory=tuple)

    @property
    def width_px(self) -> int:
        """What it takes of the bar."""
        if isinstance(self.widget, QLabel) and not self.widget.text():
            return 0
        self.widget.ensurePolished()
        least = self.widget.minimumWidth()
        return (least or self.widget.sizeHint().width()) + SPACING_PX


class FittingToolBar(QToolBar):
    """Parts in groups with a line between them."""

    def __init__(self) -> None:
        super().__init__(tr("Tool bar"))
        self.setObjectName("tool-bar")
        self.setMovable(False)
        self.setFixedHeight(BAR_PX)
        self._groups: list[list[_Part]] = [[]]
        self._dividers: list[_Part] = []
        self._fitting = False
        self.more = QToolButton()
        self.more.setText("⋯")
        self.more.setFixedHeight(PART_PX)
        self.more.setToolTip(tr("More tools"))
        self.more.setAccessibleName(tr("More tools"))
        self.more.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu = QMenu(self.more)
        self._menu.aboutToShow.connect(self._fill_menu)
        self.more.setMenu(self._menu)

    def add_part(self, widget: QWidget, need: int = 0, actions: Sequence[QAction] = ()) -> None:
        """Add a widget at the right end; with a `need` it may give way, the highest first."""
        self._groups[-1].append(_Part(widget, self.addWidget(widget), need, actions))

    def add_line(self) -> None:
        """End a group."""
        line = _divider()
        self._dividers.append(_Part(line, self.addWidget(line)))
        self._groups.append([])

    def add_more(self) -> None:
        """Place the menu of what finds no room; what is added later stays right of it."""
        self._more = self.addWidget(self.more)
        self._more.setVisible(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width has room for other tools."""
        super().resizeEvent(event)
        self.fit()

    def event(self, event: QEvent) -> bool:
        """A tool has other words."""
        handled = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.fit()
        return handled

    def fit(self) -> None:
        """Show the tools that there is room for."""
        if self._fitting:
            return
        self._fitting = True
        left_out = self._left_out()
        for part in self._parts():
            part.shown.setVisible(part not in left_out)
        for group, line in zip(self._groups, self._dividers, strict=False):
            line.shown.setVisible(any(part not in left_out for part in group))
        self._more.setVisible(any(part.actions for part in left_out))
        self._fitting = False

    def _left_out(self) -> list[_Part]:
        room_px = self.width() - 2 * PADDING_PX
        needed_px = sum(part.width_px for part in (*self._parts(), *self._dividers))
        left_out: list[_Part] = []
        for part in sorted((part for part in self._parts() if part.need), key=lambda part: -part.need):
            if needed_px + (self.more.sizeHint().width() + SPACING_PX if left_out else 0) <= room_px:
                break
            left_out.append(part)
            needed_px -= part.width_px
        return left_out

    def _parts(self) -> Iterator[_Part]:
        for group in self._groups:
            yield from group

    def _fill_menu(self) -> None:
        self._menu.clear()
        for part in self._parts():
            if not part.shown.isVisible():
                self._menu.addActions(list(part.actions))


def _divider() -> QWidget:
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(8, 0, 8, 0)
    line = QFrame()
    line.setObjectName("line")
    line.setFixedSize(1, 20)
    row.addWidget(line)
    holder.setFixedHeight(PART_PX)
    return holder
