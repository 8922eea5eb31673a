"""The verdict above the rows is the one on the golden beside them, and both stay with it when goldens move."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.views.compare.comparing import TurnOf, compare_page, eval_set, opened, session, shown, until
from tests.views.golden_doing import settle
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.bulk.case_editing import CaseEditing
from trace_inspector.models.compare.sides import ref_of
from trace_inspector.models.files.multi_selection import Picked
from trace_inspector.views.compare.page import ComparePage
from trace_inspector.views.shell.main_window import MainWindow


def asked(question: str, tool: str) -> TurnOf:
    return question, [(tool, {})], "fine"


@pytest.fixture
def files(window: MainWindow, tmp_path: Path) -> list[OpenFile]:
    """Two goldens, and a conversation that the run held against the second."""
    first = eval_set(tmp_path / "goldens.evalset.json", asked("Cancel my booking please", "cancel"), case="cancel")
    other = eval_set(tmp_path / "other.evalset.json", asked("How is it in Rome?", "weather"), case="rome")
    value = json.loads(first.read_text())
    value["eval_cases"] += json.loads(other.read_text())["eval_cases"]
    value["eval_cases"][1]["conversation"][0]["invocation_id"] = "inv-rome"
    first.write_text(json.dumps(value, indent=2))
    found = opened(window, first, session(tmp_path / "rome.json", asked("How is it in Rome?", "weather")))
    workspace = window.desk.workspace
    workspace.evaluation.ask_to_start()
    until(lambda: workspace.run.value is not None and workspace.run.value.verdict is not None)
    return found


def beside(window: MainWindow, files: list[OpenFile], golden: int) -> ComparePage:
    page = compare_page(window)
    page.compare.choose_sides(
        (ref_of(files[0], files[0].table.tops[golden]), ref_of(files[1], files[1].table.tops[0]))
    )
    shown(page)
    return page


def judged(page: ComparePage) -> tuple[str, Status] | None:
    verdict = page.compare.verdict
    return (verdict.case_id, verdict.status) if verdict is not None else None


def test_another_golden_beside_the_conversation_has_no_verdict(window: MainWindow, files: list[OpenFile]) -> None:
    assert judged(beside(window, files, 1)) == ("rome", Status.PASSED)
    page = beside(window, files, 0)
    assert judged(page) is None


def test_sides_and_verdict_stay_with_a_golden_that_moves_and_go_with_one_that_is_deleted(
    window: MainWindow, files: list[OpenFile]
) -> None:
    page = beside(window, files, 1)
    workspace = window.desk.workspace
    editing = CaseEditing(workspace.files, workspace.selection, workspace.goldens)
    editing.shape("delete", "Delete {0}", [Picked(files[0], files[0].table, files[0].table.tops[0])])
    until(lambda: not workspace.goldens.busy)
    for _time in range(2):  # before the rows show it, and after
        shown(page)
        assert [ref.name for ref in page.compare.sides] == ["rome", "rome"]
        assert page.compare.sides[0].place == "/eval_cases/0"
        assert judged(page) == ("rome", Status.PASSED)
        settle(window)
    workspace.steps.undo()
    settle(window)
    assert page.compare.sides[0].place == "/eval_cases/1"
    assert judged(page) == ("rome", Status.PASSED)
    editing.shape("delete", "Delete {0}", [Picked(files[0], files[0].table, files[0].table.tops[1])])
    settle(window)
    assert page.compare.sides == ()
