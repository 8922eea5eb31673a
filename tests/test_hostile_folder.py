"""A folder of traces may hold files that are named as modules of Python: none of them is ever run.

The window in such a folder is tried in `tests/end_to_end`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.traps import lay_traps
from tests.models.test_goldens import eval_set

COMMAND = Path(sys.executable).with_name("trace-inspector")


@pytest.mark.skipif(not COMMAND.exists(), reason="the installed command is not beside this Python")
def test_processes_of_a_command_run_nothing_of_the_folder_they_are_in(tmp_path: Path) -> None:
    folder = tmp_path / "from a stranger"
    mark = lay_traps(folder)
    eval_set(folder / "a.evalset.json", "Graz")
    eval_set(folder / "b.evalset.json", "Linz")
    given = ["evaluate", "--jobs", "2", "--json", "--golden", "a.evalset.json", "--", "b.evalset.json"]
    done = subprocess.run([COMMAND, *given], cwd=folder, capture_output=True, check=False)
    assert json.loads(done.stdout)["cases"], done.stderr
    assert not mark.exists(), mark.read_text()
