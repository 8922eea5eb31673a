"""Goldens that are too many for memory lie on the disk: little is held of a turn, and nothing is lost by it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.make_big import Big, write, write_golden_parts

CASES_A_SET, WRONG_EVERY, KILL_AT = 40, 11, 50
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
# Makes small what is large, so that a few hundred turns are many.
SMALL = """
import os, signal, sys
import trace_inspector.commands.evaluate as command
from trace_inspector import cli
from trace_inspector.commands.output import evaluate_table
from trace_inspector.core.values import spilled
from trace_inspector.documents.reading import reading
from trace_inspector.engine.running import engine_runner
from trace_inspector.flows.opening import given_files, line_shards
from trace_inspector.flows.runs import run_ledger, run_verdicts, store_run
spilled.HELD = 20
evaluate_table.MANY_CASES = store_run.MANY_CASES = 20
line_shards.PART_BYTES = line_shards.SHARD_BYTES = 1 << 16
given_files.HELD_BYTES = command.HELD_BYTES = 1 << 12
run_verdicts._WORTH_IT_S = 0
engine_runner._LEAST_TURNS = 20
reading._CHUNK = 1 << 16
"""
KILLED = f"""
real, noted = run_ledger.RunLedger.take, []
def take(self, index, verdict, *, failed):
    real(self, index, verdict, failed=failed)
    noted.append(index)
    if len(noted) == {KILL_AT}:
        self._write()
        os.kill(os.getpid(), signal.SIGKILL)
run_ledger.RunLedger.take = take
"""
WHOLE = "sys.exit(cli.main(sys.argv[1:]))"
PEAK = """
import tracemalloc
cli.main(sys.argv[1:])  # what is imported and cached is no matter of turns
tracemalloc.start()
cli.main(sys.argv[1:])
print(tracemalloc.get_traced_memory()[1], file=sys.stderr)
"""


def files(folder: Path, turns: int) -> list[str]:
    """Conversations in lines, their goldens in several files, and the criteria that take least."""
    big = Big(turns, deep=False, spans_a_turn=6, brief=True, wrong_every=WRONG_EVERY)
    folder.mkdir()
    traces = write(big, "otlp-lines", folder / "traces.jsonl")
    write_golden_parts(big, CASES_A_SET, folder / "goldens")
    goldens = sorted(map(str, (folder / "goldens").iterdir()))
    return ["evaluate", str(traces), "--golden", *goldens, "--only", "tool_trajectory_avg_score"]


def run(*script: str, arguments: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", SMALL + "".join(script), *arguments], capture_output=True, text=True, check=False
    )


def cases(done: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    assert done.returncode == 1, done.stderr
    return list(json.loads(done.stdout)["cases"])


def test_what_is_held_of_a_turn_is_little(tmp_path: Path) -> None:
    """A golden held as an object takes 4,000 bytes. Workers read conversations, and are not counted here."""
    sizes = (200, 800)
    peaks = [
        int(run(PEAK, arguments=[*files(tmp_path / str(turns), turns), "--on", "local:2"]).stderr.split()[-1])
        for turns in sizes
    ]
    assert (peaks[1] - peaks[0]) / (sizes[1] - sizes[0]) < 500, peaks


@pytest.mark.parametrize("engine", ["local:1", "local:2"])
def test_a_run_killed_with_goldens_on_the_disk_goes_on(tmp_path: Path, engine: str) -> None:
    arguments = [*files(tmp_path / "of", 100), "--json", "--on", engine]
    killed = run(KILLED, WHOLE, arguments=arguments)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    resumed = run(WHOLE, arguments=[*arguments, "--resume"])
    assert "Going on with the run of" in resumed.stderr
    assert f"{KILL_AT} of 100 cases are done" in resumed.stderr
    assert cases(resumed) == cases(run(WHOLE, arguments=arguments))
    assert [case["id"] for case in cases(resumed)] == [f"stock_{at:04d}" for at in range(100)]
    assert sum(case["status"] == "FAILED" for case in cases(resumed)) == 10  # of turns 0, 11 … 99


def test_a_golden_changed_since_is_said_and_evaluated(tmp_path: Path) -> None:
    arguments = [*files(tmp_path / "of", 100), "--json"]
    killed = run(KILLED, WHOLE, arguments=arguments)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    changed = tmp_path / "of" / "goldens" / "part-001.evalset.json"
    text = changed.read_text(encoding="utf-8")
    changed.write_text(text.replace('"article":"A-00001"', '"article":"A-other"'), encoding="utf-8")
    resumed = run(WHOLE, arguments=[*arguments, "--resume"])
    assert "this one begins anew; 49 of 100 cases are done from other runs, and only what changed" in resumed.stderr
    assert [case["id"] for case in cases(resumed) if case["status"] == "FAILED"][:3] == [
        "stock_0000", "stock_0001", "stock_0011",
    ]  # fmt: skip


def test_a_golden_changed_while_it_is_compared_changes_nothing(tmp_path: Path) -> None:
    arguments = [*files(tmp_path / "of", 100), "--json"]
    expected = cases(run(WHOLE, arguments=arguments))
    emptied = """
from trace_inspector.flows.runs import evaluate_files
real = evaluate_files.divided
def divided(request, items):
    for given in request.goldens:
        open(given.path, "w").close()
    return real(request, items)
evaluate_files.divided = divided
"""
    assert cases(run(emptied, WHOLE, arguments=arguments)) == expected
