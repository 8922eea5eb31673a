"""What is kept of files: the same comes back, and never for another file, another program or damaged bytes."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec.structs import replace

from tests.models.stories import batches, call, trace, turn
from trace_inspector.core.finding import warning
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.rows.rows import PLAIN_COLUMNS, RowBatch
from trace_inspector.core.trace.criteria import Criteria, Criterion
from trace_inspector.core.values.values import JsonObject
from trace_inspector.core.verdict.contradiction import Contradiction
from trace_inspector.core.verdict.reported import ReportedBatch
from trace_inspector.core.verdict.verdict import CaseVerdict, Status
from trace_inspector.store.index_cache import IndexCache
from trace_inspector.store.index_draft import Draft
from trace_inspector.store.index_entry import Entry
from trace_inspector.store.index_file import IndexReader, IndexWriter

TRACE = trace("a", turn(0, "one “ünd” two?", call("search", q="x"), spans=9), turn(1, "three?"))
ROWS = list(batches(replace(TRACE, title="Ä", candidate="new", persona="novice", case_runs=2), size=5))


CONTENTS = Contents("made", criteria=Criteria((Criterion("m", 0.5, {"n": [None]}),), "here"), holds={"things": 3})


FINDINGS = (warning("odd", "This is odd."), warning("odder", "This, too.", "/a"))


DIGEST = "0" * 64


def no_tick() -> None:
    """Nobody stops."""


def keep(cache: IndexCache, file: Path, rows: list[RowBatch] = ROWS) -> Draft:
    with Draft(cache, file) as draft:
        for batch in rows:
            draft.add(batch)
        draft.add_findings(FINDINGS)
        draft.add_reported(reported())
        draft.keep(CONTENTS, DIGEST)
    return draft


def reported(row: int = 0) -> ReportedBatch:
    """What a file says of its first trace."""
    batch = ReportedBatch()
    odd = Contradiction("scores-pass-but-fail", "The verdict is failed, and none of its parts failed.", 0, "m")
    batch.add(row, CaseVerdict("a", "s", "a", Status.FAILED), [odd])
    return batch


def found(cache: IndexCache, file: Path) -> Entry | None:
    return cache.find(file, no_tick)


def same(one: RowBatch, other: RowBatch) -> bool:
    """Whether two batches have the same columns; NaN is the same as NaN."""
    plain = all(
        bytes(memoryview(getattr(one, name))) == bytes(memoryview(getattr(other, name))) for name in PLAIN_COLUMNS
    )
    texts = list(one.label) == list(other.label) and list(one.place) == list(other.place)
    return plain and texts and one.authors == other.authors and one.details == other.details


def rewritten(file: Path) -> None:
    file.write_text("[]", "utf-8")


def rewritten_with_its_time(file: Path) -> None:
    before = file.stat()
    file.write_text("[]", "utf-8")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def replaced(file: Path) -> None:
    other = file.with_name("other")
    shutil.copy2(file, other)
    other.replace(file)


def longer(file: Path) -> None:
    with file.open("a", encoding="utf-8") as more:
        more.write(" ")


def gone(file: Path) -> None:
    file.unlink()


def a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def forged(cache: IndexCache, file: Path, change: Callable[[RowBatch], None]) -> Entry | None:
    """An entry with sums that are right and rows that are not."""
    (rows,) = batches(trace("a", turn(0, "“one”?", call("search", q="x"))))
    change(rows)
    keep(cache, file, [rows])
    return found(cache, file)


def changes() -> Iterator[Callable[[RowBatch], None]]:
    def put(name: str, value: int) -> Callable[[RowBatch], None]:
        return lambda rows: getattr(rows, name).__setitem__(1, value)

    for name, value in (("kind", 200), ("parent", 1), ("parent", -2), ("body", 9), ("body", -2), ("author", 7)):
        yield put(name, value)
    yield lambda rows: rows.kind.append(0)
    yield lambda rows: rows.label.parts()[1].__setitem__(0, 10**6)
    yield lambda rows: rows.label.parts()[1].__setitem__(0, -1)
    yield lambda rows: rows.label.parts()[1].__setitem__(1, 0)
    yield lambda rows: rows.label.parts()[0].__setitem__(0, 0xFF)
    # The curly quote of the second label is three bytes: the first label ends among them.
    yield lambda rows: rows.label.parts()[1].__setitem__(0, bytes(rows.label.parts()[0]).index("“".encode()) + 1)


def relist(place: Path, change: Callable[[JsonObject], JsonObject]) -> None:
    """Give an entry another list of its records."""
    listed = IndexReader(place).listed
    with place.open("r+b") as out:
        out.seek(0, os.SEEK_END)
        writer = IndexWriter(out)
        writer.size = out.tell()
        writer.finish({**listed, **change(listed)})
