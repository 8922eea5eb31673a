"""A cache of what was read of large files, so that an unchanged file opens at once: one entry a file.

Entries hold text of traces, so only their owner may read the folder. An entry is never needed: when anything about it
is wrong, it is deleted and the file is read.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import stat
import time
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct
from msgspec.structs import astuple

from trace_inspector.core.values.values import Json
from trace_inspector.regular_file import opened
from trace_inspector.store.index_entry import Entry, read_entry, record_of
from trace_inspector.store.index_file import Damaged, IndexReader

FOLDER = "index"
MOST_BYTES = 2 << 30
MOST_OF_DISK = 0.05
MOST_OF_FREE = 0.5
_SETTLED_NS = 2_000_000_000  # file systems count time in steps of up to two seconds
_FORGOTTEN_S = 3600.0  # an unfinished entry of that age is abandoned
_SUFFIX = ".index"
PART_SUFFIX = ".part"


class Fingerprint(Struct, frozen=True):
    """The metadata of a file. Any write changes it, except two within one tick of the file system's clock."""

    size: int
    modified_ns: int
    changed_ns: int
    inode: int

    def settled(self, now_ns: int) -> bool:
        """Whether a write from that moment on would show."""
        return max(self.modified_ns, self.changed_ns) + _SETTLED_NS < now_ns


def fingerprint_of(path: Path) -> Fingerprint | None:
    """The fingerprint of a file; None where it does not exist or is not a regular file."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(status.st_mode):
        return None
    return Fingerprint(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


class IndexCache:
    """The entries in a folder, as one version of the program writes and reads them."""

    def __init__(self, folder: Path, program: Callable[[], str]) -> None:
        self.folder = folder
        self.program = program  # only called for large files: it lists all source files

    def entry_path(self, path: Path) -> Path:
        """The path of a file's entry. Its name does not give away the name of the file."""
        name = os.path.realpath(path)
        return self.folder / (hashlib.sha256(os.fsencode(name)).hexdigest()[:32] + _SUFFIX)

    def unfinished_path(self, path: Path) -> Path:
        """The path of what is known of a file while it is read, where that is kept."""
        return self.entry_path(path).with_suffix(PART_SUFFIX)

    def key(self, path: Path, fingerprint: Fingerprint) -> Json:
        """What must agree before an entry is used."""
        return [self.program(), os.path.realpath(path), list(astuple(fingerprint))]

    def find(self, path: Path, tick: Callable[[], None]) -> Entry | None:
        """The entry of a file that has not changed since it was read, else None. `tick` may raise Stopped."""
        fingerprint, place = fingerprint_of(path), self.entry_path(path)
        if fingerprint is None:
            return None
        try:
            reader = IndexReader(place)
        except OSError:
            return None
        except (Damaged, ValueError, RecursionError):  # the last two where the list is not JSON written here
            _remove(place)
            return None
        try:
            return self._checked(reader, path, fingerprint, tick)
        except Damaged:
            _remove(place)
            return None

    def pieces(self, path: Path) -> Json:
        """Where the pieces of an unchanged large file stand, also of one that is just being read.

        None where that is not kept, or not certain.
        """
        whole = self._pieces(path, self.entry_path(path))
        return self._pieces(path, self.unfinished_path(path)) if whole is None else whole

    def _pieces(self, path: Path, place: Path) -> Json:
        fingerprint = fingerprint_of(path)
        try:
            reader = IndexReader(place)
            listed = reader.listed
            if (
                fingerprint is None
                or listed.get("settled") is not True
                or listed["key"] != self.key(path, fingerprint)
            ):
                return None
            pieces: Json = json.loads(reader.read(record_of(listed["pieces"])))
        except (OSError, Damaged, KeyError, TypeError, ValueError, RecursionError):
            return None
        return pieces

    def _checked(
        self, reader: IndexReader, path: Path, fingerprint: Fingerprint, tick: Callable[[], None]
    ) -> Entry | None:
        if reader.listed.get("key") != self.key(path, fingerprint):
            return None
        if reader.listed.get("settled") is not True and _digest(path, tick) != reader.listed.get("digest"):
            return None
        entry = read_entry(reader, tick)
        with contextlib.suppress(OSError):  # the folder may be read-only; then nothing is pruned either
            os.utime(reader.path)
        return entry

    def make_room(self, wanted_bytes: int = 0) -> bool:
        """Delete the least recently used entries until that much more fits; false when it cannot fit."""
        now_s, total, old = time.time(), 0, []
        for file in self._files():
            with contextlib.suppress(OSError):
                status = file.stat()
                if file.suffix == PART_SUFFIX and status.st_mtime < now_s - _FORGOTTEN_S:
                    file.unlink()
                    continue
                total += status.st_size
                if file.suffix == _SUFFIX:
                    old.append((status.st_mtime, status.st_size, file))
        limit = self._limit(total)
        for _used_s, size, file in sorted(old):
            if total + wanted_bytes <= limit:
                break
            total -= size if _remove(file) else 0
        return total + wanted_bytes <= limit

    def size_bytes(self) -> int:
        """The total size of all entries."""
        total = 0
        for file in self._files():
            with contextlib.suppress(OSError):
                total += file.stat().st_size
        return total

    def clear(self) -> None:
        """Delete all entries. Windows that have one open keep using it."""
        for file in self._files():
            _remove(file)

    def _files(self) -> list[Path]:
        try:
            return [file for file in self.folder.iterdir() if file.suffix in (_SUFFIX, PART_SUFFIX)]
        except OSError:
            return []

    def _limit(self, used_bytes: int) -> float:
        disk = shutil.disk_usage(self.folder)
        return min(MOST_BYTES, disk.total * MOST_OF_DISK, (disk.free + used_bytes) * MOST_OF_FREE)


def _remove(file: Path) -> bool:
    try:
        file.unlink()
    except OSError:
        return False
    return True


def _digest(path: Path, tick: Callable[[], None]) -> str:
    digest = hashlib.sha256()
    try:
        with opened(path) as file:
            while piece := file.read(1 << 22):
                tick()
                digest.update(piece)
    except OSError:
        return ""
    return digest.hexdigest()
