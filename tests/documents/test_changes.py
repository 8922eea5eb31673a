from __future__ import annotations

import json
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from tests.helpers.campaigns import examples
from trace_inspector.core.values.edit import Edit, Insert, Remove, Set
from trace_inspector.documents.editing.splice import patched, plan
from trace_inspector.documents.reading.reading import parse
from trace_inspector.documents.saving.changed_lines import ChangedLine, changed_lines
from trace_inspector.documents.text.patch import difference


def changes(text: str, *edits: Edit, encoding: str = "utf-8") -> list[ChangedLine]:
    before = after = parse(text.encode(encoding), Path("x.json"))
    patches = []
    for edit in edits:
        patches.append(plan(after, edit))
        after = patched(after, patches[-1])
    return list(changed_lines(before, after, patches))


TEXT = '{\r\n  "a": 1,\r\n  "b": 2,\r\n  "c": 3\r\n}'


def test_a_changed_line_has_its_text_before_and_now() -> None:
    assert changes(TEXT, Set("/b", "20")) == [ChangedLine(3, '  "b": 2,', '  "b": 20,')]


def test_a_removed_line_is_gone_and_an_inserted_one_is_new() -> None:
    assert changes(TEXT, Remove("/a")) == [ChangedLine(2, '  "a": 1,', None)]
    assert changes(TEXT, Insert("/d", "4")) == [
        ChangedLine(4, '  "c": 3', '  "c": 3,'),
        ChangedLine(5, None, '  "d": 4'),
    ]


def test_lines_far_apart_are_told_alone_with_the_numbers_they_have_now() -> None:
    assert changes(TEXT, Set("/c", "30"), Set("/a", "[\n1]")) == [
        ChangedLine(2, '  "a": 1,', '  "a": ['),
        ChangedLine(3, None, "1],"),
        ChangedLine(5, '  "c": 3', '  "c": 30'),
    ]


def test_two_edits_of_one_line_are_one_change() -> None:
    assert changes("[1, 2,\n 3]", Set("/1", "20"), Set("/0", "10")) == [ChangedLine(1, "[1, 2,", "[10, 20,")]
    assert changes("[1]", Set("/0", "2"), Set("/0", "333")) == [ChangedLine(1, "[1]", "[333]")]


def test_what_was_set_back_did_not_change() -> None:
    assert changes(TEXT, Set("/a", "[\n]"), Set("/a", "1")) == []
    assert changes(TEXT) == []


def test_the_mark_of_utf_8_is_no_part_of_the_first_line() -> None:
    assert changes("\ufeff[1]", Set("/0", "2")) == [ChangedLine(1, "[1]", "[2]")]


def test_utf_16_lines_are_text_without_the_mark() -> None:
    assert changes('\ufeff["é",\n "਀"]', Set("/1", '"x"'), encoding="utf-16-le") == [ChangedLine(2, ' "਀"]', ' "x"]')]
    assert changes('\ufeff["é"]', Set("/0", '"x"'), encoding="utf-16-be") == [ChangedLine(1, '["é"]', '["x"]')]


TEXTS = st.lists(st.text("aਊĊ\U0001f600é", max_size=4), max_size=4)


def told(before: list[str], after: list[str], encoding: str) -> list[ChangedLine]:
    """The lines that differ, of two states of which only the bytes are known."""
    old, new = (json.dumps(texts, ensure_ascii=False, indent=1) for texts in (before, after))
    left, right = (parse(("\ufeff" + text).encode(encoding), Path("x.json")) for text in (old, new))
    return list(changed_lines(left, right, (difference(left.data, right.data),)))


@examples(40, 1000)
@given(TEXTS, TEXTS)
@example(["ĊĊ"], ["ਊĊ"])
@example(["\U0001f600"], ["\U0001f601"])
def test_bytes_that_part_inside_of_a_character_tell_the_same_lines(before: list[str], after: list[str]) -> None:
    wanted = told(before, after, "utf-8")
    assert told(before, after, "utf-16-le") == wanted
    assert told(before, after, "utf-16-be") == wanted
