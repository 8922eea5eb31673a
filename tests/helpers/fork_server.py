"""The server that children are forked from, before the first test needs one."""

from __future__ import annotations

import pytest

from trace_inspector.work import fork_server


@pytest.fixture(scope="session", autouse=True)
def has_imported() -> None:
    """The first test would wait until everything is imported, and be said to have stalled."""
    fork_server.take_leave(fork_server.start(_nothing))


def _nothing() -> None:
    """What a first child does."""
