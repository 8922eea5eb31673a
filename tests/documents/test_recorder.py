"""Recordings: a line is on the disk when it is told, and many share one sync."""

from __future__ import annotations

import os
import stat
import sys
import threading
from pathlib import Path

import pytest

from trace_inspector.core.errors import SaveError
from trace_inspector.documents.recording.recorder import Recorder
from trace_inspector.documents.recording.recordings import new_name, parts, recordings_in


def test_nothing_is_told_before_it_is_synced_and_what_waits_shares_the_next_sync(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder = Recorder(tmp_path / "r.otlp.jsonl")
    is_syncing, may_sync = threading.Event(), threading.Event()
    sizes: list[int] = []
    sync = os.fsync

    def waiting(handle: int) -> None:
        sizes.append(os.fstat(handle).st_size)
        is_syncing.set()
        assert may_sync.wait(20)
        sync(handle)

    monkeypatch.setattr(os, "fsync", waiting)
    first = recorder.append(b"0")
    assert is_syncing.wait(20)
    others = [recorder.append(b"%d" % number) for number in range(1, 100)]
    assert not any(written.done() for written in (first, *others))
    may_sync.set()
    for written in (first, *others):
        written.result(20)
    recorder.close()
    assert len(sizes) == 2
    assert (tmp_path / "r.otlp.jsonl").read_text().split() == [str(number) for number in range(100)]


def test_a_recording_goes_on_in_its_next_part_and_lines_stay_whole(tmp_path: Path) -> None:
    file = tmp_path / "a.b.jsonl"
    recorder = Recorder(file, most_bytes=10)
    for line in (b"12345", b"1234", b"1", b"123456789012345", b"2"):
        recorder.append(line).result(20)
    recorder.close()
    assert [path.name for path in parts(file)] == [
        "a.b.jsonl",
        "a-part2.b.jsonl",
        "a-part3.b.jsonl",
        "a-part4.b.jsonl",
    ]
    assert [path.read_bytes() for path in parts(file)] == [b"12345\n", b"1234\n1\n", b"123456789012345\n", b"2\n"]


@pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")
def test_a_recording_is_for_its_owner_alone_and_an_empty_one_goes(tmp_path: Path) -> None:
    file = new_name(tmp_path)
    recorder = Recorder(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with pytest.raises(FileExistsError):
        Recorder(file)
    recorder.close()
    assert not file.exists()
    with pytest.raises(SaveError):
        recorder.append(b"1").result(20)


def test_recordings_are_listed_the_newest_first(tmp_path: Path) -> None:
    assert recordings_in(tmp_path / "none") == []
    for number, name in enumerate(("b.otlp.jsonl", "a.otlp.jsonl", "other.jsonl")):
        (tmp_path / name).write_text("x" * number)
        os.utime(tmp_path / name, (number, number))
    listed = [(file.path.name, file.size_bytes, file.changed_s) for file in recordings_in(tmp_path)]
    assert listed == [("a.otlp.jsonl", 1, 1.0), ("b.otlp.jsonl", 0, 0.0)]
