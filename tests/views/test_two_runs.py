"""Two runs held against each other in the window, by keys: kept runs of the samples, and files of results."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from tests.commands.test_compare_runs import results
from tests.helpers.two_runs import keep_sample_runs
from tests.views.doing import trigger, wait_for
from tests.views.test_every_panel import nameless, unreachable
from tests.views.test_runs_baseline import choose, shown
from trace_inspector.engine.run_comparison.change_group import Group
from trace_inspector.models.base.open_file import FileState
from trace_inspector.models.runs.run_pair import RunPair
from trace_inspector.models.runs.run_pair_words import GROUPS, side_at
from trace_inspector.resources import folder
from trace_inspector.views.blocks.figure_chart import FigureChart
from trace_inspector.views.compare.page import ComparePage
from trace_inspector.views.run_comparison.page import TwoRunsPage
from trace_inspector.views.shell.main_window import MainWindow

pytestmark = pytest.mark.shared_window

WAIT_MS = 60_000
SAMPLES = folder("samples")


def page_of(window: MainWindow) -> TwoRunsPage:
    assert window.desk.centre is not None
    page = window.desk.centre.show_view("two-runs")
    assert isinstance(page, TwoRunsPage)
    return page


def open_samples(window: MainWindow, qtbot: QtBot, *names: str) -> None:
    workspace = window.desk.workspace
    workspace.files.open([SAMPLES / name for name in names])
    qtbot.waitUntil(
        lambda: len(workspace.files) == len(names) and all(file.state is FileState.READY for file in workspace.files),
        timeout=WAIT_MS,
    )


def until_compared(pair: RunPair, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not pair.busy, timeout=WAIT_MS)


def compared(window: MainWindow, qtbot: QtBot, base: Path, new: Path) -> TwoRunsPage:
    window.desk.workspace.runs.pair.compare(side_at(base), side_at(new))
    page = page_of(window)
    until_compared(window.desk.workspace.runs.pair, qtbot)
    return page


def listed(page: TwoRunsPage) -> dict[str, list[str]]:
    table = page.table
    found = {}
    for row in range(table.rowCount()):
        group = table.index(row, 0)
        named = table.group(group)
        assert named is not None
        found[named.value] = [table.index(at, 0, group).data() for at in range(table.rowCount(group))]
    return found


def text_in(page: TwoRunsPage) -> str:
    return "\n".join(label.text() for label in page.findChildren(QLabel) if label.isVisible())


def test_the_baseline_and_another_run_by_keys_down_to_the_conversations(window: MainWindow, qtbot: QtBot) -> None:
    base, new = keep_sample_runs()
    open_samples(window, qtbot, "run-0405.json", "run-0412.json", "retail.evalset.json")
    panel, pair = shown(window, qtbot), window.desk.workspace.runs.pair
    choose(panel, new)
    QTest.keyClick(panel.view, Qt.Key.Key_C)
    assert pair.base is None, "there is no baseline yet"
    choose(panel, base)
    QTest.keyClick(panel.view, Qt.Key.Key_B)
    choose(panel, new)
    QTest.keyClick(panel.view, Qt.Key.Key_C)
    until_compared(pair, qtbot)
    page = page_of(window)
    assert listed(page) == {
        "regressed": ["yakima_wine_002"],
        "still failing, worse": ["seattle_coffee_001"],
        "improved": ["seattle_coffee_002"],
        "new": ["seattle_tea_001"],
        "not comparable": [
            "tacoma_bakery_001", "portland_books_001", "olympia_deli_001", "spokane_florist_001", "freiburg_cafe_001",
        ],
        "unchanged": ["eugene_bikes_001", "boise_gym_001"],
    }  # fmt: skip
    assert page.head.sentence.text().startswith("1 improved, 1 regressed, 3 unchanged (1 with a worse score), 1 new")
    assert "Not decided: 5 of 10 before, 1 of 11 now." in page.head.more.text()
    charts = [chart.accessibleName() for chart in page.figures.findChildren(FigureChart)]
    assert charts[0] == (
        "baseline 92 %: the judge says of 12; 8 labelled; candidate 95 %: the judge says of 22; 15 labelled"
    )
    assert charts[1] == "baseline 92 %, 28 to 100 %; candidate 82 %, 48 to 98 %"
    assert "By PPI, if labelled outputs are a random draw" in text_in(page)
    assert "Changed by" in text_in(page)
    assert nameless(page) == []
    assert unreachable(page) == []
    assert wait_for(page.cases.hasFocus)
    assert page.cases.currentIndex().data() == "yakima_wine_002"
    QTest.keyClick(page.cases, Qt.Key.Key_Return)
    assert window.desk.centre is not None
    compare = window.desk.centre.show_view("compare")
    assert isinstance(compare, ComparePage)
    assert compare.compare.roles == ("golden", "baseline", "candidate")
    assert [window.desk.workspace.files.get(side.file) for side in compare.compare.sides] == [
        next(file for file in window.desk.workspace.files if file.name == name)
        for name in ("retail.evalset.json", "run-0405.json", "run-0412.json")
    ]
    qtbot.waitUntil(lambda: compare.compare.rows is not None, timeout=WAIT_MS)


def test_two_selected_runs_the_earlier_one_first_and_their_files_opened(window: MainWindow, qtbot: QtBot) -> None:
    base, _new = keep_sample_runs()
    open_samples(window, qtbot, "run-0412.json")
    panel, pair = shown(window, qtbot), window.desk.workspace.runs.pair
    panel.view.setCurrentIndex(panel.model.index(0, 0))
    QTest.keyClick(panel.view, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    trigger(window, "compare-runs")
    until_compared(pair, qtbot)
    assert pair.base is not None
    assert pair.base.name == base
    page = page_of(window)
    with qtbot.waitSignal(window.desk.workspace.selection.changed, timeout=50, raising=False) as went:
        QTest.keyClick(page.cases, Qt.Key.Key_Return)
    assert not went.signal_triggered, "nothing is shown while a file is missing"
    QTest.keyClick(page.cases, Qt.Key.Key_O)
    qtbot.waitUntil(lambda: len(window.desk.workspace.files) == 3, timeout=WAIT_MS)
    assert {file.name for file in window.desk.workspace.files} == {
        "run-0405.json", "run-0412.json", "retail.evalset.json",
    }  # fmt: skip


def test_files_of_results_filtered_swapped_and_reported(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    open_samples(window, qtbot, "run-0405.json")
    before = results(tmp_path / "before.json", a=1, b=2, c=1, gone=1, odd=3, both=3)
    after = results(tmp_path / "after.json", a=2, b=1, c=1, fresh=1, odd=1, both=3)
    page, pair = compared(window, qtbot, before, after), window.desk.workspace.runs.pair
    messages = window.desk.workspace.messages
    assert listed(page) == {
        "regressed": ["a"], "improved": ["b"], "new": ["fresh"], "missing": ["gone"],
        "not comparable": ["odd", "both"], "unchanged": ["c"],
    }  # fmt: skip
    odd = page.table.index_of("odd")
    assert odd.siblingAtColumn(1).data() == "not evaluated → passed"
    assert odd.siblingAtColumn(2).data() == "In the baseline it is not evaluated"
    assert odd.siblingAtColumn(3).data() == "–"
    assert "Still passing" in page.head.bar.accessibleName()
    assert page.head.bar.accessibleName().endswith("2 Not comparable, 1 New, 1 Missing")
    page.words.setFocus()
    QTest.keyClicks(page.words, "not eval")
    assert listed(page) == {"not comparable": ["odd", "both"]}
    QTest.keyClick(page.words, Qt.Key.Key_Return)
    assert QApplication.focusWidget() is page.cases
    page.words.setFocus()
    window.commands.actions["stop"].setEnabled(True)  # as while a job runs: Escape means the filter all the same
    QTest.keyClick(page.words, Qt.Key.Key_Escape)
    assert len(listed(page)) == 6
    page.only.setFocus()
    QTest.keyClicks(page.only, GROUPS[Group.IMPROVED][0])
    page.only.activated.emit(page.only.currentIndex())
    assert listed(page) == {"improved": ["b"]}
    page.show_only(None)
    page.cases.setFocus()
    QTest.keyClick(page.cases, Qt.Key.Key_X)
    until_compared(pair, qtbot)
    assert listed(page)["regressed"] == ["b"]
    pair.export("json", tmp_path / "told.json")
    qtbot.waitUntil(lambda: (tmp_path / "told.json").exists() and not window.desk.jobs.busy, timeout=WAIT_MS)
    told = json.loads((tmp_path / "told.json").read_text())
    assert (told["base"], told["counts"]["regressed"]) == ("after.json", 1)
    with qtbot.waitSignal(messages.posted, timeout=WAIT_MS, check_params_cb=lambda text: "compared" in text):
        pair.export("json", after)
    assert json.loads(after.read_text())["eval_set_id"] == "s"


def test_a_file_without_verdicts_is_one_sentence_and_another_can_be_chosen(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    open_samples(window, qtbot, "run-0405.json")
    good = results(tmp_path / "good.json", a=1)
    (tmp_path / "bad.json").write_text('{"nothing": ')
    page = compared(window, qtbot, good, tmp_path / "bad.json")
    assert "bad.json" in window.desk.workspace.runs.pair.problem
    assert "Choose another run above." in text_in(page)
    page.head.new.setFocus()
    QTest.keyClick(page.head.new, Qt.Key.Key_Return)
    assert window.desk.palette.isVisible()
    assert QApplication.focusWidget() is window.desk.palette.field
    window.desk.palette.leave()
    window.desk.workspace.runs.pair.compare(side_at(good), side_at(good))
    until_compared(window.desk.workspace.runs.pair, qtbot)
    assert listed(page) == {"unchanged": ["a"]}


def test_a_thousand_cases_are_listed_and_keep_their_place(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    open_samples(window, qtbot, "run-0405.json")
    names = [f"case_{number:04}" for number in range(1_000)]
    base = results(tmp_path / "base.json", **dict.fromkeys(names, 1))
    new = results(tmp_path / "new.json", **{name: 1 + (at % 2) for at, name in enumerate(names)})
    page = compared(window, qtbot, base, new)
    found = listed(page)
    assert (len(found["regressed"]), len(found["unchanged"])) == (500, 500)
    page.cases.setCurrentIndex(page.table.index_of("case_0777"))
    page.cases.sortByColumn(0, Qt.SortOrder.DescendingOrder)
    assert page.cases.currentIndex().data() == "case_0777"
    assert listed(page)["regressed"][0] == "case_0999"
    page.cases.setFocus()
    QTest.keyClicks(page.cases, "case_0123")
    assert page.cases.currentIndex().data() == "case_0123"
    QTest.keyClick(page.cases, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    QTest.keySequence(page.cases, QKeySequence.StandardKey.Copy)
    copied = [row.split("\t")[0] for row in QApplication.clipboard().text().split("\n")]
    assert copied == ["case_0123", "case_0121"], "names stand from the last to the first, two steps apart"
    page.cases.setCurrentIndex(page.table.index_of("case_0777"))
    resized: list[int] = []
    page.cases.header().sectionResized.connect(lambda section, _old, _new: resized.append(section))
    page.table.filter(words="case_0")
    assert (page.table.shown, resized) == (1_000, []), "groups are laid out once, not first without their cases"
    unchanged = page.table.index(1, 0)
    page.cases.collapse(unchanged)
    page.cases.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    assert not page.cases.isExpanded(page.table.index(1, 0)), "what was folded stays folded"
