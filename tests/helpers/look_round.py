"""Goes to every place of the window in one size, scale and look, and tells what is wrong there.

`python -m tests.helpers.look_round --combination 0 [--pictures FOLDER] [--only NAME,NAME]` prints each finding as a
line of JSON. A process of its own, because Qt reads scale and screen once, when it starts.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct
from msgspec.structs import asdict

from tests.helpers.stage import save
from tests.helpers.window import main_window
from tests.helpers.window_places import come_to_rest, places, put_back

LIMIT_S = 600


class Combination(Struct, frozen=True):
    """A size of the window in logical pixels, and what it is shown with."""

    size_px: tuple[int, int]
    scale: int = 1
    text_percent: int = 100
    dark: bool = False
    system_fonts: bool = False

    @property
    def name(self) -> str:
        """For people and for folders."""
        width, height = self.size_px
        words = ["dark" if self.dark else "light", "system" if self.system_fonts else "shipped"]
        return f"{width}x{height}-{self.scale}00-{self.text_percent}-" + "-".join(words)


# Every pair of values of two columns is in a row; the first two rows are those of `make test`.
COMBINATIONS = (
    Combination((1600, 1000)),
    Combination((1920, 1080), scale=2, system_fonts=True),
    Combination((1600, 1000), scale=2, text_percent=150, dark=True, system_fonts=True),
    Combination((1920, 1080), text_percent=150, dark=True),
    Combination((1100, 700), dark=True, system_fonts=True),
    Combination((1100, 700), scale=2, text_percent=150),
    Combination((1024, 640), scale=2, dark=True),
    Combination((1024, 640), text_percent=150, system_fonts=True),
)
SHORT = 2


class Found(Struct, frozen=True):
    """A finding, and the place where it was first seen."""

    place: str
    what: str
    path: str
    text: str
    box: tuple[int, int, int, int]


def look_round(combination: Combination, pictures: Path | None = None, only: str = "") -> list[Found]:
    """What a child finds."""
    with tempfile.TemporaryDirectory(prefix="trace-inspector-places-") as folder:
        number = COMBINATIONS.index(combination)
        command = [sys.executable, "-m", "tests.helpers.look_round", "--here", "--combination", str(number)]
        command += ["--only", only]
        command += ["--pictures", str(pictures)] if pictures is not None else []
        done = subprocess.run(
            command, env=os.environ | _surroundings(combination, Path(folder)), capture_output=True, text=True,
            timeout=LIMIT_S, check=False,
        )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"{combination.name}: {done.stderr[-3000:]}")
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return [Found(**{**line, "box": tuple(line["box"])}) for line in lines]


def _surroundings(combination: Combination, folder: Path) -> dict[str, str]:
    """A screen of exactly that size, and a home of its own."""
    width, height = (side * combination.scale for side in combination.size_px)
    screen = {"name": "one", "x": 0, "y": 0, "width": width, "height": height, "logicalDpi": 96, "dpr": 1}
    screens = folder / "screens.json"
    screens.write_text(json.dumps({"screens": [screen]}), encoding="utf-8")
    return {
        "QT_QPA_PLATFORM": f"offscreen:configfile={screens}",
        "QT_SCALE_FACTOR": str(combination.scale),
        "TRACE_INSPECTOR_DATA": str(folder / "data"),
        "XDG_CONFIG_HOME": str(folder / "config"),
    }


def main() -> None:
    """What was asked for on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--combination", type=int, required=True)
    parser.add_argument("--pictures", type=Path)
    parser.add_argument("--only", default="", help="what is in the names of places, by commas")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)  # scale and screen are set already
    given = parser.parse_args()
    combination = COMBINATIONS[given.combination]

    def tell(found: Found) -> None:
        print(json.dumps(asdict(found), ensure_ascii=False), flush=True)  # noqa: T201

    if given.here:
        _go_round(combination, tell, given.pictures, given.only)
        return
    for found in look_round(combination, given.pictures, given.only):
        tell(found)


def _go_round(combination: Combination, tell: Callable[[Found], None], pictures: Path | None, only: str) -> None:
    from tests.helpers.geometry import findings
    from trace_inspector.settings import data_folder, ready_data_folder
    from trace_inspector.views.appearance.appearance import Scheme

    ready_data_folder()
    seen = set()
    with main_window(data_folder() / "window.ini", *combination.size_px) as window:
        theme = window.desk.theme
        theme.choose(Scheme.DARK if combination.dark else Scheme.LIGHT)
        theme.choose_fonts(system=combination.system_fonts)
        theme.scale(combination.text_percent)
        for place in places(window):
            print(place.name, file=sys.stderr, flush=True)  # noqa: T201 - where it stopped, if it stops
            place.go(window)
            come_to_rest(window)
            shown = place.shown(window).window()
            if any(name in place.name for name in only.split(",")):
                first = findings(shown)
                if first:  # on a busy machine a layout may still be under way
                    come_to_rest(window)
                again = findings(shown) if first else []
                for found in (one for one in first if one in again):
                    key = (found.what, found.path, found.text)
                    if key not in seen:
                        tell(Found(place.name, found.what, found.path, found.text, found.place))
                    seen.add(key)
                if pictures is not None:
                    save(shown, pictures / combination.name / f"{place.name}.png")
            put_back(window)


if __name__ == "__main__":
    main()
