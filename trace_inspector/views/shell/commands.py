"""Makes Qt's actions from ACTIONS, and from them menus, tool bar, keys and the palette's list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QSizePolicy, QToolButton, QWidget

from trace_inspector.core.translatable import N_
from trace_inspector.models.base.translation import tr
from trace_inspector.views.actions import ACTIONS
from trace_inspector.views.actions.action import Action
from trace_inspector.views.evaluate.bar import CriteriaButton, evaluate_buttons
from trace_inspector.views.filtering.field import FilterField
from trace_inspector.views.shell.tool_bar import PART_PX, FittingToolBar
from trace_inspector.views.widgets.controls import Label
from trace_inspector.views.widgets.palette import Entry
from trace_inspector.views.window_context.desk import Desk

ICON_PX = 16
LEAST_NEEDED = 9
BESIDE_REVIEW = (
    "review",
    "palette",
    "quit",
    "keys",
    "tour",
    "larger-text",
    "smaller-text",
    "usual-text",
    "full-screen",
)
TOOLS = (  # an action and how soon it gives way where room is short, 0 for never; "" for a line between groups
    ("open-files", 4), ("save", 6), ("", 0), ("undo", 7), ("redo", 8), ("", 0), ("evaluate", 0), ("edit-criteria", 2),
    ("stop", 5), ("", 0), ("previous-failing", 3), ("next-failing", 1),
)  # fmt: skip
MENUS = (N_("&File"), N_("&Edit"), N_("&View"), N_("&Go"), N_("Gol&den"), N_("Eval&uate"), N_("&Tools"), N_("&Help"))
SUBMENUS = (
    N_("Copy as"), N_("Export report"), N_("Export view"), N_("Panels"), N_("Save evidence"), N_("Text size"),
    N_("Theme"),
)  # fmt: skip


class Commands(QObject):
    """The actions of one window. `refresh` updates which are enabled, at most once per turn of the event loop."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._desk = desk
        self.actions: dict[str, QAction] = {}
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self._refresh)
        for action in ACTIONS:
            self.actions[action.id] = self._make(action)
        self._tint()
        workspace = desk.workspace
        for signal in (
            workspace.files.added, workspace.files.changed, workspace.files.closed, workspace.run.changed,
            workspace.selection.changed, workspace.filtering.placed, desk.jobs.changed,
        ):  # fmt: skip
            signal.connect(self.refresh)
        desk.undo.indexChanged.connect(self.refresh)
        desk.session.changed.connect(self.refresh)
        workspace.growth.changed.connect(self.refresh)
        workspace.saving.changed.connect(self.refresh)
        for signal in (workspace.review.opened, workspace.review.closed):
            signal.connect(self.refresh)
        desk.theme.changed.connect(self._tint)
        desk.window.installEventFilter(self)
        workspace.evaluation.confirmation_wanted.connect(self.actions["evaluate-with"].trigger)

    def refresh(self) -> None:
        """Something changed that may enable or disable an action."""
        self._later.start()

    def eventFilter(self, _window: QObject, event: QEvent) -> bool:
        """A key press updates the actions first, as it may come before the next turn of the event loop."""
        if event.type() == QEvent.Type.ShortcutOverride and self._later.isActive():
            self._later.stop()
            self._refresh()
        return False

    def entries(self) -> list[Entry]:
        """Every action as a line of the palette."""
        self._refresh()
        titles = _titles()
        return [self._entry(action, titles) for action in ACTIONS]

    def usable(self, names: Sequence[str]) -> list[QAction]:
        """Some of the actions by their ids, as they can be used now."""
        self._refresh()
        return [self.actions[name] for name in names]

    def fill(self, bar: QMenuBar) -> None:
        """Put every action into its menu."""
        menus = {_plain(name): bar.addMenu(tr(name)) for name in MENUS}
        titles = _titles()
        for action in ACTIONS:
            path = action.menu.lstrip("|").split("/")
            menu = menus[path[0]]
            if action.menu.startswith("|"):
                menu.addSeparator()
            for name in path[1:]:
                menu = _submenu(menu, titles[name])
            menu.addAction(self.actions[action.id])

    def tool_bar(self) -> FittingToolBar:
        """The few actions that are always in sight, while there is room for them."""
        bar = FittingToolBar()
        for name, need in TOOLS:
            if not name:
                bar.add_line()
            else:
                bar.add_part(self._part(name), need, [self.actions[name]])
        self.failing = Label(self._desk.theme, font="secondary", ink="text2")
        self.failing.setFixedHeight(PART_PX)
        bar.add_part(self.failing, LEAST_NEEDED)
        bar.add_more()
        spring = QWidget()
        spring.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        bar.addWidget(spring)
        self._desk.filter = field = FilterField(self._desk)
        bar.add_part(field)
        return bar

    def _part(self, name: str) -> QWidget:
        if name == "edit-criteria":
            return CriteriaButton(self._desk, self.actions[name])
        button = self._button(next(action for action in ACTIONS if action.id == name))
        return evaluate_buttons(self._desk, button, self.actions) if name == "evaluate" else button

    def _button(self, action: Action) -> QToolButton:
        button = QToolButton()
        button.setProperty("frame", action.bar)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setIconSize(QSize(ICON_PX, ICON_PX))
        button.setAccessibleName(_plain(tr(action.text)))
        if action.bar != "icon":
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        if action.bar == "filled":
            self._fill(button, action)
        else:
            button.setDefaultAction(self.actions[action.id])
        return button

    def _fill(self, button: QToolButton, action: Action) -> None:
        """The filled button has an icon of its own: the action's would not be seen on the accent colour."""
        made, theme = self.actions[action.id], self._desk.theme
        button.setFont(theme.fonts.strong)
        button.setText(_plain(tr(action.text)))
        button.setToolTip(made.toolTip())
        button.setIcon(theme.icon(action.icon, "on_accent"))
        button.setEnabled(made.isEnabled())
        button.clicked.connect(made.trigger)
        made.enabledChanged.connect(button.setEnabled)
        theme.changed.connect(lambda: button.setIcon(theme.icon(action.icon, "on_accent")))

    def _make(self, action: Action) -> QAction:
        made = QAction(tr(action.text), self._desk.window)
        made.setObjectName(action.id)
        made.setCheckable(action.checked is not None)
        if action.key:
            made.setShortcut(QKeySequence(action.key))
            if action.in_tree:
                made.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        name = _plain(tr(action.text))
        made.setToolTip(f"{name} ({action.key})" if action.key else name)
        made.triggered.connect(lambda: self._run(action))
        self._desk.window.addAction(made)
        return made

    def _run(self, action: Action) -> None:
        action.run(self._desk)
        self.refresh()

    def _entry(self, action: Action, titles: Mapping[str, str]) -> Entry:
        made = self.actions[action.id]
        menu = " › ".join(titles[name] for name in action.menu.lstrip("|").split("/"))
        key = made.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        text = made.text().replace("&&", "\0").replace("&", "").replace("\0", "&")
        return Entry(text, made.trigger, menu, key, enabled=made.isEnabled(), usual=_plain(tr(action.text)))

    def _refresh(self) -> None:
        is_reviewing = self._desk.workspace.review.is_open  # all else could show what a judge said
        for action in ACTIONS:
            made = self.actions[action.id]
            made.setEnabled(action.enabled(self._desk) and (action.id in BESIDE_REVIEW or not is_reviewing))
            if action.checked is not None:
                made.setChecked(action.checked(self._desk))
            if action.named is not None:
                made.setText(action.named(self._desk) or tr(action.text))
        position, count = self._desk.workspace.navigation.failing_position()
        words = tr("Failing {0} of {1}").format(position, count) if position else tr("{0} failing").format(count)
        self.failing.setText(words if count else "")

    def _tint(self) -> None:
        for action in ACTIONS:
            if action.icon:
                self.actions[action.id].setIcon(self._desk.theme.icon(action.icon, "text2"))


def _titles() -> Mapping[str, str]:
    """The menus by the names that actions give them, in the language of the window."""
    return {_plain(name): _plain(tr(name)) for name in (*MENUS, *SUBMENUS)}


def _plain(text: str) -> str:
    return text.replace("&", "")


def _submenu(menu: QMenu, name: str) -> QMenu:
    submenu = menu.findChild(QMenu, name)
    if submenu is None:
        submenu = menu.addMenu(name)
        submenu.setObjectName(name)
    return submenu
