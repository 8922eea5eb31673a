"""Rules that passing runs suggest: taken or skipped by keys, each a step of its own."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.helpers.eval_sets import call, case, search_run, turn, write_criteria, write_eval_set
from tests.views.doing import trigger
from tests.views.test_evaluate_dialog import ended, open_all
from tests.views.test_every_panel import nameless, unreachable
from tests.views.test_promote_window import settled
from trace_inspector.core.golden.matcher import Match
from trace_inspector.core.values.values import Json
from trace_inspector.flows.goldens.kept_proposals import kept
from trace_inspector.flows.runs.golden_proposals import propose
from trace_inspector.models.base.selection import Selection
from trace_inspector.views.promote.proposals import NAME, ProposalsDialog
from trace_inspector.views.shell.main_window import MainWindow

WAIT_MS = 60_000


def test_one_is_taken_and_one_skipped(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    write_criteria(tmp_path / "test_config.json", response_match_score=0.5)
    wanted: list[Json] = [call("search", moment="2026-01-01", note="x")]
    files = [
        write_eval_set(tmp_path / "shop.evalset.json", case("one", turn("Find it.", "Found.", wanted))),
        search_run(tmp_path / "a.json", "a", "2026-02-03", "cold"),
        search_run(tmp_path / "b.json", "b", "2026-03-04", "warm"),
    ]
    open_all(window, qtbot, files)
    workspace = window.desk.workspace
    file = workspace.files.in_order[0]
    workspace.selection.select(Selection(file.number, file.table.tops[0]))
    trigger(window, "propose-matchers")
    first = window.findChild(ProposalsDialog, NAME)
    assert first is not None
    proposals = first.proposals
    qtbot.waitUntil(lambda: "At least 2 conversations" in proposals.sentence, timeout=WAIT_MS)
    QTest.keyClick(first, Qt.Key.Key_Escape)
    trigger(window, "evaluate")
    ended(window, qtbot)
    workspace.selection.select(
        Selection(workspace.files.in_order[1].number, workspace.files.in_order[1].table.turns(0)[0])
    )
    trigger(window, "propose-matchers")
    dialog = window.findChildren(ProposalsDialog, NAME)[-1]
    qtbot.waitUntil(lambda: len(dialog.proposals.proposals) == 2, timeout=WAIT_MS)
    assert nameless(dialog) == []
    assert unreachable(dialog) == []
    model = dialog.view.model()
    assert [model.index(row, 0).data() for row in range(2)] == ["search · moment", "search · note"]
    assert "always a date" in model.index(0, 2).data()
    QTest.keyClick(dialog.view, Qt.Key.Key_Return)
    QTest.keyClick(dialog.view, Qt.Key.Key_S)
    assert [model.index(row, 3).data() for row in range(2)] == ["taken", "skipped"]
    assert dialog.sentence.text() == "All proposals are decided."
    settled(window, qtbot)
    golden = workspace.goldens.case(file.number, workspace.goldens.places(file.number)[0])
    assert golden is not None
    assert [matcher.match for matcher in golden.matchers] == [Match.REGEXP]
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert workspace.steps.undoText().startswith("Compare search · moment: ")
    workspace.steps.undo()
    settled(window, qtbot)
    golden = workspace.goldens.case(file.number, workspace.goldens.places(file.number)[0])
    assert golden is not None
    assert golden.matchers == ()


def test_what_a_coding_agent_proposed_is_decided_by_keys(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    wanted: list[Json] = [call("search", moment="2026-01-01", note="x")]
    path = write_eval_set(tmp_path / "shop.evalset.json", case("one", turn("Find it.", "Found.", wanted)))
    before = path.read_bytes()
    search_run(tmp_path / "a.json", "one", "2026-02-03", "cold")
    assert propose(tmp_path / "a.json", path).new == 2
    open_all(window, qtbot, [path])
    workspace = window.desk.workspace
    (file,) = workspace.files.in_order
    workspace.selection.select(Selection(file.number, file.table.tops[0]))
    trigger(window, "propose-matchers")
    dialog = window.findChild(ProposalsDialog, NAME)
    assert dialog is not None
    qtbot.waitUntil(lambda: len(dialog.proposals.proposals) == 2, timeout=WAIT_MS)
    model = dialog.view.model()
    assert str(model.index(0, 2).data()).startswith("a coding agent: always a date")
    QTest.keyClick(dialog.view, Qt.Key.Key_Return)
    QTest.keyClick(dialog.view, Qt.Key.Key_S)
    settled(window, qtbot)
    golden = workspace.goldens.case(file.number, workspace.goldens.places(file.number)[0])
    assert golden is not None
    assert [matcher.match for matcher in golden.matchers] == [Match.REGEXP]
    assert path.read_bytes() == before  # an edit like any other: not saved yet, and undone by Ctrl+Z
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    workspace.steps.undo()
    settled(window, qtbot)
    golden = workspace.goldens.case(file.number, workspace.goldens.places(file.number)[0])
    assert golden is not None
    assert golden.matchers == ()
    assert kept(path, golden) == ()  # both are decided
