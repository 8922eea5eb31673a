"""The first minute: what is opened is evaluated without a key, at the place that is worth seeing first."""

from __future__ import annotations

import json
import os
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from tests.conftest import CORPUS_VARIABLE
from tests.views.doing import wait_for, whole_details
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.flows.judges.selection import JudgeChoice
from trace_inspector.flows.opening.convert_file import convert_files
from trace_inspector.models.base.roles import Role
from trace_inspector.models.base.selection import Selection
from trace_inspector.resources import folder
from trace_inspector.views.help.handbook import Handbook
from trace_inspector.views.promote.dialog import PromoteDialog
from trace_inspector.views.shell.application import Wanted, open_wanted
from trace_inspector.views.shell.first_steps import SETTING, FirstSteps
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.shell.sample_card import STATES, SampleLine
from trace_inspector.views.shell.welcome import Welcome
from trace_inspector.views.widgets.controls import Button, Tag

pytestmark = pytest.mark.shared_window

SAMPLES = folder("samples")


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRACE_INSPECTOR_DATA", str(tmp_path / "data"))


def has_run(window: MainWindow) -> bool:
    run = window.desk.workspace.run.value
    return run is not None and run.verdict is not None


def selected(window: MainWindow) -> tuple[str, str, str]:
    """The file, the case and the row that are selected, and the mark of the row."""
    selection = window.desk.workspace.selection.value
    assert selection is not None
    file = window.desk.workspace.files.by_number[selection.file]
    if selection.row < 0:
        return file.name, "", ""
    top = file.table.name(file.table.top_of(selection.row))
    return file.name, top, file.table.label(selection.row)


def is_selected(window: MainWindow, file: str, case: str) -> bool:
    return selected(window)[:2] == (file, case)


def mark(window: MainWindow) -> str:
    index = window.page.tree.currentIndex()
    return str(index.data(Role.MARK))


def in_sight(widget: QWidget) -> bool:
    """Whether the whole widget can be seen: nothing above it cuts it off."""
    seen = QRect(widget.mapTo(widget.window(), QPoint(0, 0)), widget.size())
    above = widget.parentWidget()
    while above is not None and not above.isWindow():
        if not QRect(above.mapTo(widget.window(), QPoint(0, 0)), above.size()).contains(seen):
            return False
        above = above.parentWidget()
    return widget.isVisible()


def seen_in_details(window: MainWindow) -> list[str]:
    details = whole_details(window)
    return [label.text() for label in details.findChildren(QLabel) if in_sight(label)]


def rows_in_sight(window: MainWindow) -> list[str]:
    """The marks of the rows of the tree that can be seen."""
    tree, marks = window.page.tree, []
    index = tree.indexAt(QPoint(4, 4))
    while index.isValid() and tree.visualRect(index).bottom() <= tree.viewport().height():
        marks.append(str(index.data(Role.MARK)))
        index = tree.indexBelow(index)
    return marks


@pytest.mark.parametrize("size", [(1100, 700), (1600, 1000)])
def test_the_samples_open_evaluated_at_the_turn_that_shows_most(window: MainWindow, size: tuple[int, int]) -> None:
    window.resize(*size)
    open_wanted(window, Wanted(samples=True))
    assert wait_for(lambda: has_run(window))
    file, case, row = selected(window)
    assert (file, case) == ("run-0412.json", "seattle_coffee_001")
    assert row.startswith("Turn 2")
    assert "search_places: 2 arguments differ" in seen_in_details(window)
    assert {"failed", "missing", "extra"} <= set(rows_in_sight(window)), "the calls of the turn are in sight"


def test_each_line_of_the_card_opens_a_place_that_has_its_state(window: MainWindow) -> None:
    lines = window.findChildren(SampleLine)
    assert len(lines) == len(STATES)
    for line, state in zip(lines, STATES, strict=True):
        line.click()
        assert wait_for(lambda: has_run(window) and not window.desk.workspace.files.reading)
        assert wait_for(partial(is_selected, window, state.place.file, state.place.case)), state
        row = selected(window)[2]
        assert not state.place.turn or row.startswith(f"Turn {state.place.turn}"), state
        if state.mark in ("passed", "failed", "missing", "none"):
            assert mark(window) == state.mark, state
        if state.mark == "extra":
            assert mark(window) == "failed", "it fails because of what is not expected in it"
        if state.mark == "unsupported":
            assert any("1 unsupported" in words for words in seen_in_details(window))


