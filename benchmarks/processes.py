"""Processes as they are measured: time on the clock, time of the processor, and memory, also of a whole family."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

_SAMPLED_S = 0.05


class Used(Struct, frozen=True):
    """What one process took from its start to its end."""

    wall_s: float
    cpu_s: float
    peak_mb: float


def run(command: Sequence[str], environment: Mapping[str, str] | None = None) -> Used:
    """Run a command to its end, its output thrown away."""
    begun_s = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
    _pid, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return Used(time.perf_counter() - begun_s, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


class Watched(Struct, frozen=True):
    """What a process printed, and the most memory that it and its children held at one moment."""

    output: str
    peak_mb: float


def watch(command: Sequence[str], environment: Mapping[str, str] | None = None) -> Watched:
    """Run a command to its end, and look at its family's memory again and again."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        peak = 0
        while process.poll() is None:
            peak = max(peak, sum(_held_kb(pid) for pid in _family(process.pid)))
            time.sleep(_SAMPLED_S)
        assert process.stdout is not None
        output = process.stdout.read()
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return Watched(output, peak / 1024)


def _family(pid: int) -> list[int]:
    found = [pid]
    for known in found:
        for task in Path(f"/proc/{known}/task").glob("*/children"):
            found.extend(int(child) for child in _text(task).split())
    return found


def _held_kb(pid: int) -> int:
    """Resident memory; pages that several processes share are divided among them."""
    for line in _text(Path(f"/proc/{pid}/smaps_rollup")).splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1])
    return 0


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii")
    except OSError:  # the process has just ended
        return ""
