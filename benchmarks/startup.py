"""How long the window takes from the command to its first painted frame, and how much of the processor.

Wanted: the empty window in 0.40 s on a quiet machine. Where other programs run, processor time says more: that of the
window's own process, beside `import pydantic` of the same run.

Each run is a fresh process that runs the command line as the installed command does. The event loop is replaced by
one that ends as soon as the window has been painted, and prints both.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import children_seconds, process_seconds, spread, table
from tests.helpers.screen import screen, why_not

RUNS = 5
LIMIT_S = 60
# Without compiled files, every start would compile the program again.
NOT_OURS = ("DISPLAY", "PYTHONDONTWRITEBYTECODE", "QT_QPA_PLATFORM", "WAYLAND_DISPLAY")


def main() -> None:
    """Bare Python and the window in turn, on a screen of our own and offscreen."""
    _shown_after("offscreen", ["--samples"])  # not counted: it may have to compile the program
    rows = [("start", "time", "processor time")]
    for statement in ("pass", "import pydantic"):
        taken, spent = zip(*(_bare(statement) for _ in range(RUNS)), strict=True)
        rows.append((f"for comparison: python -c “{statement}”", spread(taken, "ms"), spread(spent, "ms")))
    for title, starts in _windows():
        times, spent = zip(*starts, strict=True)
        rows.append((title, spread(times, "ms"), spread(spent, "ms")))
    table(f"From the command to the window painted, median of {RUNS}", rows)


def _bare(statement: str) -> tuple[float, float]:
    """On the clock, and of the processor."""
    taken: list[float] = []
    spent_s = children_seconds(lambda: taken.append(process_seconds("-c", statement)))
    return taken[0], spent_s


def _windows() -> Iterator[tuple[str, list[tuple[float, float]]]]:
    reason = why_not()
    for title, arguments in (("empty window", []), ("window on the samples", ["--samples"])):
        yield f"{title}, offscreen", [_shown_after("offscreen", arguments) for _ in range(RUNS)]
        if not reason:
            with screen() as shown:
                yield f"{title}, on a screen", [_shown_after(shown.display, arguments) for _ in range(RUNS)]


def _shown_after(display: str, arguments: list[str]) -> tuple[float, float]:
    """On the clock, and of the processor."""
    shown_on = {"QT_QPA_PLATFORM": "offscreen"} if display == "offscreen" else {"DISPLAY": display}
    with tempfile.TemporaryDirectory() as folder:
        begun_s = time.time()
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.shown", *arguments],
            env=_environment(folder, shown_on),
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=True,
        )
        at_s, spent_s = map(float, done.stdout.split()[-2:])
        return at_s - begun_s, spent_s


def _environment(folder: str, shown_on: dict[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in NOT_OURS}
    own = {"TRACE_INSPECTOR_DATA": str(Path(folder, "data")), "XDG_CONFIG_HOME": str(Path(folder, "config"))}
    return kept | own | shown_on


if __name__ == "__main__":
    main()
