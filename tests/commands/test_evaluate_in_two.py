"""`evaluate` of one long conversation in two processes: the same bytes as in one, and Ctrl+C ends both."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands.test_evaluate_processes import runs, until
from tests.helpers.eval_sets import case, turn_with_result, write_eval_set
from tests.helpers.signals import heeding_ctrl_c
from trace_inspector import second_process
from trace_inspector.cli import main
from trace_inspector.second_process import SecondProcess

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="no second process there")


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """One conversation of 200 turns, of which one in seven answers with another figure than it was given."""
    turns = [
        turn_with_result(
            f"How many of article A-{at} are on the shelves in Bern?",
            f"There are {at * 7 % 90 + (at % 7 == 0)} pieces of article A-{at} on the shelves in Bern.",
            {"article": f"A-{at}", "store": "Bern", "on_shelf": at * 7 % 90},
        )
        for at in range(200)
    ]
    return [str(write_eval_set(tmp_path / name, case("long", *turns))) for name in ("traces.json", "golden.json")]


def evaluated(files: list[str], capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, str]:
    """The exit code, and what is printed but for the run's id and time."""
    traces, golden = files
    code = main(["evaluate", traces, "--golden", golden, *options])
    return code, re.sub(r'("id": "\d{8}T\d{6}Z-)[0-9a-f]+"|"started_s": [\d.]+', "", capsys.readouterr().out)


@pytest.mark.parametrize("options", [("--json",), ("--json", "--only", "local_grounding"), ()])
def test_the_output_is_the_same(
    options: tuple[str, ...], files: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[SecondProcess] = []
    start = SecondProcess.start

    def noted(self: SecondProcess) -> None:
        begun.append(self)
        start(self)

    monkeypatch.setattr(SecondProcess, "start", noted)
    monkeypatch.setattr(second_process, "can_fork", lambda: False)
    alone = evaluated(files, capsys, *options)
    assert not begun
    monkeypatch.setattr(second_process, "can_fork", lambda: True)
    assert evaluated(files, capsys, *options) == alone
    assert len(begun) == 1
    if "--json" in options:
        told = set(re.findall(r"\d of \d sentences? [a-z]+", alone[1]))
        assert {"0 of 1 sentence unsupported", "1 of 1 sentence unsupported"} <= told, told


def test_in_a_run_of_several_processes_none_forks(
    files: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(second_process, "can_fork", lambda: True)
    shared = evaluated(files, capsys, "--json")
    monkeypatch.setattr(SecondProcess, "start", None)
    assert evaluated(files, capsys, "--json", "--jobs", "2") == shared


_EVALUATES = """
import os, sys, time
from trace_inspector import second_process
from trace_inspector.engine.metrics.local import local_grounding
second_process.can_fork = lambda: True
start, this, place = second_process.SecondProcess.start, os.getpid(), sys.argv.pop(1)
def told(self):
    start(self)
    with open(place, "w") as note:
        note.write(f"{self.process}\\n")
second_process.SecondProcess.start = told
judge = local_grounding._turn_verdict
def slow(*given):
    if os.getpid() == this:
        time.sleep(100)
    return judge(*given)
local_grounding._turn_verdict = slow
from trace_inspector.__main__ import run
run()
"""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_both(files: list[str], tmp_path: Path, how: signal.Signals) -> None:
    note = tmp_path / "process"
    traces, golden = files
    with heeding_ctrl_c():
        started = subprocess.Popen(
            [sys.executable, "-c", _EVALUATES, str(note), "evaluate", traces, "--golden", golden],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            start_new_session=True,
        )
    with started as process:
        try:
            assert until(lambda: note.exists() and note.read_text().endswith("\n"))
            other = int(note.read_text())
            assert runs(other)
            os.killpg(process.pid, how)  # as a terminal does, to all of them
            out, err = process.communicate(timeout=100)
        finally:
            process.kill()
    assert process.returncode == 128 + how, err
    assert "Stopped." in err
    assert "Traceback" not in out + err
    assert not runs(other)
