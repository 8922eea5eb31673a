from __future__ import annotations

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.tables import each
from trace_inspector.documents.json.dialect import Dialect, dialect_of
from trace_inspector.documents.reading.reading import parse

DIALECTS = (
    ('{\n  "a": [\n    1\n  ]\n}', "x.json", Dialect("  ", "\n", ", ", ": ")),
    ('{\r\n\t"a": 1\r\n}', "x.json", Dialect("\t", "\r\n", ", ", ": ")),
    ('{"a":1,"b":2}', "x.json", Dialect("", "\n", ",", ":")),
    ('{"a":1}', "x.json", Dialect("", "\n", ",", ":")),
    ("[1,2]", "x.json", Dialect("", "\n", ",", ":")),
    ('{"a": 1}', "x.json", Dialect("", "\n", ", ", ": ")),
    ('{"a" : 1,  "b" : 2}', "x.json", Dialect("", "\n", ",  ", " : ")),
    ('{":x, y":":1,  2","b":2}', "x.json", Dialect("", "\n", ",", ":")),
    ("[]", "x.json", Dialect("  ", "\n", ", ", ": ")),
    ("[]\n{}", "x.json", Dialect("", "\n", ", ", ": ")),
    ('{"a": 1}\r\n{"a": 2}', "x.jsonl", Dialect("", "\r\n", ", ", ": ")),
    ('{"a": "\\u00e9"}', "x.json", Dialect("", "\n", ", ", ": ", escapes=True)),
    ('{"a": "\\u00e9", "b": "é"}', "x.json", Dialect("", "\n", ", ", ": ")),
    ('{"a": "\\u0007"}', "x.json", Dialect("", "\n", ", ", ": ")),
)


@each(("text", "name", "dialect"), DIALECTS)
def test_a_document_shows_its_dialect(text: str, name: str, dialect: Dialect) -> None:
    assert dialect_of(parse(text.encode(), Path(name))) == dialect


def test_half_a_character_is_written_as_an_escape() -> None:
    assert Dialect().string("é\ud83d") == '"\\u00e9\\ud83d"'


@given(st.text(st.characters()), st.booleans())
def test_any_text_can_be_written_as_a_string(text: str, escapes: bool) -> None:
    written = Dialect(escapes=escapes).string(text)
    assert json.loads(written) == text
    written.encode()
    assert written.isascii() or not escapes
