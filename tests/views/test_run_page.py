"""The page of the run in the Jobs panel: how a run goes on, stopped and gone on with by keys."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tests.helpers.eval_sets import case, turn, write_criteria, write_eval_set
from tests.helpers.judge_server import VARIABLES, model_server
from tests.models.stories import TRACES, begin, judge, judged, put
from tests.views.doing import trigger
from tests.views.tales import EXPECTED, OBSERVED
from tests.views.test_evaluate_dialog import SAMPLES, WAIT_MS, Model, confirmed, ended, session
from trace_inspector.core.values.values import Json
from trace_inspector.views.jobs.panel import JobsPanel
from trace_inspector.views.jobs.run_page import RunPage, rows
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.work.processes.jobs import Job
from trace_inspector.work.runs.evaluating import RunPace

pytestmark = pytest.mark.shared_window
SAID = {"parking": ("Where can I park?", "In the garage."), "opening": ("When do you open?", "At nine.")}


@pytest.fixture
def page(window: MainWindow) -> RunPage:
    window.desk.docks["jobs"].show()
    window.desk.docks["jobs"].raise_()
    panel = window.desk.docks["jobs"].widget()
    assert isinstance(panel, JobsPanel)
    return panel.run_page


def shown(page: RunPage) -> str:
    return "\n".join(label.text() for label in page.page.findChildren(QLabel))


def test_nothing_was_evaluated_yet(page: RunPage) -> None:
    assert page.page.isHidden()
    assert not page.stop.isEnabled()
    assert not page.resume.isEnabled()


def test_a_judged_run_is_told_of_stopped_and_gone_on_with_by_keys(
    window: MainWindow, page: RunPage, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cases = [case(name, turn(*said), session=f"s-{name}") for name, said in SAID.items()]
    files = [write_eval_set(tmp_path / "shop.evalset.json", *cases)]
    files += [session(tmp_path / f"{name}.json", f"s-{name}", *said) for name, said in SAID.items()]
    asked: Json = {"threshold": 0.5, "judge_model_options": {"num_samples": SAMPLES}}
    write_criteria(tmp_path / "test_config.json", final_response_match_v2=asked)
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    model = Model()
    model.from_call = SAMPLES
    with model_server(model.says) as judge_server:
        confirmed(window, qtbot, files, judge_server)
        trigger(window, "evaluate")
        qtbot.waitUntil(lambda: "1 of 2: 1 passed" in shown(page), timeout=WAIT_MS)
        qtbot.waitUntil(lambda: f"{SAMPLES} questions answered" in shown(page), timeout=WAIT_MS)
        assert "Waiting\n1 case\n" in shown(page)
        run = window.desk.workspace.run.value
        assert run is not None
        assert dict(rows(run, None))["Spent"].endswith("received")
        assert not page.resume.isEnabled()
        page.stop.setFocus()
        QTest.keyClick(page.stop, Qt.Key.Key_Space)
        ended(window, qtbot)
        qtbot.waitUntil(lambda: "The run was stopped or failed" in shown(page), timeout=WAIT_MS)
        assert not page.stop.isEnabled()
        judge_server.delay.set()
        model.from_call = 10**9
        page.resume.setFocus()
        QTest.keyClick(page.resume, Qt.Key.Key_Space)
        ended(window, qtbot)
        qtbot.waitUntil(lambda: "The run is complete" in shown(page), timeout=WAIT_MS)
    assert "2 of 2: 2 passed" in shown(page)
    assert "Waiting" not in shown(page)


def test_processes_and_what_waits_are_told_while_it_runs(window: MainWindow) -> None:
    workspace = window.desk.workspace
    put(workspace, TRACES, *OBSERVED)
    run = begin(workspace)
    pace = RunPace(
        done=1_200, cases=5_000, seconds=20, judged=1_000, processes=3, shards_given=11, shards_taken=4, answers=7,
        calls=90,
    )  # fmt: skip
    workspace.evaluation.take(run, pace)
    told = dict(rows(run, Job(1, "evaluating", "Evaluating", left_s=76)))
    assert told == {
        "Cases": "1,200 of 5,000",
        "Waiting": "3,800 cases",
        "Rate": "50 cases a second",
        "Time left": "about 76.0 s",
        "Processes": "3",
        "Portions": "4 done, 7 in hand",
        "Judge": "7 of 90 questions answered",
    }
    judge(workspace, run, judged(OBSERVED, [EXPECTED]))
    assert "Waiting" not in dict(rows(run, None))
    assert "Time left" not in dict(rows(run, None))
