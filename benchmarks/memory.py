"""Peak memory of `inspect` and `evaluate` of a file of 500 MB, of all their processes at one moment.

Wanted: 0.7 times the file for `inspect`, without the pages of the file itself. Needs 500 MB of disk.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.make_big import Big, write
from benchmarks.measure import table
from benchmarks.processes import watch

TURNS = 6_550
KINDS = (("one trace", True), ("a trace for each turn", False))


def main(argv: Sequence[str] | None = None) -> None:
    """Print a row for each command and file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=TURNS)
    turns = parser.parse_args(argv).turns
    rows = [("command", "file", "processor time", "peak memory", "without files", "of the file")]
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "XDG_DATA_HOME": folder}
        for title, deep in KINDS:
            big = Big(turns, deep=deep)
            path = write(big, "jaeger", Path(folder, "big.json"))
            golden = write(big, "golden", Path(folder, "golden.json"))
            size_mb = path.stat().st_size / 1e6
            for command in _commands(path, golden):
                held = watch(command, environment)
                share = held.anonymous_mb * 1.048576 / size_mb
                rows.append(
                    (
                        f"`{command[3]}`",
                        f"{title}, {size_mb:.0f} MB",
                        f"{held.cpu_s:.1f} s",
                        f"{held.peak_mb:.0f} MB",
                        f"{held.anonymous_mb:.0f} MB",
                        f"{share:.2f}",
                    )
                )
    table("one run each", rows)


def _commands(path: Path, golden: Path) -> Iterator[list[str]]:
    program = [sys.executable, "-m", "trace_inspector"]
    yield [*program, "inspect", "--json", str(path)]
    yield [*program, "evaluate", str(path), "--golden", str(golden), "--json"]


if __name__ == "__main__":
    main()
