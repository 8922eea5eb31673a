"""Resume in the window goes on with a run of an earlier session: its verdicts come from the ledger."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.helpers.eval_sets import case, turn, write_criteria, write_eval_set
from tests.helpers.judge_server import VARIABLES, model_server
from tests.views.doing import trigger
from tests.views.test_evaluate_dialog import SAMPLES, WAIT_MS, Model, confirmed, ended, session, statuses
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.views.shell.main_window import MainWindow

pytestmark = pytest.mark.shared_window
SAID = {"parking": ("Where can I park?", "In the garage."), "opening": ("When do you open?", "At nine.")}


def test_a_run_of_an_earlier_session_goes_on(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cases = [case(name, turn(*said), session=f"s-{name}") for name, said in SAID.items()]
    files = [write_eval_set(tmp_path / "shop.evalset.json", *cases)]
    files += [session(tmp_path / f"{name}.json", f"s-{name}", *said) for name, said in SAID.items()]
    asked: Json = {"threshold": 0.5, "judge_model_options": {"num_samples": SAMPLES}}
    write_criteria(tmp_path / "test_config.json", final_response_match_v2=asked)
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    model, workspace = Model(), window.desk.workspace
    model.from_call = SAMPLES
    with model_server(model.says) as judge:
        confirmed(window, qtbot, files, judge)
        trigger(window, "evaluate")
        qtbot.waitUntil(
            lambda: workspace.run.value is not None and len(workspace.run.value.cases) == 1, timeout=WAIT_MS
        )
        qtbot.waitUntil(lambda: len(judge.prompts) == SAMPLES + 1, timeout=WAIT_MS)
        QTest.keyClick(window, Qt.Key.Key_Escape)  # which kills the process that evaluates
        ended(window, qtbot)
        workspace.run.put(None)
        judge.delay.set()
        model.from_call = 10**9
        heard: list[str] = []
        workspace.messages.posted.connect(heard.append)
        trigger(window, "resume")
        run = ended(window, qtbot)
        assert statuses(run) == dict.fromkeys(SAID, Status.PASSED)
        assert len(judge.prompts) == 2 * SAMPLES + 1, "nothing but the call that was stopped is asked twice"
    assert "1 of 2 cases are done, 1 question to the judge was in flight" in " ".join(heard)
