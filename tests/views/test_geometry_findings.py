"""What looks for cut texts and overlaps finds each of them, and nothing in what is laid out well."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QScrollArea, QTabBar, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tests.helpers.geometry import findings
from tests.helpers.tables import each
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.widgets.controls import Elided, Label

WORDS = "Nine words, one after the other, on a line."


class Painted(QWidget):
    """Paints its words at some places, within a box or not."""

    def __init__(self, *lines: tuple[int, int], clip: QRect | None = None) -> None:
        super().__init__()
        self._lines, self._clip = lines, clip

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Words at each place."""
        with QPainter(self) as painter:
            if self._clip is not None:
                painter.setClipRect(self._clip)
            for left, base in self._lines:
                painter.drawText(left, base, WORDS)


def framed(part: QWidget, width: int = 400, height: int = 60) -> QWidget:
    part.setFixedSize(width, height)
    return part


def cut_label(_theme: Theme) -> QWidget:
    return framed(QLabel(WORDS), 60)


def low_label(_theme: Theme) -> QWidget:
    return framed(QLabel(WORDS), height=6)


def painted_over_the_edge(_theme: Theme) -> QWidget:
    return framed(Painted((200, 20)), 250)


def painted_into_a_narrow_cell(_theme: Theme) -> QWidget:
    return framed(Painted((5, 20), clip=QRect(0, 0, 50, 40)))


def painted_on_each_other(_theme: Theme) -> QWidget:
    return framed(Painted((5, 20), (60, 22)))


def elided_without_a_tip(theme: Theme) -> QWidget:
    label = Label(theme, WORDS[:20] + "…")
    label.text = lambda: ""  # type: ignore[method-assign]
    return label


def overlapping(_theme: Theme) -> QWidget:
    holder = QWidget()
    for left in (0, 40):
        QWidget(holder).setGeometry(left, 0, 60, 20)
    return framed(holder)


def beyond(_theme: Theme) -> QWidget:
    holder = QWidget()
    QWidget(holder).setGeometry(380, 0, 60, 20)
    return framed(holder)


def sideways(_theme: Theme) -> QWidget:
    area = QScrollArea()
    area.setWidget(framed(QWidget(), 700))
    return framed(area)


def lost_tab(_theme: Theme) -> QWidget:
    bar = QTabBar()
    bar.setUsesScrollButtons(False)
    for title in ("Tree", "Conversation", "Timeline", "Compare"):
        bar.addTab(title)
    bar.setMinimumSize(1, 1)
    return framed(bar, 120, 30)


def too_large(_theme: Theme) -> QWidget:
    return framed(QWidget(), 90_000)


MADE: dict[str, Callable[[Theme], QWidget]] = {
    "cut": cut_label,
    "cut above or below": low_label,
    "cut ": painted_over_the_edge,
    "cut  ": painted_into_a_narrow_cell,
    "texts overlap": painted_on_each_other,
    "no tip": elided_without_a_tip,
    "widgets overlap": overlapping,
    "beyond its parent": beyond,
    "scrolls sideways": sideways,
    "tab out of sight": lost_tab,
    "larger than the screen": too_large,
}


def found(qtbot: QtBot, part: QWidget) -> set[str]:
    window = part
    if part.width() < 5_000:
        window = QWidget()
        QVBoxLayout(window).addWidget(part)
    qtbot.addWidget(window)
    window.show()
    qtbot.wait(1)
    return {one.what for one in findings(window)}


@each("what", MADE)
def test_each_fault_is_found(theme: Theme, qtbot: QtBot, what: str) -> None:
    assert what.strip() in found(qtbot, MADE[what](theme))


def test_what_is_laid_out_well_has_no_findings(theme: Theme, qtbot: QtBot) -> None:
    holder = QWidget()
    box = QVBoxLayout(holder)
    box.addWidget(Label(theme, WORDS * 3, wrap=True))
    box.addWidget(framed(Elided(theme, WORDS), 60, 20))
    box.addWidget(framed(Painted((5, 20), (5, 40))))
    assert found(qtbot, holder) == set()
