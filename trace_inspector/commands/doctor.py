"""Check the installation: versions, missing libraries, folders. Exit 1 when something needed is missing."""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import platform
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import Struct

from trace_inspector import resources
from trace_inspector.commands.output.terminal import Terminal
from trace_inspector.commands.window import display, qt_probe
from trace_inspector.core.errors import UsageError
from trace_inspector.extras import EXTRAS, install_line, missing
from trace_inspector.flows.opening.index_entries import index_cache
from trace_inspector.settings import data_folder
from trace_inspector.version import __version__

MISSING = 1
_LEDGER = "safe to delete while nothing is evaluated: only --resume uses it, and no reply of a judge is in it"
BROKEN_PYSIDE = {
    "6.11.0": "docks break in this version",
    "6.11.1": "docks break in this version",
    "6.12.0": "this version ends the program on Python 3.11",
}


class Line(Struct, frozen=True):
    """One check. `missing` is the sentence about what to do; "" when all is well.

    A `note` is about something optional.
    """

    subject: str
    value: str
    missing: str = ""
    note: str = ""


def arguments(parser: argparse.ArgumentParser) -> None:
    """`doctor` has no arguments."""
    del parser


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """Print what is known before trying anything that could crash."""
    del options
    missing = 0
    for look in LOOKS:
        for line in look():
            missing += bool(line.missing)
            mark = "missing" if line.missing else "note" if line.note else "ok"
            terminal.say(f"{mark:<8} {line.subject:<16} {line.value}".rstrip())
            if line.missing or line.note:
                terminal.say(f"{'':<8} {'':<16} {line.missing or line.note}")
    return MISSING if missing else 0


def _versions() -> Iterator[Line]:
    yield Line("Trace Inspector", __version__)
    yield Line("Python", f"{platform.python_version()}, {sys.executable}")
    yield Line("System", platform.platform())
    yield _package("pydantic")
    yield from map(_extra, EXTRAS)


def _package(name: str) -> Line:
    try:
        return Line(name, importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        return Line(name, "not installed", f"Install it: {sys.executable} -m pip install {name}")


def _extra(name: str) -> Line:
    """Whether what an extra brings is there; few need all of them."""
    if not missing(name):
        return Line(f"extra {name}", "installed")
    return Line(f"extra {name}", "not installed", note=f"Only for {EXTRAS[name].use}: {install_line(name)}")


def _window() -> Iterator[Line]:
    displays, has_display = display.named_displays(), display.has_display()
    named = [f"{name}={value}" for name, value in displays.items()]
    yield Line("display", ", ".join(named) if named else "the system's" if has_display else "none; commands work")
    libraries = qt_probe.missing_libraries(displays)
    if libraries:
        packages = sorted({qt_probe.PACKAGES[name] for name in libraries if name in qt_probe.PACKAGES})
        advice = f" On Debian and Ubuntu: apt install {' '.join(packages)}" if packages else ""
        yield Line("libraries", ", ".join(libraries), f"The window needs these system libraries.{advice}")
    probed = qt_probe.probe(open_display=has_display)
    broken = BROKEN_PYSIDE.get(probed.version, "")
    advice = (
        f"Install 6.11.3 instead: {broken}."
        if broken
        else "Install PySide6-Essentials 6.11.3, or repair the installation."
    )
    usable = probed.version and not broken
    yield Line("PySide6", probed.version or "not usable", "" if usable else advice)
    if probed.problem:
        yield Line("window", "does not open", f"{probed.problem}. Commands work without a window.")
    elif has_display:
        yield Line("window", f"opens, Qt platform {probed.platform}")


def _paths() -> Iterator[Line]:
    samples = resources.folder("samples")
    there = samples.is_dir()
    yield Line(
        "samples",
        str(samples),
        "" if there else "The samples are missing from this installation. Install the program again.",
    )
    data = data_folder()
    yield Line(
        "data folder",
        str(data),
        "" if _writable(data) else "Nothing can be saved there. Change the folder's permissions.",
    )
    kept = index_cache()
    ledger = sum(path.stat().st_size for path in data.glob("ledger.db*") if path.is_file())
    yield Line("ledger of runs", f"{data / 'ledger.db'}, {ledger / 1e6:,.0f} MB; {_LEDGER}")
    yield Line("index of files", f"{kept.folder}, {kept.size_bytes() / 1e6:,.0f} MB; safe to delete at any time")


def _writable(folder: Path) -> bool:
    standing = next((place for place in (folder, *folder.parents) if place.exists()), None)
    return standing is not None and standing.is_dir() and os.access(standing, os.W_OK)


def _judge() -> Iterator[Line]:
    from trace_inspector.flows.judges.judge_reach import judge_reach

    for judge in judge_reach():
        yield Line(f"judge {judge.kind}", judge.state, note=judge.problem)


def _plugins() -> Iterator[Line]:
    """What other distributions add; whether each works is tried in a child process."""
    from trace_inspector.commands.plugin_probe import probe

    try:
        for probed in probe():
            yield Line(f"plugin {probed.kind}", probed.state, note=probed.problem)
    except UsageError as problem:
        yield Line("plugins", "not used", note=str(problem))


LOOKS: tuple[Callable[[], Iterator[Line]], ...] = (_versions, _paths, _plugins, _judge, _window)
