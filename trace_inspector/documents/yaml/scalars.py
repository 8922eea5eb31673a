"""What a scalar of YAML is: the core schema of YAML 1.2, whose dates, customs and sexagesimals are all text."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from trace_inspector.core.values.values import Json
from trace_inspector.documents.json.scalars import MAX_DIGITS

_WORDS: dict[str, Json] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True,
    "false": False, "False": False, "FALSE": False,
    ".nan": math.nan, ".NaN": math.nan, ".NAN": math.nan,
    **{sign + word: value for word in (".inf", ".Inf", ".INF")
       for sign, value in (("", math.inf), ("+", math.inf), ("-", -math.inf))},
}  # fmt: skip
_FLOAT = r"(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
_NUMBER = re.compile(rf"[-+]?(?:[0-9]+|(0o[0-7]+|0x[0-9a-fA-F]+)|({_FLOAT}))")
_NUMBER_MARKS = frozenset("0123456789+-.")
_DATE = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt \t].*)?")
_OLD_WORDS = re.compile(r"yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF")

_CORE = "tag:yaml.org,2002:"


def plain_value(text: str) -> tuple[Json, str]:
    """The value of a scalar without quotation marks, and a code when it is odd."""
    if text in _WORDS:
        return _WORDS[text], ""
    if text[0] in _NUMBER_MARKS and (match := _NUMBER.fullmatch(text)):
        return _number(text, match)
    if _DATE.fullmatch(text):
        return text, "yaml-date"
    if len(text) <= 3 and _OLD_WORDS.fullmatch(text):
        return text, "yaml-old-boolean"
    return text, ""


def _number(text: str, match: re.Match[str]) -> tuple[Json, str]:
    if match[2]:
        return float(text), ""
    if match[1]:
        sign = -1 if text[0] == "-" else 1
        return sign * int(match[1], 0), ""
    if len(text) > MAX_DIGITS:
        return float(text), "huge-number"
    return int(text), ""


def tagged_value(tag: str, text: str) -> tuple[Json, str]:
    """The value of a scalar with a tag, and a code when the tag means nothing here: then it is text."""
    if tag in ("!", _CORE + "str"):
        return text, ""
    kind = _KINDS.get(tag)
    value, code = plain_value(text)
    if kind and kind(value):
        return float(value) if tag == _CORE + "float" and isinstance(value, int) else value, code
    return text, "yaml-tag"


def is_known_collection(tag: str) -> bool:
    """Whether a tag only says what a mapping or a sequence is anyway."""
    return tag in ("!", _CORE + "map", _CORE + "seq")


def _is_whole(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


_KINDS: dict[str, Callable[[Json], bool]] = {
    _CORE + "null": lambda value: value is None,
    _CORE + "bool": lambda value: isinstance(value, bool),
    _CORE + "int": _is_whole,
    _CORE + "float": lambda value: isinstance(value, float) or _is_whole(value),
}
