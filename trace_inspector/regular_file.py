"""Opens files to read without ever waiting for one: only regular files, and none that the system makes up.

Opening a pipe waits for whoever writes into it, and a file of procfs such as /proc/kmsg says that it is regular and
empty, and then never ends. Whatever reads a path that somebody else named or may have put there opens it here.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

# Windows has none of the first three, and opens as text without the last.
_SAFE_FLAGS = (
    getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL


class IrregularFileError(OSError):
    """A path leads to something that is no file to read to its end; its reason is as short as those of the system."""

    def __init__(self, path: Path, reason: str, sentence: str) -> None:
        super().__init__(errno.EINVAL, reason, str(path))
        self.sentence = sentence


NOT_REGULAR = (
    "Not a regular file",
    "This is no regular file. Copy what it delivers into a file and open that.",
)
MADE_UP = (
    "Made up by the system while it is read",
    "The system makes up this file while it is read. Copy what it delivers into a file and open that.",
)


def open_regular(path: Path, flags: int = os.O_RDONLY, mode: int = 0o600) -> int:
    """A descriptor of a regular file that can be read to an end; OSError for everything else.

    `mode` is for a file that `flags` creates.
    """
    if not flags & os.O_EXCL:
        _refuse_special(path, flags)  # asked before opening, too: opening some devices does something already
    handle = os.open(path, flags | _SAFE_FLAGS, mode)
    try:
        status = os.fstat(handle)
        _check(path, status.st_mode)
        if status.st_size == 0 and not flags & os.O_WRONLY and _is_made_up(handle):
            raise IrregularFileError(path, *MADE_UP)
    except BaseException:
        os.close(handle)
        raise
    return handle


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """A regular file, open for reading."""
    with os.fdopen(open_regular(path), "rb") as file:
        yield file


def read_regular(path: Path, most: int = -1) -> bytes:
    """What a regular file holds, or no more than so many of its first bytes."""
    with opened(path) as file:
        return file.read(most)


def copy_regular(source: Path, target: Path) -> None:
    """Write what a regular file holds into a new one, for its owner alone."""
    with opened(source) as file, os.fdopen(open_regular(target, _NEW), "wb") as copy:
        shutil.copyfileobj(file, copy)


def is_regular(path: Path) -> bool:
    """Whether there is a file that can be read to an end, as far as its owner lets us."""
    try:
        os.close(open_regular(path))
    except OSError:
        return False
    return True


def _refuse_special(path: Path, flags: int) -> None:
    try:
        _check(path, path.stat().st_mode)
    except FileNotFoundError:
        if not flags & os.O_CREAT:
            raise


def _check(path: Path, mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        raise IrregularFileError(path, *NOT_REGULAR)


def _is_made_up(handle: int) -> bool:
    """Whether a file that says it is empty holds something all the same."""
    if not hasattr(os, "pread"):
        return False
    try:
        content = os.pread(handle, 1, 0)
    except OSError:  # it would wait until there is something, or may be looked into by nobody
        return True
    return bool(content) and os.fstat(handle).st_size == 0  # else somebody writes it just now
