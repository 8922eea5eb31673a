"""Processes as they are measured: time on the clock, time of the processor, and memory, also of a whole family."""

from __future__ import annotations

import os
import resource
import subprocess
import tempfile
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
    anonymous_mb: float  # without the pages of files, which the system takes back when it needs them
    cpu_s: float


def watch(command: Sequence[str], environment: Mapping[str, str] | None = None) -> Watched:
    """Run a command to its end, and look at its family's memory again and again."""
    # Into a file, for nobody reads a pipe meanwhile, and a full one would hold the process for ever.
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8") as printed,
        subprocess.Popen(command, stdout=printed, text=True, env=environment) as process,
    ):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        peak = anonymous = 0
        while process.poll() is None:
            held = [_held_kb(pid) for pid in _family(process.pid)]
            peak = max(peak, sum(whole for whole, _own in held))
            anonymous = max(anonymous, sum(own for _whole, own in held))
            time.sleep(_SAMPLED_S)
        printed.seek(0)
        output = printed.read()
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
    return Watched(output, peak / 1024, anonymous / 1024, cpu_s)


def spent(pid: int) -> tuple[float, float]:
    """Processor seconds of a process until now, and its memory in MB without pages of files."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
    held_kb = next(int(line.split()[1]) for line in lines if line.startswith("RssAnon"))
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), held_kb / 1_024


def family_s(pid: int) -> float:
    """Processor seconds until now of a process and all that came from it, whether it runs or was waited for."""
    stats = [_text(Path(f"/proc/{own}/stat")).rpartition(")")[2].split() for own in _family(pid)]
    return sum(sum(map(int, fields[11:15])) for fields in stats if fields) / os.sysconf("SC_CLK_TCK")


def peak_mb(pid: int) -> float:
    """The most memory that a process had until now."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))


def children(pid: int) -> list[int]:
    """The processes that come from one, without itself."""
    return _family(pid)[1:]


def _family(pid: int) -> list[int]:
    found = [pid]
    for known in found:
        for task in Path(f"/proc/{known}/task").glob("*/children"):
            found.extend(int(child) for child in _text(task).split())
    return found


def _held_kb(pid: int) -> tuple[int, int]:
    """Resident memory, and that without files; pages that several processes share are divided among them."""
    sizes = dict(line.split()[:2] for line in _text(Path(f"/proc/{pid}/smaps_rollup")).splitlines()[1:])
    return int(sizes.get("Pss:", 0)), int(sizes.get("Pss_Anon:", 0))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii")
    except OSError:  # the process has just ended
        return ""
