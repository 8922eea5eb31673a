"""The server that children are forked from, before the first test needs one."""

from __future__ import annotations

from multiprocessing.connection import Connection

import pytest

from trace_inspector.work.processes import fork_server


@pytest.fixture(scope="session", autouse=True)
def has_imported() -> None:
    """The first test would wait until everything is imported, and be said to have stalled."""
    process, connection = fork_server.start(_nothing)
    with connection:
        process.join()


def _nothing(_connection: Connection) -> None:
    """What a first child does."""
