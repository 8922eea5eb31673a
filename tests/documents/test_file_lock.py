from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import pytest

from trace_inspector.documents.saving.file_lock import lock


def test_a_second_opening_gets_no_lock_until_the_first_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"readable")
    first, second = os.open(path, os.O_RDWR), os.open(path, os.O_RDWR)
    assert lock(first)
    assert not lock(second)
    assert os.read(second, 20) == b"readable"
    os.close(first)
    assert lock(second)
    os.close(second)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows always has locks")
def test_where_there_are_no_locks_everybody_gets_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    def refuse(_handle: int, _kind: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    handle = os.open(tmp_path, os.O_RDONLY)
    assert lock(handle)
    os.close(handle)
