"""What is kept of files: the same comes back, and never for another file, another program or damaged bytes."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import struct
import time
import zlib
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.models.stories import batches, call, trace, turn
from trace_inspector.core.contents import Contents
from trace_inspector.core.criteria import Criteria, Criterion
from trace_inspector.core.errors import Stopped
from trace_inspector.core.finding import warning
from trace_inspector.core.reported import ReportedBatch
from trace_inspector.core.rows import PLAIN_COLUMNS, RowBatch
from trace_inspector.core.unpacking import Lost, unpack
from trace_inspector.core.values import Json, JsonObject
from trace_inspector.core.verdict import CaseVerdict, Status
from trace_inspector.store import index_cache
from trace_inspector.store.index_cache import Fingerprint, IndexCache, fingerprint_of
from trace_inspector.store.index_draft import Draft
from trace_inspector.store.index_entry import Entry
from trace_inspector.store.index_file import MAGIC, IndexReader, IndexWriter

ROWS = list(batches(trace("a", turn(0, "one “ünd” two?", call("search", q="x"), spans=9), turn(1, "three?")), size=5))
CONTENTS = Contents("made", criteria=Criteria((Criterion("m", 0.5, {"n": [None]}),), "here"), holds={"things": 3})
FINDINGS = (warning("odd", "This is odd."), warning("odder", "This, too.", "/a"))
DIGEST = "0" * 64


def no_tick() -> None:
    """Nobody stops."""


@pytest.fixture
def cache(tmp_path: Path) -> IndexCache:
    return IndexCache(tmp_path / "data" / "index", "1.0")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file that was there for a while, as far as its fingerprint tells."""
    path = tmp_path / "traces.json"
    path.write_text("{}", "utf-8")
    return path


@pytest.fixture(autouse=True)
def _no_clock_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_cache, "_SETTLED_NS", -1_000_000_000)


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
    batch.add(row, CaseVerdict("a", "s", "a", Status.FAILED))
    return batch


def found(cache: IndexCache, file: Path) -> Entry | None:
    return cache.find(file, no_tick)


def same(one: RowBatch, other: RowBatch) -> bool:
    """Whether two batches have the same columns; NaN is the same as NaN."""
    plain = all(
        bytes(memoryview(getattr(one, name))) == bytes(memoryview(getattr(other, name))) for name in PLAIN_COLUMNS
    )
    texts = list(one.label) == list(other.label) and list(one.place) == list(other.place)
    return plain and texts and one.authors == other.authors


def test_what_was_read_comes_back(cache: IndexCache, file: Path) -> None:
    assert keep(cache, file).problem == ""
    entry = found(cache, file)
    assert entry is not None
    assert (entry.contents, entry.digest, list(entry.findings)) == (CONTENTS, DIGEST, [FINDINGS])
    assert list(entry.reported) == [reported()]
    assert len(entry.batches) == len(ROWS) > 2
    assert all(same(kept, read) for kept, read in zip(entry.batches, ROWS, strict=True))
    bodies = [body for batch in ROWS for body in batch.bodies]
    assert list(entry.bodies) == bodies
    assert entry.bodies[-2:] == bodies[-2:]


def test_only_its_owner_may_read_it(cache: IndexCache, file: Path) -> None:
    keep(cache, file)
    assert [stat.S_IMODE(folder.stat().st_mode) for folder in (cache.folder.parent, cache.folder)] == [0o700] * 2
    assert stat.S_IMODE(cache.entry_path(file).stat().st_mode) == 0o600
    assert "traces" not in cache.entry_path(file).name


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


@pytest.mark.parametrize("change", [rewritten, rewritten_with_its_time, replaced, longer, gone, a_folder])
def test_a_changed_file_is_another(cache: IndexCache, file: Path, change: Callable[[Path], None]) -> None:
    keep(cache, file)
    before = fingerprint_of(file)
    change(file)
    assert before is not None
    assert fingerprint_of(file) != before
    assert found(cache, file) is None


def test_a_file_that_changes_while_it_is_read_is_not_kept(cache: IndexCache, file: Path) -> None:
    with Draft(cache, file) as draft:
        draft.add(ROWS[0])
        longer(file)
        draft.keep(CONTENTS, DIGEST)
    assert found(cache, file) is None
    assert list(cache.folder.iterdir()) == []


@pytest.mark.parametrize(("digest", "used"), [(DIGEST, False), ("", True)])
def test_a_file_written_just_before_is_compared_byte_by_byte(
    cache: IndexCache, file: Path, monkeypatch: pytest.MonkeyPatch, digest: str, used: bool
) -> None:
    monkeypatch.setattr(index_cache, "_SETTLED_NS", 10**12)
    with Draft(cache, file) as draft:
        draft.keep(CONTENTS, digest or hashlib.sha256(file.read_bytes()).hexdigest())
    assert (found(cache, file) is not None) is used


def test_a_fingerprint_settles_once_the_clock_of_the_disk_moved_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_cache, "_SETTLED_NS", 2)
    assert Fingerprint(1, 5, 9, 1).settled(12)
    assert not Fingerprint(1, 5, 9, 1).settled(11)
    assert not Fingerprint(1, 9, 5, 1).settled(11)


def test_another_program_reads_the_file_itself(cache: IndexCache, file: Path) -> None:
    keep(cache, file)
    assert found(IndexCache(cache.folder, "1.1"), file) is None
    assert found(cache, file) is not None