def test_the_three_steps_go_where_they_say_and_then_away_for_good(window: MainWindow) -> None:
    open_wanted(window, Wanted(samples=True))
    assert wait_for(lambda: has_run(window))
    (strip,) = window.findChildren(FirstSteps)
    words = [step.text() for step in strip.steps]
    assert words == ["The differing call", "The unsupported sentence", "Make it the golden"]  # there is room for all
    window.desk.workspace.selection.select(Selection(1))
    strip.steps[0].click()
    assert window.views.shown == "compare"
    assert selected(window)[1] == "seattle_coffee_001"
    strip.steps[1].click()
    assert window.views.shown == "tree"
    assert any("1 unsupported" in words for words in seen_in_details(window))
    strip.steps[2].click()
    assert wait_for(lambda: bool(window.findChildren(PromoteDialog)))
    window.findChildren(PromoteDialog)[0].close()
    assert window.findChildren(FirstSteps) == []
    window.desk.workspace.look_at_samples()
    assert window.findChildren(FirstSteps) == [], "they do not come again"
    assert window.desk.settings.value(SETTING) is not None


def test_the_steps_go_with_the_samples_and_come_again_until_they_are_dismissed(window: MainWindow) -> None:
    files = window.desk.workspace.files
    for _time in range(2):
        open_wanted(window, Wanted(samples=True))
        (strip,) = window.findChildren(FirstSteps)
        for file in files.in_order:
            files.close(file.number)
        assert window.findChildren(FirstSteps) == []
    open_wanted(window, Wanted(samples=True))
    (strip,) = window.findChildren(FirstSteps)
    strip.close_button.click()
    assert window.findChildren(FirstSteps) == []
    assert not FirstSteps.are_wanted(window.desk)


def test_who_selects_something_meanwhile_is_left_there(window: MainWindow) -> None:
    open_wanted(window, Wanted(samples=True))
    files = window.desk.workspace.files
    assert wait_for(lambda: window.desk.workspace.run.value is not None)
    (golden,) = [file for file in files if file.name == "retail.evalset.json"]
    window.desk.workspace.selection.select(Selection(golden.number, golden.table.tops[0]))
    assert wait_for(lambda: has_run(window))
    assert selected(window)[0] == "retail.evalset.json"


def session_and_golden(folder: Path, turns_before: int = 1) -> tuple[Path, Path]:
    """A conversation of some turns, and a golden whose last turn has another argument."""

    def invocation(question: str, city: str) -> dict[str, object]:
        call = {"name": "find_shops", "args": {"city": city}}
        return {
            "user_content": {"parts": [{"text": question}]},
            "final_response": {"parts": [{"text": "Done."}]},
            "intermediate_data": {"tool_uses": [call]},
        }

    def eval_set(name: str, city: str) -> Path:
        turns = [*(invocation(f"{number}?", "Rome") for number in range(turns_before)), invocation("Last?", city)]
        path = folder / f"{name}.json"
        path.write_text(json.dumps({"eval_set_id": name, "eval_cases": [{"eval_id": "a", "conversation": turns}]}))
        return path

    golden, recorded = eval_set("golden", "Bari"), eval_set("recorded", "Oslo")
    session = folder / "session.json"
    session.write_bytes(convert_files([recorded], "adk-session").data)
    return session, golden


