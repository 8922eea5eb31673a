"""The fast reader: exact, strict, and silent about where it stumbles. What it refuses, the tolerant reader reads."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

import msgspec

from trace_inspector.core.values.values import Json
from trace_inspector.documents.text.garbage_collection import gc_paused


def fast_value(data: bytes, *, unique: bool = True) -> Json:
    """The value of strict JSON, without duplicate keys unless they are to be let through; ValueError for all else."""
    with gc_paused():
        value = _FEW.value(data) if _FEW.takes(data) else _value(data)
        # The exact question takes twice as long as reading, so it is asked only when a quick count leaves doubt.
        if unique and not keys_agree(data, value):
            _refuse_duplicates(data)
    return value


def _value(data: bytes) -> Json:
    from pydantic_core import from_json

    value: Json = from_json(data, allow_inf_nan=False)
    return value


# What Python's own reader takes and the other one refuses.
_HALF_A_CHARACTER = re.compile(rb"\\u[dD][89a-fA-F]")
_DEEP = 100


class FewBytes:
    """Reads the first few bytes of a process by Python's own reader, which gives the same values.

    It is there already; importing the fast one takes as long as it takes to read ten million bytes.
    """

    def __init__(self) -> None:
        self._remaining = 1 << 16

    def takes(self, data: bytes) -> bool:
        """Whether this is read so."""
        return len(data) <= self._remaining and _HALF_A_CHARACTER.search(data) is None

    def value(self, data: bytes) -> Json:
        """The value of strict JSON; ValueError for all else."""
        self._remaining -= len(data)
        try:
            value: Json = json.loads(data.decode(), parse_constant=_refused)
        except RecursionError:
            return _value(data)
        return _value(data) if _is_deep(value) else value


def _is_deep(value: Json) -> bool:
    level: list[Json] = [value]
    for _ in range(_DEEP):
        level = list(chain.from_iterable(map(_members, level)))
        if not level:
            return False
    return True


def _members(value: Json) -> Iterable[Json]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def _refused(name: str) -> Json:
    raise ValueError(f"{name} is no JSON")


_FEW = FewBytes()


def member_pairs(data: bytes) -> list[tuple[str, Json]]:
    """The members of strict JSON that is one object, also those whose keys stand twice; ValueError for all else.

    Only the object itself may have keys twice, none inside it.
    """
    fast_value(data, unique=False)
    objects: list[list[tuple[str, Json]]] = []

    def take(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        made = dict(pairs)
        if objects:
            _nothing_twice(objects.pop())  # another follows, so that it was not the outermost
        objects.append(pairs)
        return made

    with gc_paused():
        json.JSONDecoder(object_pairs_hook=take).decode(data.decode())
    return objects.pop()


def keys_agree(data: bytes, value: Json) -> bool:
    """Whether the value has as many keys as the text; when it has not, a key may stand twice."""
    if len(data) <= _WRITTEN_ANEW_BYTES and _has_as_many_marks(data, value):
        return True
    return _keys_in_text(data) == _keys_in_value(value)


def _has_as_many_marks(data: bytes, value: Json) -> bool:
    """Whether a value, written anew, has as many quotation marks as its text: the fastest way for short ones.

    A mark that was written as a number says nothing, and what cannot be written so is counted otherwise.
    """
    try:
        return _ESCAPED_MARK not in data and data.count(b'"') == msgspec.json.encode(value).count(b'"')
    except (msgspec.MsgspecError, ValueError, OverflowError, RecursionError, TypeError):
        return False


_ESCAPED_MARK = b"\\u0022"
_WRITTEN_ANEW_BYTES = 1 << 20
_COUNTED_BACKSLASHES = 16  # longer rows of them are not counted level by level
_FEW_BYTES = 16
_SPACED_KEY_END = re.compile(rb'"[ \t\r\n]++:')


def _keys_in_text(data: bytes) -> int:
    """How many quotation marks that no backslash escapes stand before a colon: every key, and strings like ":a".

    A mark behind an odd number of backslashes is escaped. So the counts for 0, 1, 2 … backslashes before it are added
    with alternating signs: what remains are the marks behind an even number, found by nothing but fast counting.
    """
    total, needle = 0, b'":'
    for step in range(_COUNTED_BACKSLASHES):
        count = data.count(needle)
        if not count:
            break
        total += -count if step % 2 else count
        needle = b"\\" + needle
    else:  # longer rows of backslashes are rare, and each is looked at once
        total += sum(not _is_escaped(data, offset + len(needle) - 2) for offset in _places(data, needle))
    # Looking for one byte is ten times faster than for two, and most files lack tabs or line ends altogether.
    if any(space in data and space + b":" in data for space in (b"\t", b"\r", b"\n", b" ")):
        total += sum(1 for match in _SPACED_KEY_END.finditer(data) if not _is_escaped(data, match.start()))
    return total


def _places(data: bytes, needle: bytes) -> Iterator[int]:
    offset = data.find(needle)
    while offset >= 0:
        yield offset
        offset = data.find(needle, offset + 1)


def _is_escaped(data: bytes, offset: int) -> bool:
    """Whether an odd number of backslashes stands before an offset. Takes as long as there are backslashes."""
    size = _FEW_BYTES
    while True:
        start = max(0, offset - size)
        before = data[start:offset]
        backslashes = len(before) - len(before.rstrip(b"\\"))
        if backslashes < len(before) or not start:
            return backslashes % 2 == 1
        size *= 2


def _keys_in_value(value: Json) -> int:
    total = 0
    level: list[Json] = [value]
    while level:
        objects = [item for item in level if type(item) is dict]
        arrays = [item for item in level if type(item) is list]
        total += sum(map(len, objects))
        level = list(chain(chain.from_iterable(map(dict.values, objects)), chain.from_iterable(arrays)))
    return total


def _refuse_duplicates(data: bytes) -> None:
    json.JSONDecoder(object_pairs_hook=_nothing_twice).decode(data.decode())


def _nothing_twice(pairs: Sequence[tuple[str, object]]) -> None:
    if len(dict(pairs)) != len(pairs):
        raise ValueError("duplicate keys")
