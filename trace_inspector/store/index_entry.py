"""Reads an entry of the index cache: everything that reading the file would give."""

from __future__ import annotations

import pickle
from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import TypeGuard

from msgspec import Struct

from trace_inspector.core.errors import ReadError
from trace_inspector.core.finding import Finding
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.rows.rows import RowBatch, RowDetails
from trace_inspector.core.rows.safe_unpickle import Unreadable, unpack
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.reported import ReportedBatch
from trace_inspector.store.index_columns import Unsound, check, from_sections
from trace_inspector.store.index_file import Damaged, IndexReader, Record, StoredBodies

_CHECKSUM_MAX = 0xFFFFFFFF
BODY_COLUMNS = ("Q", "Q", "Q")  # offset, size and checksum of every body
_LOST = "The stored index of this file can no longer be read. Close the file and open it again."


class Entry(Struct, frozen=True):
    """An entry. `contents` has no suites, traces and findings: these are in the rows and bodies."""

    contents: Contents
    digest: str
    batches: Sequence[RowBatch]
    findings: Sequence[tuple[Finding, ...]]
    bodies: StoredBodies
    reported: Sequence[ReportedBatch] = ()


def read_entry(reader: IndexReader, tick: Callable[[], None]) -> Entry:
    """Read and check all but the bodies. Raises Damaged."""
    listed = reader.listed
    try:
        bodies = _bodies(reader, listed["bodies"])
        batches = list(_batches(reader, listed["batches"], len(bodies), tick))
        contents = unpack(reader.read(record_of(listed["contents"])))
        findings = [unpack(reader.read(record_of(raw))) for raw in _list(listed["findings"])]
        rows = sum(len(batch) for batch in batches)
        reported = [_reported(unpack(reader.read(record_of(raw))), rows) for raw in _list(listed["reported"])]
        digest = listed["digest"]
    except (KeyError, TypeError, ValueError, IndexError, OverflowError, ReadError, Unsound) as problem:
        raise Damaged from problem
    if not (isinstance(contents, Contents) and isinstance(digest, str) and _are_findings(findings)):
        raise Damaged
    return Entry(contents, digest, batches, findings, bodies, reported)


def _batches(reader: IndexReader, listed: Json, bodies: int, tick: Callable[[], None]) -> Iterator[RowBatch]:
    rows = authors = 0
    for raw in _list(listed):
        tick()
        where, sizes, names, details = _list(raw)
        data, sections, start = memoryview(reader.read(record_of(where))), [], 0
        for size in _numbers(sizes):
            sections.append(data[start : start + size])
            start += size
        new = [name for name in _list(names) if isinstance(name, str)]
        batch, authors = from_sections(sections, new), authors + len(new)
        check(batch, rows, bodies, authors)
        batch.details = list(map(_details, _list(details)))
        rows += len(batch)
        yield batch


def _reported(stored: object, rows: int) -> ReportedBatch:
    if not isinstance(stored, tuple) or [type(part) for part in stored] != [bytes, bytes, bytes, tuple, tuple, tuple]:
        raise Damaged
    rows_bytes, statuses, buckets, bodies, failing, odd = stored
    columns = (bytearray(statuses), list(bodies), list(failing), bytearray(buckets), list(odd))
    batch = ReportedBatch(array("i"), *columns)
    batch.rows.frombytes(rows_bytes)
    if not batch.is_sound(rows):
        raise Damaged
    return batch


def _bodies(reader: IndexReader, listed: Json) -> StoredBodies:
    columns = []
    for typecode, where in zip(BODY_COLUMNS, _list(listed), strict=True):
        column: array[int] = array(typecode)
        column.frombytes(reader.read(record_of(where)))
        columns.append(column)
    if len({len(column) for column in columns}) != 1:
        raise Damaged
    for column, most in zip(columns, (reader.size, reader.size, _CHECKSUM_MAX), strict=True):
        if max(column, default=0) > most:  # another record, read as numbers
            raise Damaged
    return StoredBodies(reader, columns, pickle.dumps(Unreadable(_LOST)))


def record_of(raw: Json) -> Record:
    """Where a record stands, as the list of an entry says it."""
    return Record(*_numbers(raw))


def _details(raw: Json) -> RowDetails:
    match raw:
        case [int(row), str(name), str(candidate), str(persona), int(run)]:
            return RowDetails(row, name, candidate, persona, run)
        case _:
            raise Damaged


def _numbers(raw: Json) -> list[int]:
    return [number for number in _list(raw) if isinstance(number, int) and number >= 0]


def _list(raw: Json) -> list[Json]:
    if not isinstance(raw, list):
        raise Damaged
    return raw


def _are_findings(given: list[object]) -> TypeGuard[list[tuple[Finding, ...]]]:
    return all(isinstance(some, tuple) and all(isinstance(finding, Finding) for finding in some) for some in given)
