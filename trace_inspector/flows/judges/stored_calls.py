"""The store of judge replies in the user's data folder; None where that cannot be made."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from trace_inspector.settings import ready_data_folder
from trace_inspector.store.database import database
from trace_inspector.store.judge_calls import StoredCalls


@contextlib.contextmanager
def stored_calls() -> Iterator[StoredCalls | None]:
    """The stored replies, open during a run."""
    try:
        folder = ready_data_folder()
    except (OSError, RuntimeError):
        yield None
        return
    with database(folder) as store:
        yield StoredCalls(store)
