"""Rows come a moment after the edit: whoever acts on one in between means the golden that it shows."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from tests.formats import ces_golden_files as ces
from tests.models.test_goldens import WAIT_MS, answering, eval_set
from trace_inspector.core.trace.trace import answer_text
from trace_inspector.core.values.value_edits import steps_between
from trace_inspector.core.values.values import Json
from trace_inspector.models.base.moved_places import UnshownEdits
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.bulk.case_editing import CaseEditing
from trace_inspector.models.files.multi_selection import Picked
from trace_inspector.models.golden.golden_finder import GoldenFinder
from trace_inspector.models.golden.promotion import Promotion
from trace_inspector.models.workspace.workspace import Workspace

Open = Callable[..., OpenFile]
NEVER_MS = 3_600_000


@given(
    st.lists(st.permutations(range(8)).flatmap(lambda order: st.integers(0, 8).map(lambda n: order[:n])), max_size=4)
)
def test_every_item_is_found_forth_and_back(orders: list[list[int]]) -> None:
    items: list[Json] = [{"n": number} for number in range(8)]
    first = now = items[:5]
    behind = UnshownEdits()
    for order in orders:
        after = [items[number] for number in order]
        behind.note(list(steps_between({"c": now}, {"c": after})))
        now = [*after]
    stands = {id(item): f"/c/{at}" for at, item in enumerate(now)}
    kept = set(map(id, first)).intersection(*({id(items[number]) for number in order} for order in orders))
    for at, item in enumerate(first):  # what went may live on in what came in its place
        there = behind.now(f"/c/{at}")
        assert there == stands.get(id(item)) or id(item) not in kept
        assert there is None or behind.was(there) == f"/c/{at}"
    for at in range(len(now)):
        before = behind.was(f"/c/{at}")
        assert before is None or behind.now(before) == f"/c/{at}"


def test_a_golden_that_is_the_whole_document_stays_where_it_is() -> None:
    behind = UnshownEdits()
    behind.note(list(steps_between({"turns": [[1], [2]]}, {"turns": [[2]]})))
    assert (behind.now(""), behind.was("")) == ("", "")


@pytest.fixture
def behind(opened: Open, workspace: Workspace, qtbot: QtBot, tmp_path: Path) -> OpenFile:
    """Graz was deleted, and the rows still show it before Linz and Wels."""
    file = opened(eval_set(tmp_path / "w.evalset.json", "Graz", "Linz", "Wels"))
    workspace.goldens.rows._rest.setInterval(NEVER_MS)
    CaseEditing(workspace.files, workspace.selection, workspace.goldens).shape("delete", "Delete {0}", [one(file, 0)])
    qtbot.waitUntil(lambda: not workspace.goldens.busy, timeout=WAIT_MS)
    assert [file.table.label(top) for top in file.table.tops] == ["Graz", "Linz", "Wels"]
    return file


def one(file: OpenFile, at: int) -> Picked:
    return Picked(file, file.table, file.table.tops[at])


def ids(workspace: Workspace, file: OpenFile) -> list[str]:
    found = (workspace.goldens.case(file.number, place) for place in workspace.goldens.places(file.number))
    return [case.id if case is not None else "?" for case in found]


def test_deleting_the_next_row_deletes_what_it_shows(
    behind: OpenFile,
    settled: Callable[[], None],
    workspace: Workspace,
) -> None:
    editing = CaseEditing(workspace.files, workspace.selection, workspace.goldens)
    editing.shape("delete", "Delete {0}", [one(behind, 1)])
    assert workspace.steps.undoText() == "Delete “Linz”"
    editing.shape("delete", "Delete {0}", [one(behind, 0)])  # is gone already
    settled()
    assert ids(workspace, behind) == ["Wels"]
    workspace.steps.undo()
    workspace.steps.undo()
    settled()
    assert ids(workspace, behind) == ["Graz", "Linz", "Wels"]


def test_what_is_typed_goes_to_the_golden_that_is_shown(
    behind: OpenFile,
    settled: Callable[[], None],
    workspace: Workspace,
) -> None:
    finder = GoldenFinder(workspace.files, workspace.run, workspace.evaluation, workspace.goldens)
    shown = finder.find(Selection(behind.number, behind.table.tops[1]))
    assert not isinstance(shown, str)
    assert shown.case.id == "Linz"
    shown.change("Type", answering("typed"))
    gone = finder.find(Selection(behind.number, behind.table.tops[0]))
    assert gone == "This golden is gone. Ctrl+Z brings it back."
    settled()
    cases = [workspace.goldens.case(behind.number, place) for place in workspace.goldens.places(behind.number)]
    assert [(case.id, answer_text(case.turns[0])) for case in cases if case] == [
        ("Linz", "typed"),
        ("Wels", "It rains."),
    ]


def test_what_was_picked_is_the_same_golden_when_rows_came_meanwhile(
    behind: OpenFile,
    settled: Callable[[], None],
    workspace: Workspace,
) -> None:
    wels = one(behind, 2)
    settled()
    assert [behind.table.label(top) for top in behind.table.tops] == ["Linz", "Wels"]
    assert (wels.name, wels.place) == ("Wels", "/eval_cases/1")
    CaseEditing(workspace.files, workspace.selection, workspace.goldens).rename(wels, "Vienna")
    settled()
    assert ids(workspace, behind) == ["Linz", "Vienna"]


def test_nothing_leaves_a_file_for_one_that_is_written_anew(
    opened: Open, workspace: Workspace, tmp_path: Path
) -> None:
    file = opened(eval_set(tmp_path / "w.evalset.json", "Graz"), eval_set(tmp_path / "x.evalset.json", "Linz"))
    promotion = Promotion(workspace.files, workspace.selection, workspace.verdicts, workspace.goldens, [one(file, 0)])
    promotion.choose(moves=True)
    assert promotion.words == "Move “Graz”"
    promotion.choose_target(None)
    assert promotion.words == "Copy “Graz”"


def test_a_move_that_the_other_file_refuses_leaves_the_golden_where_it_is(
    opened: Open,
    settled: Callable[[], None],
    workspace: Workspace,
    qtbot: QtBot,
    tmp_path: Path,
) -> None:
    (several := tmp_path / "several.json").write_text(
        json.dumps({"evaluations": [ces.full_golden(), ces.scenario()]})
    )
    (single := tmp_path / "single.json").write_text(json.dumps(ces.full_golden()))
    file = opened(several, single)
    before = ids(workspace, file)
    promotion = Promotion(workspace.files, workspace.selection, workspace.verdicts, workspace.goldens, [one(file, 0)])
    promotion.choose(moves=True)
    qtbot.waitUntil(lambda: not promotion.waiting, timeout=WAIT_MS)
    assert promotion.sentence == "This document is a single case. Add others in files of their own."
    promotion.make(lambda _sentence: None)
    settled()
    assert ids(workspace, file) == before
    assert not workspace.steps.canUndo()
