"""The receiver is killed at random moments: everything that it answered is in the recording, once, and readable."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.campaigns import is_long

ROUNDS = 200 if is_long() else 3


@pytest.mark.timeout(3600 if is_long() else 300)
def test_what_was_answered_is_in_the_recording_whenever_it_is_killed(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.helpers.listen_rounds", str(ROUNDS), "1", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    assert (figures["rounds"], figures["wrong"]) == (ROUNDS, [])
    assert figures["answered"] > 0  # else the rounds show nothing
