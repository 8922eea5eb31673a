"""Drafts that a process left: text typed into fields that was not an edit yet, offered with the edits of its file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from trace_inspector.core.errors import ReadError
from trace_inspector.core.golden.recoverable_edits import OnDisk, Recoverable
from trace_inspector.documents.saving.draft_journal import DRAFT_SUFFIX, Drafts, look_at_drafts
from trace_inspector.documents.saving.journal_format import MAGIC, frames
from trace_inspector.settings import journal_folder

_START_BYTES = 1 << 16  # of a journal, enough to hold the path of its document


def with_drafts(
    edits: Sequence[Recoverable], locked: Iterable[Path]
) -> tuple[tuple[Recoverable, ...], tuple[str, ...], int]:
    """The edits with the drafts of their files; drafts without edits come by themselves.

    Also a sentence for each unreadable journal, and the number of drafts that wait because another process has the
    edits of their file in one of the `locked` journals: both are offered together.
    """
    recoverable, problems, waiting = [*edits], list[str](), 0
    coming = {_document_of(path) for path in locked}
    for path in _newest_first():
        try:
            drafts = look_at_drafts(path)
        except ReadError as problem:
            problems.append(str(problem))
            continue
        if drafts is None:
            continue  # its window is running
        if not drafts.drafts:
            with suppress(OSError):
                path.unlink()
        elif str(drafts.file) in coming:
            waiting += 1
        else:
            _add(recoverable, drafts, path)
    return tuple(recoverable), tuple(problems), waiting


def _add(recoverable: list[Recoverable], drafts: Drafts, path: Path) -> None:
    for index, edits in enumerate(recoverable):
        if edits.file == drafts.file and not edits.drafts:
            recoverable[index] = replace(edits, drafts=drafts.drafts, draft_journal=path)
            return
    recoverable.append(_alone(drafts, path))


def text_alone(path: Path) -> Recoverable | None:
    """The drafts of one journal by themselves; None while its window is running, or where there are none."""
    drafts = look_at_drafts(path)
    return _alone(drafts, path) if drafts is not None and drafts.drafts else None


def _alone(drafts: Drafts, path: Path) -> Recoverable:
    last_s = _changed_s(path)
    on_disk = OnDisk.SAME if _changed_s(drafts.file) <= last_s else OnDisk.CHANGED
    on_disk = on_disk if drafts.file.exists() else OnDisk.GONE
    return Recoverable(path, drafts.file, 0, 0, last_s, on_disk, "", drafts.drafts, path)


def _newest_first() -> list[Path]:
    try:
        return sorted(journal_folder().glob(f"*{DRAFT_SUFFIX}"), key=_changed_s, reverse=True)
    except OSError:
        return []


def _changed_s(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _document_of(journal: Path) -> str:
    """The document of a journal that another process has; "" while that is not written yet."""
    with suppress(OSError, ValueError, TypeError, KeyError):
        with journal.open("rb") as file:
            start = file.read(_START_BYTES)
        for _kind, payload, _end in frames(start, len(MAGIC)):
            return str(json.loads(payload)["path"])
    return ""
