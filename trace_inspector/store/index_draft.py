"""Writes an entry of the index cache while its file is read. Never fails: at worst there is no entry."""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import tempfile
import time
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from trace_inspector.core.finding import Finding
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.rows.rows import RowBatch
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.reported import ReportedBatch
from trace_inspector.private_files import make_own_folder
from trace_inspector.store.index_cache import PART_SUFFIX, Fingerprint, IndexCache, fingerprint_of
from trace_inspector.store.index_columns import to_sections
from trace_inspector.store.index_entry import BODY_COLUMNS
from trace_inspector.store.index_file import IndexWriter, Record

_ROOM_BYTES = 64 << 20  # written before the free space is checked again


class Draft:
    """A new entry, written while its file is read. A context manager: without `keep`, nothing stays.

    `problem` is a sentence about why there will be no entry, else "".
    """

    def __init__(self, cache: IndexCache, path: Path, *, least_bytes: int = 0) -> None:
        self.problem = ""
        self._cache, self._path, self._least_bytes = cache, path, least_bytes
        self._open: _Open | None = None

    def __enter__(self) -> Draft:
        """Enter before the file is opened: the entry is for the fingerprint of that moment."""
        fingerprint, now_ns = fingerprint_of(self._path), time.time_ns()
        with self._never_failing():
            if fingerprint is not None and fingerprint.size >= self._least_bytes:
                make_own_folder(self._cache.folder)
                self._open = _Open(self._cache, fingerprint, settled=fingerprint.settled(now_ns))
        return self

    def __exit__(self, *_problem: object) -> None:
        if self._open is not None:
            self._open.drop()

    def add(self, batch: RowBatch) -> None:
        """The next rows, with their bodies."""
        with self._never_failing():
            if self._open is not None:
                self._open.add(batch)

    def add_findings(self, findings: tuple[Finding, ...]) -> None:
        """Some more findings."""
        with self._never_failing():
            if self._open is not None:
                self._open.add_findings(findings)

    def add_reported(self, reported: ReportedBatch) -> None:
        """Some more verdicts that the file reports."""
        with self._never_failing():
            if self._open is not None:
                self._open.add_reported(reported)

    def add_pieces(self, pieces: Json) -> None:
        """Where the pieces stand that were read so far, for whoever looks into the file meanwhile."""
        with self._never_failing():
            if self._open is not None:
                key = self._cache.key(self._path, self._open.fingerprint)
                self._open.add_pieces(pieces, key, self._cache.unfinished_path(self._path))

    def keep(self, contents: Contents, digest: str, pieces: Json = None) -> None:
        """The file has been read completely: put the entry in place, unless the file changed meanwhile.

        `pieces` is where the pieces of a large file stand.
        """
        with self._never_failing():
            if self._open is not None and fingerprint_of(self._path) == self._open.fingerprint:
                key = self._cache.key(self._path, self._open.fingerprint)
                self._open.finish(contents, digest, pieces, key)
                self._open.part.replace(self._cache.entry_path(self._path))
                self._open.drop_pieces()
                self._open = None

    @contextmanager
    def _never_failing(self) -> Iterator[None]:
        try:
            yield
        except OSError as problem:
            self.problem = f"The index of {self._path} is not kept: {problem.strerror or problem}."
            if self._open is not None:
                self._open.drop()
                self._open = None


class _Open:
    """The unfinished file of an entry."""

    def __init__(self, cache: IndexCache, fingerprint: Fingerprint, *, settled: bool) -> None:
        self.fingerprint = fingerprint
        self._settled = settled
        self._cache = cache
        self._batches: list[Json] = []
        self._findings: list[Json] = []
        self._reported: list[Json] = []
        self._bodies: tuple[array[int], ...] = tuple(array(typecode) for typecode in BODY_COLUMNS)
        self._room_bytes = 0
        self._make_room()
        descriptor, name = tempfile.mkstemp(PART_SUFFIX, dir=cache.folder)  # readable by its owner only
        self.part = Path(name)
        self._file: BinaryIO = os.fdopen(descriptor, "wb")
        self._writer = IndexWriter(self._file)
        self._pieces_so_far: Path | None = None

    def add(self, batch: RowBatch) -> None:
        """Write the columns as one record, and each body as one."""
        for body in batch.bodies:
            record = self._writer.add(body)
            for column, number in zip(self._bodies, (record.offset, record.size, record.checksum), strict=True):
                column.append(number)
        sections = to_sections(batch)
        record = self._writer.add(b"".join(sections))
        details: list[Json] = [[*row] for row in batch.details]
        sizes: list[Json] = [len(section) for section in sections]
        self._batches.append([_raw(record), sizes, list(batch.authors), details])
        if self._writer.size > self._room_bytes:
            self._make_room()

    def add_findings(self, findings: tuple[Finding, ...]) -> None:
        """Write one record."""
        self._findings.append(_raw(self._writer.add(pickle.dumps(findings, pickle.HIGHEST_PROTOCOL))))

    def add_reported(self, reported: ReportedBatch) -> None:
        """Write one record."""
        columns = (reported.rows.tobytes(), bytes(reported.statuses), bytes(reported.buckets))
        whole = (*columns, tuple(reported.bodies), tuple(reported.failing), tuple(reported.odd))
        self._reported.append(_raw(self._writer.add(pickle.dumps(whole, pickle.HIGHEST_PROTOCOL))))

    def add_pieces(self, pieces: Json, key: Json, place: Path) -> None:
        """Write them into a file of their own, which lasts as long as the unfinished one."""
        descriptor, name = tempfile.mkstemp(PART_SUFFIX, dir=self._cache.folder)
        with os.fdopen(descriptor, "wb") as file:
            writer = IndexWriter(file)
            record = writer.add(json.dumps(pieces).encode())
            writer.finish({"key": key, "settled": self._settled, "pieces": _raw(record)})
        Path(name).replace(place)
        self._pieces_so_far = place

    def finish(self, contents: Contents, digest: str, pieces: Json, key: Json) -> None:
        """Write the list of all records."""
        self._writer.finish(
            {
                "key": key,
                "settled": self._settled,
                "digest": digest,
                "contents": _raw(self._writer.add(pickle.dumps(contents, pickle.HIGHEST_PROTOCOL))),
                "pieces": _raw(self._writer.add(json.dumps(pieces).encode())),
                "batches": self._batches,
                "findings": self._findings,
                "reported": self._reported,
                "bodies": [_raw(self._writer.add(column.tobytes())) for column in self._bodies],
            }
        )
        self._file.close()

    def drop(self) -> None:
        """Remove the unfinished file."""
        with contextlib.suppress(OSError):
            self._file.close()
        with contextlib.suppress(OSError):
            self.part.unlink()
        self.drop_pieces()

    def drop_pieces(self) -> None:
        """Remove what was kept for the time of reading."""
        if self._pieces_so_far is not None:
            with contextlib.suppress(OSError):
                self._pieces_so_far.unlink()

    def _make_room(self) -> None:
        self._room_bytes += _ROOM_BYTES
        if not self._cache.make_room(_ROOM_BYTES):
            raise OSError("there is not enough room on the disk")


def _raw(record: Record) -> Json:
    return [record.offset, record.size, record.checksum]
