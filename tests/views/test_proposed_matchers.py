"""Rules that passing runs suggest: taken or skipped by keys, each a step of its own."""

from __future__ import annotations

import json
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.helpers.eval_sets import call, case, turn, write_criteria, write_eval_set
from tests.views.doing import trigger
from tests.views.test_evaluate_dialog import ended, open_all
from tests.views.test_every_panel import nameless, unreachable
from tests.views.test_promote_window import settled
from trace_inspector.core.golden.matcher import Match
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.models.base.selection import Selection
from trace_inspector.views.promote.proposals import NAME, ProposalsDialog
from trace_inspector.views.shell.main_window import MainWindow

WAIT_MS = 60_000


def run(path: Path, name: str, moment: str, note: str) -> Path:
    """A conversation that searches."""
    parts: list[list[Json]] = [
        [{"text": "Find it."}],
        [{"function_call": {"id": "c", "name": "search", "args": {"moment": moment, "note": note}}}],
        [{"text": "Found."}],
    ]
    events: list[Json] = [
        {"author": "agent" if at else "user", "invocation_id": "i", "id": f"{at}", "timestamp": 1.0 + at,
         "content": {"role": "model" if at else "user", "parts": some}}
        for at, some in enumerate(parts)
    ]  # fmt: skip
    told: JsonObject = {"id": name, "app_name": "shop", "user_id": "u", "state": {}, "events": events}
    path.write_text(json.dumps(told))
    return path


def test_one_is_taken_and_one_skipped(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    write_criteria(tmp_path / "test_config.json", response_match_score=0.5)
    wanted: list[Json] = [call("search", moment="2026-01-01", note="x")]
    files = [
        write_eval_set(tmp_path / "shop.evalset.json", case("one", turn("Find it.", "Found.", wanted))),
        run(tmp_path / "a.json", "a", "2026-02-03", "cold"),
        run(tmp_path / "b.json", "b", "2026-03-04", "warm"),
    ]
    open_all(window, qtbot, files)
    workspace = window.desk.workspace
    file = workspace.files.in_order[0]
    workspace.selection.select(Selection(file.number, file.table.tops[0]))
    trigger(window, "propose-matchers")
    dialog = window.findChild(ProposalsDialog, NAME)
    assert dialog is not None
    assert "At least 2 conversations" in dialog.proposals.sentence
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
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
