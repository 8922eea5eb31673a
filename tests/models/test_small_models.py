from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QAbstractItemModel, QCoreApplication, QModelIndex, QPersistentModelIndex, Qt
from pytestqt.qtbot import QtBot

from tests.models.conftest import HoldToRules
from tests.models.stories import GOLDENS, TRACES, begin, call, golden, judge, judged, put, trace, turn
from tests.work import children
from trace_inspector.core.finding import error, info
from trace_inspector.core.values.values import Json
from trace_inspector.models.base.roles import Role
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.details.json_tree import AT_A_TIME, JsonTreeModel
from trace_inspector.models.evaluation.jobs_model import JobsModel
from trace_inspector.models.evaluation.problems_model import ProblemsModel
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.models.workspace.workspace_model import WorkspaceModel
from trace_inspector.work.processes.jobs import Job, Jobs
from trace_inspector.work.reading import file_messages

OBSERVED = [trace("fails", turn(0, "one?")), trace("passes", turn(0, "one?"))]
EXPECTED = golden(("fails", (turn(0, "one?", call("walk")),)), ("passes", (turn(0, "one?"),)))
WAIT_MS = 60_000


def texts(model: QAbstractItemModel, column: int = 0, role: int = Qt.ItemDataRole.DisplayRole) -> list[object]:
    """A column of a flat model."""
    return [model.index(row, column).data(role) for row in range(model.rowCount())]


@pytest.fixture
def dropped() -> Iterator[Callable[[QAbstractItemModel], None]]:
    """Models made in a test, to be dropped at its end."""
    made: list[QAbstractItemModel] = []
    yield made.append
    for model in made:
        model.deleteLater()


# Problems


def test_problems_keep_their_place_while_others_come(hold_to_rules: HoldToRules, workspace: Workspace) -> None:
    file = put(workspace, TRACES, *OBSERVED)
    put(workspace, GOLDENS, EXPECTED)
    model = ProblemsModel(workspace.problems, workspace.files, workspace.run, workspace.selection, workspace)
    hold_to_rules(model)
    assert model.rowCount() == 0
    workspace.files.take(
        file_messages.Found(file.number, (error("bad", "Not a number.", "/passes"), info("odd", "Hm.")))
    )
    QCoreApplication.processEvents()
    assert texts(model, 1) == ["Not a number.", "Hm."]
    kept = QPersistentModelIndex(model.index(1, 1))
    judge(workspace, begin(workspace), judged(OBSERVED, [EXPECTED]))
    assert texts(model, 1)[-2:] == ["Not a number.", "Hm."]
    assert texts(model, 0, Role.MARK)[0] == "failed"
    assert kept.data() == "Hm."
    first = QPersistentModelIndex(model.index(0, 1))
    workspace.files.take(file_messages.Found(file.number, (info("late", "Late."),)))
    QCoreApplication.processEvents()
    assert (first.isValid(), kept.data(), texts(model, 1)[-1]) == (True, "Hm.", "Late.")
    assert model.index(model.rowCount() - 3, 1).data(Role.SELECTION) == Selection(1, file.table.tops[1])
    workspace.files.close(file.number)
    QCoreApplication.processEvents()
    assert "Hm." not in texts(model, 1)


def test_problems_name_line_and_column_and_no_line_for_the_file_as_such(workspace: Workspace) -> None:
    file = put(workspace, TRACES, *OBSERVED)
    found = (
        replace(error("bad", "Not a number.", "/passes"), line=7, column=3),
        replace(error("cut", "It ends here."), line=9, column=1),
        replace(info("odd", "A database."), line=1, column=1),
        info("late", "Late.", "/late"),
    )
    workspace.files.take(file_messages.Found(file.number, found))
    assert [problem.where for problem in workspace.problems.every] == [
        "line 7, column 3 /passes",
        "line 9, column 1",
        "the whole file",
        "/late",
    ]


def test_problems_are_sorted_by_a_column_and_back(hold_to_rules: HoldToRules, workspace: Workspace) -> None:
    file = put(workspace, TRACES, *OBSERVED)
    model = ProblemsModel(workspace.problems, workspace.files, workspace.run, workspace.selection, workspace)
    hold_to_rules(model)
    found = (info("a", "m"), error("b", "z"), info("c", "a"))
    workspace.files.take(file_messages.Found(file.number, found))
    QCoreApplication.processEvents()
    kept = QPersistentModelIndex(model.index(0, 1))
    model.sort(1)
    assert texts(model, 1) == ["a", "m", "z"]
    assert kept.row() == 1
    model.sort(1, Qt.SortOrder.DescendingOrder)
    assert texts(model, 1) == ["z", "m", "a"]
    model.sort(0)
    assert texts(model, 0, Role.MARK) == ["failed", "info", "info"]
    workspace.files.take(file_messages.Found(file.number, (error("d", "k"),)))
    QCoreApplication.processEvents()
    assert texts(model, 1) == ["z", "k", "m", "a"]
    model.sort(-1)
    assert texts(model, 1) == ["m", "z", "a", "k"]
    assert texts(model, 0, Qt.ItemDataRole.AccessibleTextRole)[0] == "informational"


