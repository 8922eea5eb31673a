"""A rubric is added to a golden that a judge has judged: its verdict is out of date, counted, and judged on wish."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.helpers.eval_sets import case, turn, write_criteria, write_eval_set
from tests.helpers.judge_server import VARIABLES, ModelServer, model_server
from tests.views.doing import trigger
from tests.views.golden_doing import opened, rest, undone, unfold
from tests.views.test_evaluate_dialog import WAIT_MS, confirmed, ended, session, statuses
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.views.golden.rubrics_section import RubricsSection
from trace_inspector.views.golden.strip import ScoreStrip
from trace_inspector.views.shell.main_window import MainWindow

METRIC = "rubric_based_final_response_quality_v1"
KIND = "Is kind."
PRICE = "Names a price."
TYPE = "FINAL_RESPONSE_QUALITY"


LONGEST_S = 60
may_answer = threading.Event()


def says(prompt: str, _number: int) -> str:
    """Yes to each property that is asked about, once it may."""
    may_answer.wait(LONGEST_S)
    asked = [text for text in (KIND, PRICE) if text in prompt]
    return "\n".join(f"Property: {text}\nEvidence: x\nRationale: x\nVerdict: yes\n" for text in asked)


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    may_answer.set()
    with model_server(says) as server:
        yield server
        may_answer.set()


@pytest.fixture
def judged_files(tmp_path: Path) -> list[Path]:
    (folder := tmp_path / "work").mkdir()
    options: JsonObject = {"threshold": 0.5, "judge_model_options": {"num_samples": 1}, "rubrics": []}
    write_criteria(folder / "test_config.json", **{METRIC: options})
    stated: JsonObject = {"rubrics": [{"rubric_id": "kind", "rubric_content": {"text_property": KIND}, "type": TYPE}]}
    cases: list[Json] = [
        {**case(name, turn(f"{name}?", "Yes.", turn_id=name), session=f"s-{name}"), **stated}
        for name in ("one", "two")
    ]
    sessions = [session(folder / f"{name}.json", f"s-{name}", f"{name}?", "Yes.") for name in ("one", "two")]
    return [write_eval_set(folder / "shop.evalset.json", *cases), *sessions]


def says_soon(qtbot: QtBot, strip: ScoreStrip, words: str, button: str) -> None:
    """The cell of judges comes to say that, with that button: it follows the verdicts by a step."""
    wanted = (f"Judged; sent only on request: {words}", button)
    qtbot.waitUntil(lambda: strip_words(strip) == wanted, timeout=WAIT_MS)


def strip_words(strip: ScoreStrip) -> tuple[str, str]:
    """What the cell of judges says, and its button, if there is one."""
    words = re.sub(r"\s+", " ", strip._judged.accessibleName())
    return words, strip._rejudge.accessibleName() if strip._rejudge.isVisibleTo(strip) else ""


def test_a_rubric_that_is_added_outdates_the_verdict_of_its_golden_alone_until_it_is_judged_again(
    window: MainWindow, qtbot: QtBot, judged_files: list[Path], judge: ModelServer
) -> None:
    confirmed(window, qtbot, judged_files, judge)
    trigger(window, "evaluate")
    run = ended(window, qtbot)
    assert statuses(run) == {"one": Status.PASSED, "two": Status.PASSED}
    asked = len(judge.prompts)
    tab = opened(window, judged_files[0], turn=0)
    (strip,) = tab.findChildren(ScoreStrip)
    says_soon(qtbot, strip, "up to date", "")
    body = unfold(tab, "rubrics")
    assert isinstance(body, RubricsSection)
    body._picked("new case")
    rest(window)
    QTest.keyClicks(body.rows[-1].text, PRICE)
    rest(window)
    assert statuses(run) == {"one": Status.PENDING, "two": Status.PASSED}
    says_soon(qtbot, strip, "1 verdict stale", "Re-judge 1 turn")
    assert len(judge.prompts) == asked, "nobody is asked unasked"
    undone(window)
    assert [row.text.toPlainText() for row in body.rows] == [KIND, ""]
    trigger(window, "redo")
    rest(window)
    may_answer.clear()
    strip._rejudge.click()
    says_soon(qtbot, strip, "waiting for the verdict", "")
    may_answer.set()
    run = ended(window, qtbot)
    assert statuses(run) == {"one": Status.PASSED, "two": Status.PASSED}
    says_soon(qtbot, strip, "up to date", "")
    assert len(judge.prompts) == asked + 1, "the other golden is not judged again"
    assert PRICE in judge.prompts[-1]
