"""The welcome page: what to do first."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from msgspec import Struct
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.translatable import N_
from trace_inspector.models.base.tips import plain_tip
from trace_inspector.models.base.translation import tr
from trace_inspector.models.files.recent import Recent
from trace_inspector.models.workspace.first_look import CasePlace
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.shell.sample_card import SampleCard
from trace_inspector.views.widgets.controls import Button, ButtonKind, Elided, Label, Tag, hline

WIDEST_PX = 1240
RECENT_SHOWN = 5


KEYS = (
    ("F5", "evaluate"),
    ("F8", N_("next failing")),
    ("Alt+↓", N_("next turn")),
    ("Ctrl+P", N_("go to case")),
    ("F1", N_("all keys")),
)


class WelcomeActions(Struct, frozen=True):
    """What the page's buttons do."""

    open_samples: Callable[[CasePlace], object]
    open_files: Callable[[], object]
    open_folder: Callable[[], object]
    open_recent: Callable[[Path], object]
    show_formats: Callable[[], object]


class Welcome(QScrollArea):
    """Shown while nothing is open."""

    def __init__(self, theme: Theme, ways: WelcomeActions, recent: Recent) -> None:
        super().__init__()
        self._theme = theme
        self._actions = ways
        self._recent = recent
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(tr("Welcome"))
        page = QWidget()
        page.setObjectName("page")
        outer = QVBoxLayout(page)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        columns = self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        columns.setContentsMargins(48 - Button.RING_PX, 32, 48, 16)
        columns.setSpacing(48)
        left, right = self._left(ways), self._right(ways)
        self._sides = (left, right)
        for side in self._sides:  # wrapped words take what they need of the width, not the height of narrow ones
            side.setMinimumHeight(1)
        columns.addWidget(left, 5, Qt.AlignmentFlag.AlignTop)
        columns.addWidget(right, 7, Qt.AlignmentFlag.AlignTop)
        middle = QWidget()
        middle.setMaximumWidth(WIDEST_PX)
        middle.setLayout(columns)
        centred = QHBoxLayout()
        centred.setContentsMargins(0, 0, 0, 0)
        centred.addWidget(middle)
        outer.addLayout(centred, 1)
        outer.addWidget(hline())
        outer.addWidget(self._keys())
        self.setWidget(page)
        QWidget.setTabOrder(self._lines[-1], self._files)
        QWidget.setTabOrder(self._files, self._folder)
        recent.changed.connect(self._list_recent)
        self._list_recent()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where both columns are wider than the page, the samples stand above the rest."""
        super().resizeEvent(event)
        margins = self._columns.contentsMargins()
        wide_px = sum(side.minimumSizeHint().width() for side in self._sides) + self._columns.spacing()
        fits = wide_px + margins.left() + margins.right() <= self.viewport().width()
        direction = QBoxLayout.Direction.LeftToRight if fits else QBoxLayout.Direction.BottomToTop
        if direction is not self._columns.direction():
            self._columns.setDirection(direction)

    def list_formats(self) -> None:
        """Name what can be read. Called after the window is on the screen: the readers take a while to import."""
        if self._formats.count():
            return
        from trace_inspector.formats import FORMATS

        systems: dict[str, list[str]] = {}
        for reader in FORMATS:
            systems.setdefault(reader.system, []).append(reader.short)
        if names := _plugin_formats():
            systems[tr("Plugins")] = names
        for row, (system, shorts) in enumerate(systems.items()):
            title = Label(self._theme, system, font="secondary_strong")
            self._formats.addWidget(title, row, 0, Qt.AlignmentFlag.AlignTop)
            words = Elided(self._theme, ", ".join(shorts), font="secondary", ink="text2")
            self._formats.addWidget(words, row, 1)

    def _list_recent(self) -> None:
        """The newest few; the tooltips show their folders."""
        while (item := self._recent_rows.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        paths = self._recent.paths[:RECENT_SHOWN]
        for path in paths:
            row = Button(
                self._theme, one_line(path.name), ButtonKind.LINK, clicked=partial(self._actions.open_recent, path)
            )
            row.setAccessibleName(tr("Open {0}").format(one_line(str(path))))
            row.setToolTip(plain_tip(one_line(str(path))))
            self._recent_rows.addWidget(row, 0, Qt.AlignmentFlag.AlignLeft)
        if not paths:
            hint = tr("Files you open are listed here. Their names stay on this computer.")
            self._recent_rows.addWidget(_aligned(Label(self._theme, hint, font="secondary", ink="text2", wrap=True)))

    def _left(self, ways: WelcomeActions) -> QWidget:
        theme = self._theme
        side = QWidget()
        box = QVBoxLayout(side)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(4)
        box.addWidget(_aligned(Label(theme, "Trace Inspector", font="heading")))
        text = tr("See what an agent did and decide whether it was right.")
        box.addWidget(_aligned(Label(theme, text, ink="text2", wrap=True)))
        box.addSpacing(16)
        self._files = Button(theme, tr("Open files…"), icon="file", key="Ctrl+O", clicked=ways.open_files)
        self._folder = Button(theme, tr("Open folder…"), icon="folder", key="Ctrl+Shift+O", clicked=ways.open_folder)
        for button in (self._files, self._folder):
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            box.addWidget(button)
        box.addWidget(DropArea(theme))
        box.addSpacing(16)
        box.addWidget(_aligned(Label(theme, tr("Recent"), font="strong")))
        self._recent_rows = QVBoxLayout()
        self._recent_rows.setSpacing(2)
        box.addLayout(self._recent_rows)
        box.addSpacing(16)
        head = QHBoxLayout()
        head.addWidget(_aligned(Label(theme, tr("File formats"), font="strong")), 1)
        head.addWidget(Button(theme, tr("All file formats"), ButtonKind.LINK, clicked=ways.show_formats))
        box.addLayout(head)
        box.addSpacing(4)
        self._formats = QGridLayout()
        self._formats.setContentsMargins(Button.RING_PX, 0, 0, 0)
        self._formats.setHorizontalSpacing(16)
        self._formats.setVerticalSpacing(6)
        self._formats.setColumnStretch(1, 1)
        box.addLayout(self._formats)
        return side

    def _right(self, ways: WelcomeActions) -> QWidget:
        theme = self._theme
        side = QWidget()
        box = QVBoxLayout(side)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(24)
        card = SampleCard(theme, ways.open_samples)
        self.first, self._lines = card.button, card.lines
        box.addWidget(card)
        box.addLayout(self._privacy())
        return side

    def _privacy(self) -> QHBoxLayout:
        theme = self._theme
        row = QHBoxLayout()
        row.setContentsMargins(8, 0, 8, 0)
        row.setSpacing(12)
        shield = _Icon(theme, "shield", "passed")
        row.addWidget(shield, 0, Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(Label(theme, tr("Nothing leaves this computer unless you start a judge."), font="strong"))
        text = tr(
            "Before it does, you see the endpoint, the number of calls and about how many tokens. "
            "Code in a file is never run and remote images are never loaded."
        )
        words.addWidget(Label(theme, text, font="secondary", ink="text2", wrap=True))
        row.addLayout(words, 1)
        return row

    def _keys(self) -> QWidget:
        strip = QWidget()
        strip.setFixedHeight(40)
        row = QHBoxLayout(strip)
        row.setContentsMargins(48, 0, 48, 0)
        row.setSpacing(8)
        for key, words in KEYS:
            row.addWidget(Tag(self._theme, key))
            row.addWidget(Label(self._theme, tr(words), font="secondary", ink="text2"))
            row.addSpacing(12)
        row.addStretch(1)
        return strip


class DropArea(QWidget):
    """Says that files can be dropped; the whole window takes them."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._text_painter = TextPainter(theme)
        self._words = tr("or drop files and folders here")
        self.setAccessibleName(self._words)

    def sizeHint(self) -> QSize:
        """A little higher than a button."""
        return QSize(240, 64)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """A dashed frame and the words."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            pen = QPen(self._theme.color("control"), 1)
            pen.setDashPattern([3, 3])
            painter.setPen(pen)
            box = QRectF(self.rect()).adjusted(3.5, 3.5, -3.5, -3.5)
            painter.drawRoundedRect(box, 4, 4)
            width = min(self._text_painter.width(self._words, "body"), box.width() - 16)
            box.setLeft(box.center().x() - width / 2)
            self._text_painter.left(painter, box, self._words, "body", "text2")


class _Icon(QWidget):
    def __init__(self, theme: Theme, name: str, ink: str) -> None:
        super().__init__()
        self._theme, self._name, self._ink = theme, name, ink
        self.setFixedSize(20, 20)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The drawing."""
        with QPainter(self) as painter:
            colour = self._theme.color(self._ink).name()
            self._theme.icons.paint(painter, self._name, colour, 0, self.height() / 2, 20)


def _plugin_formats() -> list[str]:
    """The names alone: children import what reads them."""
    from trace_inspector.core.errors import UsageError
    from trace_inspector.plugins import FORMATS, active

    try:
        return [one_line(plugin.name, 60) for plugin in active(FORMATS)]
    except UsageError:  # their settings cannot be read; whoever needs a plugin is told
        return []


def _aligned(label: Label) -> Label:
    """Align words with the frames of buttons, which keep room for their rings."""
    label.setContentsMargins(Button.RING_PX, 0, 0, 0)
    return label