@pytest.mark.parametrize("named", [True, False])
def test_a_trace_and_a_golden_open_evaluated_at_the_first_failing_turn(
    window: MainWindow, tmp_path: Path, named: bool
) -> None:
    session, golden = session_and_golden(tmp_path)
    open_wanted(
        window, Wanted([str(session)], goldens=[str(golden)]) if named else Wanted([str(session), str(golden)])
    )
    assert wait_for(lambda: has_run(window))
    file, _case, row = selected(window)
    assert (file, row[:6]) == ("session.json", "Turn 2")
    assert mark(window) == "failed"
    seen = seen_in_details(window)
    assert '"Oslo"' in seen
    assert '"Bari"' in seen


def test_who_presses_f5_too_early_gets_there_as_well(window: MainWindow, tmp_path: Path) -> None:
    session, golden = session_and_golden(tmp_path)
    open_wanted(window, Wanted([str(session)], goldens=[str(golden)]))
    QTest.keyClick(window, Qt.Key.Key_F5)
    assert wait_for(lambda: has_run(window))
    assert selected(window)[2].startswith("Turn 2")


def test_the_calls_of_a_turn_far_down_are_in_sight(window: MainWindow, tmp_path: Path) -> None:
    window.resize(1100, 700)
    session, golden = session_and_golden(tmp_path, 40)
    open_wanted(window, Wanted([str(session)], goldens=[str(golden)]))
    assert wait_for(lambda: has_run(window))
    assert selected(window)[2].startswith("Turn 41")
    tree = window.page.tree
    call = tree.model().index(0, 0, tree.currentIndex())
    assert call.data(Role.MARK) == "failed"
    assert tree.viewport().rect().contains(tree.visualRect(call))


