"""Files of which something could not be read: `diff` says so in front, and never that they are the same."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from trace_inspector.cli import main
from trace_inspector.documents.text.warnings import WARNINGS
from trace_inspector.flows.opening.input_notes import LOST

FILE = """{"eval_set_id": "s", "eval_cases": [{"eval_id": "c", "conversation": [{"invocation_id": "i",
"user_content": {"parts": [{"text": "Q?"}]}, "final_response": {"parts": [{"text": "A"}]},
"intermediate_data": {"tool_uses": [{"name": "f", "args": {"x": VALUE}}]}}]}]}"""
YAML = """eval_set_id: s
eval_cases:
- eval_id: c
  conversation:
  - invocation_id: i
    user_content: {parts: [{text: Q}]}
    intermediate_data: {tool_uses: [{name: f, args: {x: 1}}]}
bad: [unclosed
rest: VALUE
"""
WHAT: dict[str, tuple[str, Callable[[int], str]]] = {
    "values nested too deep": ("json", lambda at: FILE.replace("VALUE", "[" * 300 + f'"{at}"' + "]" * 300)),
    "numbers too long": ("json", lambda at: FILE.replace("VALUE", f"{at + 7}" * 5_000)),
    "YAML that breaks off": ("yaml", lambda at: YAML.replace("VALUE", str(at))),
    "a file that ends early": ("json", lambda at: FILE.replace("VALUE", "1").removesuffix("}]}]}") + " " * at),
}


@pytest.mark.parametrize("what", WHAT)
def test_what_was_not_read_may_differ(what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ending, text = WHAT[what]
    paths = [tmp_path / f"{at}.{ending}" for at in range(2)]
    for at, path in enumerate(paths):
        path.write_text(text(at))
    assert main(["diff", *map(str, paths), "--report", f"markdown={tmp_path / 'r.md'}"]) == 2
    said = capsys.readouterr()
    assert all(str(path) in said.out for path in paths)  # each has its note
    assert "1 of 1 calls match" in said.out
    assert "Parts of these files could not be read" in said.err
    assert "No difference in what could be compared" in (tmp_path / "r.md").read_text()


def test_a_difference_that_was_read_is_one_all_the_same(tmp_path: Path) -> None:
    paths = [tmp_path / f"{at}.json" for at in range(2)]
    for at, path in enumerate(paths):
        path.write_text(FILE.replace("VALUE", f'{at}, "y": ' + "[" * 300 + "]" * 300))
    assert main(["diff", *map(str, paths)]) == 1


def test_every_oddity_by_which_something_is_lost_is_known_as_one() -> None:
    told = re.compile(r"left out|count as null|counts as infinite|breaks off|ends inside|read as text\. Use fewer")
    assert {code for code, (_severity, message) in WARNINGS.items() if told.search(message)} <= LOST
