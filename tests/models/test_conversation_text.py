from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.campaigns import examples
from tests.helpers.tables import each
from trace_inspector.core.values.values import ABSENT, Json
from trace_inspector.models.conversation.text import (
    HEAD_CHARS,
    HEAD_LINES,
    PIECE_CHARS,
    LongText,
    copied,
    head_of,
    size_of,
    size_text,
    value_size_text,
    visible,
    written,
)

values: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=5),
    max_leaves=30,
)


def whole(text: LongText) -> str:
    while not text.done:
        text.go_on(1.0)
    return "".join(text.raw(number) for number in range(text.pieces))


@examples(40, 1000)
@given(values)
def test_json_is_written_as_json_with_indents_is(value: Json) -> None:
    if not isinstance(value, str):
        assert "".join(written(value)) == json.dumps(value, ensure_ascii=False, indent=2)


def test_words_are_written_as_they_are_and_nothing_as_nothing() -> None:
    assert "".join(written('a "b"\n')) == 'a "b"\n'
    assert "".join(written(ABSENT)) == ""


def test_a_long_string_inside_is_written_in_slices() -> None:
    value: Json = {"a": 'x"\n' * 100_000}
    pieces = list(written(value))
    assert "".join(pieces) == json.dumps(value, indent=2)
    assert max(map(len, pieces)) < 200_000


@given(st.text(alphabet="ab \n", max_size=20_000))
def test_pieces_are_all_of_the_text_and_none_is_long(text: str) -> None:
    cut = LongText(text)
    assert whole(cut) == text
    assert all(len(cut.raw(number)) <= PIECE_CHARS for number in range(cut.pieces))
    assert [cut.start(number) for number in range(cut.pieces)] == [
        sum(len(cut.raw(before)) for before in range(number)) for number in range(cut.pieces)
    ]


def test_pieces_end_with_lines_and_words_where_there_are_any() -> None:
    lines = LongText("word word word\n" * 1_000)
    assert all(lines.raw(number).endswith("\n") for number in range(lines.pieces))
    assert not lines.piece(0).endswith("\n")
    words = LongText("word " * 5_000)
    assert all(words.raw(number).endswith(" ") for number in range(words.pieces))


def test_a_large_value_is_cut_step_by_step() -> None:
    text = LongText([{"n": number} for number in range(50_000)])
    assert not text.done
    before = text.pieces
    text.go_on(0.0)
    assert not text.done
    assert text.pieces >= before
    assert json.loads(whole(text))[-1] == {"n": 49_999}


@each(
    ("value", "shown", "more"),
    [
        ("short", "short", False),
        ("line\n" * HEAD_LINES, "line\n" * HEAD_LINES, False),
        ("x" * HEAD_CHARS, "x" * HEAD_CHARS, False),
        ("x" * 10_000_000, "x" * HEAD_CHARS, True),
        ("line\n" * 100, "line\n" * (HEAD_LINES - 1) + "line", True),
        ({"a": 1}, '{\n  "a": 1\n}', False),
    ],
)
def test_the_head_is_some_lines(value: Json, shown: str, more: bool) -> None:
    assert head_of(value) == (shown, more)


def test_the_head_of_a_large_value_is_short() -> None:
    text, more = head_of(list(range(1_000_000)))
    assert more
    assert text.startswith("[\n  0,\n  1,")
    assert text.count("\n") < HEAD_LINES


def test_hidden_characters_are_made_visible_one_for_one() -> None:
    hidden = "a\x1b[31m\u202eb\u2066c\x00\ud800\u200b\r\n\u2028\u0085\ttab 👩\u200d💻 \U000e0041"
    shown = visible(hidden)
    assert len(shown) == len(hidden)
    assert not any(char in shown for char in "\x1b\u202e\u2066\x00\ud800\u200b\r\u2028\u0085\U000e0041")
    assert "\ttab 👩\u200d💻" in shown
    assert visible("plain\nlines") == "plain\nlines"


@examples(40, 1000)
@given(values)
def test_a_size_is_about_that_of_the_json(value: Json) -> None:
    counted, to_the_end = size_of(value)
    real = len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass"))
    assert to_the_end
    assert real * 0.4 - 4 <= counted <= real * 2 + 4


def test_sizes_in_words() -> None:
    assert [size_text(count) for count in (1, 48, 1_400, 5_200_000, 120_000, 2_000_000_000)] == [
        "1 byte", "48 bytes", "1.4 kB", "5.2 MB", "120 kB", "2.0 GB",
    ]  # fmt: skip
    assert value_size_text([1] * 1_000_000).startswith("over ")
    assert value_size_text("é" * 1_000_000) == "2.0 MB"


def test_everything_is_copied() -> None:
    assert copied("as it is \u202e") == "as it is \u202e"
    assert json.loads(copied({"a": [1, 2]})) == {"a": [1, 2]}
    assert len(json.loads(copied(list(range(100_000))))) == 100_000
    assert copied(ABSENT) == ""
