"""What is kept of files: the same comes back, and never for another file, another program or damaged bytes."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.store.index.keeping import (
    CONTENTS,
    DIGEST,
    FINDINGS,
    ROWS,
    a_folder,
    found,
    gone,
    keep,
    longer,
    replaced,
    reported,
    rewritten,
    rewritten_with_its_time,
    same,
)
from trace_inspector.core.errors import Stopped
from trace_inspector.core.rows.safe_unpickle import Unreadable, unpack
from trace_inspector.store import index_cache
from trace_inspector.store.index_cache import Fingerprint, IndexCache, fingerprint_of
from trace_inspector.store.index_draft import Draft


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
    assert found(IndexCache(cache.folder, lambda: "1.1"), file) is None
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
    assert isinstance(lost, Unreadable)
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
    cache = IndexCache(file / "index", lambda: "1.0")
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
