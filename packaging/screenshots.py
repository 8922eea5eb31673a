"""Takes the pictures of the README and the tour; with --all FOLDER those of every place of the window.

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
    parser.add_argument("--all", metavar="FOLDER", type=Path, help="every place in every size, scale and look")
    given = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory(prefix="trace-inspector-pictures-") as folder:
        os.environ["TRACE_INSPECTOR_DATA"] = folder
        take(given, Path(folder))


def take(given: argparse.Namespace, folder: Path) -> None:
    """Pictures of that kind; state is kept in the folder."""
    from pictures import comparison, evidence, listening, tour

    from tests.helpers.look_round import COMBINATIONS, look_round

    if given.all:
        for combination in COMBINATIONS:
            look_round(combination, given.all)
    else:
        tour.take_readme(IMAGES, folder)
        tour.take_tour(IMAGES, folder)
        comparison.take_comparisons(IMAGES, folder)
        evidence.take_evidence(IMAGES, folder)
        listening.take_listening(IMAGES, folder)


if __name__ == "__main__":
    main()
