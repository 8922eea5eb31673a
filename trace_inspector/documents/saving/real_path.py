"""One path for each file, however it is spelled and whatever links lead to it."""

from __future__ import annotations

import os
from pathlib import Path


def real_path(path: Path) -> Path:
    """Where a path leads when every link is followed; one that can be no path stays as it is."""
    try:
        return Path(os.path.realpath(path))
    except (OSError, ValueError):
        return path
