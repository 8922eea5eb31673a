"""What everything is painted with: tokens, fonts and icons, following the system or the person's choice."""

from __future__ import annotations

import enum
import math
from collections.abc import Iterator
from string import Template

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QIcon
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QWidget

from trace_inspector.resources import folder
from trace_inspector.views.appearance.fonts import Fonts, make_fonts, scaled
from trace_inspector.views.appearance.icons import Icons
from trace_inspector.views.appearance.theme import DARK, LIGHT, Tokens, palette

ROOM_PX = 4  # above and below the text of a row together
SAMPLE, SAMPLE_PX = "Recomputed 0123456789", 158  # and its width in the body font that lengths were drawn for


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


class Theme(QObject):
    """The current theme. Painters read it when they paint; `changed` is emitted after each change."""

    changed = Signal()
    _sheet_changed = Signal(str)

    def __init__(self, app: QApplication, fonts: Fonts | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._app = app
        self.fonts = self._unscaled = fonts or make_fonts()
        self._percent = 100
        self._measure()
        self.icons = Icons(folder("icons"), sorted({screen.devicePixelRatio() for screen in app.screens()}))
        self.scheme = Scheme.SYSTEM
        self.tokens: Tokens = LIGHT
        self._template = Template((folder("theme") / "window.qss").read_text("utf-8"))
        self._sheet = ""
        app.setFont(self.fonts.body)
        app.styleHints().colorSchemeChanged.connect(self._follow)
        self._apply()

    def dress(self, window: QWidget) -> None:
        """Give a window, and all that is or comes to be in it, the style sheet.

        The application has none: with one, Qt would style everything in a widget again each time the widget is
        given another parent. That saves a third of the time it takes to make a window.
        """
        window.setStyleSheet(self._sheet)
        self._sheet_changed.connect(window.setStyleSheet)

    def choose(self, scheme: Scheme) -> None:
        """Light, dark, or as the system has it."""
        self.scheme = scheme
        self._app.styleHints().setColorScheme(_ASKED[scheme])
        self._follow()

    def scale(self, percent: int) -> None:
        """Set another text size, also in what is shown already."""
        self._percent = percent
        self._replace_fonts()

    def choose_fonts(self, *, system: bool) -> None:
        """The system's fonts or the shipped ones, also in what is shown already."""
        self._unscaled = make_fonts(system=system)
        self._replace_fonts()

    def row(self, least_px: int) -> int:
        """The height of a row of one line: `least_px`, or more for a large text size."""
        return max(least_px, self._line_px + ROOM_PX)

    def grown(self, length_px: int) -> int:
        """A length that was drawn for the shipped font at 100 %; longer where letters are wider."""
        return math.ceil(length_px * self._growth)

    def icon(self, name: str, ink: str = "text", size_px: int = 16) -> QIcon:
        """An icon in today's colours."""
        return self.icons.icon(name, self.tokens, size_px, ink)

    def color(self, name: str) -> QColor:
        """A token as Qt wants it."""
        return QColor(getattr(self.tokens, name))

    def _measure(self) -> None:
        letters = QFontMetrics(self.fonts.body)
        self._line_px = letters.height()
        self._growth = max(1.0, letters.horizontalAdvance(SAMPLE) / SAMPLE_PX)

    def _replace_fonts(self) -> None:
        before, self.fonts = self.fonts, scaled(self._unscaled, self._percent)
        if before != self.fonts:
            self._measure()
            self._app.setFont(self.fonts.body)
            self._apply(before)

    def _follow(self) -> None:
        if self._chosen_tokens() is not self.tokens:
            self._apply()

    def _chosen_tokens(self) -> Tokens:
        if self.scheme is not Scheme.SYSTEM:
            return DARK if self.scheme is Scheme.DARK else LIGHT
        return DARK if self._app.styleHints().colorScheme() is Qt.ColorScheme.Dark else LIGHT

    def _apply(self, before: Fonts | None = None) -> None:
        """Apply another theme or text size. Setting a style sheet again removes the widgets' own fonts."""
        with_fonts = list(self._with_font(before or self.fonts))
        self.tokens = self._chosen_tokens()
        self._app.setPalette(palette(self.tokens))
        names = {name: getattr(self.tokens, name) for name in Tokens.__struct_fields__}
        names["arrow"] = "dark" if self.tokens.dark else "light"
        self._sheet = self._template.substitute(names)
        self._sheet_changed.emit(self._sheet)
        for widget, font in with_fonts:
            widget.setFont(getattr(self.fonts, font))
            if isinstance(widget, QAbstractScrollArea):  # whose insides the style sheet gave the font from before
                widget.viewport().setFont(getattr(self.fonts, font))
        self.changed.emit()

    def _with_font(self, fonts: Fonts) -> Iterator[tuple[QWidget, str]]:
        """The widgets that have one of these fonts, and which."""
        by_name = [(name, getattr(fonts, name)) for name in Fonts.__struct_fields__]
        for widget in self._app.allWidgets():
            if widget.testAttribute(Qt.WidgetAttribute.WA_SetFont):
                own = widget.font()
                name = next((name for name, font in by_name if font == own), "")
                if name:
                    yield widget, name
