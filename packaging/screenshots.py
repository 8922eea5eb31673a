"""Takes the pictures of the README and the tour; with --all FOLDER those of every view in every state.

Without a display they are taken offscreen. Under xvfb-run, with QT_QPA_PLATFORM=xcb, the letters are those of a
real window.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # the helpers of the tests, when this file is run as a script

IMAGES = ROOT / "docs" / "images"


def main() -> None:
    """What was asked for on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", metavar="FOLDER", type=Path, help="every view in every state, theme, size and scale")
    parser.add_argument("--size", metavar="WxH", help=argparse.SUPPRESS)  # a child takes one size at one scale
    given = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory(prefix="trace-inspector-pictures-") as folder:
        os.environ["TRACE_INSPECTOR_DATA"] = folder
        take(given, Path(folder))


def take(given: argparse.Namespace, folder: Path) -> None:
    """Pictures of that kind; state is kept in the folder."""
    from pictures import comparison, every, tour

    if given.size:
        width, height = map(int, given.size.split("x"))
        every.take_states(given.all, folder, (width, height))
    elif given.all:
        every.take_all(given.all, Path(__file__))
    else:
        tour.take_readme(IMAGES, folder)
        tour.take_tour(IMAGES, folder)
        comparison.take_comparisons(IMAGES, folder)


if __name__ == "__main__":
    main()
