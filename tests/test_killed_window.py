"""The whole window is killed while somebody types or answers: nothing is lost, and no file is half."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.campaigns import is_long

ROUNDS = 4 if is_long() else 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks a process for each round")
@pytest.mark.timeout(400)
def test_what_was_typed_when_the_window_was_killed_is_there_or_offered(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.helpers.typing_rounds", str(ROUNDS), "7", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    figures = json.loads(done.stdout)
    assert figures["wrong"] == []
    assert figures["rounds"] + figures["not_started"] == ROUNDS
    assert figures["rounds"] > 0
    assert figures["keys"] > 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks a process for each round")
@pytest.mark.timeout(400)
def test_what_was_answered_when_the_window_was_killed_is_there_once(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.helpers.review_rounds", str(ROUNDS + 1), "3", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    figures = json.loads(done.stdout)
    assert figures["wrong"] == []
    assert figures["rounds"] + figures["not_started"] == ROUNDS + 1
    assert figures["rounds"] > 0
    assert figures["answers"] > 0
