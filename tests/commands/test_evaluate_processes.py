"""`evaluate --jobs`: one of its processes dies, or the command does; nothing is lost, and nothing is left running."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.commands.test_evaluate_judges import eval_set
from tests.helpers.campaigns import is_long
from trace_inspector.engine.running.interrupts import SIGNALS

LIMIT_S = 150.0
CASES = 80
pytestmark = [
    pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="needs /proc to see a process's children"),
    pytest.mark.timeout(300),
]
Start = Callable[[], tuple[subprocess.Popen[bytes], list[int]]]


def workers_of(process: int) -> list[int]:
    """The processes of the pool."""
    found = []
    with suppress(OSError):  # it ended just now
        for task in Path(f"/proc/{process}/task").iterdir():
            found += [int(one) for one in (task / "children").read_text().split()]
    return [one for one in found if "spawn_main" in command_of(one)]


def command_of(process: int) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_text()
    except OSError:
        return ""


def runs(process: int) -> bool:
    try:
        return ") Z" not in Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False


def until(there: Callable[[], bool]) -> bool:
    deadline_s = time.monotonic() + LIMIT_S
    while not there() and time.monotonic() < deadline_s:
        time.sleep(0.01)
    return there()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """The command and its two processes, which have begun."""
    answers = {f"case {case}": [f"answer {case}-{turn} " * 50 for turn in range(4)] for case in range(CASES)}
    traces, golden = eval_set(tmp_path / "t.json", answers), eval_set(tmp_path / "g.json", answers)
    line = ["evaluate", str(traces), "--golden", str(golden), "--jobs", "2", "--json"]
    started: list[subprocess.Popen[bytes]] = []
    workers: list[int] = []

    def starting() -> tuple[subprocess.Popen[bytes], list[int]]:
        with (tmp_path / "out.json").open("wb") as out:
            process = subprocess.Popen([sys.executable, "-m", "trace_inspector", *line], stdout=out)
        started.append(process)
        assert until(lambda: len(workers_of(process.pid)) == 2)
        workers.extend(workers_of(process.pid))
        return process, workers

    yield starting
    for process in started:
        process.kill()
        process.wait(LIMIT_S)
    for worker in filter(runs, workers):
        os.kill(worker, signal.SIGKILL)


def test_what_a_process_had_in_hand_that_dies_is_judged_by_another_one(start: Start, tmp_path: Path) -> None:
    process, workers = start()
    os.kill(workers[0], signal.SIGKILL)
    assert process.wait(LIMIT_S) == 0
    cases = json.loads((tmp_path / "out.json").read_bytes())["cases"]
    assert [case["status"] for case in cases] == ["PASSED"] * CASES


# The others of SIGNALS are handled by the same lines; each is tried in test_evaluate_killed, too.
@pytest.mark.parametrize("how", [*(SIGNALS[1:] if is_long() else SIGNALS[1:2]), signal.SIGKILL])
def test_the_processes_end_with_the_command(start: Start, how: signal.Signals) -> None:
    process, workers = start()
    process.send_signal(how)
    assert process.wait(LIMIT_S) == (-how if how == signal.SIGKILL else 128 + how)
    assert until(lambda: not any(map(runs, workers)))
