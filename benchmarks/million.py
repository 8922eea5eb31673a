"""A run of very many turns, killed on the way and gone on with: time, memory, and what lies on the disk.

`python -m benchmarks.million --turns 50000 200000 1000000 [--kills 0.5] [--on local:2] [--folder DIR]` writes
conversations of one turn as one file of OTLP lines (5.8 KB each), and their goldens as eval sets of 40,000 cases
(4.7 KB each), of which one in eleven expects another call. `evaluate --results --resume` is killed (SIGKILL) each
time that so much of the ledger is written, and given again. At the end verdicts are counted against what was made.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import IO

from msgspec import Struct

from benchmarks.make_big import Big, write, write_golden_parts
from benchmarks.measure import table
from benchmarks.processes import children, spent

CRITERIA = ("tool_trajectory_avg_score", "response_match_score")  # grounding would take most of the time
SPANS, WORDS = 6, 640
CASES_A_SET = 40_000
WRONG_EVERY = 11
LOOK_S = 0.5


class Part(Struct):
    """One command, from its start to its end or to the moment when it was killed. Memory without pages of files."""

    done_before: int = 0
    done: int = 0
    first_s: float = 0.0  # until something is evaluated
    wall_s: float = 0.0
    command_s: float = 0.0  # of the processor
    workers_s: float = 0.0
    planned_s: float = 0.0  # of the command's processor time, until something is evaluated
    command_mb: float = 0.0
    planned_mb: float = 0.0
    worker_mb: float = 0.0
    disk_mb: float = 0.0  # files without a name
    said: str = ""


def main() -> None:
    """Each size with its kills, one row a command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", nargs="+", type=int, default=[50_000, 200_000])
    parser.add_argument("--kills", nargs="*", type=float, default=[0.5])
    parser.add_argument("--on", default="local:2")
    parser.add_argument("--folder", type=Path, help="where some GB may lie, kept afterwards")
    options = parser.parse_args()
    for turns in options.turns:
        folder = options.folder or Path(tempfile.mkdtemp(prefix="million-"))
        try:
            _of_size(turns, options.kills, options.on, folder)
        finally:
            if options.folder is None:
                shutil.rmtree(folder)


def _of_size(turns: int, kills: list[float], engine: str, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    traces, goldens = folder / f"traces-{turns}.jsonl", folder / f"goldens-{turns}"
    big = Big(turns, deep=False, spans_a_turn=SPANS, brief=True, wrong_every=WRONG_EVERY, words=WORDS)
    if not traces.exists():
        write(big, "otlp-lines", traces)
    if not goldens.exists():
        write_golden_parts(big, CASES_A_SET, goldens)
    written_gb = sum(path.stat().st_size for path in (traces, *goldens.iterdir())) / 1e9
    print(f"{turns:,} turns, {written_gb:.1f} GB", flush=True)
    data = Path(tempfile.mkdtemp(dir=folder))
    parts: list[Part] = []
    for nth, share in enumerate([*kills, 1.0]):
        command = [
            *(sys.executable, "-m", "trace_inspector", "evaluate", str(traces)),
            *("--golden", *map(str, sorted(goldens.iterdir()))),
            *("--only", *CRITERIA, "--on", engine, "--results", str(data / f"results-{nth}")),
            *(["--resume"] if nth else []),
        ]
        parts.append(part := _part(command, data, int(turns * share) if share < 1 else sys.maxsize))
        print(part, flush=True)
    results = data / f"results-{len(kills)}"
    table(f"{turns:,} turns, {traces.stat().st_size / 1e6:,.0f} MB, by {engine}", _rows(parts))
    print(f"ledger {_size_mb(data, 'ledger.db*'):,.0f} MB, store {_size_mb(data, 'trace-inspector.db*'):,.0f} MB")
    print(f"results {_size_mb(results, '**/*.parquet'):,.0f} MB")
    _check(big, data, results)
    shutil.rmtree(data)


def _check(big: Big, data: Path, results: Path) -> None:
    """Every case has its verdict, and once: in the ledger, and in the results."""
    import duckdb

    failed = sum(map(big.is_wrong, range(big.turns)))
    expected = [("FAILED", failed), ("PASSED", big.turns - failed)]
    with closing(sqlite3.connect(f"file:{data / 'ledger.db'}?mode=ro", uri=True)) as ledger:
        places = "SELECT count(*), count(DISTINCT verdict), max(position) + 1 FROM place WHERE run ="
        noted = ledger.execute(f"{places} (SELECT max(number) FROM run)").fetchone()
    cases = f"FROM read_parquet('{results}/verdicts/*.parquet') WHERE about = 'case' AND criterion IS NULL"
    with duckdb.connect() as connection:
        counts = connection.execute(f"SELECT status, count(*) {cases} GROUP BY status ORDER BY status").fetchall()
        [(rows, traces)] = connection.execute(f"SELECT count(*), count(DISTINCT trace_id) {cases}").fetchall()
    print(f"noted {noted}, in the results {counts}, {rows} rows of {traces} conversations; expected {expected}")
    assert noted == (big.turns,) * 3
    assert counts == expected
    assert rows == traces == big.turns


def _part(command: list[str], data: Path, until: int) -> Part:
    part = Part(done_before=_noted(data))
    environment = {**os.environ, "TRACE_INSPECTOR_DATA": str(data)}
    workers: dict[int, float] = {}
    with tempfile.TemporaryFile("w+", encoding="utf-8") as said:
        begun_s = time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=said, env=environment)
        while process.poll() is None:
            part.wall_s = time.monotonic() - begun_s
            _look(process.pid, part, workers)
            part.done = _noted(data)
            if part.done > part.done_before and not part.first_s:
                part.first_s, part.planned_s, part.planned_mb = part.wall_s, part.command_s, part.command_mb
            if part.done >= until:
                process.send_signal(signal.SIGKILL)
            time.sleep(LOOK_S)
        part.workers_s = sum(workers.values())
        part.said = _last_line(said)
    assert process.returncode in (0, 1, -signal.SIGKILL), (process.returncode, part.said)
    return part


