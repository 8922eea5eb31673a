"""A run of our own, beside files of CES that hold neither cases nor conversations."""

from __future__ import annotations

from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from tests.formats import ces_result_files as made
from tests.formats.span_files import opened
from tests.models.stories import put
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.reported import ReportedBatch
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.tree.trace_tree import TraceTreeModel
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.work.reading.file_messages import VerdictsReported


def put_made(workspace: Workspace, path: str, value: Json) -> OpenFile:
    """Open a file with this value."""
    contents = opened(value)
    return put(workspace, path, *contents.suites, *contents.traces)


def test_a_run_of_the_service_is_no_golden(workspace: Workspace) -> None:
    run = put_made(workspace, "/w/run.json", made.run())
    talk = put_made(workspace, "/w/talk.json", made.conversation())
    assert (run.has_suites, run.has_cases, talk.has_traces) == (True, False, True)
    workspace.evaluation.start()
    started = workspace.run.value
    assert started is not None
    assert started.order is not None
    assert [body.path for body in started.order.traces] == ["/w/talk.json"]
    assert started.order.goldens == ()


def test_an_evaluation_is(workspace: Workspace) -> None:
    put_made(workspace, "/w/talk.json", made.conversation())
    put_made(workspace, "/w/evaluation.json", {"displayName": "Order", "golden": {"turns": [{"steps": []}]}})
    workspace.evaluation.start()
    started = workspace.run.value
    assert started is not None
    assert started.order is not None
    assert [body.path for body in started.order.goldens] == ["/w/evaluation.json"]


def test_marks_without_scores_are_painted_when_they_come(workspace: Workspace, qtbot: QtBot) -> None:
    contents = opened(made.result(made.replay(), evaluationStatus="FAIL"))
    file = put(workspace, "/w/result.json", *contents.traces)
    tree = TraceTreeModel(workspace.files, workspace.run)
    tree.set_file(file.number)
    (verdict,) = contents.reported
    bare = replace(verdict, metrics=(), turns=())
    batch = ReportedBatch()
    batch.add(file.table.tops[0], bare)
    with qtbot.waitSignal(tree.dataChanged):
        workspace.files.take(VerdictsReported(file.number, batch))
