"""Rows of a table or tree as text, for the clipboard and for files."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain

from msgspec import Struct

from trace_inspector.core.trace.summary import one_line

_CELL_CHARS = 10_000
_NAME = 1  # the cell that shows the depth of a row
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>()#+!|~-])")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_NUMBER = re.compile(r"[+\-−]?[\d.,]+(\s?\w{1,3})?")


class Line(Struct, frozen=True):
    """One row: its depth and its cells."""

    depth: int
    cells: tuple[str, ...]


class Table(Struct, frozen=True):
    """Rows under the names of their columns. `more`: further rows are left out."""

    title: str
    columns: tuple[str, ...]
    lines: Sequence[Line]
    more: bool = False


def as_text(table: Table) -> str:
    """Indented lines, with two spaces between cells."""
    return "".join("  " * line.depth + "  ".join(filter(None, _clean(line.cells))) + "\n" for line in table.lines)


def as_tsv(table: Table) -> str:
    """Tab-separated values, as spreadsheets take them from the clipboard."""
    rows = chain([table.columns], (line.cells for line in table.lines))
    return "".join("\t".join(map(_unformula, _clean(cells))) + "\n" for cells in rows)


def as_csv(table: Table) -> str:
    """Comma-separated values. An apostrophe goes before what a spreadsheet would take for a formula."""
    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\n")
    writer.writerow(("Level", *table.columns))
    writer.writerows((line.depth, *map(_unformula, _clean(line.cells))) for line in table.lines)
    return made.getvalue()


def as_json(table: Table) -> str:
    """An object for each row, empty cells left out."""
    rows = [
        {"level": line.depth} | {name: cell for name, cell in zip(table.columns, line.cells, strict=True) if cell}
        for line in table.lines
    ]
    return json.dumps(rows, ensure_ascii=False, indent=2) + "\n"


def as_markdown(table: Table) -> str:
    """A heading and a table; nothing in a cell is markup."""
    head = [f"# {_mark_down(table.title)}", "", _markdown_row(table.columns), "|" + " --- |" * len(table.columns)]
    rows = (_markdown_row(line.cells, line.depth) for line in table.lines)
    return "\n".join([*head, *rows, *([] if not table.more else ["", "There are more rows."]), ""])


def as_html(table: Table) -> str:
    """A self-contained page without scripts, pictures or links."""
    head = "".join(f"<th>{html.escape(name)}</th>" for name in table.columns)
    body = "\n".join(_html_row(line) for line in table.lines)
    more = "<p>There are more rows.</p>\n" if table.more else ""
    title = html.escape(table.title)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
        f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>\n{more}</body>\n</html>\n"
    )


WRITERS: Mapping[str, Callable[[Table], str]] = {
    "text": as_text,
    "tsv": as_tsv,
    "json": as_json,
    "html": as_html,
    "markdown": as_markdown,
    "csv": as_csv,
}

_STYLE = (
    "body{font:14px sans-serif;margin:24px;color:#191d24}table{border-collapse:collapse}"
    "th,td{text-align:left;vertical-align:top;padding:2px 12px 2px 0;border-bottom:1px solid #d8dce3}"
)


def _html_row(line: Line) -> str:
    cells = [f"<td>{html.escape(_shown(cell))}</td>" for cell in line.cells]
    if line.depth and len(cells) > _NAME:
        cells[_NAME] = cells[_NAME].replace("<td>", f'<td style="padding-left:{16 * line.depth}px">', 1)
    return f"<tr>{''.join(cells)}</tr>"


def _markdown_row(cells: Sequence[str], depth: int = 0) -> str:
    written = (("&emsp;" * depth if index == _NAME else "") + _mark_down(cell) for index, cell in enumerate(cells))
    return "|" + "".join(f" {cell} |" for cell in written)


def _mark_down(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", _shown(text)).replace("&", "&amp;")


def _clean(cells: Sequence[str]) -> Iterator[str]:
    return map(_shown, cells)


def _shown(cell: str) -> str:
    """One line, with invisible characters made visible."""
    return one_line(cell, _CELL_CHARS)


def _unformula(cell: str) -> str:
    return f"'{cell}" if cell.startswith(_FORMULA) and not _NUMBER.fullmatch(cell) else cell
