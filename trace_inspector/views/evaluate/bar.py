"""The parts of the tool bar about evaluation: more ways to evaluate, and by which criteria."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import PurePath

from msgspec.structs import replace
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QWidget

from trace_inspector.core.trace.summary import one_line
from trace_inspector.models.base.translation import tr
from trace_inspector.models.evaluation.evaluation_options import CriteriaFrom
from trace_inspector.views.window_context.desk import Desk

ICON_PX = 16
HEIGHT_PX = 28
ARROW_PX = 14
MORE = ("evaluate-with", "", "resume", "only-failed", "only-stale", "this-again", "turn-again")
_NAME_CHARS = 24


def evaluate_buttons(desk: Desk, evaluate: QToolButton, actions: Mapping[str, QAction]) -> QWidget:
    """The button that evaluates, and beside it the one that opens the other ways."""
    theme = desk.theme
    more = QToolButton()
    more.setProperty("frame", "filled")
    more.setProperty("part", "more")
    more.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    more.setAccessibleName(tr("More ways to evaluate"))
    more.setToolTip(tr("More ways to evaluate"))
    more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    more.setIconSize(QSize(ICON_PX, ICON_PX))
    menu = QMenu(more)
    for name in MORE:
        if name:
            menu.addAction(actions[name])
        else:
            menu.addSeparator()
    more.setMenu(menu)

    def tint() -> None:
        more.setIcon(theme.icon("down", "on_accent"))

    theme.changed.connect(tint)
    tint()
    made = actions["evaluate-with"]
    more.setEnabled(made.isEnabled())
    made.enabledChanged.connect(more.setEnabled)
    holder = QWidget()
    holder.setFixedHeight(HEIGHT_PX)
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(1)
    row.addWidget(evaluate)
    row.addWidget(more)
    return holder


class CriteriaButton(QToolButton):
    """Shows the criteria of the next run, and offers others."""

    def __init__(self, desk: Desk, edit: QAction) -> None:
        super().__init__()
        self._desk = desk
        self._evaluation = desk.workspace.evaluation
        self._edit = edit
        self.setProperty("frame", "thin")
        self.setProperty("part", "menu")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setIconSize(QSize(ICON_PX, ICON_PX))
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self._fill)
        self.setMenu(self._menu)
        desk.theme.changed.connect(self._refresh)
        self._evaluation.chosen.connect(self._refresh)
        workspace = desk.workspace
        for signal in (workspace.files.added, workspace.files.changed, workspace.files.closed):
            signal.connect(self._refresh)
        self._refresh()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The button as Qt draws it, with our own arrow."""
        super().paintEvent(event)
        with QPainter(self) as painter:
            theme = self._desk.theme
            ink = theme.tokens.text2 if self.isEnabled() else theme.tokens.text3
            theme.icons.paint(painter, "down", ink, self.width() - ARROW_PX - 6, self.height() / 2, ARROW_PX)

    def _refresh(self, _number: int = 0) -> None:
        words = tr("Criteria: {0}").format(self._name(self._evaluation.options.criteria))
        self.setText(f" {words}".replace("&", "&&"))  # Qt leaves no room beside the icon
        self.setAccessibleName(words)
        self.setIcon(self._desk.theme.icon("sliders", "text2"))
        self.setEnabled(bool(self._desk.workspace.files))

    def _name(self, source: CriteriaFrom) -> str:
        file = self._evaluation.criteria_file
        if source is CriteriaFrom.FOUND:
            return one_line(PurePath(file.name).stem, _NAME_CHARS) if file else tr("as found")
        return tr("ADK default") if source is CriteriaFrom.ADK else tr("edited")

    def _fill(self) -> None:
        self._menu.clear()
        options = self._evaluation.options
        for source in CriteriaFrom:
            if source is CriteriaFrom.EDITED and self._evaluation.edited is None:
                continue
            entry = self._menu.addAction(self._name(source).replace("&", "&&"))
            entry.setCheckable(True)
            entry.setChecked(source is options.criteria)
            entry.triggered.connect(partial(self._evaluation.choose, replace(options, criteria=source)))
        self._menu.addSeparator()
        self._menu.addAction(self._edit)
