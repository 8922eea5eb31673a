from __future__ import annotations

import os
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from trace_inspector.documents.reading.reading import parse
from trace_inspector.documents.saving import journal
from trace_inspector.documents.saving.journal import JournalWriter
from trace_inspector.work.processes.syncing import Syncer

DOCUMENT = parse(b"{}", Path("/x.json"))


@pytest.fixture
def writer(tmp_path: Path) -> JournalWriter:
    return journal.begin(tmp_path / "journals", DOCUMENT)


def test_what_is_written_reaches_the_disk_off_the_callers_thread(
    writer: JournalWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[str] = []
    folders: list[bool] = []
    done = threading.Event()
    real = os.fsync

    def fsync(handle: int) -> None:
        real(handle)
        synced.append(threading.current_thread().name)
        folders.append(stat.S_ISDIR(os.fstat(handle).st_mode))
        done.set()

    monkeypatch.setattr(os, "fsync", fsync)
    syncer = Syncer(pytest.fail)
    syncer.start()
    syncer.soon(writer)
    assert done.wait(10)
    done.clear()
    syncer.soon(writer)
    assert done.wait(10)
    syncer.stop()
    assert set(synced) == {"journal syncer"}
    assert folders[:2] == [False, True]  # a new file's name must last, too
    assert True not in folders[2:]
    writer.remove()


def _noting(synced: list[JournalWriter]) -> Callable[[JournalWriter], None]:
    """Stands in for a method, which a bound one cannot."""

    def note(writer: JournalWriter) -> None:
        synced.append(writer)

    return note


def test_stopping_syncs_what_is_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writers = [journal.begin(tmp_path / "journals", DOCUMENT) for _ in range(3)]
    synced: list[JournalWriter] = []
    monkeypatch.setattr(JournalWriter, "sync", _noting(synced))
    syncer = Syncer(pytest.fail)
    for writer in [*writers, *writers]:
        syncer.soon(writer)
    syncer.start()
    syncer.stop()
    assert synced == writers
    for writer in writers:
        writer.close()


def test_a_disk_that_refuses_is_told_and_the_next_journal_still_synced(
    writer: JournalWriter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    other = journal.begin(tmp_path / "journals", DOCUMENT)
    calls: list[int] = []

    def fsync(handle: int) -> None:
        calls.append(handle)
        if len(calls) == 1:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fsync)
    syncer = Syncer(told.append)
    syncer.soon(writer)
    syncer.soon(other)
    syncer.start()
    syncer.stop()
    assert len(calls) >= 2
    (sentence,) = told
    assert str(writer.path) in sentence
    assert "No space left on device" in sentence
    writer.close()
    other.close()


def test_a_journal_closed_meanwhile_is_no_failure(writer: JournalWriter) -> None:
    failures: list[str] = []
    syncer = Syncer(failures.append)
    syncer.soon(writer)
    writer.remove()
    syncer.start()
    syncer.stop()
    assert failures == []
