"""Text that was typed in a window that is gone and had not become an edit: it stands in its field again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.models.test_goldens import eval_set
from tests.views.golden_doing import row_of, settle, until
from tests.views.test_recovery_offer import offer, push, unnoted, words
from trace_inspector.core.golden.recoverable_edits import DraftText, Recoverable, Spot
from trace_inspector.core.values.edit import Set
from trace_inspector.documents.reading.reading import read
from trace_inspector.documents.saving.draft_journal import DraftJournal
from trace_inspector.flows.goldens.edit_session import EditSession
from trace_inspector.settings import JOURNALS, journal_folder, ready_data_folder
from trace_inspector.views.details.panel import DetailsPanel
from trace_inspector.views.golden.fields.field_row import FieldRow
from trace_inspector.views.golden.fields.text_field import GoldenText
from trace_inspector.views.golden.tab import GoldenTab
from trace_inspector.views.shell.main_window import MainWindow

CASE = "/eval_cases/1"
TURN = f"{CASE}/conversation/0"
WORDS = DraftText(Spot(TURN, "user"), "Words of the user", "Where is the bus?")
STATE = DraftText(Spot(CASE, "session-state"), "State at the start", '{"a": "long argument')


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return eval_set(tmp_path / "a.evalset.json", "Graz", "Linz")


def leave(path: Path, drafts: Sequence[DraftText]) -> None:
    """As a window does that is killed while this is typed."""
    journal = DraftJournal(ready_data_folder() / JOURNALS, path)
    journal.write({draft.spot: draft for draft in drafts})
    journal.close()


def tab_of(window: MainWindow) -> GoldenTab:
    panel = window.desk.docks["details"].widget()
    assert isinstance(panel, DetailsPanel)
    return panel.golden


def test_unfinished_text_is_offered_and_stands_in_its_field_again(
    window: MainWindow, qtbot: QtBot, path: Path
) -> None:
    before = path.read_bytes()
    leave(path, [STATE])
    bar = offer(window, qtbot)
    assert "1 unfinished text" in words(bar)
    assert "edit" not in words(bar).partition("a.evalset.json")[2].partition("·")[0]
    push(bar, "Recover")
    assert until(lambda: bool(window.desk.workspace.files) and "details" in window.desk.docks)
    assert until(lambda: tab_of(window).findChild(FieldRow, "golden-session-state") is not None)
    row = row_of(tab_of(window), "session-state")
    assert isinstance(row.editor, GoldenText)
    assert until(lambda: row.problem.startswith("Line 1, column 7"))
    assert row.editor.toPlainText() == STATE.text
    assert until(lambda: window.focusWidget() is row.editor)
    assert window.isWindowModified()
    assert path.read_bytes() == before
    assert len(list(journal_folder().glob("*.drafts"))) == 1, "the text stands in the journal of this window now"
    QTest.keyClicks(row.editor, '"}')
    settle(window)
    (file,) = window.desk.workspace.files
    window.desk.workspace.goldens.save(file.number)
    settle(window)
    assert json.loads(path.read_text())["eval_cases"][1]["session_input"]["state"] == {"a": "long argument"}
    assert until(lambda: not list(journal_folder().glob("*.drafts")) or _is_empty(journal_folder()))


def _is_empty(folder: Path) -> bool:
    return not any(b"long" in path.read_bytes() for path in folder.iterdir())


def test_text_behind_recovered_edits_becomes_an_edit(window: MainWindow, qtbot: QtBot, path: Path) -> None:
    session = EditSession(read(path), unnoted)
    session.apply(Set(f"{CASE}/eval_id", '"Wels"'))
    session.close()
    leave(path, [WORDS])
    bar = offer(window, qtbot)
    assert "1 edit · 1 unfinished text" in words(bar)
    push(bar, "Recover")
    workspace = window.desk.workspace
    assert until(lambda: bool(workspace.files) and workspace.files.in_order[0].unsaved == 2)
    settle(window)
    (file,) = workspace.files
    assert not workspace.goldens.drafts.unfinished(file.number)
    workspace.goldens.save(file.number)
    settle(window)
    saved = json.loads(path.read_text())["eval_cases"][1]
    assert saved["eval_id"] == "Wels"
    assert saved["conversation"][0]["user_content"]["parts"][0]["text"] == WORDS.text
    workspace.steps.undo()
    settle(window)
    case = workspace.goldens.case(file.number, CASE)
    assert case is not None
    assert case.id == "Wels"


@pytest.mark.parametrize("edits", [0, 1])
def test_forgotten_text_is_kept_and_comes_back_by_undo(
    window: MainWindow, qtbot: QtBot, path: Path, edits: int
) -> None:
    if edits:
        session = EditSession(read(path), unnoted)
        session.apply(Set(f"{CASE}/eval_id", '"Wels"'))
        session.close()
    leave(path, [WORDS, STATE])
    bar = offer(window, qtbot)
    amount = "1 edit · 2 unfinished texts" if edits else "2 unfinished texts"
    assert amount in words(bar)
    push(bar, "Discard")
    assert until(lambda: not [kept for kept in journal_folder().iterdir() if kept.is_file()])
    assert until(lambda: f"Discarded {amount} of a.evalset.json" in words(bar))
    listed: list[Recoverable] = []
    window.desk.workspace.recovery.list_forgotten(listed.extend)
    assert until(lambda: [(one.edits, len(one.drafts)) for one in listed] == [(edits, 2)])
    push(bar, "Undo")
    assert until(lambda: "Discarded" not in words(bar) and amount in words(bar))


def test_text_of_a_file_that_is_gone_is_kept(window: MainWindow, qtbot: QtBot, path: Path) -> None:
    leave(path, [WORDS])
    path.unlink()
    bar = offer(window, qtbot)
    assert "the file is gone" in words(bar)
    push(bar, "Recover")
    assert until(lambda: bool(window.desk.workspace.recovery.recoverable))
    assert len(list(journal_folder().glob("*.drafts"))) == 1
