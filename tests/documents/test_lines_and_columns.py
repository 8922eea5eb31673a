"""Lines and columns count characters, whether the bytes around are plain or not."""

from __future__ import annotations

import codecs
import random

import pytest

from trace_inspector.documents.text import encoding
from trace_inspector.documents.text.encoding import encoding_of, lines_and_columns


@pytest.mark.parametrize("chunk", [1, 2, 3, 7, 1 << 20])
def test_every_offset_has_the_line_and_column_of_its_character(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoding, "_CHUNK", chunk)
    draw = random.Random(7)
    for mark, name in ((b"", "utf-8"), (b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le")):
        text = "".join(draw.choice(["a", "b", "\n", "\r\n", "é", "€", "😀"]) for _ in range(120))
        data, expected, offset = mark + text.encode(name), {}, len(mark)
        line = column = 1
        for character in text:
            expected[offset] = line, column
            offset += len(character.encode(name))
            line, column = (line + 1, 1) if character == "\n" else (line, column + 1)
        assert lines_and_columns(data, encoding_of(data[:4]), expected) == expected


@pytest.mark.parametrize("chunk", [1, 2, 5, 1 << 20])
def test_bytes_that_are_no_characters_count_as_they_are_shown(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoding, "_CHUNK", chunk)
    data = b"ab\xe2cd\nx\xe2\x82yz\n\xff!"
    known = encoding_of(data[:4])
    expected = {}
    for offset in range(len(data) + 1):
        decoder = codecs.getincrementaldecoder(known.name)(known.errors)
        before = decoder.decode(data[:offset])
        expected[offset] = before.count("\n") + 1, len(before) - before.rfind("\n")
    assert lines_and_columns(data, known, expected) == expected
