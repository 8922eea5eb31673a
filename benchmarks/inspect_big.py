"""`inspect` of large files beside `json.loads` of the same bytes, one after the other, on one processor and on all.

Wanted: as long at most on one processor, 0.65 times as long on two; 450 MB for 76 MB, 700 MB for 140 MB.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from statistics import median

from benchmarks.make_big import Big, write
from benchmarks.measure import spread, table
from benchmarks.processes import Used, run

RUNS = 3
FILES = (
    ("Jaeger, one trace of 1,000 turns", Big(), "jaeger"),
    ("Jaeger, 1,000 traces", Big(deep=False), "jaeger"),
    ("OTLP, one trace of 1,000 turns", Big(), "otlp"),
    ("OTLP, 1,000 traces", Big(deep=False), "otlp"),
    ("Jaeger, one trace of 1,835 turns", Big(1_835), "jaeger"),
    ("Jaeger, 1,835 traces", Big(1_835, deep=False), "jaeger"),
)
_LOADS = "import json, pathlib, sys; json.loads(pathlib.Path(sys.argv[1]).read_bytes())"
_ON_ONE = """
import os, runpy, sys
os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:1])
runpy.run_module("trace_inspector", run_name="__main__")
"""


def main() -> None:
    """Print one row a file."""
    rows: list[tuple[str, ...]] = [
        (
            "file",
            "size",
            "`inspect`",
            "on one processor",
            "`json.loads`",
            "times, CPU on one",
            "times, clock",
            "peak memory",
        )
    ]
    with tempfile.TemporaryDirectory() as folder:
        for title, big, kind in FILES:
            path = write(big, kind, Path(folder, "big.json"))
            # Turn and turn about: the machine may be slower for a while.
            rounds = [(_inspected(path), _on_one(path), _loaded(path)) for _ in range(RUNS)]
            rows.append(
                (title, f"{path.stat().st_size / 1e6:.0f} MB", *_figures(*map(list, zip(*rounds, strict=True))))
            )
    table(f"median of {RUNS}", rows)


def _inspected(path: Path) -> Used:
    return run([sys.executable, "-m", "trace_inspector", "inspect", "--json", str(path)])


def _on_one(path: Path) -> Used:
    return run([sys.executable, "-c", _ON_ONE, "inspect", "--json", str(path)])


def _loaded(path: Path) -> Used:
    return run([sys.executable, "-c", _LOADS, str(path)])


def _figures(ours: list[Used], alone: list[Used], plain: list[Used]) -> tuple[str, ...]:
    cpu = median(one.cpu_s for one in alone) / median(one.cpu_s for one in plain)
    clock = median(one.wall_s for one in ours) / median(one.wall_s for one in plain)
    return (
        *(spread([used.wall_s for used in side]) for side in (ours, alone, plain)),
        f"{cpu:.2f}",
        f"{clock:.2f}",
        f"{max(used.peak_mb for used in ours):.0f} MB",
    )


if __name__ == "__main__":
    main()
