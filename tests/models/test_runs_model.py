"""The list of kept runs."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtCore import QPersistentModelIndex, Qt
from pytestqt.qtbot import QtBot

from tests.models.conftest import HoldToRules
from tests.store.test_runs import RUN
from trace_inspector.core.verdict.run_summary import CriterionFigures, RunSummary
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.flows.runs.evaluate_files import Request
from trace_inspector.flows.runs.store_run import list_runs, save_run
from trace_inspector.models.runs.model import NAME, RunsModel
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.settings import ready_data_folder
from trace_inspector.store import runs
from trace_inspector.store.database import database
from trace_inspector.store.runs import RunLine
from trace_inspector.work.runs.run_store import LINES_A_PAGE, ListedRun

SUMMARY = RunSummary(
    Status.FAILED,
    "criteria.json",
    cases=10,
    counts=((Status.PASSED, 4), (Status.FAILED, 2), (Status.ERROR, 1), (Status.NOT_EVALUATED, 3)),
    pass_rate=4 / 7,
    criteria=(CriterionFigures("match", 0.824, 0.1, 7, 4, 3), CriterionFigures("figure", 3.0, 0.0, 7, 0, 0)),
    latency=((50, 4.2), (90, 7.8), (99, 61.0)),
    timed_turns=8,
    turns=9,
    total_tokens=12_345,
)


def listed(number: int, summary: RunSummary | None = SUMMARY, name: str = "") -> ListedRun:
    line = RunLine(f"run-{number}", 1_700_000_000.0 + number, Status.FAILED, 10, name, summary)
    return ListedRun(line, ("a.json", "b.json"), 5)


def shown(model: RunsModel, title: str) -> list[str]:
    column = next(at for at, held in enumerate(model.columns) if held.title == title)
    return [model.index(row, column).data() for row in range(model.rowCount())]


def test_what_was_not_checked_stands_beside_the_pass_rate(hold_to_rules: HoldToRules) -> None:
    model = RunsModel()
    hold_to_rules(model)
    model.show([listed(1)])
    assert shown(model, "Passed") == ["4 of 7, 57 %"]
    assert shown(model, "Not checked") == ["3"]
    assert shown(model, "Files") == ["a.json, b.json and 3 more"]
    assert shown(model, "match") == ["0.82 ± 0.10"]
    assert [shown(model, title) for title in ("p50", "p99", "Tokens")] == [["4.2 s"], ["61.0 s"], ["12.3 k"]]
    assert "figure" not in [column.title for column in model.columns]


def test_what_is_not_known_stands_last_however_it_is_sorted(hold_to_rules: HoldToRules) -> None:
    model = RunsModel()
    hold_to_rules(model)
    quick = replace(SUMMARY, latency=((50, 0.5),))
    model.show([listed(1), listed(2, None), listed(3, quick)])
    kept = QPersistentModelIndex(model.index(0, 0))
    column = next(at for at, held in enumerate(model.columns) if held.title == "p50")
    chosen = model.record(0)
    for order, wanted in (
        (Qt.SortOrder.AscendingOrder, ["0.5 s", "4.2 s"]),
        (Qt.SortOrder.DescendingOrder, ["4.2 s", "0.5 s"]),
    ):
        model.sort(column, order)
        assert shown(model, "p50") == [*wanted, "–"]
        assert model.record(kept.row()) == chosen


def test_a_name_is_edited_in_place(hold_to_rules: HoldToRules, qtbot: QtBot) -> None:
    model = RunsModel()
    hold_to_rules(model)
    model.show([listed(1)])
    with qtbot.waitSignal(model.renamed) as heard:
        assert model.setData(model.index(0, NAME), "  prompt 15 ")
    assert heard.args == ["run-1", "prompt 15"]
    assert not model.setData(model.index(0, NAME), "")
    assert not model.setData(model.index(0, 0), "x")


def test_a_thousand_runs_come_in_pages(workspace: Workspace, qtbot: QtBot) -> None:
    with database(ready_data_folder()) as store:
        for number in range(1_000):
            line = replace(RUN, id=f"run-{number}", started_s=float(number), cases=())
            runs.save(store, line, {}, {"/made/a.json": "digest"}, SUMMARY)
    kept = workspace.runs.list
    sizes: list[int] = []
    kept.changed.connect(lambda: sizes.append(len(kept.runs)))
    kept.wake()
    qtbot.waitUntil(lambda: kept.read, timeout=60_000)
    assert [sizes[0], sizes[-1]] == [LINES_A_PAGE, 1_000]
    assert [kept.runs[0].line.id, kept.runs[-1].line.id] == ["run-999", "run-0"]
    assert kept.runs[0].files == ("a.json",)


def test_figures_that_are_missing_are_made_until_all_are_there(workspace: Workspace, qtbot: QtBot) -> None:
    for number in range(12):
        save_run(replace(RUN, id=f"run-{number}"), Request(()))
    with database(ready_data_folder()) as store:
        store.connection.execute("UPDATE run_line SET summary = NULL")
    kept = workspace.runs.list
    kept.wake()
    qtbot.waitUntil(
        lambda: len(kept.runs) == 12 and all(run.line.summary is not None for run in kept.runs), timeout=60_000
    )


def test_runs_are_renamed_and_deleted_in_the_store(workspace: Workspace, qtbot: QtBot) -> None:
    save_run(RUN, Request(()))
    kept = workspace.runs.list
    kept.wake()
    workspace.runs.rename(RUN.id, "mine")
    qtbot.waitUntil(lambda: [run.line.name for run in kept.runs] == ["mine"], timeout=60_000)
    workspace.runs.delete(RUN.id)
    qtbot.waitUntil(lambda: kept.read and not kept.runs, timeout=60_000)
    assert list_runs().lines == ()
