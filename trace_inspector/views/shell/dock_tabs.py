"""The tabs of docks: painted as all tabs are; at the end of those at the bottom the button that folds the panels."""

from __future__ import annotations

from PySide6.QtCore import QChildEvent, QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabBar, QToolButton

from trace_inspector.models.base.translation import tr
from trace_inspector.views.widgets.tabs import MORE_PX, TabPainter
from trace_inspector.views.window_context.desk import Desk

FOLD = "fold"  # the name of the button
ICON_PX = 16
RIGHT_PX = 8


class DockTabs(QObject):
    """Qt makes these bars itself, and others when docks are moved. `fold_wanted` and `unfold_wanted` are clicks."""

    fold_wanted = Signal()
    unfold_wanted = Signal()

    def __init__(self, window: QMainWindow, desk: Desk) -> None:
        super().__init__(window)
        self._window = window
        self._desk = desk
        self._folded = False
        desk.theme.changed.connect(self._tint)
        window.installEventFilter(self)

    @property
    def height_px(self) -> int:
        """The height of the highest bar."""
        return max((bar.height() for bar in self._bars()), default=0)

    def dress(self) -> None:
        """New bars are painted as ours, and can be reached by keys."""
        for bar in self._bars():
            bar.setAccessibleName(tr("Panels"))
            bar.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            if bar.findChild(TabPainter) is None:
                TabPainter(self._desk.theme, bar)
                bar.installEventFilter(self)
                bar.tabBarClicked.connect(lambda _tab, of=bar: self._clicked(of))
                self._add_button(bar)
            self._place(bar)

    def show_all(self) -> None:
        """Tabs of docks that were shown together stay hidden until the next layout, which may come late."""
        for bar in self._bars():
            bar.setVisible(bar.count() > 1)
            self._place(bar)

    def show_folded(self, *, folded: bool) -> None:
        """Whether the panels at the bottom are folded to their tabs."""
        self._folded = folded
        for bar in self._bars():
            self._place(bar)
        self._tint()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The button stays at the right end; a bar that Qt makes later, even a spare one, is like the others."""
        if watched is self._window:
            if isinstance(event, QChildEvent) and event.polished() and isinstance(event.child(), QTabBar):
                QTimer.singleShot(0, self, self.dress)
        elif event.type() in (QEvent.Type.Resize, QEvent.Type.Show) and isinstance(watched, QTabBar):
            self._place(watched)
        return False

    def _clicked(self, bar: QTabBar) -> None:
        if self._folded and self._is_below(bar):
            self.unfold_wanted.emit()

    def _press(self) -> None:
        (self.unfold_wanted if self._folded else self.fold_wanted).emit()

    def _add_button(self, bar: QTabBar) -> None:
        button = QToolButton(bar)
        button.setObjectName(FOLD)
        button.setIconSize(QSize(ICON_PX, ICON_PX))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(self._press)
        self._tint()

    def _place(self, bar: QTabBar) -> None:
        button = bar.findChild(QToolButton, FOLD)
        if isinstance(button, QToolButton):
            button.setVisible(self._is_below(bar))
            button.setGeometry(bar.width() - MORE_PX - RIGHT_PX, (bar.height() - MORE_PX) // 2, MORE_PX, MORE_PX)

    def _tint(self) -> None:
        words = tr("Unfold the panels") if self._folded else tr("Fold the panels")
        for bar in self._bars():
            button = bar.findChild(QToolButton, FOLD)
            if isinstance(button, QToolButton):
                button.setIcon(self._desk.theme.icon("up" if self._folded else "down", "text2"))
                button.setToolTip(words)
                button.setAccessibleName(words)

    def _is_below(self, bar: QTabBar) -> bool:
        """Whether these are the tabs of docks at the bottom: Qt tells a bar nothing but their titles."""
        title = bar.tabText(0)
        return any(
            dock.windowTitle() == title
            and self._window.dockWidgetArea(dock) == Qt.DockWidgetArea.BottomDockWidgetArea
            for dock in self._desk.docks.values()
            if isinstance(dock, QDockWidget)
        )

    def _bars(self) -> list[QTabBar]:
        return self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
