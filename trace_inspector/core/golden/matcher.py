"""What a person wrote beside a golden: how single arguments are compared, and notes."""

from __future__ import annotations

import enum

from msgspec import Struct


class Match(enum.Enum):
    """How an argument is compared with the expected one. Where nothing is said it must be equal."""

    EXACT = "exact"
    IGNORE = "ignore"  # not looked at; it may be missing
    ANY = "any"  # it must be there, with whatever value
    CONTAINS = "contains"  # a text that has another in it
    REGEXP = "regexp"  # a text that a pattern matches somewhere
    TOLERANCE = "tolerance"  # a number that is near enough
    SEMANTIC = "semantic"  # what a judge takes to mean the same
    SUBSET = "subset"  # an object or list that has at least what is expected


class Matcher(Struct, frozen=True):
    """The rule for the expected value at a place. `text` is what is contained, or the pattern."""

    place: str
    match: Match
    text: str = ""
    absolute: float | None = None
    relative: float | None = None  # a share of the expected number


class Note(Struct, frozen=True):
    """Somebody's words about the value at a place."""

    place: str
    text: str
