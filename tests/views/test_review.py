"""The review in the window: turns labelled by keys alone, blind until then; it goes on where it was left."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from tests.helpers.painted_texts import painted_texts
from tests.models.stories import GOLDENS, TRACES, begin, call, golden, judge, judged, put, trace, turn
from tests.views.doing import trigger, wait_for
from trace_inspector.core.review.label import Answer, Label
from trace_inspector.core.trace.trace import Trace
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, RubricVerdict, Status, TurnVerdict
from trace_inspector.flows.review.stored_labels import kept
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.review.review import Review
from trace_inspector.views.review.dialog import ReviewDialog
from trace_inspector.views.review.page import ReviewPage
from trace_inspector.views.shell.main_window import MainWindow

pytestmark = pytest.mark.shared_window

KEYS = {Answer.PASS: Qt.Key.Key_1, Answer.FAIL: Qt.Key.Key_2, Answer.UNSURE: Qt.Key.Key_0}


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


def test_turns_are_labelled_by_two_keys_each(window: MainWindow) -> None:
    put(window.desk.workspace, TRACES, *conversations(10))
    review = begin_review(window, 20)
    assert len(review.queue) == 20
    given = []
    for number in range(20):
        assert review.index == number
        value = tuple(KEYS)[number % 3]
        answer(window, value)
        given.append((review.label.subject, value))
        press(window, Qt.Key.Key_N)
    assert stated(kept()) == given
    assert {label.rater for label in kept()} == {"Ana"}
    assert all(label.blind for label in kept())
    trigger(window, "review")
    assert not review.is_open


def test_no_key_is_lost_however_fast(window: MainWindow) -> None:
    put(window.desk.workspace, TRACES, *conversations(5))
    review = begin_review(window, 10)
    for key in (Qt.Key.Key_1, Qt.Key.Key_N, Qt.Key.Key_2, Qt.Key.Key_1, Qt.Key.Key_N, Qt.Key.Key_0):
        press(window, key)
    assert wait_for(lambda: review.index == 2 and review.answer is not None)
    assert [label.value for label in kept()] == [Answer.PASS, Answer.FAIL, Answer.PASS, Answer.UNSURE]
    assert [label.blind for label in kept()] == [True, True, False, True]
    trigger(window, "review")


BAIT = "Zwiebelfisch"
WAYS = ((Status.FAILED, 0.125), (Status.PASSED, 0.875))


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


def test_blind_means_that_the_window_is_the_same_whatever_the_judge_said(window: MainWindow) -> None:
    workspace = window.desk.workspace
    put(workspace, TRACES, *conversations(4))
    put(workspace, GOLDENS, golden(*((made.id, made.turns) for made in conversations(4))))
    judge_all(window, *WAYS[0], 4)
    assert BAIT in " ".join(case.reason for case in workspace.run.value.cases)  # type: ignore[union-attr]
    review = begin_review(window, 4)
    assert page(window).golden.isVisible()
    for _item in range(4):
        QTest.qWait(20)
        seen = []
        for status, score in WAYS:
            judge_all(window, status, score, 4)
            review.changed.emit()
            QTest.qWait(20)
            seen.append((sorted(texts(window)), picture(window)))
        assert seen[0] == seen[1]
        assert BAIT not in " ".join(seen[0][0])
        answer(window, Answer.FAIL)
        after = " ".join(texts(window))
        assert BAIT in after
        assert "The judge: passed" in after
        press(window, Qt.Key.Key_N)
    trigger(window, "review")


def test_nothing_that_shows_verdicts_can_be_called_while_something_is_asked(window: MainWindow) -> None:
    put(window.desk.workspace, TRACES, *conversations(2))
    begin_review(window, 2)
    window.commands._refresh()
    usable = {name for name, action in window.commands.actions.items() if action.isEnabled()}
    assert usable == {
        "review", "palette", "quit", "keys", "tour", "larger-text", "smaller-text", "usual-text", "full-screen",
    }  # fmt: skip
    assert not any(dock.isVisible() for dock in window.desk.docks.values())
    trigger(window, "review")
    assert window.views.isVisible()


def press_and_see(window: MainWindow, key: Qt.Key, *, after: object) -> None:
    press(window, key)
    assert wait_for(lambda: window.desk.workspace.review.first_fault == after)


def answer_fast(window: MainWindow, answers: list[Qt.Key]) -> None:
    """Answer one item after the other, and wait for the disk after each ten."""
    for number, key in enumerate(answers, 1):
        press(window, key)
        press(window, Qt.Key.Key_N)
        assert number % 10 or wait_for(lambda number=number: window.desk.workspace.review.done == number)  # type: ignore[misc]


def test_a_hundred_turns_take_two_keys_each(window: MainWindow) -> None:
    put(window.desk.workspace, TRACES, *conversations(50))
    review = begin_review(window, 100)
    asked = [label.subject for label in review.queue]
    answer_fast(window, [tuple(KEYS.values())[number % 3] for number in range(100)])
    given = [(subject, tuple(KEYS)[number % 3]) for number, subject in enumerate(asked)]
    assert stated(kept()) == given
    assert "100 answered" in texts(window)
    trigger(window, "review")


def test_where_it_first_went_wrong_is_proposed_by_the_golden_and_chosen_by_a_key(window: MainWindow) -> None:
    workspace = window.desk.workspace
    own = trace("case 0", turn(0, "Hello?", call("plan"), call("look", number=2), answer="It is 2. Or 3."))
    wanted = trace("case 0", turn(0, "Hello?", call("plan"), call("look", number=1)))
    put(workspace, TRACES, own)
    put(workspace, GOLDENS, golden((wanted.id, wanted.turns)))
    judge(
        workspace,
        begin(workspace, ("tool_trajectory_avg_score",)),
        judged([own], [golden((wanted.id, wanted.turns))]),
    )
    review = begin_review(window, 1)
    assert page(window).golden.isVisible()
    assert page(window).answers.fault.text() == "If it fails, it first went wrong in: call 2 · look(number=2)"
    answer(window, Answer.FAIL)
    assert kept()[-1].first_fault == "call/1"
    assert page(window).answers.fault.text() == "It first went wrong in: call 2 · look(number=2)"
    for name in ("answer", "sentence/0", "sentence/1", "", "call/0", "call/1"):
        press_and_see(window, Qt.Key.Key_W, after=name)
    QTest.keyClick(window.focusWidget() or page(window), Qt.Key.Key_W, Qt.KeyboardModifier.ShiftModifier)
    assert wait_for(lambda: review.first_fault == "call/0")
    assert kept()[-1].first_fault == "call/0"
    assert page(window).answers.fault.text() == "It first went wrong in: call 1 · plan()"
    answer(window, Answer.PASS)
    assert kept()[-1].first_fault == ""
    assert not page(window).answers.fault.isVisible()
    trigger(window, "review")


def test_a_place_that_was_chosen_before_the_answer_is_part_of_it(window: MainWindow) -> None:
    put(window.desk.workspace, TRACES, trace("case 0", turn(0, "Hello?", call("look"), answer="Done. Really.")))
    review = begin_review(window, 1)
    assert review.first_fault == ""  # nothing is expected here, so nothing is likely
    assert page(window).answers.fault.text() == "If it fails, it first went wrong in: not stated"
    for name in ("call/0", "answer", "sentence/0"):
        press_and_see(window, Qt.Key.Key_W, after=name)
    assert kept() == []
    answer(window, Answer.FAIL)
    assert [label.first_fault for label in kept()] == ["sentence/0"]
    press(window, Qt.Key.Key_U)
    assert wait_for(lambda: review.answer is None)
    assert kept()[-1].first_fault == ""
    trigger(window, "review")


def test_who_asks_about_failures_is_not_blind(window: MainWindow) -> None:
    workspace = window.desk.workspace
    put(workspace, TRACES, *conversations(2))
    judge_all(window, *WAYS[0], 2)
    asking = dialog(window)

    def pick(source: str) -> tuple[bool, bool, bool]:
        asking.source.choose(source)
        asking.source.activated.emit(asking.source.currentIndex())
        return asking.blind.isChecked(), asking.blind.isEnabled(), asking.told.isVisible()

    assert pick("failing") == (False, False, True)
    assert pick("verdict") == (True, True, False)
    assert pick("filter") == (True, True, False)
    workspace.filtering.set_text("verdict:failed")
    assert pick("any") == (True, True, False)
    assert pick("filter") == (False, False, True)
    workspace.filtering.set_text("")
    assert pick("failing") == (False, False, True)
    asking.press_default()
    assert wait_for(lambda: workspace.review.is_open)
    activate(window)
    answer(window, Answer.PASS)
    assert [label.blind for label in kept()] == [False]
    trigger(window, "review")


def test_each_rubric_of_a_criterion_is_asked_about(window: MainWindow) -> None:
    workspace = window.desk.workspace
    put(workspace, TRACES, *conversations(1))
    rubrics = tuple(RubricVerdict(name, 1.0, text=f"It is {name}.") for name in ("short", "kind"))
    metric = MetricVerdict("rubric_based_final_response_quality_v1", 1.0, Status.PASSED, 0.5, rubrics=rubrics)
    turns = tuple(TurnVerdict(index, index, Status.PASSED, (metric,), "") for index in range(2))
    whole = judged(conversations(1), [])
    case = CaseVerdict(
        "case 0", "suite", "case 0", Status.PASSED, turns=turns, trace_path=TRACES, trace_place="/case 0"
    )
    judge(workspace, begin(workspace, (metric.metric,)), replace(whole, cases=(case,)))
    asking = dialog(window)
    asking.question.choose(f"{metric.metric}/*")
    assert asking.question.currentText().endswith(": each rubric")
    asking.press_default()
    review = workspace.review
    assert wait_for(lambda: review.is_open)
    activate(window)
    assert sorted(label.question.partition("@")[0].partition("/")[2] for label in review.queue) == [
        "kind", "kind", "short", "short",
    ]  # fmt: skip
    assert page(window).answers.question.text() in ("Is this met? It is short.", "Is this met? It is kind.")
    trigger(window, "review")


def test_of_what_others_have_answered_a_share_is_asked_again(window: MainWindow) -> None:
    put(window.desk.workspace, TRACES, *conversations(20))
    review = begin_review(window, 40)
    answer_fast(window, [Qt.Key.Key_1] * 30)
    answered = {label.subject for label in kept()}
    trigger(window, "review")

    def drawn(rater: str, share: int) -> set[str]:
        asking = dialog(window)
        asking.rater.setText(rater)
        asking.count.show_number(40)
        asking.again.show_number(share)
        asking.press_default()
        assert wait_for(lambda: review.is_open)
        subjects = {label.subject for label in review.queue}
        trigger(window, "review")
        return subjects

    nobody, some, all_of_them = (drawn("Ben", share) for share in (0, 50, 100))
    assert len(nobody) == 10
    assert not nobody & answered
    assert nobody < some < all_of_them
    assert len(all_of_them) == 40
    assert drawn("Ana", 0) == all_of_them  # her own are hers


def test_a_second_thought_is_a_second_label_that_is_not_blind(window: MainWindow) -> None:
    put(window.desk.workspace, TRACES, *conversations(1))
    review = begin_review(window, 1)
    answer(window, Answer.PASS)
    answer(window, Answer.FAIL)
    assert [(label.value, label.blind) for label in kept()] == [(Answer.PASS, True), (Answer.FAIL, False)]
    press(window, Qt.Key.Key_U)
    assert wait_for(lambda: review.answer is None)
    assert kept()[-1].value is Answer.WITHDRAWN
    assert review.is_hidden
    trigger(window, "review")


def test_tags_and_a_note_before_the_answer_are_part_of_it(window: MainWindow) -> None:
    put(window.desk.workspace, TRACES, *conversations(1))
    review = begin_review(window, 2)
    press(window, Qt.Key.Key_T)
    QTest.keyClicks(page(window).answers.tag, "wrong date")
    press(window, Qt.Key.Key_Return)
    press(window, Qt.Key.Key_E)
    QTest.keyClicks(page(window).answers.note, "1 day off")
    press(window, Qt.Key.Key_Return)
    assert kept() == []
    answer(window, Answer.FAIL)
    assert [(label.tags, label.note) for label in kept()] == [(("wrong date",), "1 day off")]
    assert "wrong date" in review.labels.tags
    trigger(window, "review")


def test_it_goes_on_at_the_first_that_is_not_answered(window: MainWindow) -> None:
    put(window.desk.workspace, TRACES, *conversations(3))
    review = begin_review(window, 6)
    queue = review.queue
    answer(window, Answer.PASS)
    press(window, Qt.Key.Key_N)
    answer(window, Answer.FAIL)
    trigger(window, "review")
    review.queue = ()
    review.labels.take(())
    asking = dialog(window)
    assert wait_for(asking.resume.isVisible)
    assert asking.left.text() == "4 of 6 of the last review are left."
    asking.resume.click()
    assert wait_for(lambda: review.is_open)
    activate(window)
    assert review.queue == queue
    assert review.index == 2
    trigger(window, "review")


def selected(window: MainWindow) -> Selection | None:
    return window.desk.workspace.selection.value


def test_an_item_that_waits_for_an_answer_is_not_shown_by_the_other_views_at_the_end(window: MainWindow) -> None:
    workspace = window.desk.workspace
    put(workspace, TRACES, *conversations(2))
    judge_all(window, *WAYS[0], 2)
    review = begin_review(window, 4)
    answer(window, Answer.FAIL)
    answered = review.place
    assert answered is not None
    trigger(window, "review")
    assert selected(window) == Selection(answered.file.number, answered.row)
    workspace.selection.select(None)
    asking = dialog(window)
    assert wait_for(asking.resume.isVisible)
    asking.resume.click()
    assert wait_for(lambda: review.is_open)
    activate(window)
    assert review.is_hidden
    trigger(window, "review")
    assert selected(window) is None


def test_nobody_reviews_without_a_name(window: MainWindow) -> None:
    put(window.desk.workspace, TRACES, *conversations(1))
    asking = dialog(window)
    assert asking.start.isEnabled()
    for name in ("", "  "):
        asking.rater.setText(name)
        asking.rater.textEdited.emit(name)
        asking.rater.editingFinished.emit()
        assert not asking.start.isEnabled()
        assert not asking.resume.isEnabled()
    asking.reject()


def test_a_dialog_that_is_left_leaves_nothing_behind(window: MainWindow) -> None:
    put(window.desk.workspace, TRACES, *conversations(1))
    dialog(window).reject()
    assert not window.desk.workspace.review.is_open


def test_an_output_that_is_not_open_any_more_is_said(window: MainWindow) -> None:
    put(window.desk.workspace, TRACES, *conversations(2))
    review = begin_review(window, 4)
    review.queue = tuple(replace(label, subject="0" * 64) for label in review.queue)
    review.go(1)
    assert any("not in the open files any more" in text for text in texts(window))
    trigger(window, "review")
