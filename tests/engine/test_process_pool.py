"""A pool of which a process dies in the worst moment goes on with another one, and ends."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.helpers import dying_pool


@pytest.mark.parametrize(("count", "again", "results"), [("6", "again", "0 1 4 9 16 25"), ("2", "never", "")])
def test_a_process_that_dies_while_the_next_is_started_holds_nothing_up(count: str, again: str, results: str) -> None:
    program = [sys.executable, "-m", dying_pool.__name__, count, again]
    done = subprocess.run(program, capture_output=True, text=True, timeout=240, check=False)
    assert done.stdout == results, done.stderr
