"""A table in a terminal, split into bands of columns that fit its width."""

from __future__ import annotations

import shutil
import unicodedata
from collections.abc import Iterator, Sequence

from msgspec import Struct

from trace_inspector.commands.output.terminal import Colour, Terminal, visible

_GAP = 2


class Cell(Struct, frozen=True):
    """A text and the meaning of its colour."""

    text: str
    colour: Colour = Colour.PLAIN


class _Column(Struct, frozen=True):
    """A column whose cells all have the same width."""

    cells: list[tuple[str, Colour]]
    width: int


def print_columns(fixed: Sequence[Sequence[Cell]], columns: Sequence[Sequence[Cell]], terminal: Terminal) -> None:
    """One line a row. Columns that do not fit go below, with the fixed columns repeated."""
    first = [_column(cells) for cells in fixed]
    for number, band in enumerate(_bands(first, [_column(cells) for cells in columns], _screen_width(terminal))):
        if number:
            terminal.say()
        for row in zip(*(column.cells for column in (*first, *band)), strict=True):
            terminal.say_coloured(row)


def _column(cells: Sequence[Cell]) -> _Column:
    # Many cells are equal: each text is measured once, as it will be shown.
    shown = {cell.text: visible(cell.text) for cell in cells}
    widths = {text: _width(seen) for text, seen in shown.items()}
    width = max(widths.values())
    padded = {text: seen + " " * (width - widths[text] + _GAP) for text, seen in shown.items()}
    return _Column([(padded[cell.text], cell.colour) for cell in cells], width)


def _bands(fixed: Sequence[_Column], columns: Sequence[_Column], width: int | None) -> Iterator[list[_Column]]:
    """The columns split into tables that fit the width, at least one column in each."""
    start = sum(column.width + _GAP for column in fixed) - _GAP
    band: list[_Column] = []
    used = start
    for column in columns:
        used += _GAP + column.width
        if band and width is not None and used > width:
            yield band
            band, used = [], start + _GAP + column.width
        band.append(column)
    yield band


def _screen_width(terminal: Terminal) -> int | None:
    """The width of a terminal; a file or another program gets whole lines."""
    return shutil.get_terminal_size().columns if terminal.out.isatty() else None


def _width(text: str) -> int:
    """The width of a text in cells: two for wide characters, none for combining ones."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )
