"""The process that edits is killed at random moments and in saves: the next start offers exactly the edits made."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.campaigns import is_long

ROUNDS = 50 if is_long() else 12


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks a process for each round")
def test_no_edit_that_was_told_is_missing_and_no_file_is_half_written(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.helpers.kill_rounds", str(ROUNDS), "1", str(tmp_path), "aimed"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    assert (figures["rounds"], figures["wrong"]) == (ROUNDS, 0), done.stderr
    assert figures["offered"] > 0  # else the rounds show nothing
    assert figures["in_a_save"] > 0 or not is_long()  # of few rounds it may be none
