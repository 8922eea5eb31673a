"""A verdict that contradicts itself is told before any run: on its row, in Problems, in Details; failures by kind."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tests.formats import ces_result_files as made
from tests.models.stories import begin, judge, judged
from tests.views.doing import wait_for
from tests.views.test_reported_verdicts import EXPECTED, OBSERVED, opened
from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.contradiction import SHORT
from trace_inspector.models.base.open_file import FileState, OpenFile
from trace_inspector.models.base.roles import Role
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.evaluation.problems_model import ProblemsModel
from trace_inspector.models.search.filter_language import BUCKETS
from trace_inspector.views.details.panel import VERDICTS, DetailsPanel
from trace_inspector.views.filtering.field import FilterField
from trace_inspector.views.problems.panel import ProblemsPanel
from trace_inspector.views.shell.main_window import MainWindow

pytestmark = pytest.mark.shared_window

WRONG = made.replay(
    overallToolInvocationResult={"toolInvocationScore": 0.0, "outcome": "FAIL"},
    expectationOutcome=[{"expectation": {"toolCall": made.call("search", title="Emma")}, "outcome": "FAIL"}],
)
UNLIKE = made.replay(semanticSimilarityResult={"score": 0, "label": "Contradictory", "outcome": "FAIL"})


def result(name: str, outcome: str, *turns: JsonObject, **changed: Json) -> JsonObject:
    """One result of several."""
    place = f"{made.APP}/evaluations/{name}/results/{name}"
    return made.result(*turns, name=place, displayName=name, evaluationStatus=outcome, **changed)


CES: Json = {
    "evaluationResults": [
        result("passes-inside", "FAIL", made.replay(), made.replay()),
        result("green-on-red", "PASS", made.replay(), WRONG),
        result("no-call", "FAIL", WRONG),
        result("other-words", "FAIL", UNLIKE),
        result("all-well", "PASS", made.replay()),
    ]
}
ADK: Json = {
    "eval_set_result_id": "r",
    "eval_set_id": "s",
    "eval_case_results": [
        {
            "eval_set_id": "s",
            "eval_id": "one",
            "final_eval_status": 1,
            "overall_eval_metric_results": [
                {"metric_name": "response_match_score", "threshold": 0.8, "score": 0.1, "eval_status": 2}
            ],
            "eval_metric_result_per_invocation": [],
            "session_id": "x",
        }
    ],
}
VERTEX: Json = {
    "eval_case_results": [
        {
            "eval_case_index": 0,
            "response_candidate_results": [
                {"response_index": 0, "metric_results": {"exact_match": {"metric_name": "exact_match", "score": 1.0}}}
            ],
        }
    ]
}


def read(window: MainWindow, qtbot: QtBot, folder: Path, value: Json, name: str = "results.json") -> OpenFile:
    """The real way: a child reads the file, and audits what it reports."""
    path = folder / name
    path.write_text(json.dumps(value), "utf-8")
    workspace = window.desk.workspace
    workspace.files.open([path])
    qtbot.waitUntil(lambda: bool(workspace.files), timeout=60_000)
    file = workspace.files.in_order[-1]
    qtbot.waitUntil(lambda: file.state is FileState.READY, timeout=60_000)
    workspace.selection.select(Selection(file.number, file.table.tops[0]))
    qtbot.wait(20)
    return file


def traces(file: OpenFile) -> list[int]:
    """Not the cases that the results repeat."""
    return [top for top in file.table.tops if file.table.kind(top) is Kind.TRACE]


def shown_after(file: OpenFile, wanted: Callable[[list[str]], bool]) -> bool:
    """Whether the filter comes to show the traces that are wanted."""
    visible, label = file.table.visible, file.table.label
    return wait_for(lambda: wanted([label(top) for top in traces(file) if visible.passes(top)]))


def noted(window: MainWindow, role: int = Role.NOTE) -> dict[str, str]:
    """What stands in amber on the rows of the tree, by how they begin."""
    model, found, waiting = window.desk.page.tree.model(), {}, [QModelIndex()]
    while waiting:
        above = waiting.pop()
        for at in range(model.rowCount(above)):
            index = model.index(at, 0, above)
            waiting.append(index)
            if index.data(Role.NOTE):
                found[str(index.data()).partition("  ")[0]] = str(index.data(role))
    return found


def listed(window: MainWindow) -> list[tuple[str, str]]:
    """The problems with an amber mark: the sentence, and where."""
    workspace = window.desk.workspace
    model = ProblemsModel(workspace.problems, workspace.files, workspace.run, workspace.selection)
    rows = range(model.rowCount())
    told = [
        tuple(str(model.index(row, column).data()) for column in (1, 2))
        for row in rows
        if model.index(row, 0).data(Role.MARK) == "warning"
    ]
    model.deleteLater()
    return [(sentence, where) for sentence, where in told]


def test_rows_say_where_a_verdict_contradicts_itself(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    read(window, qtbot, tmp_path, CES)
    assert noted(window) == {
        "passes-inside": "all scores pass",
        "green-on-red": "a part failed +1",
        "Turn 2": "overall passed +1",
    }
    tips = noted(window, Qt.ItemDataRole.ToolTipRole)
    assert tips["passes-inside"].startswith("The verdict is failed, and none of its parts failed (")
    spoken = noted(window, Qt.ItemDataRole.AccessibleTextRole)
    assert "audit: all scores pass" in spoken["passes-inside"]


def test_problems_lead_there_by_key(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    file = read(window, qtbot, tmp_path, CES)
    assert [where for _sentence, where in listed(window)] == [
        "passes-inside", "green-on-red › Turn 2", "green-on-red › Turn 2",
    ]  # fmt: skip
    panel = window.desk.docks["problems"].widget()
    assert isinstance(panel, ProblemsPanel)
    window.desk.docks["problems"].raise_()
    panel.view.setFocus()
    assert wait_for(panel.view.hasFocus)
    QTest.keyClick(panel.view, Qt.Key.Key_Home)
    QTest.keyClick(panel.view, Qt.Key.Key_Down)
    QTest.keyClick(panel.view, Qt.Key.Key_Return)
    top = traces(file)[1]
    assert window.desk.workspace.selection.value == Selection(file.number, file.table.turns(top)[1])


def test_details_tell_it_beside_the_reported_verdict(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    file = read(window, qtbot, tmp_path, CES)
    panel = window.desk.docks["details"].widget()
    assert isinstance(panel, DetailsPanel)
    panel.tabs.setCurrentIndex(VERDICTS)
    shown = {}
    for at, top in enumerate(traces(file)):
        window.desk.workspace.selection.select(Selection(file.number, top))
        qtbot.wait(1)
        told = [label.text() for label in panel.verdicts.findChildren(QLabel)]
        shown[at] = [text for text in told if text.startswith("The reported verdict contradicts itself.")]
    assert [bool(text) for text in shown.values()] == [True, True, False, False, False]
    assert "The verdict is passed, and ces_expectations in turn 2 failed." in shown[1][0]


@pytest.mark.parametrize(
    ("name", "value", "note"),
    [
        ("r.evalset_result.json", ADK, "a part failed"),
        ("vertex.json", VERTEX, ""),
    ],
    ids=["adk", "vertex"],
)
def test_other_formats_are_audited_alike(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, name: str, value: Json, note: str
) -> None:
    file = read(window, qtbot, tmp_path, value, name)
    assert len(file.reported) == 1
    assert list(noted(window).values())[:1] == ([note] if note else [])


def test_what_a_run_hides_is_noted_too_and_problems_of_the_file_stay(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    read(window, qtbot, tmp_path, CES)
    before = listed(window)
    opened(window)
    judge(window.desk.workspace, begin(window.desk.workspace), judged([OBSERVED], [EXPECTED]))
    assert [one for one in listed(window) if one in before] == before


def test_failures_are_filtered_by_kind_with_the_keyboard_alone(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    file = read(window, qtbot, tmp_path, CES)
    QTest.keyClick(window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    typed = window.desk.filter
    assert isinstance(typed, FilterField)
    assert typed.hasFocus()
    QTest.keyClicks(typed, "tri")
    QTest.keyClick(typed, Qt.Key.Key_Tab)
    assert typed.text() == "triage:"
    told = {one.text: one.meaning for one in typed.popup.model.offered}
    assert told["tool_missing"] == "1 case: an expected call was not made, or not as expected"
    assert told["timeout"] == "0 cases: it took too long"
    QTest.keyClicks(typed, "tool")
    QTest.keyClick(typed, Qt.Key.Key_Tab)
    QTest.keyClick(typed, Qt.Key.Key_Return)
    assert typed.text() == "triage:tool_missing"
    assert shown_after(file, lambda told: told == ["no-call"])
    for text, names in (
        ("triage:text_mismatch", ["other-words"]),
        ("triage:scores_pass_but_fail,text_mismatch", ["passes-inside", "other-words"]),
        ("-triage:tool_missing verdict:failed", ["passes-inside", "green-on-red", "other-words"]),
    ):
        window.desk.workspace.filtering.set_text(text)
        assert shown_after(file, names.__eq__), text


def test_verdicts_of_a_run_are_filtered_by_kind(window: MainWindow) -> None:
    file = opened(window)
    workspace = window.desk.workspace
    workspace.filtering.set_text("triage:tool_missing")
    assert wait_for(lambda: not file.table.visible.passes(file.table.tops[0]))  # reported as passed
    judge(workspace, begin(workspace), judged([OBSERVED], [EXPECTED]))
    assert wait_for(lambda: file.table.visible.passes(file.table.tops[0]))
    assert workspace.filtering.counts("triage") == {**dict.fromkeys(BUCKETS, 0), "tool_missing": 1}
    assert workspace.filtering.counts("tool") == {}


def test_the_words_of_notes_fit_a_row() -> None:
    assert all(len(words) <= 18 for words in SHORT.values())
