"""The window and `diff` say the same of the alignment catalogue: what matches, and where the sides part."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt

from tests.core.test_align_catalogue import CATALOGUE
from tests.views.compare.comparing import compare_page, eval_set, opened, said, session, shown, told
from tests.views.compare.test_alignment_in_view import asked_at_once, content
from tests.views.test_curating_by_keys import CONTROL, Keyboard, judged, started_with
from trace_inspector.cli import main
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.engine.trace_diff.rule import comparison_named
from trace_inspector.flows.runs.compare_files import compare
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.compare.sides import ref_of
from trace_inspector.views.compare.page import ComparePage
from trace_inspector.views.shell.main_window import MainWindow

RULES = {"exact": 0, "in-order": 1, "any-order": 2}


def suite(path: Path, *written: str) -> Path:
    """An eval set of cases that have one turn each."""
    cases: list[Json] = [
        {
            "eval_id": f"case-{at}",
            "conversation": [
                {
                    "invocation_id": "t",
                    "user_content": said("Where?", "user"),
                    "intermediate_data": {
                        "invocation_events": [
                            {"author": "agent", "content": content(one)} for one in asked_at_once(text)
                        ]
                    },
                }
            ],
        }
        for at, text in enumerate(written)
    ]
    path.write_text(json.dumps({"eval_set_id": "s", "eval_cases": cases}))
    return path


def parted(sentence: str) -> tuple[str, str]:
    """How many calls match, and where the sides part."""
    parts = re.search(r"parts at ([^;]*)", sentence)
    return sentence.partition(" calls match")[0], parts[1] if parts else ""


def compared_cases(left: Path, right: Path, policy: str) -> list[tuple[str, str]]:
    """Of each case what `diff` of it alone would say."""
    (side,) = compare((left, right), comparison_named(policy), tables=False).sides
    pairs = {pair.name: pair for pair in side.pairs}
    return [parted(replace(side, pairs=(pairs[f"case-{at}"],)).sentence) for at in range(len(CATALOGUE))]


def in_window(page: ComparePage) -> tuple[str, str]:
    head = page.sentence._head.text().partition(" expected calls match")[0]
    where = page.rows._banner(page.compare.first_divergence)[0] if page.compare.first_divergence >= 0 else ""
    return head, where.removeprefix("First divergence: ").rstrip(".")


def test_both_say_the_same(window: MainWindow, tmp_path: Path) -> None:
    left, right = ([entry[side] for entry in CATALOGUE] for side in (0, 1))
    files = suite(tmp_path / "left.json", *left), suite(tmp_path / "right.json", *right)
    here, there = opened(window, *files)
    page = compare_page(window)
    shown_of: dict[str, list[tuple[str, str]]] = {policy: [] for policy in RULES}
    for expected, observed in zip(here.table.tops, there.table.tops, strict=True):
        page.compare.choose_sides((ref_of(here, expected), ref_of(there, observed)))
        shown(page)
        for policy, rule in RULES.items():
            page.compare.choose_rule(rule)
            shown_of[policy].append(in_window(page))
    assert shown_of == {policy: compared_cases(*files, policy) for policy in RULES}
    assert len({where for pairs in shown_of.values() for _count, where in pairs}) > 4


@pytest.mark.parametrize("policy", RULES)
def test_the_command_says_it_of_one_case(tmp_path: Path, policy: str, capsys: pytest.CaptureFixture[str]) -> None:
    left, right = "a b c", "b a x"
    files = suite(tmp_path / "left.json", left), suite(tmp_path / "right.json", right)
    main(["diff", *map(str, files), "--policy", policy])
    sentence = capsys.readouterr().out.splitlines()[-1]
    (side,) = compare(files, comparison_named(policy), tables=False).sides
    assert sentence == side.sentence
    assert parted(sentence)[1]


def reworded(window: MainWindow, folder: Path, answer: str) -> ComparePage:
    """Two turns of one golden, evaluated; the first answer is worded otherwise, then the second."""
    golden = eval_set(
        folder / "set.evalset.json",
        ("Where?", [], "It is over there on the left."),
        ("When?", [], "It opens at nine in the morning."),
    )
    run = session(
        folder / "one.json", ("Where?", [], answer), ("When?", [], "It opens at nine in the early morning.")
    )
    keys = Keyboard(window)
    started_with(window, golden, run)
    keys.press(Qt.Key.Key_F5)
    judged(window)
    (file,) = (file for file in window.desk.workspace.files if file.path == run)
    window.desk.workspace.selection.select(Selection(file.number, file.table.tops[0]))
    keys.press(Qt.Key.Key_4, CONTROL)
    page = compare_page(window)
    shown(page)
    return page


def test_an_answer_in_other_words_that_passes_is_no_divergence(window: MainWindow, tmp_path: Path) -> None:
    page = reworded(window, tmp_path, "It is over there now on the left.")
    rows = page.compare.rows
    assert rows is not None
    assert len(rows.differences) == 2
    assert page.compare.verdict is not None
    assert page.compare.verdict.status is Status.PASSED
    assert page.compare.first_divergence == -1
    assert not any(page.compare.is_dimmed(number) for number in rows.differences)
    assert not any("First divergence" in line for line in told(page))


def test_an_answer_that_fails_is_one(window: MainWindow, tmp_path: Path) -> None:
    page = reworded(window, tmp_path, "Nobody knows anything.")
    rows = page.compare.rows
    assert rows is not None
    assert page.compare.first_divergence == rows.differences[0]
    assert any("First divergence: turn 1" in line for line in told(page))
