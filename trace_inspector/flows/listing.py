"""Which files are meant: the ones named, and those inside the folders named."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from trace_inspector.core.errors import ReadError

MOST_FILES = 10_000
_SUFFIXES = frozenset({".json", ".jsonl", ".ndjson"})
_SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__"})
_SNIFFED_BYTES = 64


def expand(paths: Iterable[Path]) -> list[Path]:
    """Files as they are named, folders as the files inside that may be JSON, sorted; hidden folders are left out."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            found.extend(_files_in(path, MOST_FILES - len(found)))
        else:
            found.append(path)
        if len(found) >= MOST_FILES:
            sentence = f"There are more than {MOST_FILES} files here. Name a smaller folder or single files."
            raise ReadError(sentence, path=str(path))
    return found


def _files_in(folder: Path, most: int) -> list[Path]:
    found: list[Path] = []
    for where, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _SKIPPED_FOLDERS)
        for name in sorted(files):
            path = Path(where) / name
            if not name.startswith(".") and _may_be_json(path):
                found.append(path)
                if len(found) >= most:
                    return found
    return sorted(found)


def _may_be_json(path: Path) -> bool:
    if not path.is_file():
        return False
    if path.suffix:
        return path.suffix.lower() in _SUFFIXES
    try:
        with path.open("rb") as file:
            return file.read(_SNIFFED_BYTES).lstrip()[:1] in (b"{", b"[")
    except OSError:
        return False
