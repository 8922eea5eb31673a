"""How much work odd bytes are: twice as many take no more than twice as much, counted in calls and not in time."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.campaigns import examples
from tests.helpers.tables import each
from trace_inspector.documents.json import strict as fast
from trace_inspector.documents.json import tolerant
from trace_inspector.documents.json.scalars import string_value, unescaped
from trace_inspector.documents.json.strict import fast_value
from trace_inspector.documents.json.tolerant import TolerantReader
from trace_inspector.documents.reading.reading import parse
from trace_inspector.documents.text.warnings import MAX_FINDINGS

ESCAPE = re.compile(rb"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
KNOWN = re.compile(rb'u[0-9a-fA-F]{4}|["\\/bfnrt]')
PAIR = re.compile(rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}")
SURROGATE = re.compile(rb"u[dD][89a-fA-F][0-9a-fA-F]{2}")


def calls_of(work: Callable[[], object]) -> int:
    """How many functions are called, Python's own included."""
    count: Counter[str] = Counter()

    def note(_frame: FrameType, event: str, _argument: object) -> None:
        count[event] += 1

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count["call"] + count["c_call"]


@each("piece", [b"\\\\", b"\\n", b"\\q", b"\\u00e9", b"\\ud83d\\ude00", b"\\uZ", b"\\\\\\q"])
def test_a_string_of_escapes_takes_as_many_calls_as_a_short_one(piece: bytes) -> None:
    short, long = (b'"' + piece * count + b'"' for count in (10, 10_000))
    string_value(long)  # what patterns make of themselves at first does not count
    # Not exactly as many: what the interpreter tidies up meanwhile is counted as well.
    assert calls_of(lambda: string_value(long)) <= calls_of(lambda: string_value(short)) + 100


def by_hand(token: bytes) -> tuple[str, list[tuple[int, str]]]:
    """The same escape by escape."""
    odd, mended, at = [], b'"', 1
    lone = wrong = -1
    while at < len(token) - 1:
        if token[at : at + 1] != b"\\":
            mended, at = mended + token[at : at + 1], at + 1
            continue
        found = PAIR.match(token, at) or ESCAPE.match(token, at)
        assert found is not None
        escape = token[at + 1 : found.end()]
        if len(found.group()) < 12 and SURROGATE.fullmatch(escape) and lone < 0:
            lone = at
        is_known = len(found.group()) == 12 or KNOWN.fullmatch(escape) is not None
        if not is_known and wrong < 0:
            wrong = at
        mended, at = mended + (b"" if is_known else b"\\") + found.group(), found.end()
    odd += [(lone, "lone-surrogate")] if lone >= 0 else []
    odd += [(wrong, "invalid-escape")] if wrong >= 0 else []
    return unescaped(mended + b'"'), odd


PIECES = (
    b"\\\\",
    b'\\"',
    b'\\"d',
    b"\\n",
    b"\\q",
    b"\\\xff",
    b"\\u00e9",
    b"\\ud83d",
    b"\\ude00",
    b"\\u12",
    b"d",
    b"u",
    b"x",
)


@given(st.lists(st.sampled_from(PIECES), max_size=12).map(b"".join))
def test_escapes_mean_what_they_mean_one_by_one(inside: bytes) -> None:
    token = b'"' + inside + b'"'
    assert string_value(token) == by_hand(token)


class Counted(bytes):
    """Bytes that count how often they are looked through."""

    passes = 0

    def count(self, *given: object) -> int:
        """As bytes do."""
        type(self).passes += 1
        return super().count(*given)  # type: ignore[arg-type]


def test_a_key_of_many_backslashes_is_not_counted_level_by_level() -> None:
    passes = []
    for backslashes in (100, 10_000):
        Counted.passes = 0
        assert fast._keys_in_text(Counted(b'{"' + b"\\" * backslashes + b'": 1, "b" : 2}')) == 2
        passes.append(Counted.passes)
    assert passes[0] == passes[1]


@given(
    st.lists(
        st.tuples(st.integers(0, 70), st.sampled_from([b'":', b'" :', b'"', b"x"])).map(
            lambda made: b"\\" * made[0] + made[1]
        ),
        max_size=6,
    ).map(b"".join)
)
def test_keys_are_counted_as_one_by_one(data: bytes) -> None:
    ends = [found.start() for found in re.finditer(rb'"[ \t\r\n]*:', data)]
    unescaped_ends = [at for at in ends if (at - len(data[:at].rstrip(b"\\"))) % 2 == 0]
    assert fast._keys_in_text(data) == len(unescaped_ends)


def test_keys_that_stand_twice_are_read_many_at_once() -> None:
    def reading(count: int) -> Callable[[], object]:
        data = b"{" + b", ".join([b'"k": {"a": [1]}, "n": 1'] * count) + b"}"
        return lambda: parse(data, Path("x.json"))

    few, many, more = (calls_of(reading(MAX_FINDINGS * times)) for times in (2, 20, 38))
    assert more - many <= 1.1 * (many - few)
    assert many - few < 20 * MAX_FINDINGS * 18, "of two members, which take 160 calls by hand"


members = st.lists(
    st.tuples(
        st.sampled_from(["a", "b", "c", "é", "x\\ny"]),
        st.sampled_from(["1", "NaN", '"s"', '","', "{}", '{"a": 1}', '{"a": 1, "a": 2}', "[1, 2]", "[[1]]", "tru"]),
        st.sampled_from([", ", ",", " ,\n", ",,", " "]),
    ),
    max_size=60,
)


@examples(40, 1000)
@given(members)
def test_keys_that_stand_twice_are_found_as_one_by_one(made: list[tuple[str, str, str]]) -> None:
    text = "{" + "".join(f'"{key}": {value}{comma}' for key, value, comma in made) + '"end": 1}'
    data = text.encode()

    def found(*, at_once: bool) -> tuple[object, ...]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(tolerant, "MAX_FINDINGS", 1)
            if not at_once:
                patch.setattr(TolerantReader, "_take_members", lambda *_given: False)
            reader = TolerantReader(data, lambda: None)
            value = reader.values(0, len(data))
        return repr(value), reader.warnings, reader.hidden, reader.plain

    assert found(at_once=True) == found(at_once=False)


def test_pairs_are_those_of_the_outermost_object() -> None:
    assert fast.member_pairs(b'{"a": {"b": 1}, "a": [{"c": 2}], "d": 3}') == [
        ("a", {"b": 1}),
        ("a", [{"c": 2}]),
        ("d", 3),
    ]
    for refused in (b'{"a": {"b": 1, "b": 2}}', b'{"a": {"b": 1, "b": 2}, "c": {}}', b'{"a": NaN}', b"{"):
        with pytest.raises(ValueError, match=r"."):
            fast.member_pairs(refused)
    assert fast_value(b'{"a": 1}') == {"a": 1}
