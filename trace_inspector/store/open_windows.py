"""The files open in each running window, so that after a crash the next start can offer them again.

Each window has a small file, locked while it runs. The system releases the lock however the window ends; the file is
removed only when it ends normally.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from trace_inspector.documents.saving.file_lock import lock
from trace_inspector.private_files import make_own_folder
from trace_inspector.regular_file import open_regular

FOLDER = "windows"
MOST_PATHS = 1_000
_MOST_BYTES = 1 << 20
_SUFFIX = ".open"


class OpenWindow:
    """The files open in one window, on disk while it runs. Nothing is stored where the disk cannot be written."""

    def __init__(self, data_folder: Path) -> None:
        self._handle, self._path = -1, Path()
        self._noted: tuple[str, ...] = ()
        with contextlib.suppress(OSError):
            self._handle, name = tempfile.mkstemp(_SUFFIX, dir=make_own_folder(data_folder / FOLDER))
            self._path = Path(name)
            lock(self._handle)

    def note(self, paths: Sequence[str]) -> None:
        """Store the files that are open now."""
        listed = tuple(dict.fromkeys(paths))[:MOST_PATHS]
        if self._handle < 0 or listed == self._noted:
            return
        self._noted = listed
        with contextlib.suppress(OSError):
            os.lseek(self._handle, 0, os.SEEK_SET)
            os.ftruncate(self._handle, 0)
            os.write(self._handle, "".join(f"{json.dumps(path)}\n" for path in listed).encode("ascii"))

    def end(self) -> None:
        """The window ends normally."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1
            with contextlib.suppress(OSError):
                self._path.unlink()


def take_unclosed_files(data_folder: Path) -> tuple[str, ...] | None:
    """The files of windows that crashed, each path once; None without a crash. Removes them from disk."""
    left_open: list[str] | None = None
    for file in sorted((data_folder / FOLDER).glob(f"*{_SUFFIX}")):
        paths = _taken(file)
        if paths is not None:
            left_open = [*(left_open or ()), *paths]
    return None if left_open is None else tuple(dict.fromkeys(left_open))


def _taken(file: Path) -> list[str] | None:
    """The paths in the file of a window that crashed; None while it is running."""
    try:
        handle = open_regular(file, os.O_RDWR)
    except OSError:
        return None
    try:
        if not lock(handle):
            return None
        paths = list(_paths(os.read(handle, _MOST_BYTES)))
    except OSError:
        return None
    finally:
        os.close(handle)
    with contextlib.suppress(OSError):
        file.unlink()
    return paths


def _paths(data: bytes) -> Iterator[str]:
    for line in data.splitlines():
        with contextlib.suppress(ValueError):  # the last one may be cut off
            path = json.loads(line)
            if isinstance(path, str) and path:
                yield path
