"""What everything is painted with: tokens, fonts and icons, following the system or the person's choice."""

from __future__ import annotations

import enum
from string import Template

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QIcon
from PySide6.QtWidgets import QApplication

from trace_inspector.resources import folder
from trace_inspector.views.fonts import Fonts, make_fonts
from trace_inspector.views.icons import Icons
from trace_inspector.views.theme import DARK, LIGHT, Tokens, palette


class Scheme(enum.Enum):
    """What the person chose."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


_ASKED = {
    Scheme.SYSTEM: Qt.ColorScheme.Unknown,
    Scheme.LIGHT: Qt.ColorScheme.Light,
    Scheme.DARK: Qt.ColorScheme.Dark,
}


class Look(QObject):
    """The current look. Painters read it when they paint; `changed` comes when it became another."""

    changed = Signal()

    def __init__(self, app: QApplication, fonts: Fonts | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._app = app
        self.fonts = fonts or make_fonts()
        self.icons = Icons(folder("icons"), sorted({screen.devicePixelRatio() for screen in app.screens()}))
        self.scheme = Scheme.SYSTEM
        self.tokens: Tokens = LIGHT
        self._sheet = Template((folder("theme") / "window.qss").read_text("utf-8"))
        app.setFont(self.fonts.body)
        app.styleHints().colorSchemeChanged.connect(self._follow)
        self._apply()

    def choose(self, scheme: Scheme) -> None:
        """Light, dark, or as the system has it."""
        self.scheme = scheme
        self._app.styleHints().setColorScheme(_ASKED[scheme])
        self._follow()

    def icon(self, name: str, ink: str = "text", size_px: int = 16) -> QIcon:
        """An icon in today's colours."""
        return self.icons.icon(name, self.tokens, size_px, ink)

    def color(self, name: str) -> QColor:
        """A token as Qt wants it."""
        return QColor(getattr(self.tokens, name))

    def _follow(self) -> None:
        if self._wanted() is not self.tokens:
            self._apply()

    def _wanted(self) -> Tokens:
        if self.scheme is not Scheme.SYSTEM:
            return DARK if self.scheme is Scheme.DARK else LIGHT
        return DARK if self._app.styleHints().colorScheme() is Qt.ColorScheme.Dark else LIGHT

    def _apply(self) -> None:
        self.tokens = self._wanted()
        self._app.setPalette(palette(self.tokens))
        names = {name: getattr(self.tokens, name) for name in Tokens.__slots__}
        names["arrow"] = "dark" if self.tokens.dark else "light"
        self._app.setStyleSheet(self._sheet.substitute(names))
        self.changed.emit()
