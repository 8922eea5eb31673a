"""The properties of an object as a table: every field of its type under a readable name, then extra fields."""

from __future__ import annotations

import enum
import math
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from msgspec import Struct

from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import Absent, Json, strict
from trace_inspector.models.search.property_names import CHAPTERS, NAMES, SILENT_EMPTY

NAMES_LISTED = 200
OTHERS_LISTED = 60
OTHERS_APART = 60
_OTHER = "Other fields"
_EARLIEST_S, _LATEST_S = 0.0, 253_402_300_799.0


class Chapter(Struct, frozen=True):
    """Properties under a heading: short ones as text, whole values as JSON."""

    title: str
    facts: tuple[tuple[str, str], ...] = ()
    values: tuple[tuple[str, Json], ...] = ()


def chapters_of(thing: object, title: str, without: frozenset[str] = frozenset()) -> list[Chapter]:
    """The object's own fields, then those of the objects in it, then extra fields of its file."""
    facts: list[tuple[str, str]] = []
    values: list[tuple[str, Json]] = []
    inner: list[Chapter] = []
    for name, words in NAMES[type(thing)].items():
        value = getattr(thing, name)
        silent = not value and (type(thing), name) in SILENT_EMPTY
        if name in without or silent or _is_empty(value):
            continue
        if (type(thing), name) in CHAPTERS:
            inner += _inside(value, words)
        elif isinstance(value, list | dict) or _holds_things(value):
            values.append((words, plain(value)))
        else:
            facts.append((words, text_of(name, value)))
    own = [Chapter(title, tuple(facts), tuple(values))] if facts or values else []
    return [*own, *inner, *others_of(getattr(thing, "extras", ()))]


def text_of(name: str, value: object) -> str:
    """A short value as text, with its unit."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name in ("start_s", "time_s", "kept_s", "at_s") and isinstance(value, float | int):
        return _moment(value)
    if name.endswith("_s") and isinstance(value, float | int):
        return f"{_number(value)} s"
    if isinstance(value, int | float):
        return _number(value)
    if isinstance(value, enum.Enum):
        return str(value.value)
    if isinstance(value, tuple | frozenset):
        names = sorted(map(str, value)) if isinstance(value, frozenset) else [str(each) for each in value]
        remaining = len(names) - NAMES_LISTED
        return ", ".join(names[:NAMES_LISTED]) + (f" and {remaining} more" if remaining > 0 else "")
    return "null" if value is None else str(value)


def plain(value: object) -> Json:
    """A typed value as JSON for display: without empty fields, under readable names."""
    if isinstance(value, Struct):
        names = NAMES.get(type(value), {})
        shown = ((names.get(name, name), getattr(value, name), name) for name in value.__struct_fields__)
        return {words: _leaf(name, content) for words, content, name in shown if not _is_empty(content)}
    if isinstance(value, tuple):
        return [plain(each) for each in value]
    return _leaf("", value)


def _leaf(name: str, value: object) -> Json:
    if isinstance(value, list | dict) or value is None:
        return strict(value)
    if isinstance(value, Struct) or _holds_things(value):
        return plain(value)
    if isinstance(value, bool | str) or (isinstance(value, int | float) and not name.endswith("_s")):
        return value
    return text_of(name, value)


def _inside(value: object, words: str) -> Iterator[Chapter]:
    for index, each in enumerate(value if isinstance(value, tuple) else (value,)):
        yield from chapters_of(each, words if not isinstance(value, tuple) else f"{words} {index + 1}")


def others_of(extras: Sequence[Extra], apart: int = OTHERS_APART) -> list[Chapter]:
    """Extra fields under the file's own names: short ones as text, some whole values, all others in one tree."""
    if not extras:
        return []
    short = [extra for extra in extras if not isinstance(extra.value, list | dict)]
    long = [extra for extra in extras if isinstance(extra.value, list | dict)]
    values = [(extra.name, extra.value) for extra in long[:apart]]
    further = [*short[OTHERS_LISTED:], *long[apart:]]
    if further:
        values.append((f"{len(further):,} more", {extra.name: extra.value for extra in further}))
    facts = tuple((extra.name, text_of("", extra.value)) for extra in short[:OTHERS_LISTED])
    return [Chapter(_OTHER, facts, tuple(values))]


def _is_empty(value: object) -> bool:
    """Whether a value was not stated; null is a value in fields that take any JSON."""
    return value is None or isinstance(value, Absent) or value is False or value in ("", ()) or value == frozenset()


def _holds_things(value: object) -> bool:
    return isinstance(value, tuple) and any(isinstance(each, Struct | list | dict) for each in value)


def _moment(seconds: float) -> str:
    """Date and time in UTC; a plain number when it is out of range."""
    if not math.isfinite(seconds) or not _EARLIEST_S <= seconds <= _LATEST_S:
        return f"{_number(seconds)} s"
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S.%f").rstrip("0").rstrip(".") + " UTC"


def _number(value: float) -> str:
    if isinstance(value, int) or (math.isfinite(value) and value.is_integer() and abs(value) < 1e15):
        return f"{int(value):,}"
    return f"{value:,.6f}".rstrip("0") if math.isfinite(value) and 1e-4 < abs(value) < 1e15 else str(value)
