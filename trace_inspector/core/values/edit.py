"""Edits as plain values: what should change in a document, by JSON pointer and JSON text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Set:
    """Put `text`, exactly as it is spelt, in the place of the value at `pointer`."""

    pointer: str
    text: str


@dataclass(frozen=True, slots=True)
class Insert:
    """Add a member: a new last key of an object, or an element before an array's index ("-" is the end)."""

    pointer: str
    text: str


@dataclass(frozen=True, slots=True)
class Remove:
    """Take out the member or element at `pointer`, with its comma."""

    pointer: str


Edit: TypeAlias = Set | Insert | Remove
