"""Whichever process dies: a real window closes when told to, leaves nothing running, and the edit is offered."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers import screen as screens

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/stat").is_file(), reason="needs /proc to find the children of a window"
)
# In the two rounds of this seed every kind of child dies, of either signal, while a run or a file comes.
FEW_ROUNDS, FEW_SEED = 2, 359
MANY_ROUNDS, MANY_SEED = 100, 7


@pytest.mark.timeout(600)
def test_a_window_whose_children_die_closes_leaves_nothing_and_offers_the_edit(tmp_path: Path) -> None:
    figures = rounds(FEW_ROUNDS, FEW_SEED, tmp_path)
    assert figures["killed"] == {"server+tracker+job": 1, "server+edits+job": 1}
    assert sorted(figures["by_signal"]) == ["SIGKILL", "SIGTERM"]


@pytest.mark.campaign
@pytest.mark.timeout(3600)
def test_so_does_one_of_which_anybody_dies_at_any_moment(tmp_path: Path) -> None:
    assert sum(rounds(MANY_ROUNDS, MANY_SEED, tmp_path)["by_signal"].values()) == MANY_ROUNDS


def rounds(count: int, seed: int, folder: Path) -> dict[str, dict[str, int]]:
    """So many windows after each other, of which nothing went wrong; who died in them."""
    missing = screens.why_not()
    if missing:
        pytest.skip(f"no real window here: {missing}")
    done = subprocess.run(
        [sys.executable, "-m", "tests.helpers.death_rounds", str(count), str(seed), str(folder)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    assert figures["wrong"] == []
    assert (figures["rounds"], figures["offered"]) == (count, count)
    return {name: figures[name] for name in ("killed", "by_signal")}
