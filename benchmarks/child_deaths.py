"""Ends children of a real window at random while a job runs and an edit is unsaved: does it close, is the edit there?

`python -m benchmarks.child_deaths [ROUNDS [SEED]]`; needs Xvfb and xdotool.
"""

from __future__ import annotations

import json
import random
import statistics
import subprocess
import sys
import tempfile

from benchmarks.measure import table
from tests.helpers.screen import why_not

ROUNDS = 200
LIMIT_S = 2


def main() -> None:
    """All rounds with one data folder: each start offers what the round before left behind."""
    missing = why_not()
    if missing:
        print(f"No real window can be tried here: {missing}")
        return
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(1_000_000)
    print(f"Seed {seed}")
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tests.helpers.death_rounds", str(rounds), str(seed), folder]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    figures = json.loads(done.stdout)
    close_s = sorted(figures["close_s"])
    table(
        f"A window whose children died {figures['rounds']:,} times at random, closed after that",
        [
            ("what", "how many"),
            ("closed with Ctrl+Q", f"{figures['closed_by_key']:,}"),
            ("ended by a signal to its whole process group", f"{figures['closed_by_signal']:,}"),
            (
                "until the last process was gone, median and longest",
                f"{statistics.median(close_s)} s, {close_s[-1]} s",
            ),
            (f"later than {LIMIT_S} s", f"{figures['late']:,}"),
            ("the edit was offered at the next start", f"{figures['offered']:,}"),
            ("something was left running, said, missing or wrong", f"{len(figures['wrong']):,}"),
        ],
    )


if __name__ == "__main__":
    main()
