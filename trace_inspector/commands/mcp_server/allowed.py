"""What a client may name: files and folders below those that a person gave on the command line."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from trace_inspector.core.errors import UsageError
from trace_inspector.core.trace.summary import one_line

_MOST_ENTRIES = 20_000


def real_folders(given: Sequence[Path]) -> list[Path]:
    """The folders that a person gave, without links. UsageError for what is none."""
    folders = [Path(os.path.realpath(folder)) for folder in given]
    for folder in folders:
        if not folder.is_dir():
            raise UsageError("This is no folder. Name folders that the server may read.", path=str(folder))
    return folders


def allowed_path(name: str, folders: Sequence[Path]) -> Path:
    """The real path of what a client names, relative to the first folder. UsageError where it leads out of all."""
    if not name or "\0" in name:
        raise UsageError("Name a file or a folder.")
    real = Path(os.path.realpath(folders[0] / name))
    if not any(real.is_relative_to(folder) for folder in folders):
        raise UsageError(f"“{one_line(name, 80)}” is not below the folders that this server may read.")
    if not real.exists():
        raise UsageError(f"There is no “{one_line(name, 80)}”.")
    if real.is_dir():
        _refuse_links_out(real, folders)
    return real


def shown_path(path: str | Path, folders: Sequence[Path]) -> str:
    """A path as the client may name it again."""
    whole = Path(path)
    for folder in folders:
        if whole.is_relative_to(folder):
            return str(whole.relative_to(folder)) if folder == folders[0] else str(whole)
    return whole.name


def _refuse_links_out(folder: Path, folders: Sequence[Path]) -> None:
    count = 0
    for place, names, files in os.walk(folder):
        for name in (*names, *files):
            count += 1
            if count > _MOST_ENTRIES:
                raise UsageError(f"{folder.name} has more than {_MOST_ENTRIES:,} entries. Name a folder inside it.")
            entry = Path(place, name)
            if entry.is_symlink() and not any(Path(os.path.realpath(entry)).is_relative_to(each) for each in folders):
                raise UsageError(f"{folder.name} has a link that leads out of the folders: {one_line(name, 80)}.")
