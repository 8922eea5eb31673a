"""How several processes evaluate a large file of OTLP lines: time, memory, and what a shard costs to schedule.

`python -m benchmarks.scale [FILE GOLDEN] [--turns N] [--rounds N] [--minutes M] [--on ENGINE …]` runs the engines in
turn and prints the median of their ratios. Without a file it makes one of 1 GB, or of N turns of 52 KB. A round that
would take it beyond ten minutes is not begun, and it says how many there were: by the clock they mean something on a
quiet machine only.
`python -m benchmarks.scale --model MS MS MS MS` simulates up to 1,000 workers from measured costs.
"""

from __future__ import annotations

import argparse
import heapq
import os
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from benchmarks.make_big import Big, write
from trace_inspector.engine.running.engines import engine_named
from trace_inspector.engine.running.handshake import identity

_TICKS = os.sysconf("SC_CLK_TCK")
_TASKS = 100
_TURNS = 19_000  # of 52 KB: 1 GB


class Run(Struct):
    """One run: by the clock, processor time, and the most memory of the command and of one worker."""

    wall_s: float
    command_s: float
    workers_s: float
    command_mb: float
    worker_mb: float


class Costs(Struct, frozen=True):
    """What a million turns cost: seconds of a worker and of the coordinator a turn, and of a scheduler a task."""

    outline_s: float
    judge_s: float
    taken_s: float
    task_s: float
    shard_turns: int = 320  # 16 MB of 52 KB each


def run(file: Path, golden: Path, engine: str) -> Run:
    """Evaluate in a process of its own, with a data folder of its own, and watch it."""
    line = ["-m", "trace_inspector", "evaluate", str(file), "--golden", str(golden), "--on", engine]
    with tempfile.TemporaryDirectory() as data:
        start_s = time.monotonic()
        environment = {**os.environ, "TRACE_INSPECTOR_DATA": data}
        with subprocess.Popen([sys.executable, *line], stdout=subprocess.DEVNULL, env=environment) as process:
            seen: dict[int, tuple[float, float]] = {}
            while process.poll() is None:
                for number in _tree(process.pid):
                    with suppress(OSError, IndexError, ValueError):
                        seen[number] = _watched(number)
                time.sleep(0.1)
        wall_s = time.monotonic() - start_s
    assert process.returncode in (0, 1), process.returncode
    own = seen.pop(process.pid)
    workers = list(seen.values()) or [(0.0, 0.0)]
    return Run(wall_s, own[0], sum(cpu for cpu, _mb in workers), own[1], max(mb for _cpu, mb in workers))


def _tree(process: int) -> list[int]:
    found = [process]
    with suppress(OSError):
        for task in Path(f"/proc/{process}/task").iterdir():
            for child in map(int, (task / "children").read_text().split()):
                found += _tree(child)
    return found


def _watched(process: int) -> tuple[float, float]:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    status = Path(f"/proc/{process}/status").read_text()
    peak_kb = int(status.split("VmHWM:")[1].split()[0])
    return (int(fields[11]) + int(fields[12])) / _TICKS, peak_kb / 1_000


def task_ms(engine_name: str) -> float:
    """What an empty task costs, with as many at once as a run has."""
    with engine_named(engine_name) as engine:
        assert engine is not None
        list(engine.each(_nothing, range(10)))
        start_s = time.monotonic()
        list(engine.each(_nothing, range(_TASKS)))
        return (time.monotonic() - start_s) / _TASKS * 1e3


def _nothing(_number: int) -> object:
    return identity()


def simulated_s(costs: Costs, workers: int, turns: int = 1_000_000) -> tuple[float, float, float]:
    """Seconds until all shards are judged and taken, and how busy meanwhile the coordinator and the scheduler are.

    A scheduler gives one task after the other, the coordinator takes one result after the other, and has no more than
    2 × workers + 1 shards at the engine at once.
    """
    shards, window = turns // costs.shard_turns, 2 * workers + 1
    free = [0.0] * workers
    given_s = taken_s = 0.0
    taken: list[float] = []
    for index in range(shards):
        room_s = taken[index - window] if index >= window else 0.0
        given_s = max(given_s, room_s) + costs.task_s
        start_s = max(heapq.heappop(free), given_s)
        done_s = start_s + costs.judge_s * costs.shard_turns
        heapq.heappush(free, done_s)
        taken_s = max(taken_s, done_s) + costs.taken_s * costs.shard_turns
        taken.append(taken_s)
    outlined_s = max(turns * costs.outline_s / workers, shards * costs.task_s)
    return outlined_s + taken_s, turns * costs.taken_s / taken_s, shards * costs.task_s / taken_s


def _made(folder: Path, turns: int) -> tuple[Path, Path]:
    """A file of 52 KB a turn, and its goldens."""
    big = Big(turns, deep=False)
    return write(big, "otlp-lines", folder / "traces.jsonl"), write(big, "golden", folder / "goldens.json")


def _rounds(file: Path, golden: Path, engines: list[str], most: int, ends_s: float) -> dict[str, list[Run]]:
    """Each engine in turn, as often as there is time for, but once."""
    rounds: dict[str, list[Run]] = {name: [] for name in engines}
    for nth in range(most):
        begun_s = time.monotonic()
        for name in engines:
            rounds[name].append(done := run(file, golden, name))
            print(f"{name}: {done}", flush=True)
        now_s = time.monotonic()
        if now_s + (now_s - begun_s) > ends_s:
            print(f"{nth + 1} of {most} rounds: there is no time for more")
            break
    return rounds


def main() -> None:
    """Measure, or simulate."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--turns", type=int, default=_TURNS)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--on", nargs="+", default=["local:1", "local:2"])
    parser.add_argument("--model", nargs=4, type=float, metavar="MS", help="outline, judge, taken (a turn), a task")
    options = parser.parse_args()
    if options.model:
        costs = Costs(*(value / 1e3 for value in options.model))
        for workers in (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_000):
            seconds, coordinator, scheduler = simulated_s(costs, workers)
            print(f"{workers:5} workers: {seconds:9,.0f} s, coordinator {coordinator:.0%}, scheduler {scheduler:.0%}")
        return
    ends_s = time.monotonic() + options.minutes * 60
    with tempfile.TemporaryDirectory() as folder:
        file, golden = options.files or _made(Path(folder), options.turns)
        rounds = _rounds(file, golden, options.on, options.rounds, ends_s)
    first = rounds[options.on[0]]
    for name in options.on[1:]:
        ratios = [one.wall_s / other.wall_s for one, other in zip(first, rounds[name], strict=True)]
        told = ", ".join(f"{ratio:.2f}" for ratio in ratios)
        print(f"{name}: {statistics.median(ratios):.2f} times as fast as {options.on[0]}, median of {told}")
    for name in options.on:
        if name != "local:1":
            print(f"an empty task of {name}: {task_ms(name):.1f} ms")


if __name__ == "__main__":
    main()
