"""What was read of large files, kept in the user's data folder."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from trace_inspector.settings import close_data_folder, data_folder
from trace_inspector.store.index_cache import FOLDER, IndexCache, fingerprint_of
from trace_inspector.store.index_draft import Draft
from trace_inspector.store.index_entry import Entry
from trace_inspector.store.program import program_name

WORTH_BYTES = 2 << 20  # below, reading takes no longer than it takes to notice


def index_cache() -> IndexCache:
    """The cache of this program; where the person has no home, one that nothing can be put into."""
    try:
        folder = data_folder()
        close_data_folder()
    except RuntimeError:
        folder = Path(os.devnull)
    return IndexCache(folder / FOLDER, program_name)


def stored_entry(cache: IndexCache, path: Path, tick: Callable[[], None]) -> Entry | None:
    """What is kept of a file that did not change since; small ones are not even looked up."""
    fingerprint = fingerprint_of(path)
    return cache.find(path, tick) if fingerprint is not None and fingerprint.size >= WORTH_BYTES else None


def draft(cache: IndexCache, path: Path) -> Draft:
    """Takes what is read of a file; nothing comes of it for small ones."""
    return Draft(cache, path, least_bytes=WORTH_BYTES)
