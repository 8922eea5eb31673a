from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests.documents.json_texts import all_pointers, encodings, texts
from tests.helpers.campaigns import examples
from tests.helpers.json_text import text_at
from trace_inspector.documents.editing.places import Excerpt, excerpt
from trace_inspector.documents.reading.reading import parse


def highlighted(shown: Excerpt) -> str:
    (first, start), (last, end) = shown.start, shown.end
    if first == last:
        return shown.lines[first][start:end]
    return "\n".join((shown.lines[first][start:], *shown.lines[first + 1 : last], shown.lines[last][:end]))


def test_an_excerpt_shows_the_value_between_its_lines() -> None:
    data = b'{\r\n  "a": 1,\r\n  "b": [\r\n    2\r\n  ],\r\n  "c": 3\r\n}\r\n'
    assert excerpt(parse(data, Path("x.json")), "/b", 1) == Excerpt(
        lines=('  "a": 1,', '  "b": [', "    2", "  ],", '  "c": 3'),
        first_line=2,
        first_column=1,
        start=(1, 7),
        end=(3, 3),
        shown_bytes=13,
        total_bytes=13,
    )


@examples(40, 1000)
@given(texts(), encodings(), st.integers(0, 3))
def test_the_highlight_is_the_value(text: str, encode: Callable[[str], bytes], around: int) -> None:
    document = parse(encode(text), Path("x.json"))
    for pointer in all_pointers(document.value):
        shown = excerpt(document, pointer, around)
        spelt = text_at(document, pointer)
        assert shown is not None
        assert spelt is not None
        assert highlighted(shown) == spelt.replace("\r\n", "\n")
        lines = [line.removesuffix("\r") for line in text.split("\n")]
        assert list(shown.lines) == lines[shown.first_line - 1 :][: len(shown.lines)]
        assert shown.start[0] <= around
        assert len(shown.lines) - 1 - shown.end[0] <= around


def test_an_excerpt_of_one_endless_line_is_bounded() -> None:
    document = parse(json.dumps(["é" * 100] * 5000, ensure_ascii=False).encode(), Path("x.json"))
    shown = excerpt(document, "/3000", 5)
    assert shown is not None
    assert len(shown.lines) == 1
    assert len(shown.lines[0].encode()) < 40_000
    assert highlighted(shown) == '"' + "é" * 100 + '"'
    assert shown.first_column > 1
    assert "\ufffd" not in shown.lines[0]


def test_a_large_value_is_cut_and_says_so() -> None:
    text = json.dumps("é" * 100_000, ensure_ascii=False)
    shown = excerpt(parse(f"[{text}]".encode(), Path("x.json")), "/0", 1)
    assert shown is not None
    assert (shown.shown_bytes, shown.total_bytes) == (65537, 200_002)
    assert shown.lines[0][1:] == text[: 1 + 32768]


def test_there_is_no_excerpt_of_nothing() -> None:
    assert excerpt(parse(b"{}", Path("x.json")), "/a", 1) is None
