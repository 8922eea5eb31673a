"""What a text says once its escapes are read, each character with where it stands in the text itself."""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections.abc import Callable, Iterator
from html import unescape
from itertools import accumulate
from typing import TypeAlias

from msgspec import Struct

from trace_inspector.engine.redaction.known_texts import Span

_MOST_VIEWS = 20  # of one text: escapes of escapes, in every order
_PACKED = (b"\x1f\x8b", b"\x78\x01", b"\x78\x5e", b"\x78\x9c", b"\x78\xda")  # by gzip or zlib
_EITHER = 47  # zlib reads both
_PRINTABLE = 0.97  # of what base64 holds; a little less, as some of its beginning or end may belong to neighbours
_MOST_SHIFTED = 1 << 13  # characters of base64 that are tried from each of the first four on
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}
_JSON = re.compile(r"((?:\\u[0-9a-fA-F]{4})+)|\\x([0-9a-fA-F]{2})|\\([nrtbf\"'/\\])")
_PERCENT = re.compile(r"(?:%[0-9a-fA-F]{2})+")
_PLUS = re.compile(r"(?<=[\w%.!?,:;\"'=])\+(?=[\w%(\"'])")  # a blank in forms
_HTML = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_BASE64 = re.compile(r"(?:[A-Za-z0-9+/_-]{40,100}\r?\n[ \t]*)+[A-Za-z0-9+/_-]{4,}={0,2}|[A-Za-z0-9+/_-]{12,}={0,2}")
_HEX = re.compile(r"(?<![0-9A-Za-z])(?:0x)?((?:[0-9a-fA-F]{2}){8,})(?![0-9A-Za-z])")
_SMALL = re.compile(r"[a-z_-]+")
_SMALL_BASE64 = re.compile(
    r"(?:[a-f][i-nyz][a-z_-]{2}){3}"
)  # how text is encoded where no capital and no digit is in it
_SPLIT = re.compile(r"[-_/]")


class View(Struct, frozen=True):
    """A text with escapes read. `starts` has for each character where it begins in the original, and one end more."""

    text: str
    starts: tuple[int, ...] | None  # None: as in the original
    depth: int = 0

    def original(self, span: Span) -> Span:
        """Where a span stands in the original text."""
        if self.starts is None:
            return span
        return self.starts[span[0]], self.starts[span[1]]


_Piece: TypeAlias = "Callable[[re.Match[str]], list[tuple[str, int]]]"  # characters, each with its length before


class TooMuchError(Exception):
    """A text unpacks to more than anybody can look through."""


class DecodingRoom:
    """How many characters may still be decoded of one text, so that none takes forever."""

    def __init__(self, chars: int) -> None:
        self.chars = chars

    def take(self, count: int) -> None:
        """Note that so many were decoded. TooMuchError where there is no room for them."""
        self.chars -= count
        if self.chars < 0:
            raise TooMuchError


def views_of(text: str) -> Iterator[View]:
    """The text as it is, and read by each kind of escapes, also one after another."""
    views = [View(text, None)]
    seen = {text}
    yield views[0]
    for view in views:  # grows on the way
        for pattern, pieces in _READERS:
            read = _read(view, pattern, pieces) if len(views) < _MOST_VIEWS else None
            if read is not None and read.text not in seen:
                seen.add(read.text)
                views.append(read)
                yield read


def inner_texts(text: str, room: DecodingRoom) -> Iterator[tuple[Span, str]]:
    """What stands in a text as base64 or in hexadecimal digits, where that is text again."""
    for match in _BASE64.finditer(text):
        if _SMALL.fullmatch(match[0]) and not _SMALL_BASE64.search(match[0]):  # most are names in code
            continue
        yield from ((match.span(), inner) for inner in _from_base64(match[0], room))
    for match in _HEX.finditer(text):
        inner = _as_text(bytes.fromhex(match[1]), room)
        if inner:
            yield match.span(), inner


def encodes(run: str, inner: str) -> bool:
    """Whether a run of base64 or hexadecimal digits is this text and nothing beside it."""
    data = inner.encode("utf-8", "surrogatepass")
    written = base64.b64encode(data).decode("ascii").rstrip("=")
    return run.rstrip("=").translate(_STANDARD) == written or run.lower().removeprefix("0x") == data.hex()


def is_text_in_base64(token: str, room: DecodingRoom) -> bool:
    """Whether a word is nothing but text in base64, which is judged by what it says."""
    return bool(_decoded(token, room))


