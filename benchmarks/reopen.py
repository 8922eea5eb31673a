"""Opens the 76-MB Jaeger file in a real window for the first time and again, and how long the window was held.

Each opening is a fresh process; the second and later ones find the index that the first left.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from benchmarks.make_big import Big, write
from benchmarks.measure import seconds, spread, table
from benchmarks.open_big import Opened, fresh_process

RUNS = 5


def main() -> None:
    """One trace of 1,000 turns, then 1,000 traces."""
    for title, big in (("one trace of 1,000 turns", Big()), ("1,000 traces", Big(deep=False))):
        with tempfile.TemporaryDirectory() as folder:
            path = write(big, "jaeger", Path(folder, "big.json"))
            first = fresh_process(path, folder)
            again = [fresh_process(path, folder) for _ in range(RUNS)]
            plain_s = seconds(partial(json.loads, path.read_bytes()))
        _show(f"{first.rows:,} rows, {title}; json.loads of the file alone: {plain_s:.2f} s", first, again)


def _show(title: str, first: Opened, again: list[Opened]) -> None:
    if {run.rows for run in again} != {first.rows}:
        raise SystemExit("What was reopened is not what was read.")
    rows: list[Sequence[str]] = [("what", "first opening", f"reopening: median of {RUNS}")]
    for words, name, unit in (
        ("first rows in the tree", "first_rows_s", "s"),
        ("complete tree", "complete_s", "s"),
        ("longest the window was held", "worst_gap_s", "ms"),
    ):
        rows.append((words, *(spread([getattr(run, name) for run in runs], unit) for runs in ([first], again))))
    rows.append(
        (
            "times it was held over 100 ms",
            str(first.gaps_over_100_ms),
            str(max(run.gaps_over_100_ms for run in again)),
        )
    )
    table(title, rows)


if __name__ == "__main__":
    main()
