"""Splits a written report into the texts that a reader sees, each with its location (keys, tags or columns)."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping
from html.parser import HTMLParser
from typing import TypeAlias
from urllib.parse import unquote

from msgspec import Struct

from trace_inspector.core.values.json_numbers import number_text

Location: TypeAlias = tuple[str, ...]
_INSIDE_TEXT = frozenset({"span", "bdi", "del", "ins", "b", "i", "em", "strong", "code"})
_EMPTY = frozenset({"br", "meta", "link", "input", "hr", "img", "wbr", "col"})


class Segment(Struct, frozen=True):
    """One text. Of JSON `where` are the keys above it."""

    text: str
    location: Location = ()
    is_key: bool = False

    @property
    def keys_above(self) -> frozenset[str]:
        """The keys that this is a value of, or of a value of which this is a key."""
        return frozenset(self.location[:-1] if self.is_key else self.location)


def segments_of(media_type: str, report: str) -> Iterator[Segment]:
    """All texts of a written report; of one that is not marked up, its lines."""
    yield from _READ[media_type](report)


def _json(report: str) -> Iterator[Segment]:
    yield from _members(json.loads(report), ())


def _json_lines(report: str) -> Iterator[Segment]:
    for line in report.splitlines():
        yield from _json(line)


def _sarif(report: str) -> Iterator[Segment]:
    """Its names of files are spelled as in a URI."""
    for segment in _json(report):
        is_name = segment.location[-1:] == ("uri",)
        yield Segment(unquote(segment.text), segment.location) if is_name else segment


def _members(value: object, where: Location) -> Iterator[Segment]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield Segment(key, (*where, "key"), is_key=True)
            yield from _members(item, (*where, key))
    elif isinstance(value, list):
        for item in value:
            yield from _members(item, where)
    elif isinstance(value, str):
        yield Segment(value, where)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield Segment(number_text(value), where)


class _PageReader(HTMLParser):
    """Collects texts; inline markup does not split them: a secret split with it would never be found."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.segments: list[Segment] = []
        self._open: list[str] = []
        self._text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.segments += (Segment(value, (tag, name)) for name, value in attrs if value)
        if tag in _INSIDE_TEXT:
            return
        self._end_text()
        if tag not in _EMPTY:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _EMPTY:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in _INSIDE_TEXT:
            return
        self._end_text()
        if self._open and self._open[-1] == tag:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        self._text.append(data)

    def close(self) -> None:
        super().close()
        self._end_text()

    def _end_text(self) -> None:
        text = "".join(self._text)
        self._text.clear()
        if text.strip():
            self.segments.append(Segment(text, tuple(self._open[-1:])))


def _marked_up(report: str) -> Iterator[Segment]:
    page = _PageReader()
    page.feed(report)
    page.close()
    yield from page.segments


def _table(report: str) -> Iterator[Segment]:
    for cells in csv.reader(io.StringIO(report, newline="")):
        yield from (Segment(cell, (str(column),)) for column, cell in enumerate(cells))


def _lines(report: str) -> Iterator[Segment]:
    for line in report.splitlines():
        yield Segment(line.replace("│", "|"))


def _log(report: str) -> Iterator[Segment]:
    for line in report.splitlines():
        yield Segment(unquote(line))


_READ: Mapping[str, Callable[[str], Iterator[Segment]]] = {
    "application/json": _json,
    "application/jsonl": _json_lines,
    "application/sarif+json": _sarif,
    "application/xml": _marked_up,
    "text/csv": _table,
    "text/html": _marked_up,
    "text/markdown": _lines,
    "text/plain": _log,
}
# Under these keys is nearly all text of such a file, or the name of a tool.
BUILT_OF = frozenset({"name", "role", "text", "parts", "content", "args", "response"})
OTHER_SYSTEMS = frozenset(
    {"adk", "vertex", "ces"}
)  # they have the keys of files, which are the ones that users redact