def test_a_link_is_the_file_it_leads_to(cache: IndexCache, file: Path, tmp_path: Path) -> None:
    keep(cache, file)
    link = tmp_path / "link.json"
    link.symlink_to(file)
    assert found(cache, link) is not None
    moved = tmp_path / "moved.json"
    os.link(file, moved)
    shutil.copy(cache.entry_path(file), cache.entry_path(moved))
    assert found(cache, moved) is None


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620])
def test_what_others_may_touch_is_thrown_away(cache: IndexCache, file: Path, mode: int) -> None:
    keep(cache, file)
    cache.entry_path(file).chmod(mode)
    assert found(cache, file) is None
    assert not cache.entry_path(file).exists()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.data())
def test_a_damaged_entry_is_thrown_away_or_its_bodies_are_lost(
    cache: IndexCache, file: Path, data: st.DataObject
) -> None:
    keep(cache, file)
    place = cache.entry_path(file)
    whole = place.read_bytes()
    at, flip = data.draw(st.integers(0, len(whole) - 1)), data.draw(st.integers(1, 255))
    place.write_bytes(whole[:at] + bytes([whole[at] ^ flip]) + whole[at + 1 :])
    entry = found(cache, file)
    if entry is None:
        assert not place.exists()
        return
    bodies = [body for batch in ROWS for body in batch.bodies]
    lost = [kept for kept, read in zip(entry.bodies, bodies, strict=True) if kept != read]
    assert len(lost) == 1
    assert isinstance(unpack(lost[0]), Lost)


@given(st.integers(0))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_a_truncated_entry_is_thrown_away(cache: IndexCache, file: Path, length: int) -> None:
    keep(cache, file)
    place = cache.entry_path(file)
    whole = place.read_bytes()
    place.write_bytes(whole[: length % len(whole)])
    assert found(cache, file) is None
    assert not place.exists()


def test_an_entry_in_use_may_be_removed_or_replaced(cache: IndexCache, file: Path) -> None:
    keep(cache, file)
    entry = found(cache, file)
    assert entry is not None
    before = list(entry.bodies)
    keep(cache, file, ROWS[:1])
    assert list(entry.bodies) == before
    cache.clear()
    assert list(entry.bodies) == before
    assert cache.size_bytes() == 0


def test_an_entry_cut_while_in_use_says_so(cache: IndexCache, file: Path) -> None:
    keep(cache, file)
    entry = found(cache, file)
    assert entry is not None
    os.truncate(cache.entry_path(file), 30)
    lost = unpack(entry.bodies[1])
    assert isinstance(lost, Lost)
    assert "Close the file and open it again." in lost.sentence


def test_the_least_recently_used_go_first(cache: IndexCache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [tmp_path / f"{name}.json" for name in "abc"]
    for age_s, file in enumerate(reversed(files)):
        file.write_text("{}", "utf-8")
        keep(cache, file)
        os.utime(cache.entry_path(file), (1000 - age_s, 1000 - age_s))
    assert found(cache, files[0]) is not None  # used now
    size = cache.entry_path(files[0]).stat().st_size
    monkeypatch.setattr(index_cache, "MOST_BYTES", 2 * size)
    assert cache.make_room()
    assert [cache.entry_path(file).exists() for file in files] == [True, False, True]
    assert not cache.make_room(3 * size)


def test_what_nobody_finished_is_swept(cache: IndexCache, file: Path) -> None:
    keep(cache, file)
    old, new = cache.folder / "old.part", cache.folder / "new.part"
    for part in (old, new):
        part.write_bytes(b"x")
    os.utime(old, (time.time() - 7200,) * 2)
    cache.make_room()
    assert [part.exists() for part in (old, new)] == [False, True]


def test_without_room_nothing_is_kept(cache: IndexCache, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_cache, "MOST_BYTES", 1000)
    assert "not enough room" in keep(cache, file).problem
    assert list(cache.folder.iterdir()) == []
    assert found(cache, file) is None


def test_a_folder_that_cannot_be_made_is_a_sentence(file: Path) -> None:
    cache = IndexCache(file / "index", "1.0")
    assert keep(cache, file).problem.endswith(".")
    assert found(cache, file) is None
    assert cache.size_bytes() == 0


def test_small_files_leave_nothing(cache: IndexCache, file: Path) -> None:
    with Draft(cache, file, least_bytes=100) as draft:
        draft.add(ROWS[0])
        draft.keep(CONTENTS, DIGEST)
    assert (draft.problem, cache.folder.exists()) == ("", False)


def test_a_reading_that_failed_leaves_nothing(cache: IndexCache, file: Path) -> None:
    def fail() -> None:
        with Draft(cache, file) as draft:
            draft.add(ROWS[0])
            raise RecursionError

    with pytest.raises(RecursionError):
        fail()
    assert list(cache.folder.iterdir()) == []


def test_looking_up_stops_where_it_is_told(cache: IndexCache, file: Path) -> None:
    keep(cache, file)

    def stop() -> None:
        raise Stopped

    with pytest.raises(Stopped):
        cache.find(file, stop)


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


def relist(place: Path, change: Callable[[JsonObject], JsonObject]) -> None:
    """Give an entry another list of its records."""
    listed = IndexReader(place).listed
    with place.open("r+b") as out:
        out.seek(0, os.SEEK_END)
        writer = IndexWriter(out)
        writer.size = out.tell()
        writer.finish({**listed, **change(listed)})


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
        ReportedBatch(array("i", [0]), bytearray([99]), [b"x"]),
        ReportedBatch(array("i", [0, 1]), bytearray(1), [b"x"]),
        ReportedBatch(array("i", [-1]), bytearray(1), [b"x"]),
    ],
)
def test_reported_verdicts_on_rows_that_are_not_there_are_refused(
    cache: IndexCache, file: Path, batch: ReportedBatch
) -> None:
    with Draft(cache, file) as draft:
        for rows in ROWS:
            draft.add(rows)
        draft.add_reported(batch)
        draft.keep(CONTENTS, DIGEST)
    assert found(cache, file) is None
