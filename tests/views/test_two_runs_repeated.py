"""Two runs with repeats in the window: shares have their room, what fails now is told, what wavers stands apart."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tests.commands.test_compare_runs import results
from tests.views.test_two_runs import compared, open_samples, text_in
from trace_inspector.models.runs.run_pair_table import NAME, VERDICT, WORDS
from trace_inspector.views.run_comparison.page import TwoRunsPage
from trace_inspector.views.shell.main_window import MainWindow


def repeated(path: Path, **cases: str) -> Path:
    """A result file in which each case ran as often as it has letters: p passed, f failed."""
    path.mkdir()
    value = json.loads(results(path / "one.json", **dict.fromkeys(cases, 1)).read_text())
    failed = json.loads(results(path / "one.json", **dict.fromkeys(cases, 2)).read_text())
    kinds = {"p": value, "f": failed}
    value["eval_case_results"] = [
        {**kinds[letter]["eval_case_results"][at], "session_id": f"{name}-{nth}"}
        for at, (name, letters) in enumerate(cases.items())
        for nth, letter in enumerate(letters)
    ]
    (path / "one.json").write_text(json.dumps(value))
    return path / "one.json"


@pytest.fixture
def page(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> TwoRunsPage:
    open_samples(window, qtbot, "run-0405.json")
    window.resize(1600, 1000)
    base = repeated(tmp_path / "base", worse="ppppppppppff", better="fffff", same="ppp")
    new = repeated(tmp_path / "new", worse="pppffffffffff", better="ppfff", same="ppp")
    return compared(window, qtbot, base, new)


def test_verdicts_have_room_and_what_fails_now_is_told(page: TwoRunsPage) -> None:
    cases, table = page.cases, page.table
    worse = table.index_of("worse")
    assert worse.siblingAtColumn(VERDICT).data() == "failed (10 of 12) → failed (3 of 13)"
    assert worse.siblingAtColumn(WORDS).data().startswith("response_match_score 0.20, needs 0.8; 10 of 12 passed")
    assert table.index_of("better").siblingAtColumn(WORDS).data().startswith("Still: response_match_score 0.20")
    assert table.index_of("same").siblingAtColumn(WORDS).data() == ""
    words_px = cases.fontMetrics().horizontalAdvance("10 of 12") + cases.fontMetrics().horizontalAdvance("3 of 13")
    marks_px = 2 * 18 + 24
    assert cases.columnWidth(VERDICT) >= words_px + marks_px + 12


def test_what_wavers_stands_apart(page: TwoRunsPage) -> None:
    assert "Is it the agent or the judge?" in text_in(page)
    spoken = [label.accessibleName() for label in page.figures.findChildren(QLabel)]
    assert "Cases that change verdict, baseline: 1 of 3" in spoken
    assert "Cases that change verdict, candidate: 2 of 3" in spoken
    assert "Votes on one answer that flip, baseline: not known" in spoken
    told = [label.text() for label in page.figures.findChildren(QLabel)]
    assert told.index("Flaky in the baseline") < told.index("Baseline"), "single cases come before rates"


def test_a_small_window_shows_what_changed_and_grows_no_higher(
    window: MainWindow, page: TwoRunsPage, qtbot: QtBot
) -> None:
    window.resize(900, 700)  # the page has the whole width
    qtbot.waitUntil(lambda: page.width() < 960)
    cases = page.cases
    assert (window.width(), window.height()) == (900, 700)
    assert not cases.isColumnHidden(WORDS)
    shown = [at for at in (NAME, VERDICT, WORDS) if not cases.isColumnHidden(at)]
    assert cases.viewport().width() - sum(map(cases.columnWidth, shown)) < cases.columnWidth(WORDS)
    more = page.head.more
    qtbot.waitUntil(lambda: more.height() >= more.heightForWidth(more.width()))
    least = page.minimumSizeHint().height()
    more.setText("That may be chance. " * 40)
    qtbot.waitUntil(lambda: more.height() > 100)
    assert page.minimumSizeHint().height() <= least, "or the window would become higher than the screen"
