"""What all panels share: a widget with a head, the row that shows its title and by which it is dragged."""

from __future__ import annotations

import enum

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.fonts import Fonts
from trace_inspector.views.appearance.text_painter import TextPainter

HEAD_PX = 36
LEAST_HIGH_PX = 80  # of any panel


class Task(enum.Enum):
    """What a person does; each has a layout of its own."""

    READING = "reading"
    JUDGING = "judging"
    COMPARING = "comparing"
    CURATING = "curating"


class Head(QWidget):
    """A title over an accent line, with room for controls at its right end."""

    def __init__(self, theme: Theme, title: str) -> None:
        super().__init__()
        self._theme = theme
        self._title = title
        self._text_painter = TextPainter(theme)
        self._measured: tuple[Fonts, int] | None = None  # docks ask for it hundreds of times while they are placed
        self._is_shown = True
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(self._title_width() if title else 0, 0, 8, 1)
        self.row.setSpacing(4)
        self.row.addStretch(1)
        theme.changed.connect(self.update)

    def set_shown(self, is_shown: bool) -> None:
        """Take no room where tabs already show the panel's name."""
        self._is_shown = is_shown
        self.setFixedHeight(HEAD_PX if is_shown else 0)

    def sizeHint(self) -> QSize:
        """As high as the tabs of other docks."""
        return QSize(self._title_width() + 16, HEAD_PX if self._is_shown else 0)

    def minimumSizeHint(self) -> QSize:
        """The title may be cut, the row not."""
        return QSize(48, HEAD_PX if self._is_shown else 0)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Title, accent line, border below."""
        with QPainter(self) as painter:
            tokens = self._theme.tokens
            painter.fillRect(self.rect(), QColor(tokens.window))
            painter.fillRect(0, self.height() - 1, self.width(), 1, QColor(tokens.border))
            if self._title:
                width = self._title_width() - 16
                self._text_painter.left(painter, QRectF(16, 0, width, HEAD_PX - 2), self._title, "strong", "text")
                painter.fillRect(4, self.height() - 2, width + 16, 2, QColor(tokens.accent))

    def _title_width(self) -> int:
        if self._measured is None or self._measured[0] is not self._theme.fonts:
            self._measured = (self._theme.fonts, int(self._text_painter.width(self._title, "strong")) + 24)
        return self._measured[1]


class PanelWidget(QWidget):
    """The inside of a dock, and its head. `counted` is emitted with the number of items it lists.

    `seen` is emitted when it comes to the front: Qt also shows docks behind tabs, but outside of the window.
    `task` is what is done in it, `task_changed` is emitted when that is something else than before.
    """

    counted = Signal(int)
    seen = Signal()
    task_changed = Signal()

    def __init__(self, theme: Theme, title: str, head: Head | None = None) -> None:
        super().__init__()
        self.head = head or Head(theme, title)
        self.setAccessibleName(title)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.count = 0
        self.task = Task.READING

    def minimumSizeHint(self) -> QSize:
        """Low: a page that is not in front, or a long one, must not make the window higher than its screen."""
        hint = super().minimumSizeHint()
        return QSize(hint.width(), min(hint.height(), LEAST_HIGH_PX))

    @property
    def is_seen(self) -> bool:
        """Whether any of it is in sight."""
        return self.isVisible() and not self.visibleRegion().isEmpty()

    def note_dock(self, is_seen: bool) -> None:
        """Its dock came to the front, or left it."""
        if is_seen:
            self.seen.emit()

    def set_task(self, task: Task) -> None:
        """What is done in it now."""
        if task is not self.task:
            self.task = task
            self.task_changed.emit()

    def set_count(self, count: int) -> None:
        """Shown behind the title in tabs."""
        self.count = count
        self.counted.emit(count)
