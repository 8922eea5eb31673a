"""Kills the process that edits goldens a thousand times at random moments, and counts what is missing afterwards."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time

from benchmarks.measure import table

ROUNDS = 1_000


def main() -> None:
    """All rounds in one process that forks another for each."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tests.helpers.kill_rounds", str(ROUNDS), "1000", folder]
        begun_s = time.perf_counter()
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        took_s = time.perf_counter() - begun_s
    figures = json.loads(done.stdout)
    table(
        f"Edits and saves killed at {figures['rounds']:,} random moments",
        [
            ("what", "how many"),
            ("edits, undos and saves that were answered before", f"{figures['acknowledged']:,}"),
            ("rounds killed while a save was on its way", f"{figures['in_a_save']:,}"),
            ("rounds with edits to recover", f"{figures['offered']:,}"),
            ("rounds in which an edit was missing, too many, or half written", f"{figures['wrong']:,}"),
            ("all rounds, on the clock", f"{took_s:.0f} s"),
        ],
    )


if __name__ == "__main__":
    main()