def test_problems_that_say_the_same_keep_their_own_rows(workspace: Workspace) -> None:
    file = put(workspace, TRACES, *OBSERVED)
    model = ProblemsModel(workspace.problems, workspace.files, workspace.run, workspace.selection, workspace)
    workspace.files.take(
        file_messages.Found(file.number, (info("a", "twice"), info("a", "twice"), info("b", "once")))
    )
    QCoreApplication.processEvents()
    kept = [QPersistentModelIndex(model.index(row, 1)) for row in range(model.rowCount())]
    model.sort(1)
    assert [index.row() for index in kept] == [1, 2, 0]


# Workspace


def outline(model: WorkspaceModel) -> list[str]:
    """Headings and files with their captions."""
    lines = []
    for group in range(model.rowCount()):
        heading = model.index(group, 0)
        lines.append(f"{heading.data()} {heading.data(Role.CAPTION)}")
        for place in range(model.rowCount(heading)):
            file = model.index(place, 0, heading)
            lines.append(f"  {file.data()} {file.data(Role.CAPTION)} {file.data(Role.COUNTS)}")
    return lines


def test_files_stand_under_their_headings(hold_to_rules: HoldToRules, workspace: Workspace) -> None:
    model = WorkspaceModel(workspace, workspace)
    hold_to_rules(model)
    assert outline(model) == []
    put(workspace, GOLDENS, EXPECTED)
    put(workspace, TRACES, *OBSERVED)
    unread = workspace.files.add(Path("/made/new.json"), "")
    assert unread is not None
    assert outline(model) == [
        "Traces 1",
        "  traces.json 2 traces ()",
        "Eval sets 1",
        "  goldens.json 2 cases ()",
        "Other files 1",
        "  new.json reading… ()",
    ]
    judge(workspace, begin(workspace), judged(OBSERVED, [EXPECTED]))
    assert outline(model)[1] == "  traces.json 2 traces (('failed', 1), ('passed', 1))"
    index = model.index_of(2)
    assert index.data(Role.SELECTION) == Selection(2)
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "traces.json, 1 failed, 1 passed"
    assert index.parent().data() == "Traces"
    workspace.files.close(2)
    assert not model.index_of(2).isValid()
    assert outline(model)[0] == "Eval sets 1"


# Jobs


def test_jobs_are_listed_while_they_run_and_after(hold_to_rules: HoldToRules, qtbot: QtBot, jobs: Jobs) -> None:
    model = JobsModel(jobs, jobs)
    hold_to_rules(model)
    ends: list[Job] = []
    jobs.start("test", "Counting", children.count, (5,), receive=lambda _message: None, end=ends.append)
    assert texts(model, 1) == ["running"]
    qtbot.waitUntil(lambda: bool(ends), timeout=WAIT_MS)
    assert [texts(model, column) for column in range(4)] == [["Counting"], ["done"], ["5 of 5"], [""]]
    assert (texts(model, 0, Role.MARK), texts(model, 0, Role.NUMBER)) == (["passed"], [1])
    assert texts(model, 2, Role.FRACTION) == [None]


# JSON


def pairs(model: JsonTreeModel, parent: QModelIndex = QModelIndex()) -> list[str]:  # noqa: B008
    """Names and values, children indented."""
    lines = []
    for row in range(model.rowCount(parent)):
        name, value = model.index(row, 0, parent), model.index(row, 1, parent)
        lines.append(f"{name.data()}: {value.data()}")
        if model.canFetchMore(name):
            model.fetchMore(name)
        lines += [f"  {line}" for line in pairs(model, name)]
    return lines


def test_a_json_value_opens_step_by_step(
    hold_to_rules: HoldToRules, dropped: Callable[[QAbstractItemModel], None]
) -> None:
    model = JsonTreeModel({"a/b": [1, {"c": None}], "d": "two\nlines", "e": {}})
    dropped(model)
    hold_to_rules(model)
    assert pairs(model) == [
        'a/b: [1, {"c": null}]',
        "  0: 1",
        '  1: {"c": null}',
        "    c: null",
        'd: "two\\nlines"',
        "e: {}",
    ]
    inner = model.index(0, 0, model.index(1, 0, model.index(0, 0)))
    assert model.path_at(inner) == "/a~1b/1/c"
    assert model.json_at(model.index(1, 1)) == '"two\\nlines"'


@pytest.mark.parametrize(
    ("value", "lines"), [("word", [': "word"']), (None, [": null"]), (7, [": 7"]), ([], []), ({}, [])]
)
def test_a_plain_value_is_one_row(
    value: Json, lines: list[str], dropped: Callable[[QAbstractItemModel], None]
) -> None:
    model = JsonTreeModel(value)
    dropped(model)
    assert pairs(model) == lines
    if lines:
        assert model.path_at(model.index(0, 0)) == ""


def test_a_long_list_comes_some_at_a_time(dropped: Callable[[QAbstractItemModel], None]) -> None:
    length = AT_A_TIME * 2 + 1
    model = JsonTreeModel(list(range(length)))
    dropped(model)
    sizes = [model.rowCount()]
    while model.canFetchMore(QModelIndex()):
        model.fetchMore(QModelIndex())
        sizes.append(model.rowCount())
    assert sizes == [AT_A_TIME, AT_A_TIME * 2, length]
    assert model.index(length - 1, 1).data() == str(length - 1)
