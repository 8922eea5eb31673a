"""The page on our own key is true: its example is read without a finding, and its words are the code's."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.formats.span_files import opened
from trace_inspector.core.golden.matcher import Match
from trace_inspector.formats.writing.reserved_key_conversion import MAX_LEFT_CHARS

PAGE = (Path(__file__).parents[2] / "docs" / "file-extension.md").read_text(encoding="utf-8")


def test_the_example_is_read_without_a_finding() -> None:
    (example,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    contents = opened({"eval_set_id": "tables", "eval_cases": [json.loads(example)]})
    assert contents.findings == ()
    (case,) = contents.suites[0].cases
    assert [matcher.match for matcher in case.matchers] == [Match.TOLERANCE, Match.IGNORE]
    assert [note.place for note in case.notes] == ["/eval_cases/0/conversation/0"]


def test_every_way_of_matching_is_named() -> None:
    named = re.findall(r"^\| `(\w+)` \| (?:is|are) ", PAGE, re.MULTILINE)
    assert set(named) == {match.value for match in Match}


def test_the_bound_is_the_one_that_holds() -> None:
    assert f"{MAX_LEFT_CHARS // 1_000_000} million characters" in PAGE
