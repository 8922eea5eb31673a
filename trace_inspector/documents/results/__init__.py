"""The results of a run as a folder of Parquet files: its tables, its manifest, and SQL in a process of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Final

NAME: Final = "trace-inspector-results.json"  # the manifest, which tells such a folder from all others


def is_results(folder: Path) -> bool:
    """Whether a folder looks like one of results, by the name of its manifest alone."""
    return (folder / NAME).is_file()
