"""Roles and marks: what models give delegates beyond text. Nothing else may use the numbers of these roles."""

from __future__ import annotations

import enum

from msgspec import Struct
from PySide6.QtCore import Qt

from trace_inspector.core.translatable import N_
from trace_inspector.core.verdict.verdict import SentenceSupport, Status

_FIRST = int(Qt.ItemDataRole.UserRole)


class Role(enum.IntEnum):
    """The item models' own roles. The comment says what type the role gives."""

    MARK = _FIRST + 1  # str: the mark's name ("failed"), "" for none
    KIND = _FIRST + 2  # core.rows.Kind
    AUTHOR = _FIRST + 3  # str: the agent's whole name
    INITIALS = _FIRST + 4  # str: two letters for the chip
    BAR = _FIRST + 5  # Bar or None
    TINTS = _FIRST + 6  # tuple[(start, end), ...]: characters of the label to tint
    GHOST = _FIRST + 7  # bool: expected, not observed
    DIM = _FIRST + 8  # bool: secondary text
    BOLD = _FIRST + 9  # bool: a case, trace or turn's own figure
    SELECTION = _FIRST + 10  # Selection the item stands for, or None
    ICON = _FIRST + 11  # str: the icon's name in resources/icons, "" for none
    NUMBER = _FIRST + 12  # int: the file's or the job's number
    FRACTION = _FIRST + 13  # float: how far a job is, or None
    FAILING = _FIRST + 14  # bool: the cell's own figure is what fails
    CAPTION = _FIRST + 15  # str: a second, quieter text beside the first
    NOTE = _FIRST + 17  # str: a note in a few words, "" for none
    UNSAVED = _FIRST + 18  # bool: edited, and not on disk
    PROBLEM = _FIRST + 19  # Problem
    FAILED_BY = _FIRST + 20  # str: why a row failed that no score tells, in a few words, "" for none
    ABOUT_SELECTION = _FIRST + 21  # bool: about the selected turn or case
    HEAT = _FIRST + 22  # int: how slow a call is among those of its file, 0 to 2
    ROW_MARK = _FIRST + 23  # str: the mark of the cell's row
    SPREAD = _FIRST + 24  # tuple[low, value, high]: a share and its interval, each from 0 to 1 or None
    SECOND_LINE = _FIRST + 25  # str: what stands below the first line, of a row of two lines; None for one of one
    NOTE_MARK = _FIRST + 26  # str: the mark before the note, in whose ink it is
    COUNTS = _FIRST + 16  # tuple[(mark, number), ...] in the order to show them


class Bar(Struct, frozen=True):
    """A piece of the time lane, as fractions of its width; `look` is turn, model, tool, agent or missing."""

    start: float
    end: float
    look: str
    guessed: bool = False


MARK_OF: dict[Status, str] = {
    Status.PASSED: "passed",
    Status.FAILED: "failed",
    Status.NOT_EVALUATED: "none",
    Status.INFORMATIONAL: "info",
    Status.SKIPPED: "skip",
    Status.ERROR: "warning",
    Status.PENDING: "pending",
}

MARK_OF_SUPPORT: dict[SentenceSupport, str] = {
    SentenceSupport.SUPPORTED: "passed",
    SentenceSupport.UNSUPPORTED: "unsupported",
    SentenceSupport.CONTRADICTORY: "no",
    SentenceSupport.DISPUTED: "disputed",
    SentenceSupport.NOT_APPLICABLE: "skip",
    SentenceSupport.CANNOT_TELL: "unknown",
}

# The names of marks for tool tips and screen readers, so that no meaning depends on shape or colour alone.
MARK_NAMES: dict[str, str] = {
    "passed": "passed",
    "failed": "failed",
    "none": N_("not evaluated"),
    "pending": "pending",
    "warning": "error",
    "info": "informational",
    "skip": "skipped",
    "unsupported": N_("unsupported sentence"),
    "no": "contradicted",
    "disputed": "disputed",
    "missing": N_("expected, not observed"),
    "extra": N_("observed, not expected"),
    "same": "same",
    "differs": N_("arguments differ"),
    "moved": "moved",
    "stale": N_("out of date"),
    "unknown": N_("cannot be told"),
    "parts": N_("parts from the golden here, while it runs"),
}
