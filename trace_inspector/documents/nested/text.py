"""The text of a string token as bytes of its own: where each byte stands in the token, and how the token escapes."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from msgspec import Struct

_PAIR = rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
_ESCAPE = _PAIR + rb"|\\u[0-9a-fA-F]{4}|\\."
_ESCAPES = re.compile(_ESCAPE, re.DOTALL)
_KNOWN = re.compile(rb'(?:\\u[0-9a-fA-F]{4}){1,2}|\\["\\/bfnrt]')
_SHORT = frozenset({b'\\"', b"\\\\", b"\\/", b"\\b", b"\\f", b"\\n", b"\\r", b"\\t"})
_PIECE = re.compile(rb"[^\\]++|" + _ESCAPE, re.DOTALL)
_CHUNK = re.compile(rb"(?:[^\\]++|" + _ESCAPE + rb"){1,128}+", re.DOTALL)


class TokenText(Struct, frozen=True):
    """What a string token says, as UTF-8. What is no known escape says itself."""

    data: bytes
    token: bytes  # without its quotation marks
    start: int  # of the token, behind its quotation mark
    _chunks: tuple[tuple[int, int], ...]  # where some pieces begin: in the text, in the token

    def outer_offsets(self, offsets: Iterable[int]) -> dict[int, int]:
        """Where offsets of the text stand in the bytes that hold the token."""
        result: dict[int, int] = {}
        for number, group in groupby(sorted(set(offsets)), self._chunk_of):
            inner, outer = self._chunks[number]
            for offset in group:
                while outer < len(self.token) and (piece := _PIECE.match(self.token, outer)):
                    length = _length(piece.group())
                    if offset < inner + length:
                        break
                    inner, outer = inner + length, piece.end()
                # Only plain pieces are longer than one character.
                result[offset] = self.start + outer + offset - inner
        return result

    def _chunk_of(self, offset: int) -> int:
        return bisect_right(self._chunks, offset, key=lambda chunk: chunk[0]) - 1


def token_text(data: bytes, start: int, end: int) -> TokenText:
    """The text of the token between two offsets, quotation marks left out."""
    token = data[start:end]
    chunks, parts, inner = [(0, 0)], [], 0
    for chunk in _CHUNK.finditer(token):
        parts.append(decoded(chunk.group()))
        inner += len(parts[-1])
        chunks.append((inner, chunk.end()))
    return TokenText(b"".join(parts), token, start, tuple(chunks))


def decoded(token: bytes) -> bytes:
    """What a piece of a token says, as UTF-8; half a character that is escaped becomes its three bytes."""
    if b"\\" not in token:
        return token
    try:
        return str(json.loads(f'"{token.decode()}"', strict=False)).encode()
    except ValueError:
        return _ESCAPES.sub(_character, token)


def _character(escape: re.Match[bytes]) -> bytes:
    if not _KNOWN.fullmatch(escape[0]):
        return escape[0]
    return str(json.loads(f'"{escape[0].decode()}"')).encode("utf-8", "surrogatepass")


def _length(piece: bytes) -> int:
    """How many bytes of text a piece stands for."""
    if piece[0] != ord("\\"):
        return len(piece)
    return 1 if piece in _SHORT else len(decoded(piece))


_MUST = {"\\": "\\\\", '"': '\\"', "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


class Spelling(Struct, frozen=True):
    """How a string token writes characters: those it spells its own way, and whether é is an escape."""

    own: Mapping[str, str]
    letters: bool
    upper: bool

    def escaped(self, text: str) -> str:
        """A text as this token would hold it."""
        return "".join(map(self._spelt, text))

    def _spelt(self, char: str) -> str:
        if escape := self.own.get(char) or _MUST.get(char):
            return escape
        is_byte = "\udc80" <= char <= "\udcff"  # a byte that is no UTF-8, on its way through
        if char >= " " and (char < "\x80" or is_byte or not self.letters):
            return char
        units = char.encode("utf-16-be", "surrogatepass")
        digits = "04X" if self.upper else "04x"
        return "".join(f"\\u{units[index] << 8 | units[index + 1]:{digits}}" for index in range(0, len(units), 2))


def spelling_of(token: bytes, *, letters: bool) -> Spelling:
    """The spelling that a token shows; `letters` decides where it holds nothing beyond ASCII."""
    seen, plain = set[bytes](), set[int]()
    for chunk in _CHUNK.finditer(token):
        seen.update(_ESCAPES.findall(chunk.group()))
        plain.update(_ESCAPES.sub(b"", chunk.group()))
    # Of several spellings of a character the shortest wins.
    spelt = dict(_spelt_characters(sorted(seen, key=len, reverse=True)))
    beyond = any(char > "\x7f" for char in spelt)
    has_plain = any(byte > 0x7F for byte in plain)
    digits = "".join(spelling[2:].replace("\\u", "") for spelling in spelt.values() if len(spelling) > 2)
    return Spelling(
        {char: spelling for char, spelling in spelt.items() if _is_own(char, token, plain)},
        letters=not has_plain and (beyond or letters),
        upper=digits != digits.lower(),
    )


def _spelt_characters(escapes: Iterable[bytes]) -> Iterator[tuple[str, str]]:
    for escape in escapes:
        if _KNOWN.fullmatch(escape):
            yield json.loads(f'"{escape.decode()}"'), escape.decode()


def _is_own(char: str, token: bytes, plain: set[int]) -> bool:
    """Whether a character that the token escapes never stands there plainly."""
    if char < "\x80":
        return ord(char) not in plain
    return char.encode("utf-8", "surrogatepass") not in token
