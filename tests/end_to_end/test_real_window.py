"""The installed command in a real window, driven by keys alone, as a person would."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers import screen as screens

TITLE = "Trace Inspector"
ADK_PASSED, ADK_FAILED = 1, 2


@pytest.fixture
def shown() -> Iterator[screens.Screen]:
    missing = screens.why_not()
    if missing:
        pytest.skip(f"no real window here: {missing}")
    with screens.screen() as one:
        yield one


@pytest.fixture
def running(shown: screens.Screen, tmp_path: Path) -> Iterator[screens.Program]:
    command = Path(sys.executable).with_name("trace-inspector")
    with screens.program([str(command), "--samples"], shown, tmp_path) as one:
        yield one


def test_a_person_evaluates_reads_filters_saves_a_report_and_quits(
    running: screens.Program, shown: screens.Screen, tmp_path: Path
) -> None:
    report = tmp_path / "report.json"
    window = running.wait_for_window(TITLE)
    shown.focus(window)
    running.evaluate_and_save(window, report)
    saved = json.loads(report.read_text(encoding="utf-8"))
    verdicts = {case["eval_id"]: case["final_eval_status"] for case in saved["eval_case_results"]}
    assert {ADK_PASSED, ADK_FAILED} <= set(verdicts.values()), verdicts

    shown.press("F8")
    assert screens.wait_until(lambda: shown.title(window).startswith("run-"), 10), shown.title(window)

    for keys in ("ctrl+2", "ctrl+3", "ctrl+1"):
        shown.press(keys, "F8", "Down", "Up", "shift+F8")  # the samples open at a failing turn; three lie beyond it
        assert screens.wait_until(lambda: shown.title(window).startswith("run-"), 10), shown.title(window)
    shown.press("ctrl+l")
    shown.write("verdict:failed")
    shown.press("Return", "Down", "Escape")

    shown.press("ctrl+q")
    assert running.end() == 0, running.said()
    assert list((tmp_path / "data" / "windows").iterdir()) == []  # nothing to offer at the next start
    assert running.left() == []
    assert running.said() == ""
    assert not running.mark.exists(), running.mark.read_text()
