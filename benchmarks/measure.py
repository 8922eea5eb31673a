"""What the measurements share: the clock, the median, the table, and which machine it was."""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path


def seconds(work: Callable[[], object]) -> float:
    """How long one call takes."""
    begun_s = time.perf_counter()
    work()
    return time.perf_counter() - begun_s


def cpu_seconds(work: Callable[[], object]) -> float:
    """How much of the processor one call takes, whatever else the machine does."""
    begun_s = time.process_time()
    work()
    return time.process_time() - begun_s


def process_seconds(*arguments: str) -> float:
    """How long a Python process takes from its start to its end."""
    return seconds(lambda: subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL))


def children_seconds(work: Callable[[], object]) -> float:
    """How much of the processor the processes take that one call starts and waits for."""
    import resource

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    work()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def spread(values: Sequence[float], unit: str = "s") -> str:
    """Median, and the range in brackets."""
    scale, places = (1000, 0) if unit == "ms" else (1, 2)
    middle, low, high = (
        round(value * scale, places) for value in (statistics.median(values), min(values), max(values))
    )
    return f"{middle:.{places}f} {unit} ({low:.{places}f}–{high:.{places}f})"


def table(title: str, rows: Sequence[Sequence[str]]) -> None:
    """Print rows, the first of them the headings, as a Markdown table."""
    print(f"{title}\n{machine()}\n")
    heads, *body = rows
    for row in (heads, ["---"] * len(heads), *body):
        print("| " + " | ".join(row) + " |")
    print()


def machine() -> str:
    """Processor, count, system and Python, on one line."""
    return f"{_processor()}, {os.cpu_count()} cores, {platform.platform()}, Python {platform.python_version()}"


def _processor() -> str:
    try:
        facts = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in facts.splitlines() if line.startswith("model name")]
    return names[0] if names else platform.machine()
