"""Strings, numbers and words as they may really be written: a value for each, and the codes of what is odd."""

from __future__ import annotations

import json
import re

from trace_inspector.core.values.values import Json

# Python and the fast reader both refuse longer integers.
MAX_DIGITS = 4300

_CONTROL = re.compile(rb"[\x00-\x1f]")
# A string may be nothing but escapes, so that whatever is asked of them all is asked by one pattern.
_HEX = rb"[0-9a-fA-F]"
_PAIR = rb"\\u[dD][89abAB]" + _HEX + rb"{2}\\u[dD][c-fC-F]" + _HEX + rb"{2}"
_NO_SURROGATE = rb"\\u(?![dD][89a-fA-F]" + _HEX + rb"{2})"
_WITHOUT_LONE_SURROGATE = re.compile(rb"(?:[^\\]++|\\[^u]|" + _PAIR + rb"|" + _NO_SURROGATE + rb")*+", re.DOTALL)
_WITHOUT_WRONG_ESCAPE = re.compile(rb'(?:[^\\]++|\\["\\/bfnrt]|\\u' + _HEX + rb"{4})*+", re.DOTALL)
# Where no backslash stands for itself by being doubled, and every quotation mark behind one is escaped by it.
_WRONG_ESCAPE = re.compile(rb'\\(?!["/bfnrt]|u' + _HEX + rb"{4})")
_DOUBLED = re.compile(rb'(?<!\\)"d')

_WORDS: dict[bytes, Json] = {b"true": True, b"false": False, b"null": None}
_UNNUMBERS = frozenset({b"NaN", b"Infinity", b"-Infinity"})


def string_value(token: bytes) -> tuple[str, list[tuple[int, str]]]:
    """The text of a closed string token, and what is odd about it: offset inside the token, and code."""
    odd: list[tuple[int, str]] = []
    if control := _CONTROL.search(token):
        odd.append((control.start(), "control-character"))
    if b"\\" not in token:
        return token[1:-1].decode("utf-8", "surrogateescape"), odd
    lone, wrong = _end(_WITHOUT_LONE_SURROGATE, token), _end(_WITHOUT_WRONG_ESCAPE, token)
    if lone < len(token):
        odd.append((lone, "lone-surrogate"))
    if wrong < len(token):
        odd.append((wrong, "invalid-escape"))
        token = _mended(token)
    return unescaped(token), odd


def unescaped(token: bytes) -> str:
    """The text of a string token whose escapes are all well formed."""
    return str(json.loads(token.decode("utf-8", "surrogateescape"), strict=False))


def _end(pattern: re.Pattern[bytes], token: bytes) -> int:
    match = pattern.match(token)
    return match.end() if match else 0


def _mended(token: bytes) -> bytes:
    """The token with each backslash doubled that begins no known escape."""
    # Doubled ones are put aside as what no string holds: a quotation mark that nothing escapes.
    single = token[1:-1].replace(b"\\\\", b'"d')
    mended = _DOUBLED.sub(rb"\\\\", _WRONG_ESCAPE.sub(b'"d', single))
    return b'"' + mended + b'"'


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
