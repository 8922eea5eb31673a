"""The panels around the centre: made one by one, and arranged by LAYOUTS for the task in hand."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QByteArray, QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QDockWidget, QMainWindow

from trace_inspector.models.base.translation import tr
from trace_inspector.views.layout.centre_views import VIEWS
from trace_inspector.views.layout.layouts import BOTTOM, LEFT, RIGHT, Chosen, Division, divide, read, written
from trace_inspector.views.layout.panels import PANELS, Panel
from trace_inspector.views.shell.dock_tabs import DockTabs
from trace_inspector.views.widgets.panel import PanelWidget, Task
from trace_inspector.views.widgets.tabs import counted_title
from trace_inspector.views.window_context.desk import Desk

LAYOUT_VERSION = 2
LEAST_PX = 200
BODY_PX = 13  # letters of the text at 100 %
ANY_PX = 16_777_215  # Qt's own limit
_AREAS = {
    Qt.DockWidgetArea.LeftDockWidgetArea: LEFT,
    Qt.DockWidgetArea.RightDockWidgetArea: RIGHT,
    Qt.DockWidgetArea.BottomDockWidgetArea: BOTTOM,
}


class PanelDock(QDockWidget):
    """`called` is emitted when somebody wants to see it, wherever it is."""

    called = Signal()

    def raise_(self) -> None:
        """Bring it to the front of its tabs."""
        super().raise_()
        self.called.emit()


class Docks(QObject):
    """PANELS in their docks. What a person changes is kept for the task in hand.

    `changed` is emitted when others are shown than before.
    """

    changed = Signal()

    def __init__(self, window: QMainWindow, desk: Desk) -> None:
        super().__init__(window)
        self._window = window
        self._desk = desk
        self._task = self._view_task = Task.READING
        self._pressed: dict[str, int] = {}
        self._chosen = {task: Chosen() for task in Task}
        self._division: Division | None = None  # as it was applied; None while no panel is shown
        self._applying = False
        self._first_places = QByteArray()
        self._front = "problems"
        self._tabs = DockTabs(window, desk)
        self._tabs.fold_wanted.connect(lambda: self.fold(folded=True))
        self._tabs.unfold_wanted.connect(lambda: self.fold(folded=False))
        window.installEventFilter(self)
        desk.theme.changed.connect(self.fit)

    @property
    def folded(self) -> bool:
        """Whether only the tabs of the panels at the bottom are shown."""
        return self._division is not None and self._division.folded

    def is_shown(self, name: str) -> bool:
        """Whether a panel is shown, and not folded away."""
        dock = self._desk.docks.get(name)
        return dock is not None and not dock.isHidden() and not (self.folded and self._is_below(dock))

    def make_next(self) -> bool:
        """Make the next panel, hidden: all in one turn take long. False when none is left."""
        panel = next((panel for panel in PANELS if panel.id not in self._desk.docks), None)
        if panel is not None:
            self._add(panel)
            self._desk.docks[panel.id].hide()
        return panel is not None

    def restore(self, text: object) -> None:
        """What was chosen when the program ran last."""
        self._chosen, front = read(text)
        self._front = front or self._front

    def text(self) -> str:
        """What is chosen, to be stored."""
        self._note_choices()
        return written(self._chosen, self._front)

    def hide(self) -> None:
        """Hide all."""
        self._note_choices()
        self._division = None
        for dock in self._desk.docks.values():
            dock.hide()

    def show(self) -> None:
        """Show those of the task in hand."""
        for panel in PANELS:
            if panel.id not in self._desk.docks:
                self._add(panel)
        if self._first_places.isEmpty():
            self._first_places = self._window.saveState(LAYOUT_VERSION)
        self._apply(moved=bool(self._chosen[self._task].places))
        front = self._desk.docks.get(self._front)
        if front is not None:
            QDockWidget.raise_(front)
        QTimer.singleShot(0, self, self._tabs.show_all)

    def turn_view(self, name: str) -> None:
        """Another view is in front."""
        self._view_task = next(view.task for view in VIEWS if view.id == name)
        self._turn()

    def fit(self) -> None:
        """The window or the text has another size."""
        if self._division is not None and not self._applying:
            self._note_choices()
            self._apply()

    def fold(self, *, folded: bool) -> None:
        """Leave only the tabs of the panels at the bottom, or show all of them."""
        if self._division is not None and folded is not self.folded:
            self._note_choices()
            self._chosen[self._task].folded = folded
            self._apply()

    def reset(self) -> None:
        """Every layout as it first was."""
        self._chosen = {task: Chosen() for task in Task}
        self._front = "problems"
        if self._division is not None:
            self._apply(moved=True)
            QDockWidget.raise_(self._desk.docks[self._front])

    def eventFilter(self, _window: QObject, event: QEvent) -> bool:
        """Only a person drags the edges of panels."""
        if event.type() == QEvent.Type.MouseButtonPress:
            self._pressed = self._sizes_px()
        elif event.type() == QEvent.Type.MouseButtonRelease:
            QTimer.singleShot(0, self, self._note_sizes)
        return False

    def _turn(self) -> None:
        """Arrange the panels for another task: that of the view in front, or else that of a panel."""
        tasks = [self._view_task, *(inside.task for inside in self._insides())]
        task = next((task for task in tasks if task is not Task.READING), Task.READING)
        if task is self._task:
            return
        self._note_choices()
        moved = bool(self._chosen[self._task].places or self._chosen[task].places)
        self._task = task
        if self._division is not None:
            self._apply(moved=moved)

    def _apply(self, *, moved: bool = False) -> None:
        window, chosen, scale = self._window, self._chosen[self._task], self._scale
        self._applying = True
        window.setUpdatesEnabled(False)
        try:
            if moved and not self._first_places.isEmpty():
                places = QByteArray.fromBase64(chosen.places.encode())
                if not chosen.places or not window.restoreState(places, LAYOUT_VERSION):
                    window.restoreState(self._first_places, LAYOUT_VERSION)
            self._division = divide(self._task, window.width() / scale, window.height() / scale, chosen)
            for name, dock in self._desk.docks.items():
                shown = self._division.shown.get(name, True)
                if dock.isHidden() or not shown:  # one that nobody hid, Qt would show by itself
                    dock.setVisible(shown)
            self._fold_bottom(folded=self._division.folded)
            for area, side in _AREAS.items():
                docks = [dock for dock in self._in(area) if not dock.isHidden()]
                if docks and not (side == BOTTOM and self._division.folded):
                    self._resize(docks, side, round(self._division.sizes_px[side] * scale))
        finally:
            window.setUpdatesEnabled(True)
            self._applying = False
        self._tabs.show_folded(folded=self._division.folded)
        self.changed.emit()

    def _resize(self, docks: list[QDockWidget], side: str, size_px: int) -> None:
        way = Qt.Orientation.Vertical if side == BOTTOM else Qt.Orientation.Horizontal
        self._window.resizeDocks(docks, [size_px] * len(docks), way)

    def _fold_bottom(self, *, folded: bool) -> None:
        """A panel of no height leaves its tab in sight, and is not seen itself."""
        for dock in self._desk.docks.values():
            inside, none = dock.widget(), folded and self._is_below(dock)
            if inside.maximumHeight() != (0 if none else ANY_PX):
                if none and inside.isAncestorOf(self._window.focusWidget() or self._window):
                    self._desk.take_focus()
                inside.setMaximumHeight(0 if none else ANY_PX)
                layout = dock.layout()
                if layout is not None:
                    layout.activate()  # or the dock would keep its limits until the next turn of the loop

    def _note_choices(self) -> None:
        """What is shown differently from what was applied is a person's choice."""
        if self._division is None or self._applying:
            return
        chosen = self._chosen[self._task]
        for name, dock in self._desk.docks.items():
            shown = not dock.isHidden()
            if shown is not self._division.shown.get(name, True):
                chosen.shown.pop(name, None)  # the last one is at the end
                chosen.shown[name] = shown
            if shown and self._is_below(dock) and not dock.visibleRegion().isEmpty():
                self._front = name
        if chosen.places:
            chosen.places = self._window.saveState(LAYOUT_VERSION).toBase64().toStdString()

    def _note_sizes(self) -> None:
        """An edge may have been dragged."""
        for side, now_px in self._sizes_px().items():
            if side in self._pressed and now_px != self._pressed[side]:
                self._chosen[self._task].sizes_px[side] = round(now_px / self._scale)
        self._pressed = {}

    def _sizes_px(self) -> dict[str, int]:
        """The sizes of the sides that have panels in sight, tabs included."""
        sizes = {}
        for area, side in _AREAS.items():
            dock = next((dock for dock in self._in(area) if not dock.visibleRegion().isEmpty()), None)
            if dock is not None and not (side == BOTTOM and self.folded):
                sizes[side] = dock.height() + self._tabs.height_px if side == BOTTOM else dock.width()
        return sizes

    def _note_place(self) -> None:
        """A person moved a dock, or let it float."""
        if self._division is not None and not self._applying:
            self._chosen[self._task].places = self._window.saveState(LAYOUT_VERSION).toBase64().toStdString()

    @property
    def _scale(self) -> float:
        return self._desk.theme.fonts.body.pixelSize() / BODY_PX

    def _in(self, area: Qt.DockWidgetArea) -> Iterator[QDockWidget]:
        for dock in self._desk.docks.values():
            if not dock.isFloating() and self._window.dockWidgetArea(dock) == area:
                yield dock

    def _insides(self) -> Iterator[PanelWidget]:
        for dock in self._desk.docks.values():
            inside = dock.widget()
            if isinstance(inside, PanelWidget):
                yield inside

    def _is_below(self, dock: QDockWidget) -> bool:
        return not dock.isFloating() and self._window.dockWidgetArea(dock) == Qt.DockWidgetArea.BottomDockWidgetArea

    def _add(self, panel: Panel) -> None:
        title = tr(panel.title)
        dock = PanelDock(title, self._window)
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
            QDockWidget.raise_(before[0])
        docks[panel.id] = dock
        inside.counted.connect(lambda count: dock.setWindowTitle(counted_title(title, count)))
        inside.set_count(inside.count)
        inside.task_changed.connect(self._turn)
        dock.called.connect(lambda: self._show_called(dock))
        dock.visibilityChanged.connect(self._name_heads)
        dock.visibilityChanged.connect(inside.note_dock)
        dock.visibilityChanged.connect(lambda _shown: self.changed.emit())
        dock.visibilityChanged.connect(lambda _shown: self._fit_beside(dock))
        for moved in (dock.dockLocationChanged, dock.topLevelChanged):
            moved.connect(self._name_heads)
            moved.connect(self._note_place)

    def _fit_beside(self, dock: QDockWidget) -> None:
        """A panel that is shown at a side may leave another one, or the centre, too little room."""
        if self._division is not None and not self._applying and not dock.isHidden() and not self._is_below(dock):
            QTimer.singleShot(0, self, self.fit)

    def _show_called(self, dock: QDockWidget) -> None:
        if self._is_below(dock):
            self.fold(folded=False)

    def _name_heads(self) -> None:
        """A panel among tabs is named by its tab; its head would say it twice."""
        for dock in self._desk.docks.values():
            inside = dock.widget()
            if isinstance(inside, PanelWidget):
                among_tabs = any(not other.isHidden() for other in self._window.tabifiedDockWidgets(dock))
                inside.head.set_shown(dock.isFloating() or not among_tabs)
        self._tabs.dress()
