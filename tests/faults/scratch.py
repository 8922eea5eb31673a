"""A copy of the project in which one module at a time is changed, and runs of its tests."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from msgspec import Struct

from tests.faults.drawing import Fault
from tests.faults.sites import changed
from tests.faults.witness import VARIABLE, WRONG_CODE

GOOD = (0, 5)  # all passed; none was there to run
WRONG_USE = 4  # also said where a conftest.py cannot be imported
IGNORED = shutil.ignore_patterns(
    ".git", ".venv*", ".*_cache", ".hypothesis", "__pycache__", "build", "dist", "*.egg-info"
)
# Settings of a whole run are not for these: the short form, and nothing is demanded of the machine.
DROPPED = ("CI", "TRACE_INSPECTOR_LONG", "PYTEST_ADDOPTS", "PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX")


class WrongCode(Exception):
    """The tests would have tested the package of another place."""


class Stopped(Exception):
    """Nothing more is wanted."""


class Ran(Struct, frozen=True):
    """What a run of tests came to."""

    noticed: bool = False
    finished: bool = True
    by: str = ""  # the test, or the file that could not be collected
    why: str = ""


PASSED = Ran()
UNFINISHED = Ran(finished=False)


class Scratch:
    """The copy. Its folder is made by whoever asks for it, who also removes it. `part` is as in `pytest --part`."""

    def __init__(self, project: Path, folder: Path, part: str = "all") -> None:
        self.folder = folder
        self._part = part
        self.project = folder / "project"
        shutil.copytree(project, self.project, ignore=IGNORED, symlinks=True)
        self._running: subprocess.Popen[bytes] | None = None
        self._is_stopped = False

    def stop(self) -> None:
        """End a run that another thread waits for; there it raises `Stopped`, as does every further one."""
        self._is_stopped = True
        if self._running is not None:
            _end_group(self._running)

    def _heed_stop(self) -> None:
        if self._is_stopped:
            raise Stopped

    @contextmanager
    def fault(self, fault: Fault) -> Iterator[None]:
        """While this holds the module has the fault."""
        file = self.project / fault.path
        before = file.read_bytes()
        self._write(file, changed(before.decode(), fault.index).encode())
        try:
            yield
        finally:
            self._write(file, before)

    def _write(self, file: Path, data: bytes) -> None:
        """The compiled form would be taken for that of a text of the same length and second."""
        Path(importlib.util.cache_from_source(str(file))).unlink(missing_ok=True)
        file.write_bytes(data)

    def run(self, tests: Sequence[str], limit_s: float, without: Sequence[str] = ()) -> Ran:
        """Run tests until one fails or the time is over."""
        self._heed_stop()
        words = self.folder / "witness.jsonl"
        words.unlink(missing_ok=True)
        temporary = self.folder / "t"
        temporary.mkdir()
        line = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "tests.faults.witness"]
        line += [f"--basetemp={temporary / 'b'}", *(f"--deselect={name}" for name in without), *tests]
        if self._part != "all":
            line.append(f"--part={self._part}")
        try:
            status = self._status(line, temporary, words, limit_s)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
        self._heed_stop()
        return _judged(status, _read(words))

    def _status(self, line: Sequence[str], temporary: Path, words: Path, limit_s: float) -> int | None:
        """The exit status; None when the time was over. Whatever was started with it ends with it."""
        environment = {name: value for name, value in os.environ.items() if name not in DROPPED}
        environment |= {"PYTHONPATH": str(self.project), "TMPDIR": str(temporary), VARIABLE: str(words)}
        environment.setdefault("QT_QPA_PLATFORM", "offscreen")
        with (self.folder / "output.txt").open("wb") as output:
            process = subprocess.Popen(
                line, cwd=self.project, env=environment, stdin=subprocess.DEVNULL, stdout=output,
                stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip
            self._running = process
            try:
                return process.wait(limit_s)
            except subprocess.TimeoutExpired:
                return None
            finally:
                self._running = None
                _end_group(process)


def _end_group(process: subprocess.Popen[bytes]) -> None:
    if sys.platform != "win32":
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


def _read(words: Path) -> list[dict[str, str]]:
    if not words.exists():
        return []
    return [json.loads(line) for line in words.read_text(encoding="utf-8").splitlines()]


def _judged(status: int | None, words: Sequence[dict[str, str]]) -> Ran:
    if status == WRONG_CODE:
        raise WrongCode
    if status in GOOD:
        return PASSED
    failed = [one for one in words if "failed" in one]
    started = [one["started"] for one in words if "started" in one]
    if failed:
        return Ran(noticed=True, by=failed[-1]["failed"], why=failed[-1]["why"])
    if status is None:
        return UNFINISHED if started else Ran(noticed=True, why="no test had begun when the time was over")
    if started:
        return Ran(noticed=True, by=started[-1], why=f"the run ended in it with status {status}")
    return Ran(noticed=True, why="a conftest.py cannot be imported" if status == WRONG_USE else f"status {status}")
