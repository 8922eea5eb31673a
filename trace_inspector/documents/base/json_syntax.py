"""JSON's tokens as patterns over bytes. In UTF-8 no byte of a longer character looks like a token."""

from __future__ import annotations

import functools
import mmap
import re
from typing import TypeAlias

Bytes: TypeAlias = bytes | mmap.mmap  # a large file is looked at where it lies

_STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_COMMENT = rb"//[^\n]*+|/\*.*?(?:\*/|\Z)"
_ATOM = rb'[^"\[\]{}]++|' + _STRING

SPACE = re.compile(rb"[ \t\r\n]*+")
SPACE_OR_COMMENT = re.compile(rb"(?:[ \t\r\n]++|" + _COMMENT + rb")*+", re.DOTALL)
COLON = re.compile(rb"[ \t\r\n]*+:[ \t\r\n]*+")
COMMA = re.compile(rb"[ \t\r\n]*+,?+[ \t\r\n]*+")
STRING = re.compile(_STRING, re.DOTALL)
# No possessive mark behind a capturing group: Python 3.11.2, which Debian 12 ships, then misplaces the group.
NUMBER = re.compile(rb"-?+(?:0|[1-9][0-9]*+)(\.[0-9]++)?([eE][+-]?+[0-9]++)?(?=[ \t\r\n,\]}/]|$)")
# Whatever no token of JSON explains, up to the next structural character.
WORD = re.compile(rb'[^ \t\r\n,:\[\]{}"/]++|/')
COMMA_OR_COMMENT = re.compile(rb",|" + _COMMENT, re.DOTALL)

# A quotation mark on its own begins a string that is never closed.
_MARKS = rb'[\[{]++|[\]}]++|"'
_TOKEN = re.compile(_STRING + rb"|" + _MARKS, re.DOTALL)
_TOKEN_OR_COMMENT = re.compile(_STRING + rb"|" + _COMMENT + rb"|" + _MARKS, re.DOTALL)

# Elements that hold nothing nested, each with its comma.
_FLAT = _STRING + rb'|[\[{](?:[^"\[\]{}]++|' + _STRING + rb')*+[\]}]|[^ \t\r\n,:\[\]{}"/]++'
RUN = re.compile(rb"(?:(?:" + _FLAT + rb")[ \t\r\n]*+,[ \t\r\n]*+){8,}+", re.DOTALL)

# How deep a value one pattern can step over. Deeper ones are counted through bracket by bracket.
_PATTERN_DEPTH = 12


def _value(depth: int) -> bytes:
    inside = _ATOM
    for _ in range(depth):
        inside = _ATOM + rb"|[\[{](?:" + inside + rb")*+[\]}]"
    return rb"[\[{](?:" + inside + rb")*+[\]}]|" + _STRING + rb'|[^ \t\r\n,:\[\]{}"]++'


@functools.cache
def _whole_value() -> re.Pattern[bytes]:
    return re.compile(_value(_PATTERN_DEPTH), re.DOTALL)


# Members of an object that are not deep, each with its comma.
_MEMBER = _STRING + rb"[ \t\r\n]*+:[ \t\r\n]*+(?:" + _value(3) + rb")[ \t\r\n]*+,[ \t\r\n]*+"
MEMBERS = re.compile(rb"(?:" + _MEMBER + rb"){8,}+", re.DOTALL)


def strict_end(data: Bytes, start: int, end: int) -> int | None:
    """Where the value that begins at `start` ends if it is strict JSON; None when it is never closed.

    No object is built: about 100 MB a second, and no memory.
    """
    return quick_end(data, start, end) or _count_brackets(_TOKEN, data, start, end)


def quick_end(data: Bytes, start: int, end: int) -> int | None:
    """The same for a value that is not deep; None also for one that is."""
    match = _whole_value().match(data, start, end)
    return match.end() if match else None


def tolerant_end(data: Bytes, start: int, end: int) -> int:
    """Where the object or array that begins at `start` ends, comments left out; `end` when it is never closed."""
    return _count_brackets(_TOKEN_OR_COMMENT, data, start, end) or end


def _count_brackets(tokens: re.Pattern[bytes], data: Bytes, start: int, end: int) -> int | None:
    depth = 0
    for token in tokens.finditer(data, start, end):
        marks = token.group()
        if marks[0] in b"[{":
            depth += len(marks)
        elif marks[0] in b"]}":
            if len(marks) >= depth:
                return token.start() + depth
            depth -= len(marks)
        elif marks == b'"':
            return None
    return None
