"""A file that nobody may open, and whether it was: the system itself is asked, so Qt's own openings count."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

_IN_OPEN = 0x20
_NONBLOCKING = 0o4000
# A picture, so that whoever wants to show it reads all of it.
_PICTURE = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'


class Bait(Struct):
    """The file, and whether it was opened."""

    path: Path
    _watch: int = -1

    @property
    def taken(self) -> bool:
        """Whether anybody in any process opened the file since the last question. Elsewhere than on Linux: no."""
        try:
            return self._watch >= 0 and bool(os.read(self._watch, 4096))
        except BlockingIOError:
            return False


@contextmanager
def laid(folder: Path) -> Iterator[Bait]:
    """A bait for the time of a block."""
    path = folder / "bait.svg"
    path.write_bytes(_PICTURE)
    if sys.platform != "linux":
        yield Bait(path)
        return
    system = ctypes.CDLL(None)
    watch = system.inotify_init1(_NONBLOCKING)
    system.inotify_add_watch(watch, os.fsencode(path), _IN_OPEN)
    try:
        yield Bait(path, watch)
    finally:
        os.close(watch)
