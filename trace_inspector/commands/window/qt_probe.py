"""Tries the window's library in a process of its own: a missing library can abort the process that loads it."""

from __future__ import annotations

import importlib
import importlib.util
import json
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Collection
from pathlib import Path

from msgspec import Struct

from trace_inspector.core.values.values import JsonObject

PROBE_S = 30.0
SHOWN_CHARS = 2_000

# The Qt platform of each display variable, in order of preference, and the modules that every window needs.
DISPLAYS = {"wayland": "WAYLAND_DISPLAY", "xcb": "DISPLAY"}
NEEDED_MODULES = ("QtGui.abi3.so", "QtWidgets.abi3.so")

# The Debian and Ubuntu package of each library that a bare machine lacks.
PACKAGES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxkbcommon.so.0": "libxkbcommon0",
}


class Probed(Struct, frozen=True):
    """The result of the child process. `problem` is "" when everything worked."""

    version: str = ""
    platform: str = ""
    problem: str = ""


def probe(*, open_display: bool) -> Probed:
    """Import the window's library and, if asked, open the display, in a child process."""
    with tempfile.TemporaryDirectory(prefix="trace-inspector-") as folder:
        result, output = Path(folder, "found.json"), Path(folder, "said.txt")
        child = multiprocessing.get_context("spawn").Process(
            target=_try, args=(str(result), str(output), open_display), daemon=True
        )
        child.start()
        child.join(PROBE_S)
        if child.is_alive():
            child.kill()
            child.join(PROBE_S)
        facts = _facts(result)
        exit_code = child.exitcode
        child.close()
        problem = str(facts.get("problem", ""))
        if exit_code and not problem:
            problem = _first_line(output) or f"the process that tried it ended with {exit_code}"
        return Probed(str(facts.get("version", "")), str(facts.get("platform", "")), problem)


def missing_libraries(displays: Collection[str]) -> list[str]:
    """The libraries a window on these kinds of display needs and the linker does not find; [] where there is no ldd.

    A kind of display is the variable that names it: DISPLAY, WAYLAND_DISPLAY.
    """
    plugins, ldd = plugin_folder(), shutil.which("ldd")
    if plugins is None or not ldd or sys.platform != "linux":
        return []
    files = [plugins.parents[2] / name for name in NEEDED_MODULES]
    files += [plugins / f"libq{platform}.so" for platform, variable in DISPLAYS.items() if variable in displays]
    return sorted({library for file in files if file.is_file() for library in _not_found(ldd, file)})


def plugin_folder() -> Path | None:
    """The folder of the Qt platform plugins; None where Qt is not installed."""
    spec = importlib.util.find_spec("PySide6")
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0], "Qt", "plugins", "platforms")


def _not_found(ldd: str, file: Path) -> list[str]:
    listed = subprocess.run([ldd, str(file)], capture_output=True, text=True, timeout=PROBE_S, check=False)
    return [line.split()[0] for line in listed.stdout.splitlines() if line.endswith("=> not found")]


def _facts(file: Path) -> JsonObject:
    try:
        facts = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return facts if isinstance(facts, dict) else {}


def _leave_no_core_file() -> None:
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def _first_line(file: Path) -> str:
    """The first line of Qt's output, which says what failed; general advice follows it."""
    try:
        lines = file.read_text(encoding="utf-8", errors="replace")[:SHOWN_CHARS].split("\n")
    except OSError:
        return ""
    first = next((line.strip() for line in lines if line.strip()), "")
    category, mark, words = first.partition(": ")
    return (words if mark and category.startswith("qt.") else first).rstrip(".")


def _try(result: str, output: str, open_display: bool) -> None:
    _leave_no_core_file()
    # What Qt writes before it aborts goes to the descriptor, not to Python's stream.
    with open(output, "wb") as spoken:  # noqa: PTH123
        os.dup2(spoken.fileno(), 2)
    facts: JsonObject = {}
    try:
        # By name: this room must not depend on Qt, and only this child process ever loads it.
        facts["version"] = str(importlib.import_module("PySide6").__version__)
        gui = importlib.import_module("PySide6.QtGui")
        importlib.import_module("PySide6.QtWidgets")
    except ImportError as missing:
        facts["problem"] = str(missing)
    Path(result).write_text(json.dumps(facts), encoding="utf-8")
    if open_display and "problem" not in facts:
        facts["platform"] = str(gui.QGuiApplication([]).platformName())
        Path(result).write_text(json.dumps(facts), encoding="utf-8")
