"""The panels around the centre: made one by one, arranged, and restored."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QObject, Qt, QTimer
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabBar

from trace_inspector.models.base.translation import tr
from trace_inspector.views.layout.panels import PANELS, Panel
from trace_inspector.views.widgets.panel import PanelWidget
from trace_inspector.views.widgets.tabs import TabPainter, counted_title
from trace_inspector.views.window_context.desk import Desk

LAYOUT_VERSION = 1
LEAST_PX = 200
ROOMY_PX = 1200


class Docks(QObject):
    """PANELS in their docks. While they are hidden, `layout` is the one to restore."""

    def __init__(self, window: QMainWindow, desk: Desk) -> None:
        super().__init__(window)
        self.layout = QByteArray()
        self._window = window
        self._desk = desk

    def make_next(self) -> bool:
        """Make the next panel, hidden: all in one turn take long. False when none is left."""
        panel = next((panel for panel in PANELS if panel.id not in self._desk.docks), None)
        if panel is not None:
            self._add(panel)
            self._desk.docks[panel.id].hide()
        return panel is not None

    def hide(self) -> None:
        """Hide all, and remember their layout."""
        self.layout = self._window.saveState(LAYOUT_VERSION)
        for dock in self._desk.docks.values():
            dock.hide()

    def show(self) -> None:
        """Restore all, or show them in their usual places."""
        for panel in PANELS:
            if panel.id not in self._desk.docks:
                self._add(panel)
        if not self.layout.isEmpty() and self._window.restoreState(self.layout, LAYOUT_VERSION):
            return
        narrow = self._window.width() < ROOMY_PX
        for panel in PANELS:
            dock = self._desk.docks[panel.id]
            size = panel.narrow_px if narrow else panel.size_px
            dock.setVisible(size > 0)
            sideways = panel.area is not Qt.DockWidgetArea.BottomDockWidgetArea
            way = Qt.Orientation.Horizontal if sideways else Qt.Orientation.Vertical
            self._window.resizeDocks([dock], [size or panel.size_px], way)
        self._desk.docks["problems"].raise_()
        QTimer.singleShot(0, self, self._show_tabs)

    def _add(self, panel: Panel) -> None:
        title = tr(panel.title)
        dock = QDockWidget(title, self._window)
        dock.setObjectName(panel.id)
        inside = panel.make(self._desk)
        inside.setMinimumWidth(LEAST_PX)  # a layout that was kept while the window was tiny must not squeeze it away
        dock.setWidget(inside)
        dock.setTitleBarWidget(inside.head)
        docks = self._desk.docks
        before = [docks[other.id] for other in PANELS if other.area is panel.area and other.id in docks]
        self._window.addDockWidget(panel.area, dock)
        if before:
            self._window.tabifyDockWidget(before[-1], dock)
            before[0].raise_()
        docks[panel.id] = dock
        inside.counted.connect(lambda count: dock.setWindowTitle(counted_title(title, count)))
        inside.set_count(inside.count)
        dock.visibilityChanged.connect(self._name_heads)
        dock.visibilityChanged.connect(inside.note_dock)
        dock.dockLocationChanged.connect(self._name_heads)
        dock.topLevelChanged.connect(self._name_heads)

    def _name_heads(self) -> None:
        """A panel among tabs is named by its tab; its head would say it twice."""
        for dock in self._desk.docks.values():
            inside = dock.widget()
            if isinstance(inside, PanelWidget):
                among_tabs = any(not other.isHidden() for other in self._window.tabifiedDockWidgets(dock))
                inside.head.set_shown(dock.isFloating() or not among_tabs)
        for bar in self._tabs():
            bar.setAccessibleName(tr("Panels"))
            bar.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            if bar.findChild(TabPainter) is None:
                TabPainter(self._desk.theme, bar)

    def _show_tabs(self) -> None:
        """Tabs of docks that were shown together stay hidden until the next layout, which may come late."""
        for bar in self._tabs():
            bar.setVisible(bar.count() > 1)

    def _tabs(self) -> list[QTabBar]:
        return self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
