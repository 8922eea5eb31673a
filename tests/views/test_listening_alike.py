"""Who listens judges by what an evaluation would use now: the list of turns and the tree say the same."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from tests.flows.live.test_growing import golden_file
from tests.helpers.sent_spans import request, turn_spans
from tests.views.test_listen_dialog import WAIT_MS, listening, post, stopped
from trace_inspector.core.alignment.manual_pair import HandPair
from trace_inspector.core.golden.golden_change import Answers
from trace_inspector.models.base.open_file import FileState
from trace_inspector.models.evaluation.marks import mark_of
from trace_inspector.views.live.dialog import ListenDialog
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.work.runs.run_request import RunOrder

BETWEEN = "one is the first of many numbers"  # of “one is the answer” enough for 0.3, and not for ADK's 0.8


def open_ready(window: MainWindow, qtbot: QtBot, *paths: Path) -> None:
    files = window.desk.workspace.files
    files.open(paths)
    qtbot.waitUntil(lambda: {file.state for file in files} == {FileState.READY}, timeout=WAIT_MS)


def looser(folder: Path, threshold: float = 0.3) -> Path:
    """Criteria in another folder than the golden, which nothing but opening them brings into a run."""
    folder.mkdir()
    file = folder / "criteria.json"
    file.write_text(json.dumps({"criteria": {"response_match_score": threshold}}), encoding="utf-8")
    return file


def say(window: MainWindow, shown: ListenDialog, qtbot: QtBot, number: int, said: str) -> tuple[str, str]:
    """One more conversation of one turn; what the list and the tree say of it in the end."""
    assert post(shown.live.port, request(turn_spans(number, f"c{number}", "one?", said, at_ms=1000 * number))) == 200

    def listed() -> list[str]:
        return [row.status.value for row in shown.live.turns.records if row.conversation == f"c{number}"]

    def marks() -> list[str]:
        file, run = window.desk.workspace.files.by_path(shown.live.record), window.desk.workspace.run.value
        if file is None or run is None or run.running:
            return []
        return [
            mark_of(file, turn, run)
            for top in file.table.named.called(f"c{number}")
            for turn in file.table.turns(top)
        ]

    def are_there() -> bool:
        return bool(listed()) and marks() not in ([], ["pending"], ["none"])

    qtbot.waitUntil(are_there, timeout=WAIT_MS)
    (word,), (mark,) = listed(), marks()
    return word, mark


def ordered(shown: ListenDialog, qtbot: QtBot, is_it: Callable[[RunOrder], bool]) -> None:
    """Wait until who judges has taken up what was ordered: turns that end before are judged as before."""
    live = shown.live
    qtbot.waitUntil(
        lambda: live._ordered is not None and is_it(live._ordered[0]) and live.is_as_ordered, timeout=WAIT_MS
    )


def expect(window: MainWindow, file: int, answer: str) -> None:
    goldens = window.desk.workspace.goldens
    goldens.change(file, goldens.places(file)[0], "Answer", lambda case: (Answers(case.turns[0].place, answer),))


def test_criteria_from_elsewhere_judge_list_and_tree(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    open_ready(window, qtbot, golden_file(tmp_path, ("one?", "one is the answer")))
    shown = listening(window, qtbot)
    assert say(window, shown, qtbot, 1, BETWEEN) == ("FAILED", "failed")
    open_ready(window, qtbot, looser(tmp_path / "elsewhere"))  # while it listens
    ordered(shown, qtbot, lambda order: order.criteria is not None)
    assert say(window, shown, qtbot, 2, BETWEEN) == ("PASSED", "passed")
    stopped(shown, qtbot)
    shown = listening(window, qtbot)
    assert say(window, shown, qtbot, 3, BETWEEN) == ("PASSED", "passed")
    stopped(shown, qtbot)


def test_edits_of_a_golden_that_are_not_saved_judge_both(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    open_ready(window, qtbot, golden_file(tmp_path, ("one?", "one is the answer")))
    (file,) = window.desk.workspace.files
    expect(window, file.number, "two it is")
    shown = listening(window, qtbot)
    assert say(window, shown, qtbot, 1, "one is the answer") == ("FAILED", "failed")
    before = shown.live._ordered
    expect(window, file.number, "three it is")
    ordered(shown, qtbot, lambda _order: shown.live._ordered != before)
    assert say(window, shown, qtbot, 2, "three it is") == ("PASSED", "passed")
    assert b"three" not in file.path.read_bytes()
    stopped(shown, qtbot)


def test_what_is_chosen_for_the_next_run_judges_both(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    open_ready(window, qtbot, golden_file(tmp_path, ("one?", "one is the answer")))
    evaluation = window.desk.workspace.evaluation
    evaluation.choose(replace(evaluation.options, only=("tool_trajectory_avg_score",)))
    shown = listening(window, qtbot)
    post(shown.live.port, request(turn_spans(1, "c1", "one?", "nothing of it")))
    qtbot.waitUntil(lambda: len(shown.live.turns.records) == 1, timeout=WAIT_MS)
    assert [row.status.value for row in shown.live.turns.records] == ["NOT_EVALUATED"]  # the golden states no calls
    evaluation.choose(replace(evaluation.options, only=()))
    ordered(shown, qtbot, lambda order: not order.only)
    assert say(window, shown, qtbot, 2, "nothing of it") == ("FAILED", "failed")
    stopped(shown, qtbot)


def test_pairs_made_by_hand_and_edited_criteria_are_handed_over(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    open_ready(window, qtbot, golden_file(tmp_path, ("one?", "one is the answer")))
    evaluation = window.desk.workspace.evaluation
    shown = listening(window, qtbot)
    assert say(window, shown, qtbot, 1, "one is the answer") == ("PASSED", "passed")
    file = window.desk.workspace.files.by_path(shown.live.record)
    assert file is not None
    evaluation.pairs.add(HandPair(str(file.path), file.table.place(file.table.tops[0]), "c1", "", "", ""))
    evaluation.chosen.emit()  # as the list of pairs does
    ordered(shown, qtbot, lambda order: bool(order.by_hand))
    *begun, root = turn_spans(2, "c1", "one?", "one is the answer", at_ms=500)
    post(shown.live.port, request([*begun, root]))
    qtbot.waitUntil(lambda: len(shown.live.turns.records) == 2, timeout=WAIT_MS)
    assert {row.status.value for row in shown.live.turns.records} == {"NOT_EVALUATED"}  # “no case”, by hand
    stopped(shown, qtbot)
