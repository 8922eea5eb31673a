"""Edits as plain values: what should change in a document, by JSON pointer and JSON text."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct


class Set(Struct, frozen=True):
    """Put `text`, exactly as it is spelt, in the place of the value at `pointer`."""

    pointer: str
    text: str


class Insert(Struct, frozen=True):
    """Add a member: a new last key of an object, or an element before an array's index ("-" is the end)."""

    pointer: str
    text: str


class Remove(Struct, frozen=True):
    """Take out the member or element at `pointer`, with its comma."""

    pointer: str


Edit: TypeAlias = Set | Insert | Remove
