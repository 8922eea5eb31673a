"""Results of CES in the workspace: what they report, and a run of our own beside it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.formats import ces_result_files as made
from tests.models.test_workspace import WAIT_MS
from trace_inspector.core.values import Json
from trace_inspector.core.verdict import Status
from trace_inspector.models.open_file import FileState
from trace_inspector.models.workspace import Workspace
from trace_inspector.work.jobs import Jobs


@pytest.fixture
def finish(qtbot: QtBot, jobs: Jobs) -> Callable[[], None]:
    return lambda: qtbot.waitUntil(lambda: not jobs.busy, timeout=WAIT_MS)


def test_a_result_beside_its_run_and_its_conversation_is_judged_again(
    workspace: Workspace, finish: Callable[[], None], tmp_path: Path
) -> None:
    missed = made.replay(semanticSimilarityResult={"score": 1, "outcome": "FAIL"})
    values: dict[str, Json] = {"result": made.result(missed), "run": made.run(), "talk": made.conversation()}
    for name, value in values.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(value))
    workspace.open([tmp_path / f"{name}.json" for name in values])
    finish()
    result, run, talk = workspace.files
    assert [file.format for file in workspace.files] == ["ces-result", "ces-run", "ces-conversation"]
    assert [file.state for file in workspace.files] == [FileState.READY] * 3
    assert (run.has_suites, run.has_cases, talk.has_traces) == (True, False, True)
    assert [finding.code for finding in result.findings] == ["verdicts-differ"]

    workspace.evaluation.choose(replace(workspace.evaluation.wanted, rules="ces"))
    workspace.evaluation.start()
    finish()
    assert workspace.evaluation.run is not None
    (case,) = workspace.evaluation.run.cases
    assert (case.case_id, case.trace_id, case.status) == ("order-a-book", "r1", Status.PASSED)