def _look(pid: int, part: Part, workers: dict[int, float]) -> None:
    with suppress(OSError, ValueError, StopIteration):  # of one that ends just now nothing is told
        part.command_s, held_mb = spent(pid)
        part.command_mb = max(part.command_mb, held_mb)
        part.disk_mb = max(part.disk_mb, _nameless_mb(pid))
    for child in children(pid):
        with suppress(OSError, ValueError, StopIteration):
            workers[child], held_mb = spent(child)
            part.worker_mb = max(part.worker_mb, held_mb)


def _nameless_mb(pid: int) -> float:
    files = list(Path(f"/proc/{pid}/fd").iterdir())
    return sum(file.stat().st_blocks for file in files if str(file.readlink()).endswith("(deleted)")) / 2_000


def _noted(data: Path) -> int:
    """How many verdicts the ledger has."""
    with (
        suppress(sqlite3.Error),
        closing(sqlite3.connect(f"file:{data / 'ledger.db'}?mode=ro", uri=True)) as connection,
    ):
        return int(connection.execute("SELECT coalesce(max(number), 0) FROM verdict").fetchone()[0])
    return 0


def _last_line(said: IO[str]) -> str:
    said.seek(0)
    lines = [line for line in said.read().replace("\r", "\n").splitlines() if "Going on" in line]
    return lines[-1] if lines else ""


def _rows(parts: list[Part]) -> list[tuple[str, ...]]:
    heads = (
        "verdicts",
        "first after",
        "ended after",
        "processor time of the command",
        "until the first",
        "of workers",
    )
    more = ("memory: command", "until the first", "a worker", "files without a name")
    return [
        heads + more,
        *(
            (
                f"{part.done_before:,} to {part.done:,}",
                *(f"{value:,.1f} s" for value in (part.first_s, part.wall_s, part.command_s)),
                *(f"{value:,.1f} s" for value in (part.planned_s, part.workers_s)),
                *(f"{value:,.0f} MB" for value in (part.command_mb, part.planned_mb, part.worker_mb, part.disk_mb)),
            )
            for part in parts
        ),
    ]


def _size_mb(folder: Path, pattern: str) -> float:
    return sum(path.stat().st_size for path in folder.glob(pattern)) / 1e6


if __name__ == "__main__":
    main()
