"""Where this program keeps what is the person's own."""

from __future__ import annotations

import os
import sys
from pathlib import Path

OVERRIDE = "TRACE_INSPECTOR_DATA"
JOURNALS = "journals"
_HELD = "TRACE_INSPECTOR_DATA_HELD"  # the variable before is our own, for children
_CHOSEN = "data-folder.txt"
_NAME = "trace-inspector"
_SHOWN_NAME = "Trace Inspector"


def data_folder() -> Path:
    """The folder of runs and caches. It is not created here."""
    held = os.environ.get(OVERRIDE)
    return Path(held) if held else next_data_folder()


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
        chosen = (usual / _CHOSEN).read_text("utf-8").strip()
    except (OSError, ValueError):
        return usual
    return Path(chosen) if chosen and Path(chosen).is_absolute() else usual


def choose_data_folder(folder: Path | None) -> None:
    """Use another folder from the next start on; None is the usual one. OSError when that cannot be noted."""
    note = usual_data_folder() / _CHOSEN
    if folder is None:
        note.unlink(missing_ok=True)
        return
    note.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    note.write_text(f"{folder.absolute()}\n", "utf-8")


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
    """The same folder, made when it is not there, for its owner alone."""
    folder = data_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder
