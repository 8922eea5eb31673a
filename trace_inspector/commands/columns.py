"""A table in a terminal, in as many bands as the screen is narrow."""

from __future__ import annotations

import shutil
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from trace_inspector.commands.terminal import Colour, Terminal, visible

_GAP = 2


@dataclass(frozen=True, slots=True)
class Cell:
    """A text and what its colour says."""

    text: str
    colour: Colour = Colour.PLAIN


@dataclass(frozen=True, slots=True)
class _Column:
    """Cells that are all equally wide."""

    cells: list[tuple[str, Colour]]
    width: int


def print_columns(fixed: Sequence[Sequence[Cell]], columns: Sequence[Sequence[Cell]], terminal: Terminal) -> None:
    """A line a row. What is wider than the screen goes below, with the fixed columns beside it once more."""
    first = [_column(cells) for cells in fixed]
    for number, band in enumerate(_bands(first, [_column(cells) for cells in columns], _screen_width(terminal))):
        if number:
            terminal.say()
        for row in zip(*(column.cells for column in (*first, *band)), strict=True):
            terminal.say_coloured(row)


def _column(cells: Sequence[Cell]) -> _Column:
    # Many cells say the same: each text is measured once, as it will be seen.
    shown = {cell.text: visible(cell.text) for cell in cells}
    widths = {text: _width(seen) for text, seen in shown.items()}
    width = max(widths.values())
    padded = {text: seen + " " * (width - widths[text] + _GAP) for text, seen in shown.items()}
    return _Column([(padded[cell.text], cell.colour) for cell in cells], width)


def _bands(fixed: Sequence[_Column], columns: Sequence[_Column], width: int | None) -> Iterator[list[_Column]]:
    """The columns in as many tables as the width asks for, at least one column in each."""
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
    """Where a person looks, the width of the screen; a file or another program gets whole lines."""
    return shutil.get_terminal_size().columns if terminal.out.isatty() else None


def _width(text: str) -> int:
    """How many cells a text takes: two for wide characters, none for what stands on another."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )
