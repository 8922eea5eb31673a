"""Line ends of a text that is edited: what nobody touched stays, whatever kinds there are."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.tables import each
from trace_inspector.models.golden.newline_style import PARAGRAPH, with_line_ends

MIXED = "a\r\nb\nc\rd\u2028e"


@each(
    ("before", "shown", "after"),
    [
        (MIXED, "a|b|c|d\u2028e", MIXED),
        (MIXED, "a|b|c|d\u2028e|", f"{MIXED}\r"),
        (MIXED, "a||b|c|d\u2028e", "a\r\n\r\nb\nc\rd\u2028e"),
        (MIXED, "a|c|d\u2028e", "a\r\nc\rd\u2028e"),
        (MIXED, "", ""),
        ("", "x|y", "x\ny"),
        ("x\r\ny", "x|y|z", "x\r\ny\r\nz"),
        ("x\u2029y", "x|y!", "x\u2029y!"),
    ],
    ids=["same", "at the end", "between", "less", "all gone", "none before", "windows", "paragraphs"],
)
def test_what_nobody_touched_stays(before: str, shown: str, after: str) -> None:
    assert with_line_ends(shown.replace("|", PARAGRAPH), before) == after


TEXTS = st.text("ab\r\n\u2029", max_size=12)


@given(TEXTS, TEXTS, TEXTS, TEXTS)
def test_an_edit_changes_no_end_beside_it(head: str, old: str, new: str, tail: str) -> None:
    def shown(text: str) -> str:
        return re.sub(r"\r\n|[\r\n]", PARAGRAPH, text)

    head, tail = f"{head}<", f">{tail}"
    after = with_line_ends(shown(head + new + tail), head + old + tail)
    assert after.startswith(head)
    assert after.endswith(tail)
    assert shown(after) == shown(head + new + tail)
