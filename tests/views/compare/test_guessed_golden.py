"""A golden of the same case id is offered as what is expected before any run, and is marked as guessed."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.models.stories import put
from tests.views.compare.comparing import Call, compare_page, eval_set, opened, session, shown, until
from trace_inspector.core.trace.trace import Trace
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.compare.fallback_golden import guessed_partner
from trace_inspector.views.compare.page import ComparePage
from trace_inspector.views.shell.main_window import MainWindow

A: Call = ("look", {"area": "Capitol Hill"})
TURN = ("How is it there?", [A], "It is fine.")


def select(window: MainWindow, file: OpenFile) -> None:
    window.desk.workspace.selection.select(Selection(file.number, file.table.tops[0]))


def is_guessed(page: ComparePage) -> bool:
    return page.compare.is_guessed


@pytest.mark.parametrize("selected", ["talk.json", "set.evalset.json"])
def test_without_a_run_the_same_case_id_is_a_guess_until_a_run_pairs(
    window: MainWindow, tmp_path: Path, selected: str
) -> None:
    files = opened(
        window, eval_set(tmp_path / "set.evalset.json", TURN, case="talk"), session(tmp_path / "talk.json", TURN)
    )
    page = compare_page(window)
    select(window, next(file for file in files if file.name == selected))
    shown(page)
    assert page.compare.roles == ("golden", "observed")
    assert page.compare.is_guessed
    assert "guessed" in page.heads.accessibleName()
    assert "guessed" in [getattr(shape, "text", "") for shape in page.heads._lay_out()]
    assert page.sentence._guessed.isVisible()
    assert page.sentence._how.text() == "Paired by case id, not by a run"
    window.desk.workspace.evaluation.ask_to_start()
    until(lambda: not page.compare.is_guessed)
    assert page.compare.rows is not None
    assert not page.sentence._guessed.isVisible()
    assert "guessed" not in page.heads.accessibleName()


@pytest.mark.parametrize(
    ("selected", "other", "roles"),
    [
        ("set.evalset.json", "more", ("golden", "observed")),
        ("talk.json", "more", ("baseline", "candidate")),
        ("talk.json", "two.evalset", ("golden", "observed")),
    ],
    ids=["another conversation beside the golden", "two conversations", "another golden"],
)
def test_what_was_guessed_is_replaced_by_what_a_person_chooses(
    window: MainWindow, tmp_path: Path, selected: str, other: str, roles: tuple[str, ...]
) -> None:
    files = opened(
        window,
        eval_set(tmp_path / "set.evalset.json", TURN, case="talk"),
        eval_set(tmp_path / "two.evalset.json", TURN, case="else"),
        session(tmp_path / "talk.json", TURN),
        session(tmp_path / "more.json", TURN),
    )
    page = compare_page(window)
    select(window, next(file for file in files if file.name == selected))
    shown(page)
    assert is_guessed(page)
    page.options.choose_other()
    palette = window.desk.palette
    QTest.keyClicks(palette.field, other)
    until(lambda: palette.list.model().rowCount() > 0)
    QTest.qWait(50)
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    shown(page)
    assert not is_guessed(page)
    assert page.compare.roles == roles
    names = [
        file.name for ref in page.compare.sides if (file := window.desk.workspace.files.get(ref.file)) is not None
    ]
    assert selected in names
    assert any(name.startswith(other) for name in names)


def test_a_golden_that_is_opened_later_is_offered_then(window: MainWindow, tmp_path: Path) -> None:
    (trace,) = opened(window, session(tmp_path / "talk.json", TURN))
    page = compare_page(window)
    select(window, trace)
    assert not page.shows_rows
    opened(window, eval_set(tmp_path / "set.evalset.json", TURN, case="talk"))
    shown(page)
    assert page.compare.is_guessed


def test_of_several_goldens_of_one_id_none_is_guessed(window: MainWindow, tmp_path: Path) -> None:
    sets = [eval_set(tmp_path / f"{name}.evalset.json", TURN, case="talk") for name in ("one", "two")]
    trace = opened(window, *sets, session(tmp_path / "talk.json", TURN))[-1]
    page = compare_page(window)
    select(window, trace)
    assert not page.shows_rows
    assert page.compare.notice[0] == "No golden belongs to this conversation yet."


def test_a_case_id_counts_inside_its_suite_only(window: MainWindow, tmp_path: Path) -> None:
    (golden,) = opened(window, eval_set(tmp_path / "set.evalset.json", TURN, case="talk"))
    workspace = window.desk.workspace
    other = put(workspace, "other.json", Trace("run-1", case_id="talk", suite_id="another", place="/0"))
    same = put(workspace, "same.json", Trace("run-2", case_id="talk", suite_id="set", place="/0"))
    assert guessed_partner(workspace.files, other, other.table.tops[0]) is None
    assert guessed_partner(workspace.files, same, same.table.tops[0]) == (golden, golden.table.tops[0])
    assert guessed_partner(workspace.files, golden, golden.table.tops[0]) == (same, same.table.tops[0])
