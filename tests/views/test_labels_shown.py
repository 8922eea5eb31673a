"""Labels of sentences as the window shows them, the sensitivity they are found by, and runs of two versions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel
from pytestqt.qtbot import QtBot

from tests.commands.test_compare_runs import results
from tests.models.stories import TRACES, begin, judge, judged, put, rows_of, trace, turn
from tests.models.test_sentence_labels import with_labels
from tests.views.doing import whole_details
from tests.views.test_criteria_panel import panel, select, settled
from tests.views.test_two_runs import compared, listed
from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.verdict.verdict import Provenance, Sentence, SentenceSupport
from trace_inspector.models.base.selection import Selection
from trace_inspector.views.answer.answer import AnswerView
from trace_inspector.views.answer.sentence_card import SentenceCard
from trace_inspector.views.appearance.appearance import Scheme, Theme
from trace_inspector.views.criteria.panel import CriteriaPanel
from trace_inspector.views.shell.main_window import MainWindow

pytestmark = pytest.mark.shared_window
__all__ = ("panel",)  # a fixture

METRIC = "local_grounding"
MOST_OF_GREY = 50  # greys of the themes are a little blue
TEXT = "The garage is open on Sundays."


def painted(theme: Theme, qtbot: QtBot, support: SentenceSupport) -> AnswerView:
    view = AnswerView(theme)
    qtbot.addWidget(view)
    view.set_answer(TEXT, [Sentence(0, len(TEXT), support, "Because.")])
    view.resize(400, 60)
    return view


def colourfulness(view: AnswerView) -> int:
    """How far the most colourful pixel is from grey."""
    image = view.grab().toImage()
    pixels = (image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height()))
    colours = ((pixel.red(), pixel.green(), pixel.blue()) for pixel in pixels)
    return max(max(colour) - min(colour) for colour in colours)


@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK])
def test_every_label_is_painted_in_its_own_way(scheme: Scheme, theme: Theme, qtbot: QtBot) -> None:
    theme.choose(scheme)
    pictures = {support: painted(theme, qtbot, support).grab().toImage() for support in SentenceSupport}
    seen = [bytes(picture.constBits()) for picture in pictures.values()]
    assert len(set(seen)) == len(SentenceSupport)
    for support in SentenceSupport:
        is_grey = support in (SentenceSupport.CANNOT_TELL, SentenceSupport.NOT_APPLICABLE)
        assert (colourfulness(painted(theme, qtbot, support)) < MOST_OF_GREY) is is_grey, support


def test_the_card_names_what_cannot_be_told(theme: Theme, qtbot: QtBot) -> None:
    view = painted(theme, qtbot, SentenceSupport.CANNOT_TELL)
    card = SentenceCard(theme, view)
    sentence = Sentence(0, 3, SentenceSupport.CANNOT_TELL, "It is in another language than the evidence.")
    card.show_for(sentence, 1, 1, Provenance.RECOMPUTED, view.global_rect(), 340)
    told = [label.text() for label in card.findChildren(QLabel)]
    assert "Cannot tell" in told
    assert "It is in another language than the evidence." in told
    card.close()


def test_the_sensitivity_is_chosen_in_the_form(panel: CriteriaPanel, qtbot: QtBot) -> None:
    select(panel, METRIC)
    panel.view.setFocus()
    QTest.keyClick(panel.view, Qt.Key.Key_Space)
    (choice,) = [one for one in panel.form.findChildren(QComboBox) if one.accessibleName() == "Sensitivity"]
    assert [choice.itemText(at) for at in range(choice.count())] == ["careful (default)", "careful", "eager"]
    choice.setFocus()
    QTest.keyClick(choice, Qt.Key.Key_End)
    settled(panel, qtbot)
    line = panel.draft.line(METRIC)
    assert line is not None
    assert (line.on, line.options) == (True, {"sensitivity": "eager"})
    assert '"sensitivity": "eager"' in panel.text.toPlainText()


def test_details_count_each_label_apart(window: MainWindow) -> None:
    workspace = window.desk.workspace
    traces = [trace("a", turn(0, "one?", answer="One. Two. Three. Four."))]
    file = put(workspace, TRACES, *traces)
    labels = (
        SentenceSupport.UNSUPPORTED,
        SentenceSupport.CONTRADICTORY,
        SentenceSupport.CANNOT_TELL,
        SentenceSupport.CANNOT_TELL,
    )
    judge(workspace, begin(workspace, (METRIC,)), with_labels(judged(traces, []), *labels, decided=False))
    (answer,) = rows_of(file.table, Kind.ANSWER)
    workspace.selection.select(Selection(file.number, answer))
    window.desk.docks["details"].show()
    told = [label.text() for label in whole_details(window).findChildren(QLabel)]
    assert "4 sentences, 1 unsupported, 1 contradictory, 2 cannot be told" in told


def of_version(path: Path, version: int | None, **statuses: int) -> Path:
    """A result file whose cases another version of `local_grounding` decided."""
    value = json.loads(results(path, **statuses).read_text())
    for case in value["eval_case_results"]:
        (metric,) = case["overall_eval_metric_results"]
        metric["metric_name"] = METRIC
        stated = {} if version is None else {"version": version}
        case["traceInspector"] = {"version": 1, "metrics": [{"name": METRIC, **stated}], "turns": []}
    path.write_text(json.dumps(value))
    return path


def test_two_runs_of_two_versions_have_no_difference(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    old, new = of_version(tmp_path / "old.json", None, a=1, b=2), of_version(tmp_path / "new.json", 2, a=2, b=1)
    page = compared(window, qtbot, old, new)
    apart = "scores of different versions of a metric are not comparable"
    (notes,) = [label.text() for label in page.findChildren(QLabel) if apart in label.text()]
    assert f"{METRIC} is of version 1 in the baseline and 2 in the candidate: {apart}." in notes
    assert listed(page) == {"not comparable": ["a", "b"]}
    head = window.desk.workspace.runs.pair.head
    assert head is not None
    assert (head.criteria, head.columns) == ((), ())
    page = compared(window, qtbot, new, new)
    assert not [label for label in page.findChildren(QLabel) if apart in label.text()]
    assert "not comparable" not in listed(page)
