"""Reviews in a window, by the keys of the page."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from tests.helpers.painted_texts import painted_texts
from tests.models.stories import GOLDENS, TRACES, begin, call, judge, judged, trace, turn
from tests.views.doing import trigger, wait_for
from trace_inspector.core.review.label import Answer, Label
from trace_inspector.core.trace.trace import Trace
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Status, TurnVerdict
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.review.review import Review
from trace_inspector.views.review.dialog import ReviewDialog
from trace_inspector.views.review.page import ReviewPage
from trace_inspector.views.shell.main_window import MainWindow

KEYS = {Answer.PASS: Qt.Key.Key_1, Answer.FAIL: Qt.Key.Key_2, Answer.UNSURE: Qt.Key.Key_0}
BAIT = "Zwiebelfisch"
WAYS = ((Status.FAILED, 0.125), (Status.PASSED, 0.875))


def conversations(count: int) -> list[Trace]:
    return [
        trace(
            f"case {number}", turn(0, f"Hello {number}?", call("look", number=number)), turn(1, f"And now, {number}?")
        )
        for number in range(count)
    ]


def dialog(window: MainWindow) -> ReviewDialog:
    trigger(window, "review")
    assert wait_for(lambda: window.findChild(ReviewDialog) is not None)
    made = window.findChild(ReviewDialog)
    assert isinstance(made, ReviewDialog)
    made.rater.setText("Ana")
    return made


def begin_review(window: MainWindow, count: int = 10) -> Review:
    asking = dialog(window)
    asking.count.show_number(count)
    asking.press_default()
    review = window.desk.workspace.review
    assert wait_for(lambda: review.is_open)
    activate(window)
    return review


def activate(window: MainWindow) -> None:
    """Keys are for the window again, as they are once a dialog is gone."""
    window.activateWindow()
    assert wait_for(window.isActiveWindow)
    page(window).take_focus()


def page(window: MainWindow) -> ReviewPage:
    made = window.findChild(ReviewPage)
    assert isinstance(made, ReviewPage)
    return made


def press(window: MainWindow, key: Qt.Key) -> None:
    QTest.keyClick(window.focusWidget() or page(window), key)


def answer(window: MainWindow, value: Answer) -> None:
    review = window.desk.workspace.review
    press(window, KEYS[value])
    assert wait_for(lambda: review.answer is not None and review.answer.value is value)


def stated(labels: list[Label]) -> list[tuple[str, object]]:
    return [(label.subject, label.value) for label in labels]


def verdict(name: str, status: Status, score: float) -> CaseVerdict:
    """What a judge says of both turns of a conversation."""
    metric = MetricVerdict("final_response_match_v2", score, status, 0.5, reason=BAIT)
    turns = tuple(TurnVerdict(index, index, status, (metric,), BAIT) for index in range(2))
    return CaseVerdict(
        name, "suite", name, status, turns=turns, reason=BAIT, golden_path=GOLDENS, golden_place=f"/{name}",
        trace_path=TRACES, trace_place=f"/{name}",
    )  # fmt: skip


def judge_all(window: MainWindow, status: Status, score: float, count: int) -> None:
    """A run whose verdicts are all the same."""
    workspace = window.desk.workspace
    whole = judged(conversations(count), [])
    cases = tuple(verdict(f"case {number}", status, score) for number in range(count))
    judge(workspace, begin(workspace, ("final_response_match_v2",)), replace(whole, cases=cases))


def texts(window: MainWindow) -> Iterator[str]:
    """Whatever the window says, to the eye or to a screen reader."""
    for widget in QApplication.allWidgets():
        if widget.window() is window and widget.isVisible():
            yield from (
                widget.accessibleName(),
                widget.accessibleDescription(),
                widget.toolTip(),
                widget.windowTitle(),
            )
            yield from (text.text for text in painted_texts(widget))
            if isinstance(widget, QLabel):
                yield widget.text()


def picture(window: MainWindow) -> QImage:
    return window.grab().toImage()


def answer_fast(window: MainWindow, answers: list[Qt.Key]) -> None:
    """Answer one item after the other, and wait for the disk after each ten."""
    for number, key in enumerate(answers, 1):
        press(window, key)
        press(window, Qt.Key.Key_N)
        assert number % 10 or wait_for(lambda number=number: window.desk.workspace.review.done == number)  # type: ignore[misc]


def selected(window: MainWindow) -> Selection | None:
    return window.desk.workspace.selection.value
