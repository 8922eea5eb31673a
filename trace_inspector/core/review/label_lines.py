"""Labels as lines of JSON: strict in reading, with a sentence for each line that is none; nothing unknown is lost."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, TypeVar

from msgspec import Struct

from trace_inspector.core.finding import Finding, Severity
from trace_inspector.core.review.label import LONGEST_NAME, Answer, Label, Level, Split, moment, utc_text
from trace_inspector.core.values.canonical_json import canonical_json
from trace_inspector.core.values.json_numbers import parse_exactly
from trace_inspector.core.values.values import Json, JsonObject

LONGEST_LINE_BYTES = 1 << 20
_LONGEST_NOTE = 100_000
_MOST_TAGS = 100
_MOST_FINDINGS = 100
_MOST_TURNS = 10**9
_DEEPEST = 100  # so that a label is read again wherever it is read
_SURELY_FITTING_CHARS = 100_000  # six bytes a character at most
Member = TypeVar("Member", Level, Split)
Raw = TypeVar("Raw")
_TOO_LONG = f"longer than {LONGEST_LINE_BYTES:,} bytes"
_SUBJECT = re.compile("[0-9a-f]{64}")
_FAULT = re.compile(r"(turn/\d{1,9}/)?((call|sentence)/\d{1,9}|answer)|turn/\d{1,9}")


class LabelsRead(Struct, frozen=True):
    """What a file of labels holds: its labels in order, and a finding with the line for each that is none."""

    labels: tuple[Label, ...] = ()
    findings: tuple[Finding, ...] = ()


class LabelError(ValueError):
    """A sentence on why something is no label."""


def label_line(label: Label) -> str:
    """A label as one line of JSON, without the line end: what is empty is left out, unknown members stay."""
    members = (f"{canonical_json(name)}: {canonical_json(value)}" for name, value in members_of(label).items())
    return "{" + ", ".join(members) + "}"


def members_of(label: Label) -> JsonObject:
    """A label as an object: what is empty is left out."""
    written: JsonObject = {}
    for name in _READERS:
        value = _written(getattr(label, name))
        if value is not None and value is not False and value not in ("", []):
            written[name] = value
    if label.unknown:
        written |= json.loads(label.unknown)
    return written


def fitting(label: Label) -> Label | None:
    """The label as it is read again; None where a line cannot hold it."""
    return readable(label_line(label).encode())


def readable(line: bytes) -> Label | None:
    """The label in a line that was stored; None where it is none, as one of another version may be."""
    try:
        return read_label(line)
    except LabelError:
        return None


def read_label(line: bytes) -> Label:
    """The label in a line; LabelError where it is none."""
    if len(line) > LONGEST_LINE_BYTES:
        raise LabelError(f"the line is {_TOO_LONG}")
    try:
        raw = parse_exactly(line.decode("utf-8"))
        if not isinstance(raw, dict):
            raise LabelError("the line holds no JSON object")
        return label_of(raw)
    except LabelError:
        raise
    except UnicodeDecodeError:
        raise LabelError("the line is not UTF-8") from None
    except (ValueError, RecursionError):
        raise LabelError("the line is no JSON") from None


def read_labels(lines: Iterable[bytes]) -> LabelsRead:
    """The labels in the lines of a file; blank lines say nothing."""
    return read_each(_numbered(lines), read_label)


def _numbered(lines: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    for number, line in enumerate(lines, 1):
        stripped = line.removeprefix(b"\xef\xbb\xbf").strip() if number == 1 else line.strip()
        if stripped:
            yield number, stripped


def read_each(numbered: Iterable[tuple[int, Raw]], read: Callable[[Raw], Label]) -> LabelsRead:
    """The labels in something with line numbers, and what is said of those that are none."""
    labels: list[Label] = []
    findings: list[Finding] = []
    bad = 0
    for number, raw in numbered:
        try:
            labels.append(read(raw))
        except LabelError as problem:
            bad += 1
            if bad <= _MOST_FINDINGS:
                findings.append(_finding(f"This is no label: {problem}.", number))
    if bad > _MOST_FINDINGS:
        findings.append(_finding(f"{bad - _MOST_FINDINGS:,} more lines are no labels.", 0))
    return LabelsRead(tuple(labels), tuple(findings))


def _finding(message: str, line: int) -> Finding:
    return Finding(Severity.ERROR, "no-label", message, line=line, column=1 if line else 0)


def _written(value: Answer | Level | Split | Json | tuple[str, ...]) -> Json:
    if isinstance(value, Answer | Level | Split):
        return str(value.value)
    return list(value) if isinstance(value, tuple) else value


def label_of(raw: Mapping[str, Json]) -> Label:
    """The label that an object is; LabelError where it is none, or is none that is read again as it is written."""
    for name in _NEEDED:
        if name not in raw:
            raise LabelError(f"“{name}” is missing")
    known: dict[str, Any] = {
        name: read(raw[name], name)
        for name, read in _READERS.items()
        if name in raw and (raw[name] is not None or name in _NEEDED)
    }
    others: JsonObject = {name: value for name, value in raw.items() if name not in _READERS}
    if not _is_flat(others, _DEEPEST):
        raise LabelError(f"it is nested more than {_DEEPEST} deep")
    label = Label(**known, unknown=canonical_json(others) if others else "")
    chars = len(label.unknown) + len(label.note) + sum(map(len, label.tags))
    if chars > _SURELY_FITTING_CHARS and len(label_line(label).encode()) > LONGEST_LINE_BYTES:
        raise LabelError(f"it is {_TOO_LONG} once numbers are written out")
    return label


def _is_flat(value: Json, levels: int) -> bool:
    if not isinstance(value, dict | list):
        return True
    items = value.values() if isinstance(value, dict) else value
    return levels > 0 and all(_is_flat(item, levels - 1) for item in items)


def _subject(raw: Json, name: str) -> str:
    if not isinstance(raw, str) or not _SUBJECT.fullmatch(raw):
        raise LabelError(f"“{name}” must be 64 hexadecimal digits in small letters")
    return raw


def _level(raw: Json, name: str) -> Level:
    return _member(Level, raw, name)


def _split(raw: Json, name: str) -> Split:
    return _member(Split, raw, name)


def _member(kind: type[Member], raw: Json, name: str) -> Member:
    members = {str(member.value): member for member in kind}
    if not isinstance(raw, str) or raw not in members:
        raise LabelError(f"“{name}” must be one of: {', '.join(filter(None, members))}")
    return members[raw]


def _value(raw: Json, name: str) -> Answer | float:
    number = _finite(raw)
    if number is not None:
        return number
    if isinstance(raw, str) and raw in _ANSWERS:
        return _ANSWERS[raw]
    raise LabelError(f"“{name}” must be a number or one of: {', '.join(_ANSWERS)}")


_ANSWERS = {answer.value: answer for answer in Answer}


def _finite(raw: Json) -> float | None:
    if isinstance(raw, bool) or not isinstance(raw, int | float):
        return None
    try:
        number = float(raw)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _yes(raw: Json, name: str) -> bool:
    if not isinstance(raw, bool):
        raise LabelError(f"“{name}” must be true or false")
    return raw


def _text(raw: Json, name: str, longest: int = LONGEST_NAME) -> str:
    if not isinstance(raw, str) or len(raw) > longest:
        raise LabelError(f"“{name}” must be a text of at most {longest:,} characters")
    return raw


def _question(raw: Json, name: str) -> str:
    text = _text(raw, name)
    if not text:
        raise LabelError(f"“{name}” is empty")
    return text


def _note(raw: Json, name: str) -> str:
    return _text(raw, name, _LONGEST_NOTE)


def _tags(raw: Json, name: str) -> tuple[str, ...]:
    if not isinstance(raw, list) or len(raw) > _MOST_TAGS:
        raise LabelError(f"“{name}” must be a list of at most {_MOST_TAGS} texts")
    return tuple(_text(tag, name) for tag in raw)


def _fault(raw: Json, name: str) -> str:
    if not isinstance(raw, str) or not (raw == "" or _FAULT.fullmatch(raw)):
        raise LabelError(f"“{name}” must be like call/2, sentence/0 or answer, with turn/3/ before it for a case")
    return raw


def _at(raw: Json, name: str) -> str:
    seconds = _finite(raw)
    try:
        if seconds is not None:
            return moment(seconds)
        if isinstance(raw, str):
            time = datetime.fromisoformat(raw)
            return utc_text(time if time.tzinfo else time.replace(tzinfo=UTC))
    except (ValueError, OverflowError, OSError):
        pass
    raise LabelError(f"“{name}” must be a time like 2026-11-29T08:30:00Z")


def _seconds(raw: Json, name: str) -> float:
    seconds = _finite(raw)
    if seconds is None or seconds < 0:
        raise LabelError(f"“{name}” must be a number, 0 or more")
    return seconds


def _turn(raw: Json, name: str) -> int:
    if isinstance(raw, bool) or not isinstance(raw, int) or not 0 <= raw <= _MOST_TURNS:
        raise LabelError(f"“{name}” must be a whole number, 0 or more")
    return int(raw)


# In the order in which they are written.
_READERS: Mapping[str, Callable[[Json, str], object]] = {
    "subject": _subject,
    "level": _level,
    "question": _question,
    "value": _value,
    "overrules": _yes,
    "note": _note,
    "tags": _tags,
    "first_fault": _fault,
    "rater": _text,
    "at": _at,
    "seconds": _seconds,
    "blind": _yes,
    "split": _split,
    "file": _text,
    "case": _text,
    "trace": _text,
    "turn": _turn,
}
MEMBERS = tuple(_READERS)
_NEEDED = ("subject", "level", "question")
