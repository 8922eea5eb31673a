"""Discarded edits and drafts: kept for some days, so that discarding can be undone, then removed."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from trace_inspector.core.errors import InspectorError
from trace_inspector.core.golden.recoverable_edits import KEPT_DAYS, Recoverable
from trace_inspector.documents.saving.draft_journal import DRAFT_SUFFIX, look_at_drafts
from trace_inspector.documents.saving.journal import SUFFIX, look, take_over
from trace_inspector.flows.goldens.recoverable_drafts import text_alone
from trace_inspector.flows.goldens.recovery import recoverable
from trace_inspector.settings import journal_folder

_DAY_S = 86_400
# When it was discarded, and its name before.
_NAME = re.compile(rf"([0-9]{{1,12}})-(.+(?:\{SUFFIX}|\{DRAFT_SUFFIX}))")


def forget(journal: Path, drafts: Path | None = None) -> Path | None:
    """Discard the edits of a journal and the drafts beside them; returns where they are kept.

    Drafts without edits have a journal of their own, which is then both. None while another process has them.
    """
    kept = _folder() / f"{int(time.time())}-{journal.name}"
    if journal == drafts:
        if look_at_drafts(drafts) is None:
            return None
        _move(drafts, drafts.stat(), kept)
        return kept
    written = journal.stat() if journal.exists() else None  # before it is taken over, which writes to it
    taken = take_over(journal)
    if taken is None or written is None:
        return None
    try:
        _move(journal, written, kept)
    finally:
        taken[0].close()
    if drafts is not None:
        with suppress(OSError):  # the draft became an edit meanwhile
            _move(drafts, drafts.stat(), _beside(kept))
    return kept


def forgotten() -> tuple[Recoverable, ...]:
    """What is still kept and readable, the newest first; `last_s` is when it was discarded."""
    edits = [replace(edit, last_s=forgotten_s) for forgotten_s, path in _kept() if (edit := _look(path)) is not None]
    return tuple(sorted(edits, key=lambda edit: -edit.last_s))


def bring_back(kept: Path) -> Path:
    """Make discarded edits recoverable again; OSError where they are gone."""
    match = _NAME.fullmatch(kept.name)
    journal = journal_folder() / (match.group(2) if match is not None else kept.name)
    kept.replace(journal)
    with suppress(OSError):  # most have no text beside them
        _beside(kept).replace(_beside(journal))
    return journal


def drop_expired(now_s: float) -> None:
    """Remove what was discarded more than KEPT_DAYS ago."""
    for forgotten_s, path in _kept():
        if now_s - forgotten_s > KEPT_DAYS * _DAY_S:
            for file in (path, _beside(path)):
                with suppress(OSError):
                    file.unlink()


def _look(path: Path) -> Recoverable | None:
    with suppress(InspectorError):
        if path.suffix == DRAFT_SUFFIX:
            return text_alone(path)
        journal = look(path)
        edits = recoverable(path, journal) if journal is not None else None
        beside = look_at_drafts(_beside(path)) if edits is not None and _beside(path).exists() else None
        return replace(edits, drafts=beside.drafts) if edits is not None and beside is not None else edits
    return None


def _beside(journal: Path) -> Path:
    """Where the drafts of a kept journal are."""
    return journal.with_name(journal.name + DRAFT_SUFFIX)


def _move(journal: Path, written: os.stat_result, kept: Path) -> None:
    kept.parent.mkdir(mode=0o700, exist_ok=True)
    journal.replace(kept)
    os.utime(kept, ns=(written.st_atime_ns, written.st_mtime_ns))  # when it was edited, not discarded


def _folder() -> Path:
    return journal_folder() / "forgotten"


def _kept() -> Iterator[tuple[float, Path]]:
    """Each journal of edits, and each of drafts without edits, with the time when it was discarded."""
    try:
        paths = sorted(_folder().iterdir())
    except OSError:
        return
    for path in paths:
        match = _NAME.fullmatch(path.name)
        if match is not None and path.with_suffix("") not in paths:
            yield float(match.group(1)), path
