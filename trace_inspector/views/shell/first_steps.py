"""A quiet strip above the samples: three steps to what the program is for. It goes away for good."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from trace_inspector.core.translatable import N_
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.base.translation import tr
from trace_inspector.models.workspace.workspace import SAMPLE_PLACE
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.widgets.controls import Button, ButtonKind, MarkLabel, Tag
from trace_inspector.views.window_context.desk import Desk
from trace_inspector.views.window_context.navigate import show_place

HEIGHT_PX = 36
SETTING = "first-steps-done"
LEAST_PX = 48


class FirstSteps(QWidget):
    """The steps that were taken have a tick. Gone when all are, when it is dismissed, or with the samples."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self.setObjectName("steps-bar")
        self.setAccessibleName(tr("First steps"))
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(HEIGHT_PX)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 12, 0)
        row.setSpacing(6)
        self.steps: list[Button] = []
        self._ticks: list[tuple[Tag, MarkLabel]] = []
        for number, (words, take) in enumerate(_STEPS):
            tag, tick = Tag(desk.theme, str(number + 1)), MarkLabel(desk.theme, "passed", 14)
            tick.hide()
            link = StepLink(desk.theme, tr(words), partial(self._take, number, take))
            for widget in (tag, tick, link):
                row.addWidget(widget)
            row.addSpacing(12)
            self.steps.append(link)
            self._ticks.append((tag, tick))
        row.addStretch(1)
        self.close_button = Button(desk.theme, tr("Dismiss"), ButtonKind.LINK, clicked=self.finish)
        row.addWidget(self.close_button)
        desk.workspace.files.closed.connect(self._leave_with_samples)

    @staticmethod
    def are_wanted(desk: Desk) -> bool:
        """Whether they were neither taken nor dismissed before."""
        return desk.settings.value(SETTING) is None

    def finish(self) -> None:
        """Go, and do not come again."""
        self._desk.settings.setValue(SETTING, "1")
        self._leave()

    def _take(self, number: int, take: Callable[[Desk], object]) -> None:
        place = sample_place(self._desk)
        if place is None:
            self._desk.say(tr("The samples are still being read."))
            return
        tag, tick = self._ticks[number]
        tag.hide()
        tick.show()
        show_place(self._desk, place)
        take(self._desk)
        if not any(tag.isVisibleTo(self) for tag, _tick in self._ticks):
            self.finish()

    def _leave_with_samples(self, _number: int) -> None:
        if all(file.name != SAMPLE_PLACE.file for file in self._desk.workspace.files):
            self._leave()

    def _leave(self) -> None:
        self.hide()
        self.setParent(None)
        self.deleteLater()


class StepLink(Button):
    """A link that is cut where there is no room; its tip says all of it."""

    def __init__(self, theme: Theme, words: str, clicked: Callable[[], object]) -> None:
        self._words = words
        super().__init__(theme, words, ButtonKind.LINK, clicked=clicked)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Room for all words."""
        words_px = self.fontMetrics().horizontalAdvance(self._words) + 1  # it is rounded down
        return QSize(words_px + 2 * self.RING_PX, 20)

    def minimumSizeHint(self) -> QSize:
        """Some of the first."""
        return QSize(min(LEAST_PX, self.sizeHint().width()), 20)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cut the words, or show all."""
        super().resizeEvent(event)
        room = self.width() - 2 * self.RING_PX
        shown = self.fontMetrics().elidedText(self._words, Qt.TextElideMode.ElideRight, room)
        self.setText(shown)
        self.setToolTip("" if shown == self._words else self._words)


def sample_place(desk: Desk) -> Selection | None:
    """The turn of the samples that the steps are about; None until it is read."""
    return desk.workspace.first_look.find(SAMPLE_PLACE)


def _compare(desk: Desk) -> None:
    if desk.centre is not None:
        desk.centre.show_view("compare")


def _show_answer(desk: Desk) -> None:
    """The tree with Details beside it: the answer stands there with its sentences underlined."""
    if desk.centre is not None:
        desk.centre.show_view("tree")
    details = desk.docks["details"]
    details.show()
    details.raise_()


_STEPS: tuple[tuple[str, Callable[[Desk], object]], ...] = (
    (N_("The differing call"), _compare),
    (N_("The unsupported sentence"), _show_answer),
    (N_("Make it the golden"), lambda desk: desk.perform("promote")),
)
