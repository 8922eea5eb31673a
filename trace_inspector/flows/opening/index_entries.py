"""Entries of the index cache for large files, in the user's data folder."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from trace_inspector.core.values.values import Json
from trace_inspector.settings import close_data_folder, data_folder
from trace_inspector.store.index_cache import FOLDER, IndexCache, fingerprint_of
from trace_inspector.store.index_draft import Draft
from trace_inspector.store.index_entry import Entry
from trace_inspector.store.program import program_name

WORTH_BYTES = 2 << 20  # below, reading is not noticeably slower


def index_cache() -> IndexCache:
    """The cache of this program; where the person has no home folder, one that stays empty."""
    try:
        folder = data_folder()
        close_data_folder()
    except RuntimeError:
        folder = Path(os.devnull)
    return IndexCache(folder / FOLDER, program_name)


def stored_entry(cache: IndexCache, path: Path, tick: Callable[[], None]) -> Entry | None:
    """The entry of an unchanged file; small files are not even looked up."""
    fingerprint = fingerprint_of(path)
    return cache.find(path, tick) if fingerprint is not None and fingerprint.size >= WORTH_BYTES else None


def stored_pieces(path: Path) -> Json:
    """Where the pieces of an unchanged large file stand, None where that was not kept when it was read."""
    return index_cache().pieces(path)


def draft(cache: IndexCache, path: Path) -> Draft:
    """A new entry to be filled while a file is read; none is made for small files."""
    return Draft(cache, path, least_bytes=WORTH_BYTES)
