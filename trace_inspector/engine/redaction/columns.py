"""Secrets that a heading tells: cells of a table in text below it, and values beside their name in lists of pairs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from trace_inspector.engine.redaction.known_texts import Span
from trace_inspector.engine.redaction.options import Keys

_SIGNS = "|\t,;"
_RARE, _MOST_MORE = "|\t;", 3  # signs that prose seldom has, so that more of them belong to a value
_RULE = re.compile(r"[-+=|: \t]*")
# Names of columns are short, and a value is no prose: tables also tell about secrets.
_NAME = re.compile(r"[ \t\r\"'*`]*+(?:[\w./()#%-]++ ?+){0,4}+[ \t\r\"'*`]*+")
_VALUE = re.compile(r"(?=.*[\d!@#$%^&*+=?~])\S{4,}")
_MOST_CHARS = 2_000  # of a heading
_STRING = r"[\"']((?:[^\"'\\\n]|\\.)+)[\"']"
_PAIRS = (
    re.compile(
        rf"(?i)[\"'](?:name|key|label|field|header|variable|parameter)[\"']\s{{0,8}}:\s{{0,8}}{_STRING}\s{{0,8}},"
        rf"\s{{0,8}}[\"'](?:value|val)[\"']\s{{0,8}}:\s{{0,8}}{_STRING}"
    ),
    re.compile(
        r"(?i)[\"'](?:type|id|k|parameterkey|item_?name|field_?name)[\"']\s{0,8}:\s{0,8}"
        r"[\"']([\w.-]{0,40}?(?:password|passwd|passphrase|passcode|pwd|api[_-]?key|secret))[\"']"
        rf"[^{{}}\n]{{0,120}}?[\"'](?:value|val|v|parametervalue)[\"']\s{{0,8}}:\s{{0,8}}{_STRING}"
    ),
    re.compile(r"\bname:\s{0,4}[\"']?([\w.-]{1,80})[\"']?\s{0,4}\n\s{0,40}value:\s{0,4}[\"']?([^\s\"']{3,})"),
    re.compile(rf"\w\({{1,2}}\s{{0,8}}{_STRING}\s{{0,8}},\s{{0,8}}{_STRING}"),
    re.compile(
        r"<[\w:.-]{1,40}\s(?:[^<>]{0,200}\s)?(?:name|key|id)=[\"']"
        r"([^\"'<>]{1,80})[\"'][^<>]{0,200}?\svalue=[\"']([^\"'<>]{3,})[\"']"
    ),
    re.compile(
        r"<[\w:.-]{1,40}\s[^<>]{0,200}?name=[\"']([^\"'<>]{1,80})[\"'][^<>]{0,200}>\s{0,40}<value>([^<>]{3,})</value>"
    ),
)
# INSERT INTO table (columns) VALUES (values)
_INSERT = re.compile(r"(?i)\(([^()]{1,500})\)\s{0,8}values\s{0,8}\(((?:'[^'\n]{0,500}'|[^()']){1,2000})\)")
_MORE_ROWS = re.compile(r"\s{0,8},\s{0,8}\(((?:'[^'\n]{0,500}'|[^()']){1,2000})\)")
_SQL_VALUE = re.compile(r"\s*(?:N?'([^'\n]*)'|[^,']*)(?:,|\Z|(?=\)))")


def values_by_heading(text: str, keys: Keys) -> Iterator[Span]:
    """The spans of such values, in no order."""
    for pattern in _PAIRS:
        yield from (match.span(2) for match in pattern.finditer(text) if keys.redacts(match[1]))
    for match in _INSERT.finditer(text):
        yield from _inserted(match, keys)
    if "\n" in text:
        yield from _in_tables(text, keys)


def _inserted(match: re.Match[str], keys: Keys) -> Iterator[Span]:
    """The values that a statement inserts into columns named like secrets."""
    named = [index for index, name in enumerate(match[1].split(",")) if keys.is_secret(name.strip(" \t\r\n\"'`[]"))]
    row: re.Match[str] | None = match
    span = match.span(2)
    while named and row is not None:
        values = list(_SQL_VALUE.finditer(match.string, *span))
        yield from (values[index].span(1) for index in named if index < len(values) and values[index][1])
        row = _MORE_ROWS.match(match.string, row.end())
        span = row.span(1) if row is not None else span


def _in_tables(text: str, keys: Keys) -> Iterator[Span]:
    sign, columns, count = "", frozenset[int](), 0
    start = 0
    for line in text.split("\n"):
        more = line.count(sign) - count if columns else -1
        if more == 0 or (0 < more <= _MOST_MORE and sign in _RARE and count in columns):  # it is in the last cell too
            yield from _cells(line, sign, columns, count, start)
        elif not (columns and _RULE.fullmatch(line)):
            sign, columns, count = _heading(line, keys)
        start += len(line) + 1


def _heading(line: str, keys: Keys) -> tuple[str, frozenset[int], int]:
    """What separates the cells of a heading, which of them name secrets, and how many signs there are."""
    if len(line) <= _MOST_CHARS:
        for sign in _SIGNS:
            cells = line.split(sign) if sign in line else []
            if not all(map(_NAME.fullmatch, cells)):  # prose is ruled out sooner than names are taken apart
                continue
            named = frozenset(index for index, cell in enumerate(cells) if keys.is_secret(cell.strip(" \t\r\"'*`")))
            if named:
                return sign, named, len(cells) - 1
    return "", frozenset(), 0


def _cells(line: str, sign: str, columns: frozenset[int], count: int, start: int) -> Iterator[Span]:
    for index, cell in enumerate(line.split(sign, count)):
        bare = cell.strip(" \t\r\"'`")
        if index in columns and _VALUE.fullmatch(bare):
            first = start + cell.index(bare)
            yield first, first + len(bare)
        start += len(cell) + 1
