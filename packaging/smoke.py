"""Starts the built program, or another one, without a window and in one, and presses its keys; 0 when all worked."""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # the helpers of the tests, when this file is run as a script

from tests.helpers.screen import program, screen, wait_until, why_not  # noqa: E402

BUILT = ROOT / "dist" / "trace-inspector" / "trace-inspector"
LIMIT_S = 60


def main() -> int:
    """Everything in a folder that is thrown away afterwards."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", nargs="?", type=Path, default=BUILT, help="the command; the built program if none")
    parser.add_argument("--extra", default="", help="an extra that has to be in it")
    given = parser.parse_args()
    started = given.program
    if not started.is_file():
        print("There is no built program. Build it first: python packaging/build.py")
        return 2
    with tempfile.TemporaryDirectory(prefix="trace-inspector-smoke-") as folder:
        check_commands(started, Path(folder), given.extra)
        reason = why_not()
        if reason:
            print(f"The window was not tried: {reason}")
            return 2
        check_window(started, Path(folder))
    print("The program runs: commands, window, keys, and nothing left running.")
    return 0


def check_commands(started: Path, folder: Path, extra: str) -> None:
    """The formats it knows, the verdicts of the samples it brought along, and what is installed with it."""
    kept = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    environment = {**kept, "TRACE_INSPECTOR_DATA": str(folder / "data"), "PYTHONPATH": ""}
    environment.pop("QT_QPA_PLATFORM", None)
    wanted = rf"extra {extra} +installed" if extra else "PySide6"
    for arguments, expected in ((["formats"], "adk-eval-set"), (["--samples"], "FAILED"), (["doctor"], wanted)):
        done = subprocess.run(
            [started, *arguments],
            env=environment,
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )
        if done.returncode or not re.search(expected, done.stdout):
            sys.exit(f"{arguments[0]} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}")


def check_window(started: Path, folder: Path) -> None:
    """On the samples: find the window by its title, evaluate, save a report, walk to what failed, quit."""
    report = folder / "report.json"
    with screen() as shown, program([str(started), "--samples"], shown, folder) as running:
        window = running.wait_for_window("Trace Inspector")
        shown.focus(window)
        running.evaluate_and_save(window, report)
        shown.press("F8")
        if not wait_until(lambda: shown.title(window).startswith("run-"), 10):
            sys.exit(f"F8 went nowhere: {shown.title(window)}")
        shown.press("ctrl+q")
        status = running.end()
        if status or running.left():
            sys.exit(f"It ended with {status} and left {running.left()} behind:\n{running.said()}")


if __name__ == "__main__":
    sys.exit(main())
