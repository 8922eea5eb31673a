"""Where this program keeps what is the person's own."""

from __future__ import annotations

import os
import sys
from pathlib import Path

OVERRIDE = "TRACE_INSPECTOR_DATA"
_NAME = "trace-inspector"
_SHOWN_NAME = "Trace Inspector"


def data_folder() -> Path:
    """The folder of runs and caches. It is not created here."""
    chosen = os.environ.get(OVERRIDE)
    if chosen:
        return Path(chosen)
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
