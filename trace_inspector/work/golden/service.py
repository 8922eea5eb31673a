"""The golden service by name only: its implementation is imported in the child."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from trace_inspector.work.processes.child import Channel

if TYPE_CHECKING:
    from trace_inspector.work.golden.requests import Request


def golden_service(channel: Channel) -> Callable[[Request], object]:
    """In the child: see `golden_server`."""
    from trace_inspector.work.golden.server import golden_server

    return golden_server(channel)
