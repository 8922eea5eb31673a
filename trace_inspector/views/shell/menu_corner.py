"""The right end of the menu bar: which panels are shown, and the button that opens the palette."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication, QSize, Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenuBar, QToolButton, QWidget

from trace_inspector.core.translatable import N_
from trace_inspector.models.base.translation import tr
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.widgets.controls import Tag

ICON_PX = 16
SWITCHES = (  # action, drawing, name, and whether the action is checked while the panel is shown
    ("show-workspace", "panel-left", N_("Workspace"), True),
    ("fold-panels", "panel-bottom", N_("Panels at the bottom"), False),
    ("show-details", "panel-right", N_("Details"), True),
)


class MenuCorner(QWidget):
    """Switches stand always at the same place: a panel that is hidden comes back where it went."""

    def __init__(self, theme: Theme, actions: Mapping[str, QAction], bar: QMenuBar) -> None:
        super().__init__(bar)
        self._theme = theme
        self._bar = bar
        self._tinted: list[tuple[QToolButton, str]] = []
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 12, 0)
        row.setSpacing(4)
        for name, icon, words, straight in SWITCHES:
            row.addWidget(self._switch(actions[name], icon, tr(words), straight=straight))
        row.addSpacing(12)
        row.addWidget(self._palette_button(actions["palette"]))
        self._key = Tag(theme, actions["palette"].shortcut().toString())
        row.addWidget(self._key, 0, Qt.AlignmentFlag.AlignVCenter)
        self._tint()
        theme.changed.connect(self._tint)
        bar.setCornerWidget(self)

    def _switch(self, action: QAction, icon: str, words: str, *, straight: bool) -> QToolButton:
        button = QToolButton()
        button.setCheckable(True)
        button.setIconSize(QSize(ICON_PX, ICON_PX))
        button.setAccessibleName(words)
        key = action.shortcut().toString()
        button.setToolTip(f"{words} ({key})" if key else words)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setProperty("frame", "hint")

        def follow() -> None:
            button.setEnabled(action.isEnabled())
            button.setChecked(action.isEnabled() and action.isChecked() is straight)

        def press() -> None:
            action.trigger()
            follow()

        button.clicked.connect(press)
        action.changed.connect(follow)
        follow()
        self._tinted.append((button, icon))
        return button

    def _palette_button(self, action: QAction) -> QToolButton:
        button = QToolButton()
        button.setDefaultAction(action)
        button.setIconSize(QSize(ICON_PX, ICON_PX))
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setFont(self._theme.fonts.secondary)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setText(" " + tr("Command palette"))  # Qt leaves no room beside the icon
        button.setAccessibleName(tr("Command palette"))
        button.setProperty("frame", "hint")
        return button

    def _tint(self) -> None:
        for button, icon in self._tinted:
            button.setIcon(self._theme.icon(icon, "text2"))
        size = self._bar.size()  # Qt asks for the size of a corner only when the bar has another
        QCoreApplication.postEvent(self._bar, QResizeEvent(size, size))
