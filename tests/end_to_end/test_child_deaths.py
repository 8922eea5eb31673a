"""Whichever process dies: a real window closes when told to, leaves nothing running, and the edit is offered."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers import screen as screens

ROUNDS = 4


@pytest.mark.timeout(600)
@pytest.mark.skipif(not Path("/proc/self/stat").is_file(), reason="needs /proc to find the children of a window")
def test_a_window_whose_children_die_closes_leaves_nothing_and_offers_the_edit(tmp_path: Path) -> None:
    missing = screens.why_not()
    if missing:
        pytest.skip(f"no real window here: {missing}")
    done = subprocess.run(
        [sys.executable, "-m", "tests.helpers.death_rounds", str(ROUNDS), "7", str(tmp_path)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    assert figures["wrong"] == []
    assert (figures["rounds"], figures["offered"]) == (ROUNDS, ROUNDS)
