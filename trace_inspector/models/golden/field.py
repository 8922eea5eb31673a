"""Fields of a golden beyond calls and answer: their text, the value of a text, and the change that a value makes."""

from __future__ import annotations

import enum
import json
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from trace_inspector.core.golden.argument_check import argument_problems
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.golden_change import GoldenChange
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.values.json_numbers import parse_exactly
from trace_inspector.core.values.values import ABSENT, Absent, Json
from trace_inspector.models.base.translation import tr
from trace_inspector.models.golden.values import MOST_CHARS, NotJson, block_text, is_large, read_json

MOST_COUNT = 1_000_000
_NUMBER = 10  # digits of it, at most
_PART = 60


class Kind(enum.Enum):
    """What a field takes."""

    LINE = "line"
    TEXT = "text"
    LINES = "lines"  # one thing a line
    COUNT = "count"
    OBJECT = "object"  # JSON
    VALUE = "value"  # any JSON
    CHOICE = "choice"


class GoldenField(Struct, frozen=True, eq=False):
    """One field. `value` reads it from the case as it is then, ABSENT for nothing; `change` writes it.

    `probe` is a value that tests whether a format can store the field: it must be the same after writing and reading.
    """

    id: str
    label: str
    kind: Kind
    step: str  # how the step is called in the menu
    value: Callable[[Case], Json | Absent]
    change: Callable[[Case, Json | Absent], Sequence[GoldenChange]]
    probe: Json
    hint: str = ""
    choices: Sequence[tuple[str, str]] = ()
    schema: Json = None
    probed: GoldenField | None = None  # the same of the first turn, where this is about another one


def text_of(kind: Kind, value: Json | Absent) -> str:
    """The text of a value in its field."""
    if isinstance(value, Absent) or (value is None and kind is not Kind.VALUE):
        return ""
    if kind is Kind.LINES and isinstance(value, list):
        return "\n".join(str(item) for item in value)
    if kind in (Kind.OBJECT, Kind.VALUE):
        return block_text(value)
    return str(value)


def value_of(kind: Kind, text: str) -> Json | Absent:
    """The value of a text; raises NotJson with a sentence when there is none."""
    return _READ[kind](text)


def why_large(kind: Kind, value: Json | Absent) -> str:
    """Why a value is not edited here, "" when it is."""
    if is_large(value):
        return tr("This is too large to be edited here. Edit the file by hand.")
    if kind is Kind.LINES and isinstance(value, list) and any("\n" in str(item) for item in value):
        return tr("One of these has several lines. Edit the file by hand.")
    return ""


def schema_misfit(value: Json | Absent, schema: Json) -> str:
    """Why a value violates a declared schema; "" when it does not."""
    problems = argument_problems(value, schema) if schema is not None and not isinstance(value, Absent) else []
    if not problems:
        return ""
    where = one_line(problems[0].pointer.lstrip("/"), _PART)
    sentence = f"{where} {problems[0].sentence}".strip()
    return f"{sentence[:1].upper()}{sentence[1:]}."


def read_value(text: str) -> Json | Absent:
    """The value of typed JSON, ABSENT for an empty text; NotJson has the line and column of the error."""
    if not text.strip():
        return ABSENT
    try:
        return read_json(text)
    except NotJson as problem:
        if len(text) > MOST_CHARS:
            raise
        try:
            parse_exactly(text)
        except json.JSONDecodeError as where:
            words = tr("Line {0}, column {1}: {2}. The golden does not change until it is corrected.")
            reason = _REASONS.get(where.msg, tr("this is not JSON"))
            raise NotJson(words.format(where.lineno, where.colno, reason)) from None
        except (ValueError, RecursionError):
            pass
        raise problem


def _object(text: str) -> Json | Absent:
    value = read_value(text)
    if not isinstance(value, dict | Absent):
        raise NotJson(tr("This must be an object: names and values between { and }."))
    return value


def _count(text: str) -> Json | Absent:
    stated = text.strip()
    if not stated:
        return ABSENT
    if not (stated.isascii() and stated.isdigit() and len(stated) < _NUMBER and 0 < int(stated) <= MOST_COUNT):
        raise NotJson(tr("Write a whole number of at least 1, or leave it empty."))
    return int(stated)


def _lines(text: str) -> Json:
    return [*dict.fromkeys(line.strip() for line in text.split("\n") if line.strip())]


def _words(text: str) -> Json:
    return text


_READ: Mapping[Kind, Callable[[str], Json | Absent]] = {
    Kind.LINE: _words,
    Kind.TEXT: _words,
    Kind.CHOICE: _words,
    Kind.LINES: _lines,
    Kind.COUNT: _count,
    Kind.OBJECT: _object,
    Kind.VALUE: read_value,
}
_REASONS = {
    "Expecting value": "a value is missing here",
    "Expecting ',' delimiter": "a comma or the end is missing here",
    "Expecting ':' delimiter": "a colon is missing here",
    "Expecting property name enclosed in double quotes": "a name in double quotes is missing here",
    "Illegal trailing comma before end of object": "this comma is one too many",
    "Illegal trailing comma before end of array": "this comma is one too many",
    "Unterminated string starting at": "the text that begins here has no end",
    "Invalid control character at": "a text contains a line break or tab; write \\n or \\t",
    "Invalid \\escape": "this \\ starts no escape; write \\\\",
    "Invalid \\u" + 4 * "X" + " escape": "four hexadecimal digits must follow \\u",
    "Extra data": "there is text after the end of the value",
}
