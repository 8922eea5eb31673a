"""A peer that only counts letters, for tests of what asks peers."""

from __future__ import annotations

import os
from typing import Any

from tests.peers.inside.serving import Refused, serve


def counted(case: Any) -> Any:
    """How many letters a text has."""
    if case is None:
        raise Refused("no text")
    print("a library says something")  # noqa: T201 - which must not stand among the answers
    return len(case)


def ended(_case: Any) -> Any:
    """No answer at all."""
    os.write(2, b"out of memory")
    os._exit(3)


if __name__ == "__main__":
    serve({"count": counted, "end": ended})
