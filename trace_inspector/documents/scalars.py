"""Strings, numbers and words as they may really be written: a value for each, and the codes of what is odd."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from trace_inspector.core.values import Json

# Python and the fast reader both refuse longer integers.
MAX_DIGITS = 4300

_CONTROL = re.compile(rb"[\x00-\x1f]")
_ESCAPE = re.compile(rb"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_PAIR = re.compile(rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}")
_SURROGATE = re.compile(rb"u[dD][89a-fA-F][0-9a-fA-F]{2}")
_KNOWN_ESCAPE = re.compile(rb'u[0-9a-fA-F]{4}|["\\/bfnrt]')

_WORDS: dict[bytes, Json] = {b"true": True, b"false": False, b"null": None}
_UNNUMBERS = frozenset({b"NaN", b"Infinity", b"-Infinity"})


def string_value(token: bytes) -> tuple[str, list[tuple[int, str]]]:
    """The text of a closed string token, and what is odd about it: offset inside the token, and code."""
    odd: list[tuple[int, str]] = []
    if control := _CONTROL.search(token):
        odd.append((control.start(), "control-character"))
    if b"\\" not in token:
        return token[1:-1].decode("utf-8", "surrogateescape"), odd
    lone = next(_lone_surrogates(token), None)
    if lone is not None:
        odd.append((lone, "lone-surrogate"))
    wrong = next((found for found in _ESCAPE.finditer(token) if not _KNOWN_ESCAPE.fullmatch(found[1])), None)
    if wrong:
        odd.append((wrong.start(), "invalid-escape"))
        token = _ESCAPE.sub(_doubled, token)
    return unescaped(token), odd


def unescaped(token: bytes) -> str:
    """The text of a string token whose escapes are all well formed."""
    return str(json.loads(token.decode("utf-8", "surrogateescape"), strict=False))


def _doubled(found: re.Match[bytes]) -> bytes:
    return found[0] if _KNOWN_ESCAPE.fullmatch(found[1]) else b"\\" + found[0]


def _lone_surrogates(token: bytes) -> Iterator[int]:
    at = 0
    while escape := _ESCAPE.search(token, at):
        pair = _PAIR.match(token, escape.start())
        at = (pair or escape).end()
        if not pair and _SURROGATE.fullmatch(escape[1]):
            yield escape.start()


def number_value(token: bytes, *, is_integer: bool) -> tuple[Json, str]:
    """The value of a number token, and a code when it is odd."""
    if is_integer:
        if len(token.lstrip(b"-")) <= MAX_DIGITS:
            return int(token), ""
        return float(token), "huge-number"
    return float(token), ""


def word_value(token: bytes) -> tuple[Json, str]:
    """The value of a bare word, and a code when it is none of JSON's."""
    if token in _WORDS:
        return _WORDS[token], ""
    if token in _UNNUMBERS:
        return float(token), "not-a-number"  # each NaN an object of its own: containers take the same one for equal
    return token.decode("utf-8", "surrogateescape"), "unexpected-text"
