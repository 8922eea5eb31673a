"""Unsaved edits that processes left behind when they ended, which can be recovered."""

from __future__ import annotations

import enum
from pathlib import Path

from msgspec import Struct

KEPT_DAYS = 30  # what was forgotten


class OnDisk(enum.Enum):
    """What became of the file since the edits began."""

    SAME = "same"
    CHANGED = "changed"
    GONE = "gone"


class Spot(Struct, frozen=True):
    """A field in which text is typed: the pointer of the case, turn or call that it belongs to, and its name."""

    place: str
    field: str


class DraftText(Struct, frozen=True):
    """What stood in a field and was not in the golden; `label` names the field in words."""

    spot: Spot
    label: str
    text: str


class Recoverable(Struct, frozen=True):
    """Edits of one file, `edits` of them as a person counts, in so many `changes` of the journal; and text that was
    typed and had not become an edit.

    `note` says what of them is lost, when something is. Without edits `journal` is the one of the text.
    """

    journal: Path
    file: Path
    changes: int
    edits: int
    last_s: float
    on_disk: OnDisk
    note: str
    drafts: tuple[DraftText, ...] = ()
    draft_journal: Path | None = None


class RecoverableEdits(Struct, frozen=True):
    """The newest first, and a sentence for each journal that cannot be used.

    `in_use` is how many journals another process has: a window, or what is left of one that ended just now.
    """

    recoverable: tuple[Recoverable, ...] = ()
    problems: tuple[str, ...] = ()
    in_use: int = 0
