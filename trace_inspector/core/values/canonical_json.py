"""JSON with one spelling for each value, so that equal values have equal bytes: what digests are made of.

Keys stand in the order of their characters, nothing is between them, and a number is written by its value: whole ones
without point or exponent (6 = 6.0 = 6e0), others as Python spells a float. What is not finite is null.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from json.encoder import encode_basestring

from trace_inspector.core.values.values import Absent, Json

_HALF = re.compile("[\ud800-\udfff]")  # UTF-8 has no bytes for half a character; an escape stands for it
_WORDS = {None: "null", True: "true", False: "false"}


def canonical_json(value: Json | Absent) -> str:
    """The text of a value; what is absent is null."""
    pieces: list[str] = []
    _write(value, pieces.append)
    return "".join(pieces)


def _write(value: Json | Absent, put: Callable[[str], None]) -> None:
    if isinstance(value, str):
        put(_string(value))
    elif isinstance(value, bool) or value is None or isinstance(value, Absent):
        put(_WORDS[None if isinstance(value, Absent) else value])
    elif isinstance(value, int | float):
        put(_number(value))
    elif isinstance(value, dict):
        lead = "{"
        for key in sorted(value):
            put(f"{lead}{_string(key)}:")
            _write(value[key], put)
            lead = ","
        put("}" if value else "{}")
    else:
        lead = "["
        for item in value:
            put(lead)
            _write(item, put)
            lead = ","
        put("]" if value else "[]")


def _string(text: str) -> str:
    return _HALF.sub(lambda half: f"\\u{ord(half.group()):04x}", encode_basestring(text))


def _number(number: float) -> str:
    if isinstance(number, int):
        return int.__repr__(number)
    if not math.isfinite(number):
        return "null"
    return int.__repr__(int(number)) if number.is_integer() else float.__repr__(number)
