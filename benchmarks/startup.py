"""How long the window takes from the command to its first painted frame.

Each run is a fresh process that runs the command line as the installed command does. The event loop is replaced by
one that ends as soon as the window has been painted, and prints the time.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import process_seconds, spread, table
from tests.helpers.screen import screen, why_not

RUNS = 5
LIMIT_S = 60
# Without compiled files, every start would compile the program again.
NOT_OURS = ("DISPLAY", "PYTHONDONTWRITEBYTECODE", "QT_QPA_PLATFORM", "WAYLAND_DISPLAY")


def main() -> None:
    """Bare Python and the window in turn, on a screen of our own and offscreen."""
    _shown_after("offscreen", ["--samples"])  # not counted: it may have to compile the program
    rows = [("start", "time"), ("bare Python: python -c pass", spread(_bare(), "ms"))]
    rows += [(title, spread(values, "ms")) for title, values in _windows()]
    table(f"From the command to the window painted, median of {RUNS}", rows)


def _bare() -> list[float]:
    return [process_seconds("-c", "pass") for _ in range(RUNS)]


def _windows() -> Iterator[tuple[str, list[float]]]:
    reason = why_not()
    for title, arguments in (("empty window", []), ("window on the samples", ["--samples"])):
        yield f"{title}, offscreen", [_shown_after("offscreen", arguments) for _ in range(RUNS)]
        if not reason:
            with screen() as shown:
                yield f"{title}, on a screen", [_shown_after(shown.display, arguments) for _ in range(RUNS)]


def _shown_after(display: str, arguments: list[str]) -> float:
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
        return float(done.stdout.split()[-1]) - begun_s


def _environment(folder: str, shown_on: dict[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in NOT_OURS}
    own = {"TRACE_INSPECTOR_DATA": str(Path(folder, "data")), "XDG_CONFIG_HOME": str(Path(folder, "config"))}
    return kept | own | shown_on


if __name__ == "__main__":
    main()
