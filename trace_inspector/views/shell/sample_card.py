"""The samples on the welcome page: a line for each state with its mark opens a place that has it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec import Struct
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from trace_inspector.core.translatable import N_
from trace_inspector.models.base.translation import tr
from trace_inspector.models.workspace.first_look import CasePlace
from trace_inspector.models.workspace.workspace import SAMPLE_PLACE
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.widgets.controls import Button, ButtonKind, Label, Tag, hline

LINE_PX = 30
SIDE_PX = 16
DRAWING_PX = 14
GAP_PX = 14

Open = Callable[[CasePlace], object]


class State(Struct, frozen=True):
    """A state that rows have: its mark or, where it has none, its drawing, and the sample's place that shows it."""

    words: str
    place: CasePlace
    mark: str = ""
    icon: str = ""


def _in_run(case: str, turn: int = 0) -> CasePlace:
    return CasePlace(SAMPLE_PLACE.file, case, turn)


STATES = (
    State(N_("Every check passes"), _in_run("eugene_bikes_001"), "passed"),
    State(N_("Two arguments differ from the golden"), SAMPLE_PLACE, "failed"),
    State(
        N_("A sentence no tool result supports"), CasePlace("run-0405.json", "seattle_coffee_001", 2), "unsupported"
    ),
    State(N_("A golden turn the run never reached"), _in_run("yakima_wine_002", 3), "missing"),
    State(N_("A turn the golden does not expect"), _in_run("portland_books_001", 3), "extra"),
    State(N_("Not evaluated, because no golden belongs to it"), _in_run("seattle_tea_001"), "none"),
    State(N_("A passed verdict with a void reply of the judge"), _in_run("seattle_coffee_002", 2), "warning"),
    State(N_("Three agents hand the user over"), _in_run("tacoma_bakery_001"), icon="agent"),
    State(N_("The final state is part of the golden"), _in_run("boise_gym_001"), icon="state"),
)


class SampleLine(QAbstractButton):
    """One state with its mark, and at the right where it is: a press opens that place."""

    def __init__(self, theme: Theme, state: State, clicked: Callable[[], object]) -> None:
        super().__init__()
        self._theme = theme
        self._state = state
        self._text_painter = TextPainter(theme)
        self._where = state.place.case
        if state.place.turn:
            self._where = tr("{0} › Turn {1}").format(state.place.case, state.place.turn)
        self.setFont(theme.fonts.body)
        self.setText(tr(state.words))
        self.setAccessibleName(f"{tr(state.words)}: {self._where}")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.clicked.connect(lambda _checked: clicked())

    def sizeHint(self) -> QSize:
        """As high as its words need."""
        return QSize(320, max(LINE_PX, self.fontMetrics().height() + 10))

    def minimumSizeHint(self) -> QSize:
        """The place gives way to the words."""
        return QSize(160, self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Mark, words, place; a fill under the pointer, a ring with the focus."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            theme, middle = self._theme, self.height() / 2
            if self.underMouse():
                painter.fillRect(self.rect(), theme.color("raised"))
            if self._state.mark:
                theme.icons.paint_mark(painter, self._state.mark, theme.tokens, SIDE_PX, middle, DRAWING_PX)
            else:
                theme.icons.paint(painter, self._state.icon, theme.tokens.text2, SIDE_PX, middle, DRAWING_PX)
            box = QRectF(self.rect()).adjusted(SIDE_PX + DRAWING_PX + GAP_PX, 0, -SIDE_PX, 0)
            words_px = self._text_painter.width(self.text(), "body")
            where_px = self._text_painter.width(self._where, "secondary")
            if words_px + GAP_PX + where_px <= box.width():
                right = QRectF(box.right() - where_px - 1, box.top(), where_px + 1, box.height())
                self._text_painter.left(painter, right, self._where, "secondary", "text2")
                box.setRight(right.left() - GAP_PX)
            self._text_painter.left(painter, box, self.text(), "body", "text")
            if self.hasFocus():
                painter.setPen(QPen(theme.color("accent"), 2))
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(2, 2, -2, -2), 4, 4)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses too, not only the space bar."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)


class SampleCard(QFrame):
    """What the samples are, the button that opens them, and their states line by line."""

    def __init__(self, theme: Theme, opened: Open) -> None:
        super().__init__()
        self.setObjectName("card")
        self.button = Button(
            theme, tr("Open sample workspace"), ButtonKind.FILLED, clicked=partial(opened, SAMPLE_PLACE)
        )
        self.button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.lines = tuple(SampleLine(theme, state, partial(opened, state.place)) for state in STATES)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(1, 1, 1, 1)
        rows.setSpacing(0)
        rows.addLayout(self._head(theme))
        for line in self.lines:
            rows.addWidget(hline())
            rows.addWidget(line)
        rows.addWidget(hline())
        rows.addLayout(_foot(theme))
        for before, after in zip((self.button, *self.lines), self.lines, strict=False):
            QWidget.setTabOrder(before, after)

    def _head(self, theme: Theme) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setContentsMargins(SIDE_PX, 12, 12, 12)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(Label(theme, tr("Sample workspace"), font="title"))
        text = tr("A retail assistant with several agents: recorded runs and their goldens")
        words.addWidget(Label(theme, text, font="secondary", ink="text2", wrap=True))
        head.addLayout(words, 1)
        head.addWidget(self.button)
        return head


def _foot(theme: Theme) -> QHBoxLayout:
    foot = QHBoxLayout()
    foot.setContentsMargins(SIDE_PX, 10, SIDE_PX, 10)
    foot.setSpacing(8)
    foot.addWidget(Tag(theme, tr("recorded")))
    text = tr("Runs and judge replies are recorded: it needs no key and no network.")
    foot.addWidget(Label(theme, text, font="secondary", ink="text2", wrap=True), 1)
    return foot
