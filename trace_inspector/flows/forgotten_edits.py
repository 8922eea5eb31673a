"""Edits that somebody forgot: kept for some time, offered again where that was a slip, and then removed."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from trace_inspector.core.errors import InspectorError
from trace_inspector.core.left_behind import KEPT_DAYS, Recoverable
from trace_inspector.documents.journal import SUFFIX, look, take_over
from trace_inspector.flows.recovery import recoverable
from trace_inspector.settings import journal_folder

_DAY_S = 86_400
_NAME = re.compile(rf"([0-9]{{1,12}})-(.+\{SUFFIX})")  # when it was forgotten, and what it was called before


def forget(journal: Path) -> Path | None:
    """Offer the edits of a journal no longer; where they are kept. None while another process has them."""
    written = journal.stat() if journal.exists() else None
    taken = take_over(journal)
    if taken is None:
        return None
    writer, _told = taken
    kept = _folder() / f"{int(time.time())}-{journal.name}"
    try:
        kept.parent.mkdir(mode=0o700, exist_ok=True)
        journal.replace(kept)
        if written is not None:
            os.utime(kept, ns=(written.st_atime_ns, written.st_mtime_ns))  # when it was edited, not forgotten
    finally:
        writer.close()
    return kept


def forgotten() -> tuple[Recoverable, ...]:
    """What is still kept and can be read, forgotten last first; `last_s` is when that was."""
    found: list[Recoverable] = []
    for forgotten_s, path in _kept():
        with suppress(InspectorError):
            journal = look(path)
            one = recoverable(path, journal) if journal is not None else None
            found += [replace(one, last_s=forgotten_s)] if one is not None else []
    return tuple(sorted(found, key=lambda one: -one.last_s))


def bring_back(kept: Path) -> Path:
    """Offer forgotten edits again; OSError where they are gone."""
    match = _NAME.fullmatch(kept.name)
    journal = journal_folder() / (match.group(2) if match is not None else kept.name)
    kept.replace(journal)
    return journal


def drop_expired(now_s: float) -> None:
    """Remove what was forgotten longer ago than it is kept."""
    for forgotten_s, path in _kept():
        if now_s - forgotten_s > KEPT_DAYS * _DAY_S:
            with suppress(OSError):
                path.unlink()


def _folder() -> Path:
    return journal_folder() / "forgotten"


def _kept() -> Iterator[tuple[float, Path]]:
    try:
        paths = sorted(_folder().glob(f"*{SUFFIX}"))
    except OSError:
        return
    for path in paths:
        match = _NAME.fullmatch(path.name)
        if match is not None:
            yield float(match.group(1)), path
