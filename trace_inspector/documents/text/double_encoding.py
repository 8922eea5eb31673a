"""UTF-8 that was once taken for a single-byte encoding and written as UTF-8 again: “Ã©” where “é” is meant."""

from __future__ import annotations

import codecs
import re

_STRETCH = re.compile(rb"[\x80-\xff]++")


def _windows(byte: int) -> str:
    """A character of Windows; the bytes that it leaves free come through as control characters."""
    try:
        return bytes((byte,)).decode("cp1252")
    except UnicodeDecodeError:
        return chr(byte)


# What the bytes were taken for: what each of them became.
_TABLES = {
    "cp1252": "".join(map(_windows, range(256))),
    "latin-1": "".join(map(chr, range(256))),
}
_BYTES = {name: codecs.charmap_build(table) for name, table in _TABLES.items()}


def misread_as(data: bytes) -> str:
    """As which encoding all that is not ASCII was once misread; "" when any of it was not, as in all sound texts."""
    if data.isascii():
        return ""
    for name in _TABLES:
        try:
            for stretch in _STRETCH.finditer(data):
                _once(stretch[0], name)
        except UnicodeError:
            continue
        return name
    return ""


def repaired(data: bytes, name: str) -> bytes:
    """The bytes as they were before they were misread."""
    return _STRETCH.sub(lambda stretch: _once(stretch[0], name), data)


def doubled(data: bytes, name: str) -> bytes:
    """UTF-8 in the way of a file that was misread."""
    return data if data.isascii() else codecs.charmap_decode(data, "strict", _TABLES[name])[0].encode()


def _once(stretch: bytes, name: str) -> bytes:
    inner, _ = codecs.charmap_encode(stretch.decode(), "strict", _BYTES[name])
    inner.decode()
    return inner
