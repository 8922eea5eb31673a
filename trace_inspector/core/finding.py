"""Findings: something odd about a file, with its place and what was done about it."""

from __future__ import annotations

import enum

from msgspec import Struct


class Severity(enum.Enum):
    """How much a finding matters: an error means that something of the file could not be used."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Finding(Struct, frozen=True):
    """One finding. `pointer` is the JSON pointer of the value; line and column count from 1, 0 when unknown.

    Of a bundle `member` is the file that line and column are of.
    """

    severity: Severity
    code: str
    message: str
    pointer: str = ""
    line: int = 0
    column: int = 0
    member: str = ""


def error(code: str, message: str, pointer: str = "") -> Finding:
    """A finding about something that could not be used."""
    return Finding(Severity.ERROR, code, message, pointer)


def warning(code: str, message: str, pointer: str = "") -> Finding:
    """A finding about something that was used, but perhaps not as its author meant."""
    return Finding(Severity.WARNING, code, message, pointer)


def info(code: str, message: str, pointer: str = "") -> Finding:
    """A finding that is good to know: something derived, guessed or unusual."""
    return Finding(Severity.INFO, code, message, pointer)