def test_a_trace_alone_and_a_folder_are_not_evaluated_unasked(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    session, _golden = session_and_golden(tmp_path)
    files = window.desk.workspace.files
    for given in (session, tmp_path):
        with qtbot.waitSignal(files.all_read):
            open_wanted(window, Wanted([str(given)]))
        assert window.desk.workspace.run.value is None


def test_a_place_that_is_asked_for_stays_selected(window: MainWindow, tmp_path: Path) -> None:
    session, golden = session_and_golden(tmp_path)
    open_wanted(window, Wanted([f"{session}#/events/0"], goldens=[str(golden)]))
    assert wait_for(lambda: has_run(window))
    assert not selected(window)[2].startswith("Turn 2")


def test_no_live_judge_is_called_unasked(window: MainWindow, tmp_path: Path) -> None:
    evaluation = window.desk.workspace.evaluation
    evaluation.choose(
        replace(evaluation.options, judge=JudgeChoice("openai", model="any", endpoint="http://[::1]:1"))
    )
    assert evaluation.judge.live
    session, golden = session_and_golden(tmp_path)
    open_wanted(window, Wanted([str(session)], goldens=[str(golden)]))
    assert wait_for(lambda: has_run(window))
    run = window.desk.workspace.run.value
    assert run is not None
    assert run.order is not None
    assert not run.order.judge.live


def test_a_run_of_ones_own_stays_when_samples_are_opened_beside_it(window: MainWindow, tmp_path: Path) -> None:
    session, golden = session_and_golden(tmp_path)
    open_wanted(window, Wanted([str(session)], goldens=[str(golden)]))
    assert wait_for(lambda: has_run(window))
    run = window.desk.workspace.run.value
    open_wanted(window, Wanted(samples=True))
    assert wait_for(lambda: selected(window)[1] == "seattle_coffee_001")
    assert window.desk.workspace.run.value is run


def test_the_welcome_page_says_what_may_leave_this_computer(window: MainWindow) -> None:
    (welcome,) = window.findChildren(Welcome)
    words = " ".join(label.text() for label in welcome.findChildren(QLabel))
    assert "Nothing leaves this computer unless you start a judge." in words
    assert "the endpoint, the number of calls and about how many tokens" in words


def test_the_welcome_page_fits_a_small_window_and_leads_to_all_formats(own_window: MainWindow) -> None:
    window = own_window  # in which the welcome page was never left
    window.resize(1100, 700)
    window.show_welcome()
    (welcome,) = window.findChildren(Welcome)
    assert wait_for(lambda: welcome.verticalScrollBar().maximum() == 0)
    assert welcome.horizontalScrollBar().maximum() == 0
    (link,) = [button for button in welcome.findChildren(Button) if button.text() == "All file formats"]
    link.click()
    (handbook,) = [one for one in window.findChildren(Handbook) if one.isVisible()]
    assert handbook.text.toPlainText().startswith("Formats")
    handbook.window().close()


def test_the_welcome_page_is_never_wider_than_its_window(own_window: MainWindow) -> None:
    window = own_window
    (welcome,) = window.findChildren(Welcome)
    window.desk.theme.scale(150)
    window.resize(1024, 640)
    assert wait_for(lambda: welcome.viewport().width() <= 1024)
    assert wait_for(lambda: welcome.horizontalScrollBar().maximum() == 0)
    for tag in welcome.findChildren(Tag):
        assert tag.width() >= tag.fontMetrics().horizontalAdvance(tag.accessibleName()), tag.accessibleName()
    window.desk.theme.scale(100)
    window.resize(1100, 700)
    assert wait_for(lambda: welcome.verticalScrollBar().maximum() == 0), "the columns stand side by side again"


needs_corpus = pytest.mark.skipif(not os.environ.get(CORPUS_VARIABLE), reason=f"{CORPUS_VARIABLE} is not set")


@pytest.mark.corpus
@needs_corpus
@pytest.mark.parametrize("number", range(4))
def test_a_real_result_that_nobody_prepared_opens_at_what_failed(window: MainWindow, number: int) -> None:
    window.resize(1100, 700)
    paths = sorted((Path(os.environ[CORPUS_VARIABLE]) / "adk-evalset-result").glob("*.json"))
    open_wanted(window, Wanted([str(paths[number])]))
    assert wait_for(lambda: has_run(window))
    run = window.desk.workspace.run.value
    assert run is not None
    if not any(case.status is Status.FAILED for case in run.cases):
        return
    assert mark(window) == "failed"
    assert selected(window)[2].startswith("Turn")
    heads = [words for words in seen_in_details(window) if words.endswith(": expected, not called")]
    assert heads, "Details says first which call failed"
    tool = heads[0].partition(":")[0]
    assert any(f"{tool} was not called" in problem.sentence for problem in window.desk.workspace.problems.every)


REAL_TRACES = (
    "derived-adk-session/*text_search*",
    "jaeger/*TraceTimelineViewer__genaiTestTrace*",
    "otlp/*smol_deep_research*",
    "spans-monocle/*langgraph_multi_agent*",
    "spans-strands-evals/*claude_live*",
)


@pytest.mark.corpus
@needs_corpus
@pytest.mark.parametrize("pattern", REAL_TRACES)
def test_from_the_command_to_the_differing_argument_there_is_no_key(
    window: MainWindow, tmp_path: Path, pattern: str
) -> None:
    """Real conversations, and goldens made of them in which one text of an argument is another."""
    window.resize(1100, 700)
    (recorded,) = Path(os.environ[CORPUS_VARIABLE]).glob(pattern)
    golden = tmp_path / "golden.evalset.json"
    made = json.loads(convert_files([recorded], "adk-eval-set").data)
    turns = made["eval_cases"][0]["conversation"]
    calls = [part["function_call"] for turn in turns for part in parts_of(turn) if part.get("function_call")]
    call, name, was = next(
        (call, name, value)
        for call in calls
        for name, value in call.get("args", {}).items()
        if isinstance(value, str)
    )
    call["args"][name] = "somewhere else"
    golden.write_text(json.dumps(made), "utf-8")
    open_wanted(window, Wanted([str(recorded)], goldens=[str(golden)]))
    assert wait_for(lambda: has_run(window))
    assert mark(window) == "failed"
    seen = seen_in_details(window)
    assert f"{call['name']}: 1 argument differs" in seen
    assert '"somewhere else"' in seen
    assert any(was[:20] in words for words in seen)


def parts_of(turn: dict[str, Any]) -> list[dict[str, Any]]:
    events = (turn.get("intermediate_data") or {}).get("invocation_events") or ()
    return [part for event in events for part in event.get("content", {}).get("parts", ())]