def _read(view: View, pattern: re.Pattern[str], pieces: _Piece) -> View | None:
    """The view without one kind of escapes; None where it has none."""
    matches = list(pattern.finditer(view.text))
    if not matches:
        return None
    chars: list[str] = []
    lengths: list[int] = []
    end = 0
    for match in matches:
        between = view.text[end : match.start()]
        chars.append(between)
        lengths += [1] * len(between)
        for char, length in pieces(match):
            chars.append(char)
            lengths.append(length)
        end = match.end()
    rest = view.text[end:]
    positions = (*accumulate(lengths, initial=0), *range(end + 1, len(view.text) + 1))
    starts = positions if view.starts is None else tuple(view.starts[position] for position in positions)
    return View("".join(chars) + rest, starts, view.depth + 1)


def _of_json(match: re.Match[str]) -> list[tuple[str, int]]:
    if match[1]:
        units = [int(match[1][index + 2 : index + 6], 16) for index in range(0, len(match[1]), 6)]
        return [(char, 6 * (1 + (ord(char) > 0xFFFF))) for char in _of_units(units)]
    if match[2]:
        return [(chr(int(match[2], 16)), 4)]
    return [(_ESCAPES.get(match[3], match[3]), 2)]


def _of_units(units: list[int]) -> str:
    data = b"".join(unit.to_bytes(2, "big") for unit in units)
    return data.decode("utf-16-be", "surrogatepass")


def _of_percent(match: re.Match[str]) -> list[tuple[str, int]]:
    data = bytes.fromhex(match[0].replace("%", ""))
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = data.decode("latin-1")
        return [(char, 3) for char in text]
    return [(char, 3 * len(char.encode())) for char in text]


def _of_html(match: re.Match[str]) -> list[tuple[str, int]]:
    text = unescape(match[0])
    return [(char, len(match[0]) if index == 0 else 0) for index, char in enumerate(text)]


def _blank(_match: re.Match[str]) -> list[tuple[str, int]]:
    return [(" ", 1)]


_READERS: tuple[tuple[re.Pattern[str], _Piece], ...] = (
    (_JSON, _of_json),
    (_PERCENT, _of_percent),
    (_HTML, _of_html),
    (_PLUS, _blank),
)


def _from_base64(run: str, room: DecodingRoom) -> Iterator[str]:
    """The text of a run; where it has none from its beginning, of its pieces, or from a later character on."""
    run = "".join(run.split())
    whole = _decoded(run, room)
    if whole:
        yield whole
        return
    if len(run) <= _MOST_SHIFTED:
        yield from filter(None, (_decoded(run[shift:], room) for shift in (1, 2, 3)))
    pieces = _SPLIT.split(run)
    if len(pieces) > 1:
        yield from filter(None, (_decoded(piece, room) for piece in pieces if len(piece) >= 12))


def _decoded(run: str, room: DecodingRoom) -> str:
    digits = run.rstrip("=").translate(_STANDARD)
    digits = digits[: len(digits) - (len(digits) % 4 == 1)]
    try:
        data = base64.b64decode(digits + "=" * (-len(digits) % 4))
    except (binascii.Error, ValueError):
        return ""
    return _as_text(data, room)


_STANDARD = str.maketrans("-_", "+/")


def _as_text(data: bytes, room: DecodingRoom) -> str:
    """Bytes as text, "" where they are none; packed ones are unpacked."""
    if data.startswith(_PACKED):
        data = _unpacked(data, room)
    encoding = _wide_encoding(data)
    text = data.decode(encoding, "ignore")
    if encoding == "utf-8" and len(text.encode("utf-8", "ignore")) < _PRINTABLE * len(data):
        return ""
    printable = sum(char.isprintable() or char in "\r\n\t" for char in text)
    return text if text and printable >= _PRINTABLE * len(text) else ""


def _wide_encoding(data: bytes) -> str:
    """Of text with two bytes a character, where every other one is zero; else the usual one."""
    if len(data) > 3:
        for encoding, first in (("utf-16-le", 1), ("utf-16-be", 0)):
            if not any(data[first:8:2]):
                return encoding
    return "utf-8"


def _unpacked(packed: bytes, room: DecodingRoom) -> bytes:
    """What was packed, of all members one after another, as far as it can be read."""
    pieces: list[bytes] = []
    while packed.startswith(_PACKED):
        member = zlib.decompressobj(_EITHER)
        try:
            piece = member.decompress(packed, room.chars + 1)
        except zlib.error:
            break
        room.take(len(piece))
        pieces.append(piece)
        packed = member.unused_data
    return b"".join(pieces)
