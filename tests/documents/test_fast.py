from __future__ import annotations

import gc
import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as some
from pydantic_core import from_json

from tests.helpers.tables import each
from trace_inspector.core.values.values import Json
from trace_inspector.documents.json.strict import FewBytes, fast_value

REFUSED = (
    "",
    "[1,]",
    "[1] [2]",
    "// no\n1",
    "NaN",
    "[-Infinity]",
    '"\\ud83d"',
    "\ufeff1",
    "1" * 4301,
    "[" * 202 + "]" * 202,
    '{"a": 1',
    '"\t"',
    '{"a": 1, "a": 2}',
    '[{"b": [{"a": 1, "\\u0061": 2}]}]',
    '{"a\\\\": 1, "a\\\\": 2}',
    '{":": 1, ":": 2}',
)


@each("text", REFUSED)
def test_what_it_would_hide_or_cannot_read_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        fast_value(text.encode())


@each("space", [" ", "\t", "\n", "\r", " \n\t"])
def test_spaces_before_one_colon_do_not_hide_another_duplicate(space: str) -> None:
    assert fast_value(f'{{"a"{space}: 1, "b": 2}}'.encode()) == {"a": 1, "b": 2}
    with pytest.raises(ValueError, match="duplicate keys"):
        fast_value(f'{{"a"{space}: 1, "b": 2, "b": 3}}'.encode())


@pytest.mark.parametrize(
    "text", ['[": one", ":", {"a": ":"}]', '["\\": ", "\\" :", "\\\\"]', '["{\\"a\\":1,\\"a\\":2}"]']
)
def test_colons_inside_strings_are_no_keys(text: str) -> None:
    assert fast_value(text.encode()) == json.loads(text)


@pytest.mark.parametrize("enabled", [True, False])
def test_the_collector_is_left_as_it_was(enabled: bool) -> None:
    was_enabled = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        fast_value(b"[]")
        with pytest.raises(ValueError, match=r"."):
            fast_value(b"[")
        assert gc.isenabled() == enabled
    finally:
        (gc.enable if was_enabled else gc.disable)()


PIECES = (
    b"{", b"}", b"[", b"]", b",", b":", b'"a"', b'"b\\n"', b"1", b"-2.5e3", b"e400", b"true", b"null", b"NaN",
    b"-Infinity", b" ", b"\n", b"\x0b", b"\xef\xbb\xbf", b'"\\u00e9"', b'"\\uDE00"', b'"\\ud83d\\ude00"',
    b'"\xc3\xa9"', b"0", b".", b"-", b"+", b"\\", b'"', b"\x00", b"\x1f", b'{"a":1}', b"[1,2]", b'"x":',
    b"\xff", b"9" * 30, b"1" * 4301, b"[" * 90, b"]" * 90,
)  # fmt: skip


def read_by(read: Callable[[bytes], Json], data: bytes) -> str:
    """A value with the types of its parts, or that it is refused."""
    try:
        return repr(read(data))
    except ValueError:
        return "refused"


@given(some.lists(some.sampled_from(PIECES), max_size=8).map(b"".join))
def test_the_first_few_bytes_are_read_as_all_others_are(data: bytes) -> None:
    few = FewBytes()
    if few.takes(data):
        assert read_by(few.value, data) == read_by(lambda data: from_json(data, allow_inf_nan=False), data)


def test_after_the_first_few_bytes_the_fast_reader_is_worth_its_import() -> None:
    few = FewBytes()
    line = json.dumps({"text": "word " * 200}).encode()
    read = [few.value(line) for _ in range(1000) if few.takes(line)]
    assert 10 < len(read) < 100
