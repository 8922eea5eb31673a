"""Where this program keeps what is the person's own."""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from pathlib import Path

from trace_inspector.private_files import make_folder, open_private, tighten
from trace_inspector.regular_file import read_regular

OVERRIDE = "TRACE_INSPECTOR_DATA"
JOURNALS = "journals"
PLUGIN_SETTINGS = "plugins.toml"
_HELD = "TRACE_INSPECTOR_DATA_HELD"  # the variable before is our own, for children
_CHOSEN = "data-folder.txt"
_NAME = "trace-inspector"
_SHOWN_NAME = "Trace Inspector"
_LONGEST_BYTES = 16_384
# What the program makes in the data folder begins like one of these, also what Qt and SQLite put beside it.
OWN_NAMES = (
    _CHOSEN,
    "trace-inspector.db",
    "ledger.db",
    "window.ini",
    "crash.txt",
    "review-queue.jsonl",
    "calibrations.jsonl",
    "opened-test-parts.jsonl",
    "codebook.toml",
    PLUGIN_SETTINGS,
    JOURNALS,
    "index",
    "pasted",
    "recordings",
    "said",
    "windows",
)


def data_folder() -> Path:
    """The folder of runs and caches. It is not created here."""
    chosen = os.environ.get(OVERRIDE)
    return Path(chosen) if chosen else next_data_folder()


def journal_folder() -> Path:
    """Where journals of edits lie. It is not created here."""
    return data_folder() / JOURNALS


def is_data_folder_fixed() -> bool:
    """Whether the person's environment names the folder, so that no choice counts."""
    return bool(os.environ.get(OVERRIDE)) and not os.environ.get(_HELD)


def next_data_folder() -> Path:
    """The folder that the next start uses: the chosen one, or the usual one of this system."""
    if is_data_folder_fixed():
        return data_folder()
    usual = usual_data_folder()
    try:
        chosen = read_regular(usual / _CHOSEN, _LONGEST_BYTES).decode("utf-8").strip()
    except (OSError, ValueError):
        return usual
    return Path(chosen) if chosen and Path(chosen).is_absolute() else usual


def choose_data_folder(folder: Path | None) -> None:
    """Use another folder from the next start on; None is the usual one. OSError when that cannot be noted."""
    note = usual_data_folder() / _CHOSEN
    if folder is None:
        note.unlink(missing_ok=True)
        return
    make_folder(note.parent)
    with open_private(note, "w") as file:
        file.write(f"{folder.absolute()}\n")


def hold_data_folder() -> None:
    """Stay with today's folder, in this process and its children, whatever is chosen for the next start."""
    if not os.environ.get(OVERRIDE):
        os.environ[OVERRIDE], os.environ[_HELD] = str(data_folder()), "1"


def usual_data_folder() -> Path:
    """Where this system keeps data of programs."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
        return (Path(base) if base else Path.home() / "AppData" / "Local") / _SHOWN_NAME
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / _SHOWN_NAME
    base = os.environ.get("XDG_DATA_HOME", "")
    # The specification wants relative paths ignored.
    return (Path(base) if base.startswith("/") else Path.home() / ".local" / "share") / _NAME


def ready_data_folder() -> Path:
    """The same folder, made when it is not there, for its owner alone, and closed to others when it was open."""
    folder = make_folder(data_folder())
    close_data_folder()
    return folder


def close_data_folder() -> None:
    """Take from others what earlier versions let them read in the data folder, if it is there. Never fails."""
    _close_once(data_folder())


@lru_cache(maxsize=1)
def _close_once(folder: Path) -> None:
    """Once in each process: all that is made later is closed from its beginning."""
    try:
        is_usual = folder.samefile(usual_data_folder())
    except (OSError, RuntimeError):
        is_usual = False
    tighten(folder, OWN_NAMES, is_all_ours=is_usual)
