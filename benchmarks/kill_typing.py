"""Types into real windows, kills them at random moments, and counts what of it the next start does not find.

`python -m benchmarks.kill_typing [ROUNDS [SEED [WINDOWS]]]`, with two processes beside that only use the processor.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from benchmarks.measure import table

ROUNDS, SEED, WINDOWS = 100, 1, 2
BUSY = 2
_APART = 1_000_000  # the seeds of one process from those of the next


@contextmanager
def busy() -> Iterator[None]:
    """A process beside that never rests."""
    process = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        yield
    finally:
        process.kill()
        process.wait()


def campaign(rounds: int, seed: int, windows: int, folder: Path) -> list[dict[str, Any]]:
    """The figures of each process; all of them type at the same time."""
    each = -(-rounds // windows)
    commands = [
        [
            sys.executable,
            "-m",
            "tests.helpers.typing_rounds",
            str(each),
            str(seed + at * _APART),
            str(folder / str(at)),
        ]
        for at in range(windows)
    ]
    with ExitStack() as stack:
        for _process in range(BUSY):
            stack.enter_context(busy())
        running = [stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE)) for command in commands]
        return [json.loads(process.communicate()[0]) for process in running]


def main() -> None:
    """Rounds, a seed, how many windows at a time."""
    given = [int(word) for word in sys.argv[1:4]]
    rounds, seed, windows = (*given, *(ROUNDS, SEED, WINDOWS)[len(given) :])
    begun_s = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        found = campaign(rounds, seed, windows, Path(folder))
    took_s = time.perf_counter() - begun_s

    def together(name: str) -> list[Any]:
        return [each for figures in found for each in figures[name]]

    def count(name: str) -> str:
        return f"{sum(figures[name] for figures in found):,}"

    table(
        f"Windows killed while somebody types, {BUSY} busy processes beside",
        [
            ("what", "how many"),
            ("windows killed", count("rounds")),
            ("keys typed", count("keys")),
            ("rounds at 40–80 keys/s with Ctrl+S between; the others at 10", count("bursts")),
            ("rounds of JSON that is not finished", count("of_json")),
            ("rounds in which the status bar said that all was saved", count("saved")),
            ("keys lost in a round", _spread(together("lost"), 1, "")),
            ("from the key to its field", _spread(together("waits_s"), 1_000, " ms")),
            ("from the key to the journal", _spread(together("lags_s"), 1_000, " ms")),
            ("rounds that lost a key of more than 0.5 s before", str(len(together("late")))),
            ("rounds in which something that was saved or journalled is missing", str(len(together("wrong")))),
            ("all rounds, on the clock", f"{took_s:.0f} s"),
        ],
    )
    for problem in (*together("wrong"), *together("late")):
        print(problem)


def _spread(values: Sequence[float], scale: float, unit: str) -> str:
    """Median, the 99th of 100, and the most."""
    if not values:
        return "–"
    listed = sorted(values)
    figures = (statistics.median(listed), listed[int(len(listed) * 0.99)], listed[-1])
    middle, high, most = (f"{figure * scale:,.0f}{unit}" for figure in figures)
    return f"median {middle}, p99 {high}, at most {most}"


if __name__ == "__main__":
    main()
