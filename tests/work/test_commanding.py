"""The person's own command: what it writes, how it ends, that nothing of it stays."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from trace_inspector.core.errors import UsageError
from trace_inspector.work.processes.jobs import Job, Jobs, JobState
from trace_inspector.work.runs import shell_command as commanding
from trace_inspector.work.runs.shell_command import HELPING_CHARS, LINE_CHARS, Ended, Output, split_command

WAIT_MS = 60_000


@dataclass
class Heard:
    jobs: Jobs
    number: int = 0
    told: list[Output | Ended] = field(default_factory=list)
    ends: list[Job] = field(default_factory=list)

    def start(self, parts: list[str], folder: Path, watched: tuple[str, ...] = ()) -> None:
        self.number = self.jobs.start(
            "command",
            "a command",
            commanding.run_command,
            (tuple(parts), str(folder), watched),
            receive=self.told.append,
            end=self.ends.append,
        )

    @property
    def text(self) -> str:
        return "".join(one.text for one in self.told if isinstance(one, Output))


@pytest.fixture
def heard(qapp: QApplication) -> Iterator[Heard]:
    jobs = Jobs(qapp)
    yield Heard(jobs)
    jobs.stop_all()
    jobs.deleteLater()


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def test_a_line_is_parted_without_a_shell() -> None:
    parts = split_command("adk eval 'my agent' $HOME *.json; rm -rf x | y")
    assert parts == ["adk", "eval", "my agent", "$HOME", "*.json;", "rm", "-rf", "x", "|", "y"]
    for line in ("", "  ", "echo 'never closed"):
        with pytest.raises(UsageError):
            split_command(line)


def test_output_errors_and_the_end_are_told(heard: Heard, tmp_path: Path, qtbot: QtBot) -> None:
    code = "import sys; print('out'); sys.stdout.flush(); print('err', file=sys.stderr); sys.exit(3)"
    heard.start(python(code), tmp_path)
    qtbot.waitUntil(lambda: bool(heard.ends), timeout=WAIT_MS)
    assert heard.text == "out\nerr\n"
    assert heard.told[-1] == Ended(3)


def test_files_that_changed_are_named(heard: Heard, tmp_path: Path, qtbot: QtBot) -> None:
    changed, same, new = (tmp_path / name for name in ("changed.json", "same.json", "new.json"))
    changed.write_text("[]")
    same.write_text("[]")
    heard.start(
        python("open('changed.json', 'a').write(' '); open('new.json', 'w')"),
        tmp_path,
        (str(changed), str(same), str(new)),
    )
    qtbot.waitUntil(lambda: bool(heard.ends), timeout=WAIT_MS)
    assert heard.told == [Ended(0, (str(changed), str(new)))]


def test_control_characters_are_shown_and_long_lines_broken(heard: Heard, tmp_path: Path, qtbot: QtBot) -> None:
    code = r"import os; os.write(1, b'\x1b[31m\xff\r\n' + b'x' * 5000 + '\u2026'.encode())"
    heard.start(python(code), tmp_path)
    qtbot.waitUntil(lambda: bool(heard.ends), timeout=WAIT_MS)
    first, *rest = heard.text.split("\n")
    assert first == "\u241b[31m\ufffd"
    assert [len(line) for line in rest] == [LINE_CHARS, LINE_CHARS, 1001]
    assert rest[-1].endswith("…")


def test_endless_output_is_bounded_and_stops_with_all_it_started(heard: Heard, tmp_path: Path, qtbot: QtBot) -> None:
    inner = shlex.quote(sys.executable)
    code = f"""
import os, subprocess
other = subprocess.Popen([{inner!r}, "-c", "import time; time.sleep(600)"])
open("pids", "w").write(f"{{os.getpid()}} {{other.pid}}")
while True:
    os.write(1, b"y" * 65536)
"""
    heard.start(python(code), tmp_path)
    qtbot.waitUntil(lambda: len(heard.told) > 2, timeout=WAIT_MS)
    assert all(len(one.text) <= 2 * HELPING_CHARS for one in heard.told if isinstance(one, Output))
    assert any(one.left_out for one in heard.told if isinstance(one, Output))
    pids = [int(pid) for pid in (tmp_path / "pids").read_text().split()]
    heard.jobs.stop(heard.number)
    assert heard.ends[-1].state is JobState.STOPPED
    qtbot.waitUntil(lambda: not any(map(_lives, pids)), timeout=WAIT_MS)


@pytest.mark.parametrize("parts", [["/no/such/program"], ["a\0b"]])
def test_what_cannot_be_run_is_a_sentence(heard: Heard, parts: list[str], tmp_path: Path, qtbot: QtBot) -> None:
    heard.start(parts, tmp_path)
    qtbot.waitUntil(lambda: bool(heard.ends), timeout=WAIT_MS)
    assert "cannot be run" in heard.ends[-1].sentence


def test_a_folder_that_is_gone_is_a_sentence(heard: Heard, tmp_path: Path, qtbot: QtBot) -> None:
    heard.start(python("pass"), tmp_path / "gone")
    qtbot.waitUntil(lambda: bool(heard.ends), timeout=WAIT_MS)
    assert "folder is not there" in heard.ends[-1].sentence


def _lives(pid: int) -> bool:
    """Whether it runs; one that only waits to be buried does not."""
    try:
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (ProcessLookupError, FileNotFoundError):
        return False
    return state != "Z"
