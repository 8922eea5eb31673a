"""MessagePack in cells of databases: the same values, bounded, and no bytes that break it."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.message_pack import packed
from trace_inspector.core.values.values import Json
from trace_inspector.documents.sqlite.message_pack import NoMessagePack, SeenValues, unpacked

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=20) | st.dictionaries(st.text(), inner, max_size=20),
    max_leaves=60,
)


@given(VALUES)
def test_what_was_packed_is_unpacked(value: Json) -> None:
    assert unpacked(packed(value), 10_000)[0] == value


@given(st.binary(max_size=200))
def test_any_bytes_are_a_value_or_none(data: bytes) -> None:
    try:
        value, count = unpacked(data, 1_000)
    except NoMessagePack:
        return
    assert count <= len(data)
    assert repr(value)


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b"\xd0\xff", -1),
        (b"\xff", -1),
        (b"\xcd\x01\x00", 256),
        (b"\xca" + struct.pack(">f", 0.5), 0.5),
        (b"\xd9\x02ab", "ab"),
        (b"\xc4\x02\x00\xff", "00ff"),
        (b"\x81\x01\x02", {"1": 2}),
        (b"\xd4\x05\x90", {"extension": 5, "value": []}),
        (b"\xd5\x05\xff\xff", {"extension": 5, "value": "ffff"}),
        (b"\xc5" + struct.pack(">H", 300) + b"x" * 300, "(300 bytes, not shown)"),
    ],
)
def test_every_kind_of_head(data: bytes, value: Json) -> None:
    assert unpacked(data, 100)[0] == value


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xc1",
        b"\xa5ab",
        b"\x90\x90",
        b"\xdd\xff\xff\xff\xff",
        b"\xdf\xff\xff\xff\xff",
        b"\x91" * 5_000 + b"\xc0",
        b"\xc7\x03\x05\x91\x91",
    ],
)
def test_what_is_none_is_refused(data: bytes) -> None:
    with pytest.raises(NoMessagePack):
        unpacked(data, 10_000)


def test_more_values_than_may_be_are_refused() -> None:
    many = packed([[None] * 100, [None] * 100])
    with pytest.raises(NoMessagePack):
        unpacked(many, 150)
    inside = packed({"extension": 5, "value": [None] * 200})
    with pytest.raises(NoMessagePack):
        unpacked(inside, 150)
    assert unpacked(many, 250)[1] == 203


EXTENSIONS = VALUES.map(lambda value: {"extension": 5, "value": value})


@given(st.lists(VALUES | EXTENSIONS, min_size=5, max_size=12), st.integers(0, 40))
def test_cells_that_repeat_others_hold_the_same(messages: list[Json], most: int) -> None:
    seen = SeenValues()
    for number in range(len(messages) + 1):
        cell = packed({"number": number, "messages": messages[:number]})
        assert _outcome(cell, 10_000, seen) == _outcome(cell, 10_000)
        assert _outcome(cell, most, seen) == _outcome(cell, most)


def test_what_comes_again_is_held_once() -> None:
    seen = SeenValues()
    messages: list[Json] = [{"extension": 5, "value": {"content": f"{number}"}} for number in range(9)]
    whole, cut = (unpacked(packed(listed), 1_000, seen)[0] for listed in (messages[:8], messages[2:7]))
    longer = unpacked(packed(messages), 1_000, seen)[0]
    assert isinstance(whole, list)
    assert isinstance(cut, list)
    assert isinstance(longer, list)
    assert len(longer) == len(whole) + 1
    assert all(old is new for old, new in zip(whole, longer, strict=False))
    assert all(old is new for old, new in zip(whole[2:7], cut, strict=True))


def _outcome(cell: bytes, most: int, seen: SeenValues | None = None) -> tuple[Json, int] | str:
    try:
        return unpacked(cell, most, seen)
    except NoMessagePack as problem:
        return str(problem)
