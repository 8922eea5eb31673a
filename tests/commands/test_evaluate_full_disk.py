"""A disk that is full: every verdict is printed, what is not kept is said once, and the exit code is true."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.eval_sets import call, case, turn, write_eval_set
from trace_inspector.settings import data_folder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit of file sizes for a process")

CASES = 120
# As on a full disk, no file of this process grows beyond so many bytes.
LIMITED = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
most = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
from trace_inspector.cli import main
sys.exit(main(sys.argv[2:]))
"""


def evaluate(most_bytes: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    """`evaluate` while no file may grow beyond that."""
    line = [sys.executable, "-c", LIMITED, str(most_bytes), "evaluate", *arguments]
    return subprocess.run(line, capture_output=True, text=True, timeout=240, check=False)


@pytest.mark.parametrize(("most_bytes", "stored_before"), [(0, False), (30_000, True)])
def test_a_full_disk_costs_no_verdict(most_bytes: int, stored_before: bool, tmp_path: Path) -> None:
    names = [f"case {at}" for at in range(CASES)]
    right = [case(name, turn(f"q {name}", f"a {name}", [call("f", n=name)])) for name in names]
    wrong = [*right[:-1], case(names[-1], turn(f"q {names[-1]}", "other", [call("f", n="no")]))]
    golden, traces = write_eval_set(tmp_path / "g.json", *right), write_eval_set(tmp_path / "t.json", *wrong)
    given = [str(traces), "--golden", str(golden)]
    if stored_before:
        small = write_eval_set(tmp_path / "s.json", right[0])
        assert evaluate(10**9, str(small), "--golden", str(small)).returncode == 0
    report = tmp_path / "r.md"
    done = evaluate(most_bytes, *given, "--json", "--report", f"markdown={report}")
    assert len(json.loads(done.stdout)["cases"]) == CASES
    said = done.stderr.splitlines()
    assert "not stored" in said[0]
    # A report that cannot be written has a line and a code of its own.
    assert (done.returncode, len(said), report.exists()) == ((1, 1, True) if most_bytes else (2, 2, False)), said
    assert evaluate(10**9, *given).stderr == "", "once there is room the store is whole"
    assert (data_folder() / "trace-inspector.db").stat().st_size > 0
