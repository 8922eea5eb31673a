from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from trace_inspector.store.open_windows import FOLDER, MOST_PATHS, OpenWindow, take_unclosed_files

ODD = ("/a b.json", "/line\nbreak.json", "/half \udcff.json", "/Käse 🚗.json")


def files(data: Path) -> list[Path]:
    return list((data / FOLDER).iterdir())


def leave(data: Path, *paths: str) -> None:
    """What a window that is killed leaves behind, as a process of its own so that its lock goes with it."""
    program = textwrap.dedent(
        f"""
        import os
        from pathlib import Path
        from trace_inspector.store.open_windows import OpenWindow
        window = OpenWindow(Path({str(data)!r}))
        window.note({paths!r})
        os._exit(9)
        """
    )
    subprocess.run([sys.executable, "-c", program], timeout=240, check=False)


def test_a_window_that_ended_well_leaves_nothing(tmp_path: Path) -> None:
    window = OpenWindow(tmp_path)
    window.note(["/a.json"])
    window.end()
    window.end()
    assert take_unclosed_files(tmp_path) is None
    assert files(tmp_path) == []


def test_what_was_open_at_a_bad_end_is_told_once(tmp_path: Path) -> None:
    leave(tmp_path, *ODD)
    leave(tmp_path, ODD[0], "/other.json")
    told = take_unclosed_files(tmp_path)
    assert told is not None
    assert sorted(told) == sorted((*ODD, "/other.json"))
    assert take_unclosed_files(tmp_path) is None
    assert files(tmp_path) == []


def test_a_window_that_runs_is_let_be(tmp_path: Path) -> None:
    window = OpenWindow(tmp_path)
    window.note(["/a.json"])
    assert take_unclosed_files(tmp_path) is None
    assert len(files(tmp_path)) == 1
    window.end()


def test_the_newest_word_counts(tmp_path: Path) -> None:
    window = OpenWindow(tmp_path)
    window.note(["/a long name.json", "/b.json"])
    window.note(["/c.json"])
    (file,) = files(tmp_path)
    assert file.read_text() == '"/c.json"\n'
    window.note([f"/{number}.json" for number in range(MOST_PATHS + 5)])
    assert len(file.read_text().splitlines()) == MOST_PATHS
    window.end()


@pytest.mark.parametrize(
    ("left", "told"),
    [
        pytest.param(b"", (), id="nothing was open"),
        pytest.param(b'"/a.json"\n"/b.js', ("/a.json",), id="cut off"),
        pytest.param(b'[1]\n{}\n""\nnull\n\xff\n"/a.json"\n', ("/a.json",), id="not what was written"),
    ],
)
def test_a_damaged_file_is_read_as_far_as_it_makes_sense(tmp_path: Path, left: bytes, told: tuple[str, ...]) -> None:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / "x.open").write_bytes(left)
    assert take_unclosed_files(tmp_path) == told


def test_a_disk_that_takes_nothing_is_no_reason_to_fail(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    window = OpenWindow(tmp_path / "data")
    window.note(["/a.json"])
    window.end()
    assert take_unclosed_files(tmp_path / "data") is None
