"""`inspect` of large files beside `json.loads` of the same bytes, each in a process of its own, one after the other.

Wanted: at most 2.5 times as long; 450 MB for 76 MB, 700 MB for 140 MB.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

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


def main() -> None:
    """Print one row a file."""
    rows: list[tuple[str, ...]] = [
        ("file", "size", "`inspect`", "`json.loads`", "CPU: `inspect`, `json.loads`, times", "peak memory")
    ]
    with tempfile.TemporaryDirectory() as folder:
        for title, big, kind in FILES:
            path = write(big, kind, Path(folder, "big.json"))
            # Turn and turn about: the machine may be slower for a while.
            pairs = [(_inspected(path), run([sys.executable, "-c", _LOADS, str(path)])) for _ in range(RUNS)]
            rows.append((title, f"{path.stat().st_size / 1e6:.0f} MB", *_figures(pairs)))
    table(f"median of {RUNS}", rows)


def _inspected(path: Path) -> Used:
    return run([sys.executable, "-m", "trace_inspector", "inspect", "--json", str(path)])


def _figures(pairs: list[tuple[Used, Used]]) -> tuple[str, ...]:
    ours, plain = (sorted(one.cpu_s for one in side)[RUNS // 2] for side in zip(*pairs, strict=True))
    return (
        spread([inspected.wall_s for inspected, _loads in pairs]),
        spread([loads.wall_s for _inspected, loads in pairs]),
        f"{ours:.2f} s, {plain:.2f} s, {ours / plain:.1f}",
        f"{max(inspected.peak_mb for inspected, _loads in pairs):.0f} MB",
    )


if __name__ == "__main__":
    main()
