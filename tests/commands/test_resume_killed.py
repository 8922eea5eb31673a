"""A judged run is killed at random moments: nothing that is done is lost, and no reply that came is asked again."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.campaigns import is_long

ROUNDS = 150 if is_long() else 3


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_killed_run_goes_on_and_ends_like_one_that_nobody_killed(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.helpers.resume_rounds", str(ROUNDS), "1", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    assert (figures["rounds"], figures["wrong"]) == (ROUNDS, [])
    assert figures["done_before"] > 0  # else the rounds show nothing
