"""A grounding model in the window: its folder in the preferences, and its labels beside those of our own metric."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLabel
from pytestqt.qtbot import QtBot

from tests.helpers.classifier_folders import FIRST_WORD, classifier_folder
from tests.models.stories import TRACES, begin, judge, judged, put, rows_of, trace, turn
from tests.models.test_sentence_labels import with_labels
from tests.views.doing import trigger, whole_details
from tests.views.test_evaluate_dialog import ended, open_all, session
from tests.views.test_preferences import opened
from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.verdict.verdict import SentenceSupport
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.conversation.items import describe
from trace_inspector.models.conversation.section import Key
from trace_inspector.models.evaluation.marks import mark_of
from trace_inspector.models.evaluation.problems import of_case
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.widgets.controls import Button

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
pytest.importorskip("tokenizers", reason="tokenizers is not installed")
pytestmark = pytest.mark.shared_window

SAID = ANSWER = "The flight to Rome leaves on Monday."


def test_the_folder_is_named_in_the_preferences(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog, preferences = opened(window, qtbot), window.desk.workspace.evaluation.preferences
    dialog.model.setFocus()
    QTest.keyClicks(dialog.model, "/somewhere")
    QTest.keyClick(dialog.model, Qt.Key.Key_Return)
    assert preferences.grounding_model == "/somewhere"
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))
    next(button for button in dialog.findChildren(Button) if button.text() == "Choose…").click()
    assert dialog.model.text() == preferences.grounding_model == str(tmp_path)
    preferences.set_offline(offline=True)
    assert window.desk.workspace.evaluation.judge.grounding_model == str(tmp_path), "it runs on this machine"
    QTest.keyClick(dialog, Qt.Key.Key_Escape)


def test_its_labels_stand_beside_ours_under_their_own_name(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    # Says “supported” where the word “never” stands, so of nothing here.
    form = {"kind": "pair", "first": "{document} {claim}", "second": ""}
    folder = classifier_folder(tmp_path / "model", FIRST_WORD, form, (SAID, ANSWER), "never")
    path = session(tmp_path / "t.json", "a", SAID, ANSWER)
    window.desk.workspace.evaluation.preferences.set_grounding_model(str(folder))
    open_all(window, qtbot, [path])
    trigger(window, "evaluate")
    run = ended(window, qtbot)
    labels = {
        metric.metric: [sentence.support for sentence in metric.sentences]
        for metric in run.cases[0].turns[0].metrics
        if metric.sentences
    }
    assert labels == {
        "local_grounding": [SentenceSupport.SUPPORTED],
        "grounding_model": [SentenceSupport.UNSUPPORTED],
    }
    (file,) = window.desk.workspace.files
    (answer,) = rows_of(file.table, Kind.ANSWER)
    assert mark_of(file, answer, run) != "unsupported", "what is marked is what the metric of this program says"
    problems = of_case(run.cases[0], line_of=run.metric, file=file, top=0)
    assert [(problem.mark, problem.criterion) for problem in problems] == [("unsupported", "grounding_model")]
    shown = describe(file, run, Key(answer)).judged
    assert shown is not None
    assert shown.metric == "local_grounding"
    window.desk.workspace.selection.select(Selection(file.number, answer))
    window.desk.docks["details"].show()
    told = [label.text() for label in whole_details(window).findChildren(QLabel)]
    assert "1 sentence" in told


def test_its_labels_alone_are_shown_with_its_name(window: MainWindow) -> None:
    workspace = window.desk.workspace
    traces = [trace("a", turn(0, "one?", answer="One."))]
    file = put(workspace, TRACES, *traces)
    run = with_labels(judged(traces, []), SentenceSupport.UNSUPPORTED, decided=False, metric="grounding_model")
    current = begin(workspace, ("grounding_model",))
    judge(workspace, current, run)
    (answer,) = rows_of(file.table, Kind.ANSWER)
    assert mark_of(file, answer, current) == "unsupported"
    workspace.selection.select(Selection(file.number, answer))
    window.desk.docks["details"].show()
    told = [label.text() for label in whole_details(window).findChildren(QLabel)]
    assert "grounding_model: 1 sentence, 1 unsupported" in told
