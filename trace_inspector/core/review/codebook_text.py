"""A codebook as text: TOML, a section for each mode and a line for each output, so that git merges it."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time
from typing import Any

from trace_inspector.core.review.codebook import (
    MOST_MODES,
    Codebook,
    CodebookError,
    Mode,
    checked_name,
    joined,
    name_key,
)

_HEAD = (
    "# Failure modes: names, what they mean, and earlier names. Tags in labels are looked up here,\n"
    "# and are never rewritten. Comments are not kept when the program writes this file.\n"
)
_KEY = "mode"
_SUBJECT = re.compile("[0-9a-f]{64}")
_PLACE = re.compile(r"\(at line (\d+), column \d+\)")
_CONFLICT = re.compile("^(<{7}|>{7})", re.MULTILINE)
_BARE = re.compile("[A-Za-z0-9_-]+")


def read_codebook(text: str) -> tuple[Codebook, list[str]]:
    """The codebook in a text, and what is odd about it; CodebookError where it is none."""
    conflict = _CONFLICT.search(text)
    if conflict:
        line = text.count("\n", 0, conflict.start()) + 1
        raise CodebookError("Git left a conflict here. Keep the lines that are meant, and take the marks away.", line)
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        place = _PLACE.search(str(problem))
        why = _PLACE.sub("", str(problem)).strip()
        raise CodebookError(f"This is no TOML: {why}.", int(place[1]) if place else 0) from None
    except RecursionError:
        raise CodebookError("This is no codebook: it is nested too deeply.") from None
    sections = raw.pop(_KEY, [])
    if raw:
        raise CodebookError(f"“{next(iter(raw))}” is nothing that a codebook has. Modes begin with [[{_KEY}]].")
    if not isinstance(sections, list) or not all(isinstance(section, dict) for section in sections):
        raise CodebookError(f"Each mode must be a section of its own that begins with [[{_KEY}]].")
    if len(sections) > MOST_MODES:
        raise CodebookError(f"A codebook has at most {MOST_MODES:,} modes.")
    return joined(_mode(section, number) for number, section in enumerate(sections, 1))


def _mode(section: dict[str, Any], number: int) -> Mode:
    try:
        name = checked_name(_text(section.pop("name", ""), "name"))
        mode = Mode(
            name,
            _text(section.pop("description", ""), "description").strip(),
            tuple(was for was in _texts(section.pop("was", []), "was") if name_key(was)),
            _texts(section.pop("outputs", []), "outputs"),
            _texts(section.pop("without", []), "without"),
            section,
        )
    except CodebookError as problem:
        raise CodebookError(f"Mode {number:,}: {problem}") from None
    if not all(_SUBJECT.fullmatch(subject) for subject in (*mode.outputs, *mode.without)):
        raise CodebookError(f"Mode {number:,}: outputs are told by 64 hexadecimal digits in small letters.")
    return mode


def _text(raw: object, name: str) -> str:
    if not isinstance(raw, str):
        raise CodebookError(f"“{name}” must be a text.")
    return raw


def _texts(raw: object, name: str) -> tuple[str, ...]:
    if not isinstance(raw, list) or not all(isinstance(text, str) for text in raw):
        raise CodebookError(f"“{name}” must be a list of texts.")
    return tuple(dict.fromkeys(raw))


def codebook_text(book: Codebook) -> str:
    """A codebook as a file holds it: the same text for the same modes."""
    return "\n".join([_HEAD, *(f"{''.join(_lines(mode))}" for mode in book.modes)])


def _lines(mode: Mode) -> Iterator[str]:
    yield f"[[{_KEY}]]\nname = {_value(mode.name)}\n"
    if mode.description:
        yield f"description = {_value(mode.description)}\n"
    if mode.was:
        yield f"was = {_list(mode.was)}\n"
    for name, outputs in (("outputs", mode.outputs), ("without", mode.without)):
        if outputs:
            yield f"{name} = {_list(sorted(outputs))}\n"
    for name, value in mode.unknown.items():
        yield f"{_name(name)} = {_value(value)}\n"


def _list(texts: tuple[str, ...] | list[str]) -> str:
    return "[\n" + "".join(f"  {_value(text)},\n" for text in texts) + "]"


def _name(name: str) -> str:
    return name if _BARE.fullmatch(name) else _value(name)


def _value(value: object) -> str:
    """A value as TOML has it: what `tomllib` reads."""
    match value:
        case str():
            # A text of JSON is one of TOML, but for DEL, which is escaped, and for halves of characters.
            whole = value.encode("utf-8", "replace").decode("utf-8")
            return json.dumps(whole, ensure_ascii=False).replace("\x7f", "\\u007f")
        case bool():
            return "true" if value else "false"
        case Mapping():
            return "{" + ", ".join(f"{_name(name)} = {_value(each)}" for name, each in value.items()) + "}"
        case list():
            return f"[{', '.join(map(_value, value))}]"
        case datetime() | date() | time():
            return value.isoformat()
    return repr(value)  # whole and other numbers, inf and nan among them
