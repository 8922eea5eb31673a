"""Nothing that is read is waited for: a pipe has no end, and procfs makes up files while they are read."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from trace_inspector import regular_file
from trace_inspector.core.errors import ReadError
from trace_inspector.documents.bundles.folders import files_in
from trace_inspector.documents.large.large import large_file
from trace_inspector.documents.packing.packing import first_bytes, spot_of
from trace_inspector.documents.reading.reading import read
from trace_inspector.regular_file import (
    IrregularFileError,
    copy_regular,
    is_regular,
    open_regular,
    opened,
    read_regular,
)

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes by name on this system")
MADE_UP = Path("/proc/self/environ")
needs_procfs = pytest.mark.skipif(not MADE_UP.exists(), reason="no procfs on this system")


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    os.mkfifo(tmp_path / "pipe.json")
    return tmp_path / "pipe.json"


def large(path: Path) -> object:
    with large_file(path, 0) as found:
        return found


def test_a_pipe_is_refused_by_all_that_opens_files(pipe: Path, tmp_path: Path) -> None:
    uses: list[Callable[[], object]] = [
        lambda: open_regular(pipe),
        lambda: open_regular(pipe, os.O_RDWR),
        lambda: open_regular(pipe, os.O_WRONLY | os.O_CREAT | os.O_APPEND),
        lambda: read_regular(pipe),
        lambda: copy_regular(pipe, tmp_path / "copy"),
    ]
    for use in uses:
        with pytest.raises(IrregularFileError):
            use()
    assert not is_regular(pipe)
    assert first_bytes(pipe, 4) == b""
    assert large(pipe) is None


def test_a_file_that_becomes_a_pipe_between_looking_and_opening_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.json"
    os.mkfifo(path)
    monkeypatch.setattr(regular_file, "_refuse_special", lambda *_given: None)
    with pytest.raises(ReadError, match="no regular file"):
        read(path)


@needs_procfs
def test_what_the_system_makes_up_is_refused(tmp_path: Path) -> None:
    (tmp_path / "link.json").symlink_to(MADE_UP)
    for path in (MADE_UP, tmp_path / "link.json"):
        with pytest.raises(ReadError, match="The system makes up this file while it is read"):
            read(path)
        assert not is_regular(path)
        assert large(path) is None
        assert first_bytes(path, 4) == b""


@needs_procfs
def test_an_endless_file_that_says_it_is_empty_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """As /proc/kmsg, which has nothing to read now, and tells the system's messages when it has."""

    def nothing_yet(_handle: int, _size: int, _offset: int) -> bytes:
        raise BlockingIOError

    monkeypatch.setattr(os, "pread", nothing_yet)
    with pytest.raises(ReadError, match="makes up"):
        read(MADE_UP)


def test_an_empty_file_is_empty_and_one_that_is_just_written_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.json"
    path.touch()
    assert read_regular(path) == b""
    real = os.pread

    def written_meanwhile(handle: int, size: int, offset: int) -> bytes:
        path.write_bytes(b"{}")
        return real(handle, size, offset)

    monkeypatch.setattr(os, "pread", written_meanwhile)
    assert read(path).value == {}


def test_what_is_there_keeps_its_bytes_when_it_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"abc")
    with opened(path) as file:
        assert (file.read(1), file.read()) == (b"a", b"bc")
    assert read_regular(path, 2) == b"ab"
    with pytest.raises(IsADirectoryError):
        read_regular(tmp_path)
    with pytest.raises(FileNotFoundError):
        read_regular(tmp_path / "gone")


def test_in_folders_they_are_skipped_and_told(pipe: Path, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{}")
    (tmp_path / "empty.json").touch()
    os.mkfifo(tmp_path / "no name of a document")
    (tmp_path / "gone.json").symlink_to(tmp_path / "nothing here")
    (tmp_path / "folder.json").symlink_to(tmp_path, target_is_directory=True)
    with socket.socket(socket.AF_UNIX) as listening:
        before = Path.cwd()
        os.chdir(tmp_path)  # the names of sockets are short
        try:
            listening.bind("s.json")
        finally:
            os.chdir(before)
        skipped: list[Path] = []
        assert list(files_in(tmp_path, skipped)) == [tmp_path / "a.json", tmp_path / "empty.json"]
    assert skipped == [pipe, tmp_path / "s.json"]


@needs_procfs
def test_in_folders_links_to_made_up_files_are_skipped(tmp_path: Path) -> None:
    (tmp_path / "a.json").symlink_to(MADE_UP)
    (tmp_path / "b").symlink_to(MADE_UP)
    skipped: list[Path] = []
    assert list(files_in(tmp_path, skipped)) == []
    assert skipped == [tmp_path / "a.json"]


def test_a_pipe_in_the_way_to_a_file_is_not_looked_into(pipe: Path) -> None:
    assert spot_of(pipe / "a.json").member == ""
    with pytest.raises(ReadError):
        read(pipe / "a.json")
