"""The whole window is killed while somebody types: what was shown is on disk or is offered, and no file is half."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.helpers.typing_window import script
from tests.models.test_goldens import eval_set
from trace_inspector.documents.journal import JournalWriter
from trace_inspector.flows.recovery import left_behind, recover

WAIT_S = 60.0
LONGEST_S = 1.5


def user_says(data: bytes) -> str:
    (part,) = json.loads(data)["eval_cases"][0]["conversation"][0]["user_content"]["parts"]
    assert isinstance(part["text"], str)
    return part["text"]


def wait_until_gone(group: int) -> bool:
    """Whether all processes of a group end by themselves."""
    for _time in range(int(WAIT_S * 20)):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


def unnoted(_journal: JournalWriter) -> None:
    """Nobody waits for the disk."""


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="looks for a group of processes")
@pytest.mark.timeout(180)
@pytest.mark.parametrize("seed", range(3))
def test_what_was_shown_when_the_window_was_killed_is_there_or_offered(tmp_path: Path, seed: int) -> None:
    path, told = eval_set(tmp_path / "killed.evalset.json", "Graz", "Linz"), tmp_path / "told"
    told.touch()
    before = user_says(path.read_bytes())
    command = [sys.executable, "-m", "tests.helpers.typing_window", str(path), str(tmp_path / "state"), str(told)]
    with subprocess.Popen(command, start_new_session=True, stderr=subprocess.PIPE) as window:
        deadline_s = time.monotonic() + WAIT_S
        while not told.stat().st_size and window.poll() is None and time.monotonic() < deadline_s:
            time.sleep(0.02)
        time.sleep(random.Random(seed).random() * LONGEST_S)
        is_typing = window.poll() is None and bool(told.stat().st_size)
        window.send_signal(signal.SIGKILL)
        window.wait()
        words = window.stderr.read().decode() if window.stderr else ""  # ends with the last process that has it
    assert is_typing, words
    assert "Traceback" not in words
    assert wait_until_gone(window.pid), "what the window started does not end with it"
    lengths = [int(line) for line in told.read_text().splitlines()]
    on_disk = user_says(path.read_bytes())
    found = left_behind()
    assert (len(found.found) <= 1, found.problems) == (True, ())
    kept = on_disk
    if found.found:
        session = recover(found.found[0], unnoted)
        kept = user_says(session.state.document.data)
        session.close()
    assert on_disk in (before, script(len(on_disk)))
    assert kept == script(len(kept))
    assert len(kept) >= lengths[-1]
