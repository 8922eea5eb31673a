"""The window and `diff` say the same of the alignment catalogue: what matches, and where the sides part."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.core.test_align_catalogue import CATALOGUE
from tests.views.compare.comparing import compare_page, opened, said, shown
from tests.views.compare.test_alignment_in_view import asked_at_once, content
from trace_inspector.cli import main
from trace_inspector.core.values.values import Json
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


def by_command(
    folder: Path, left: str, right: str, policy: str, capsys: pytest.CaptureFixture[str]
) -> tuple[str, str]:
    """How many calls match, and where the sides part."""
    main(
        ["diff", *(str(suite(folder / name, text)) for name, text in (("l", left), ("r", right))), "--policy", policy]
    )
    sentence = capsys.readouterr().out.splitlines()[-1]
    parts = re.search(r"parts at ([^;]*)", sentence)
    return sentence.partition(" calls match")[0], parts[1] if parts else ""


def in_window(page: ComparePage) -> tuple[str, str]:
    head = page.sentence._head.text().partition(" expected calls match")[0]
    where = page.rows._banner(page.compare.parting)[0] if page.compare.parting >= 0 else ""
    return head, where.removeprefix("First divergence: ").rstrip(".")


def test_both_say_the_same(window: MainWindow, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    left, right = ([entry[side] for entry in CATALOGUE] for side in (0, 1))
    here, there = opened(window, suite(tmp_path / "left.json", *left), suite(tmp_path / "right.json", *right))
    page = compare_page(window)
    wanted, found = {}, {}
    for at, (one, other, _rows) in enumerate(CATALOGUE):
        page.compare.choose_sides((ref_of(here, here.table.tops[at]), ref_of(there, there.table.tops[at])))
        shown(page)
        for policy, rule in RULES.items():
            page.compare.choose_rule(rule)
            found[one, other, policy] = in_window(page)
            wanted[one, other, policy] = by_command(tmp_path, one, other, policy, capsys)
    assert found == wanted
    assert len({where for _count, where in found.values()}) > 4
