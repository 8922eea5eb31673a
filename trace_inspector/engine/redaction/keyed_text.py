"""Values of keys in text that is not JSON as a whole: URLs, forms, headers, code, JSON within prose."""

from __future__ import annotations

import re

from msgspec import Struct

from trace_inspector.engine.redaction.known_texts import Span
from trace_inspector.engine.redaction.options import Keys
from trace_inspector.engine.redaction.secrets import bare_token

_KEY = re.compile(
    r"""(?:(?P<open>(?<!\\)\\{0,64}["'])(?P<quoted>[^"'\\\n]{0,80}(?:\\u[0-9a-fA-F]{4}[^"'\\\n]{0,80}){0,40})(?P=open)|(?<![\w$.-])(?P<bare>[\w$.-]{1,80}))"""
    r"""(?P<sign>\s{0,8}(?::=|:|=>|=)\s{0,8})"""
)
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")
_QUOTE = re.compile(r"""(?<!\\)(\\*)(["'])""")
_BARE = re.compile(r"""(?:(?i:bearer|basic|digest|token)[ ]+)?[^\s&;,"'<>(){}\[\]\\]+""")
_BRACKETS = re.compile(r"[\[{(]|[\]})]")
_LEAF = re.compile(r"""["']([^"'\\]+)\\{0,64}["']|(-?\d[\w.+-]*)""")
_LONG_QUOTES = ('"""', "'''")
_NOTHING = frozenset({"null", "none", "true", "false", "undefined"})
_TELLING = 12  # characters a bare word needs to be searched for elsewhere; with a digit in it any length does


class KeyedValue(Struct, frozen=True):
    """The span of a value, and those of its texts that are distinctive enough to search for elsewhere."""

    span: Span
    texts: tuple[str, ...]


def values_behind(text: str, keys: Keys) -> list[KeyedValue]:
    """The values of all keys to be redacted, in order and without overlap."""
    values: list[KeyedValue] = []
    end = 0
    for match in _KEY.finditer(text):
        if match.start() >= end and _is_redacted(match, keys):
            value = _value_at(text, match.end())
            if value is not None:
                values.append(value)
                end = value.span[1]
    return values


def _is_redacted(match: re.Match[str], keys: Keys) -> bool:
    """A bare word before “:” may be prose, so it counts as a key only if it is named like a secret."""
    name = match["quoted"] or match["bare"] or ""
    if "\\u" in name:
        name = _ESCAPE.sub(lambda escape: chr(int(escape[1], 16)), name)
    return keys.redacts(name) if match["quoted"] or match["sign"] == "=" else keys.is_secret(name)


def _value_at(text: str, start: int) -> KeyedValue | None:
    for long_quote in _LONG_QUOTES:
        if text.startswith(long_quote, start):
            end = text.find(long_quote, start + 3)
            shown = text[start + 3 : end if end >= 0 else len(text)]
            if not shown or any(map(str.isspace, shown)):  # prose, in which other rules look for secrets
                return None
            return KeyedValue((start + 3, start + 3 + len(shown)), (shown,))
    quote = _QUOTE.match(text, start)
    if quote is not None:
        span = quote.end(), _closing_quote(text, quote)
        shown = text[span[0] : span[1]]
        return KeyedValue(span, (shown, bare_token(shown))) if shown else None
    if text[start : start + 1] in ("{", "["):
        span = start, _closing_bracket(text, start)
        return KeyedValue(span, tuple(text_leaf or number for text_leaf, number in _LEAF.findall(text, *span)))
    bare = _BARE.match(text, start)
    if bare is None or bare[0].casefold() in _NOTHING:
        return None
    if bare[0].endswith(":") and "\n" in text[start - 8 : start]:  # another key, which is in this one
        return None
    shown = bare[0].rstrip(".") or bare[0]
    token = bare_token(shown) or shown
    is_telling = len(token) >= _TELLING or any(map(str.isdigit, token))
    return KeyedValue((start, start + len(shown)), (shown, token) if is_telling else ())


def _closing_quote(text: str, quote: re.Match[str]) -> int:
    """The position of the closing quotation mark, escaped as deeply as the opening one; else the end of the text."""
    depth, mark = len(quote[1]), quote[2]
    for other in _QUOTE.finditer(text, quote.end()):
        more = len(other[1]) - depth
        if other[2] == mark and (more < 0 or more % (2 * (depth + 1)) == 0):
            return other.start(2) - min(depth, len(other[1]))
    return len(text)


def _closing_bracket(text: str, start: int) -> int:
    """The position after the matching bracket, or the end of the text."""
    depth = 0
    for bracket in _BRACKETS.finditer(text, start):
        depth += 1 if bracket[0] in "[{(" else -1
        if depth == 0:
            return bracket.end()
    return len(text)
