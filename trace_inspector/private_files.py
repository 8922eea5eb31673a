"""Folders and files that hold what is the person's own: nobody else may look into them, from the first moment on.

Everything in the data folder is made here, or by `tempfile`, which makes files for their owner alone as well. A file
gets its mode when it is created; one that is tightened afterwards could have been opened before. What others make by
themselves, as SQLite and Qt do, is created empty first: they keep the mode of a file that is there.
"""

from __future__ import annotations

import itertools
import os
import stat
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import IO

from trace_inspector.regular_file import open_regular

FOLDER_MODE = 0o700
FILE_MODE = 0o600
_OTHERS = 0o077
_MOST_DEPTH = 4  # our folders hold files, no trees
_FLAGS = {
    "x": os.O_WRONLY | os.O_CREAT | os.O_EXCL,
    "w": os.O_WRONLY | os.O_CREAT | os.O_TRUNC,
    "a": os.O_WRONLY | os.O_CREAT | os.O_APPEND,
    "r+": os.O_RDWR,
}


def make_folder(folder: Path) -> Path:
    """A folder for its owner alone, with the folders above it that are missing; one that is there stays as it is."""
    if not folder.is_dir():
        if folder.parent != folder:
            make_folder(folder.parent)
        folder.mkdir(mode=FOLDER_MODE, exist_ok=True)
    return folder


def make_own_folder(folder: Path) -> Path:
    """The same for a folder in which nothing but ours can lie: one that is there is closed to others."""
    make_folder(folder)
    if hasattr(os, "geteuid"):
        _close(folder, folder.stat())
    return folder


def open_private(path: Path, mode: str) -> IO[str]:
    """Open a text file, made for its owner alone, as `open` does. A link is not followed, a pipe is refused."""
    handle = open_regular(path, _FLAGS[mode] | getattr(os, "O_NOFOLLOW", 0), FILE_MODE)
    return os.fdopen(handle, "w" if mode == "x" else mode, encoding="utf-8", errors="replace")


def replace_private(path: Path, lines: Iterable[str]) -> None:
    """Replace a text file, whole or not at all; its bytes are on the disk when this returns."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        with open_private(fresh, "w") as file:
            file.writelines(f"{line}\n" for line in lines)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    finally:
        with suppress(FileNotFoundError):
            fresh.unlink()


def create_new(path: Path) -> None:
    """Make an empty file for its owner alone; FileExistsError where there is one."""
    os.close(open_regular(path, _FLAGS["x"], FILE_MODE))


def create(path: Path) -> None:
    """Make an empty file for its owner alone, where there is none, for something else to write into.

    One that is there is not even opened: whoever closes a database lets go of all locks that his process has on it.
    """
    with suppress(FileExistsError):
        create_new(path)


def free_name(path: Path, word: str) -> Path:
    """A name beside a file that nothing has yet, for keeping it aside: the word says why, and then comes the time."""
    stem = f"{path.name}.{word}-{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}"
    names = (path.with_name(f"{stem}-{count}" if count else stem) for count in itertools.count())
    return next(name for name in names if not os.path.lexists(name))


def tighten(folder: Path, names: tuple[str, ...], *, is_all_ours: bool) -> None:
    """Take away from others what they may do with our folders and files, as earlier versions left them.

    Only what begins with one of these names is touched, nothing behind a link, and nothing of another owner. The
    folder itself is closed when it is ours alone: somebody may have chosen one with other things in it. Never fails.
    """
    if not hasattr(os, "geteuid"):
        return  # the modes of Windows say nothing about others
    entries = _entries(folder)
    ours = [entry for entry in entries if entry.name.startswith(names)]
    with suppress(OSError):
        status = folder.stat()
        if (is_all_ours or len(ours) == len(entries)) and not status.st_mode & stat.S_ISVTX:
            _close(folder, status)
    for entry in ours:
        _tighten_entry(entry, _MOST_DEPTH)


def _tighten_entry(entry: os.DirEntry[str], depth: int) -> None:
    try:
        status = entry.stat(follow_symlinks=False)
        if stat.S_ISLNK(status.st_mode):
            return
        _close(entry.path, status)
    except OSError:  # it went away, or the file system knows no modes
        return
    if depth and stat.S_ISDIR(status.st_mode):
        for below in _entries(entry.path):
            _tighten_entry(below, depth - 1)


def _close(path: str | Path, status: os.stat_result) -> None:
    if status.st_mode & _OTHERS and status.st_uid == os.geteuid():
        os.chmod(path, stat.S_IMODE(status.st_mode) & ~_OTHERS)  # noqa: PTH101


def _entries(folder: str | Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []
