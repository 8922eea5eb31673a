"""What new values have in common where each case has its own: how they come from old ones, or how they look.

A relation is words that a decision file can state: “times 10”, “like C-#”, “a number”.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import TypeGuard

from trace_inspector.core.alignment.value_difference import kind_of
from trace_inspector.core.trace.summary import compact, one_line
from trace_inspector.core.values.values import ABSENT, Absent, Json
from trace_inspector.engine.rebasing.argument_changes import equal
from trace_inspector.engine.rebasing.difference import TEXTS, ChangeKind, Difference

_LARGEST = 10**15  # longer numbers are names
_MOST_CHARS = 200
_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_WORD = re.compile(r"[^\W\d_]+")


class Level(enum.IntEnum):
    """How much a relation says: the first is the most telling."""

    CHANGED = 0  # how the new value comes from the old one
    FORM = 1  # what it looks like
    KIND = 2  # what kind of value it is


def relations(difference: Difference) -> Iterator[tuple[Level, str]]:
    """All that can be said of a change without naming its values."""
    if difference.kind in TEXTS:
        yield Level.FORM, _words_form(difference)
    elif difference.kind in (ChangeKind.CALL_ADDED, ChangeKind.CALL_REMOVED):
        args = difference.new if difference.kind is ChangeKind.CALL_ADDED else difference.old
        names = [*args] if isinstance(args, dict) else []
        yield Level.FORM, f"with {', '.join(sorted(names))}" if names else "without arguments"
    elif difference.new is not ABSENT:
        if difference.old is not ABSENT:
            yield from ((Level.CHANGED, words) for words in _changes(difference.old, difference.new))
        if isinstance(difference.new, str) and (form := _form(difference.new)):
            yield Level.FORM, f"like {form}"
        yield Level.KIND, kind_words(difference.new)
    elif difference.old is not ABSENT:
        yield Level.KIND, kind_words(difference.old)


def kind_words(value: Json | Absent) -> str:
    """The kind of a value; an empty text, list or object is a kind of its own."""
    if is_number(value) and value <= 0:
        return "zero" if value == 0 else "a negative number"
    kind = kind_of(value)
    return f"an empty {kind}" if value in ("", [], {}) else f"a {kind}" if kind != "object" else "an object"


def has_relation(difference: Difference, relation: str) -> bool:
    """Whether a relation holds for a change."""
    return any(words == relation for _level, words in relations(difference))


def _changes(old: Json | Absent, new: Json | Absent) -> Iterator[str]:
    """How a value came from another, in all ways that would explain it."""
    if is_number(old) and is_number(new):
        first, second = Fraction(str(old)), Fraction(str(new))
        if first:
            yield f"times {_decimal(second / first)}"
        yield f"plus {_decimal(second - first)}" if second >= first else f"minus {_decimal(first - second)}"
    elif isinstance(old, str) and isinstance(new, str) and old:
        yield from _text_changes(old, new)
    elif isinstance(new, str) and is_number(old) and new == compact(old):
        yield "the number as text"
    elif isinstance(old, str) and is_number(new) and old.strip() == compact(new):
        yield "the text as number"
    elif isinstance(new, list) and len(new) == 1 and equal(old, new[0]):
        yield "as the only item of a list"
    elif isinstance(old, list) and len(old) == 1 and equal(new, old[0]):
        yield "the only item of the list"


def _text_changes(old: str, new: str) -> Iterator[str]:
    for name, changed in (("in lower case", old.lower()), ("in upper case", old.upper()), ("trimmed", old.strip())):
        if new == changed != old:
            yield name
    if len(new) > len(old) and new.endswith(old):
        yield f"“{_short(new[: -len(old)])}” before it"
    if len(new) > len(old) and new.startswith(old):
        yield f"“{_short(new[len(old) :])}” behind it"
    if new and len(old) > len(new) and old.endswith(new):
        yield f"without “{_short(old[: -len(new)])}” before it"
    if new and len(old) > len(new) and old.startswith(new):
        yield f"without “{_short(old[len(new) :])}” behind it"
    for first, second in (("-", "/"), ("/", "-"), (" ", "_"), ("_", "-"), ("-", "_"), (" ", "-")):
        if old != new == old.replace(first, second):
            yield f"“{second}” for “{first}”"


def _words_form(difference: Difference) -> str:
    """The words that changed, with # for the numbers, which every case has of its own."""
    old, new = (text if isinstance(text, str) else "" for text in (difference.old, difference.new))
    return f"“{_short(without_numbers(old))}” to “{_short(without_numbers(new))}”"


def without_numbers(text: str) -> str:
    """The text with # for its numbers."""
    return _NUMBER.sub("#", text)


def _form(text: str) -> str:
    """The text with # for numbers and “a” for words: free text has no form."""
    if len(text) > _MOST_CHARS or len(text.split()) > 1 or not text.strip():
        return ""
    return _WORD.sub(lambda word: word.group() if word.group().isupper() else "a", _NUMBER.sub("#", text))


def _short(text: str) -> str:
    return one_line(text, _MOST_CHARS) if text.strip() else text


def is_number(value: Json | Absent) -> TypeGuard[int | float]:
    """Whether a value is a number that can be reckoned with."""
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and value == value  # noqa: PLR0124 - not a number is the only one that differs from itself
        and -_LARGEST < value < _LARGEST
    )


def _decimal(number: Fraction) -> str:
    return str(number.numerator) if number.denominator == 1 else f"{float(number):g}"
