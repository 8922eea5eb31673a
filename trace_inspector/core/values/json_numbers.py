"""Numbers that remember how a file spells them, and JSON text that spells them so again."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from json.encoder import encode_basestring, encode_basestring_ascii

from msgspec import Struct

from trace_inspector.core.values.values import Json

_HALF = re.compile("[\ud800-\udfff]")
_LARGEST = "1e999"  # what JSON has for a number beyond every float


class SpelledInt(int):
    """A whole number that Python would spell otherwise, like -0."""

    text: str


class SpelledFloat(float):
    """A number that Python would spell otherwise, like 0.10, 1E3 or 1e400."""

    text: str


def parse_exactly(text: str | bytes) -> Json:
    """The value of strict JSON, its numbers with their spelling. ValueError or RecursionError for anything else."""
    value: Json = json.loads(text, parse_int=_int, parse_float=_float, parse_constant=_refuse)
    return value


def has_lone_surrogate(text: str) -> bool:
    """Whether a lone surrogate stands in it, half of a cut emoji: UTF-8 has no bytes for that."""
    return _HALF.search(text) is not None


def quoted(text: str) -> str:
    """A string with its quotation marks, characters as they are; half of one can only be written as an escape."""
    return encode_basestring_ascii(text) if has_lone_surrogate(text) else encode_basestring(text)


def number_text(number: float) -> str:
    """How a number stands in JSON: as it was spelled, where that is known."""
    if isinstance(number, SpelledInt | SpelledFloat):
        return number.text
    if isinstance(number, int):
        return int.__repr__(number)
    if math.isfinite(number):
        return float.__repr__(number)
    return "null" if math.isnan(number) else _LARGEST if number > 0 else f"-{_LARGEST}"


class Layout(Struct, frozen=True):
    """How JSON is laid out: without an indent on one line. `string` writes a string with its quotation marks."""

    string: Callable[[str], str] = encode_basestring
    indent: str = "  "
    newline: str = "\n"
    comma: str = ", "  # on one line
    colon: str = ": "


def json_text(value: Json) -> str:
    """JSON as ADK lays it out: indent 2, characters as they are; a last line end."""
    text = formatted(value, Layout())
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # half of a cut emoji can only be written as an escape
        text = formatted(value, Layout(encode_basestring_ascii))
    return text + "\n"


def formatted(value: Json, layout: Layout, depth: int = 0) -> str:
    """A value as it stands at a depth of a document."""
    pieces: list[str] = []
    _write(value, layout.newline + layout.indent * depth, layout, pieces.append)
    return "".join(pieces)


def _write(value: Json, newline: str, layout: Layout, put: Callable[[str], None]) -> None:
    if isinstance(value, str):
        put(layout.string(value))
    elif value is None or isinstance(value, bool):
        put(_WORDS[value])
    elif isinstance(value, int | float):
        put(number_text(value))
    elif not value:
        put("{}" if isinstance(value, dict) else "[]")
    else:
        is_object = isinstance(value, dict)
        inner = newline + layout.indent
        begin, end, between = (inner, newline, "," + inner) if layout.indent else ("", "", layout.comma)
        lead = ("{" if is_object else "[") + begin
        if isinstance(value, dict):
            for key, item in value.items():
                put(f"{lead}{layout.string(key)}{layout.colon}")
                _write(item, inner, layout, put)
                lead = between
        else:
            for item in value:
                put(lead)
                _write(item, inner, layout, put)
                lead = between
        put(end + ("}" if is_object else "]"))


_WORDS = {None: "null", True: "true", False: "false"}


def _int(text: str) -> int:
    number = int(text)
    if int.__repr__(number) == text:
        return number
    kept = SpelledInt(number)
    kept.text = text
    return kept


def _float(text: str) -> float:
    number = float(text)
    if float.__repr__(number) == text:
        return number
    kept = SpelledFloat(number)
    kept.text = text
    return kept


def _refuse(word: str) -> Json:
    raise ValueError(f"{word} is no JSON")
