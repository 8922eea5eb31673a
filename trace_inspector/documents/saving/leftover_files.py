"""What a save that was killed leaves beside its file: half of a new one, under a name of ours."""

from __future__ import annotations

import os
import re
import secrets
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from trace_inspector.documents.saving.file_lock import lock

_NAME = re.compile(r"\.trace-inspector-[0-9a-f]{16}\.tmp")
_YOUNG_S = 60  # one that was just made may not be locked yet


def unfinished_name() -> str:
    """A name that no other save has."""
    return f".trace-inspector-{secrets.token_hex(8)}.tmp"


def sweep(folder: Path) -> None:
    """Take away what nobody writes any more; the whole file lies beside it, and its edits in their journal."""
    with suppress(OSError):
        for path in _left(folder):
            _remove(path)


def _left(folder: Path) -> Iterator[Path]:
    with os.scandir(folder) as entries:
        for entry in entries:
            ours = _NAME.fullmatch(entry.name) and entry.is_file(follow_symlinks=False)
            if ours and time.time() - entry.stat(follow_symlinks=False).st_mtime > _YOUNG_S:
                yield folder / entry.name


def _remove(path: Path) -> None:
    with suppress(OSError), path.open("rb+") as file:
        if lock(file.fileno()):
            path.unlink()
