"""The file of an entry of the index cache: records, then their list, then a footer.

It is read in this order: footer, list, then records on demand. Each has a checksum.
"""

from __future__ import annotations

import json
import os
import struct
import threading
import weakref
import zlib
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO, overload

from msgspec import Struct

from trace_inspector.core.values.values import JsonObject
from trace_inspector.regular_file import open_regular

MAGIC = b"trace-inspector index\n"
_FOOTER = struct.Struct("<QQI4s")  # where the list begins, its length, its checksum
_END = b"end\n"
_OTHERS = 0o077


class Damaged(Exception):
    """The file is damaged, or was not written by this user."""


class Record(Struct, frozen=True):
    """The position of some bytes, and their checksum."""

    offset: int
    size: int
    checksum: int


class IndexWriter:
    """Appends records to a new file."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.size = file.write(MAGIC)

    def add(self, data: bytes) -> Record:
        """Append a record."""
        record = Record(self.size, len(data), zlib.crc32(data))
        self.size += self._file.write(data)
        return record

    def finish(self, listed: JsonObject) -> None:
        """Write the list of records and the footer."""
        record = self.add(json.dumps(listed).encode())
        self.size += self._file.write(_FOOTER.pack(record.offset, record.size, record.checksum, _END))
        self._file.flush()


class IndexReader:
    """An open entry. It stays readable when its file is replaced or removed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()  # a thread may take bodies to a child while the window opens one
        self._descriptor = open_regular(path)
        # Rows and threads share it, and whichever is last ends it.
        weakref.finalize(self, os.close, self._descriptor)
        self.size = self._owned_size()
        self.listed = self._list()

    def read(self, record: Record) -> bytes:
        """The bytes of a record."""
        if record.offset + record.size > self.size:
            raise Damaged
        data = self._bytes(record.offset, record.size)
        if len(data) != record.size or zlib.crc32(data) != record.checksum:
            raise Damaged
        return data

    def _bytes(self, offset: int, size: int) -> bytes:
        try:
            with self._lock:
                os.lseek(self._descriptor, offset, os.SEEK_SET)
                return os.read(self._descriptor, size)
        except OSError as problem:
            raise Damaged from problem

    def _owned_size(self) -> int:
        status = os.fstat(self._descriptor)
        owned = not hasattr(os, "geteuid") or (status.st_uid == os.geteuid() and not status.st_mode & _OTHERS)
        least = len(MAGIC) + _FOOTER.size
        if not owned or status.st_size < least or self._bytes(0, len(MAGIC)) != MAGIC:
            raise Damaged
        return status.st_size

    def _list(self) -> JsonObject:
        offset, size, checksum, end = _FOOTER.unpack(self._bytes(self.size - _FOOTER.size, _FOOTER.size))
        listed = json.loads(self.read(Record(offset, size, checksum))) if end == _END else None
        if not isinstance(listed, dict):
            raise Damaged
        return listed


class StoredBodies(Sequence[bytes]):
    """The bodies of rows, read from the entry on demand. `lost` replaces a body that can no longer be read."""

    def __init__(self, reader: IndexReader, columns: Sequence[array[int]], lost: bytes) -> None:
        self._reader = reader
        self._columns = columns  # offset, size, checksum
        self._lost = lost

    def __len__(self) -> int:
        return len(self._columns[0])

    @overload
    def __getitem__(self, number: int) -> bytes: ...
    @overload
    def __getitem__(self, number: slice) -> list[bytes]: ...
    def __getitem__(self, number: int | slice) -> bytes | list[bytes]:
        if isinstance(number, slice):
            return [self[index] for index in range(len(self))[number]]
        offset, size, checksum = (column[number] for column in self._columns)
        try:
            return self._reader.read(Record(offset, size, checksum))
        except Damaged:
            return self._lost
