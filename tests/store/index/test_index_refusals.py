"""Entries whose sums are right and whose content is not are refused."""

from __future__ import annotations

import struct
import zlib
from array import array
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.store.index.keeping import (
    CONTENTS,
    DIGEST,
    ROWS,
    changes,
    forged,
    found,
    keep,
    relist,
    reported,
)
from trace_inspector.core.rows.rows import RowBatch
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.contradiction import Contradiction
from trace_inspector.core.verdict.reported import ReportedBatch
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.store.index_cache import IndexCache
from trace_inspector.store.index_draft import Draft
from trace_inspector.store.index_file import MAGIC


@pytest.mark.parametrize("change", list(changes()))
def test_rows_that_lead_nowhere_are_refused(
    cache: IndexCache, file: Path, change: Callable[[RowBatch], None]
) -> None:
    assert forged(cache, file, lambda _rows: None) is not None
    assert forged(cache, file, change) is None


@pytest.mark.parametrize(
    "name", ["key", "settled", "digest", "contents", "batches", "findings", "reported", "bodies"]
)
@pytest.mark.parametrize("value", [None, 7, [], [[]], [1, 2], {"a": 1}, "x"])
def test_a_list_of_something_else_is_refused(cache: IndexCache, file: Path, name: str, value: Json) -> None:
    keep(cache, file)
    relist(cache.entry_path(file), lambda _listed: {name: value})
    entry = found(cache, file)
    empty = name in ("findings", "batches", "reported") and value == []
    assert entry is None or empty or (name == "digest" and value == "x")


def test_a_list_nested_without_end_is_refused(cache: IndexCache, file: Path) -> None:
    keep(cache, file)
    place = cache.entry_path(file)
    text = b"[" * 100_000
    footer = struct.pack("<QQI4s", len(MAGIC), len(text), zlib.crc32(text), b"end\n")
    place.write_bytes(MAGIC + text + footer)
    assert found(cache, file) is None
    assert not place.exists()


@pytest.mark.parametrize(
    "change",
    [
        lambda listed: {"findings": [listed["contents"]]},
        lambda listed: {"contents": listed["findings"][0]},
        lambda listed: {"reported": listed["findings"]},
        lambda listed: {"reported": [listed["contents"]]},
        lambda listed: {"findings": listed["reported"]},
        lambda listed: {"bodies": listed["bodies"][:2]},
        lambda listed: {"bodies": [listed["contents"]] * 3},
    ],
)
def test_records_in_each_others_place_are_refused(
    cache: IndexCache, file: Path, change: Callable[[JsonObject], JsonObject]
) -> None:
    keep(cache, file)
    relist(cache.entry_path(file), lambda _listed: {})
    assert found(cache, file) is not None
    relist(cache.entry_path(file), change)
    assert found(cache, file) is None


@pytest.mark.parametrize(
    "batch",
    [
        reported(row=1_000),
        ReportedBatch(array("i", [0]), bytearray([99]), [b"x"], [()], bytearray(1), [()]),
        ReportedBatch(array("i", [0, 1]), bytearray(1), [b"x"], [()], bytearray(1), [()]),
        ReportedBatch(array("i", [-1]), bytearray(1), [b"x"], [()], bytearray(1), [()]),
        ReportedBatch(array("i", [0]), bytearray(1), [b"x"], [()], bytearray([99]), [()]),
        ReportedBatch(array("i", [0]), bytearray(1), [b"x"], [()], bytearray(), [()]),
        ReportedBatch(array("i", [0]), bytearray(1), [b"x"], [()], bytearray(1), []),
        ReportedBatch(array("i", [0]), bytearray(1), [b"x"], [()], bytearray(1), [(Contradiction("", "", "1"),)]),  # type: ignore[arg-type]
        ReportedBatch(array("i", [0]), bytearray(1), [b"x"], [()], bytearray(1), [(Status.FAILED,)]),  # type: ignore[list-item]
    ],
    ids=["row", "status", "count", "below", "bucket", "buckets", "contradictions", "turn", "kind"],
)
def test_reported_verdicts_that_lead_nowhere_are_refused(cache: IndexCache, file: Path, batch: ReportedBatch) -> None:
    with Draft(cache, file) as draft:
        for rows in ROWS:
            draft.add(rows)
        draft.add_reported(batch)
        draft.keep(CONTENTS, DIGEST)
    assert found(cache, file) is None
