"""Readers and metrics are imported by children: the window is there before, and shows goldens without them.

It is painted before its panels are imported, and Qt's binding reads no source of ours.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "trace_inspector"
HEAVY = ("pydantic", "trace_inspector.formats", "trace_inspector.engine.scoring.metric")


def test_no_reader_and_no_metric_is_imported_before_the_window() -> None:
    code = "import sys, trace_inspector.views.shell.main_window; print(*sys.modules, sep='\\n')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=240)
    assert [name for name in HEAVY if name in done.stdout.splitlines()] == []


def test_no_reader_and_no_metric_is_imported_for_the_golden_tab(tmp_path: Path) -> None:
    call = {"name": "find", "args": {"seats": 2}}
    turn = {
        "invocation_id": "i",
        "user_content": {"role": "user", "parts": [{"text": "Hello"}]},
        "final_response": {"role": "model", "parts": [{"text": "Hi."}]},
        "intermediate_data": {"tool_uses": [call]},
    }
    path = tmp_path / "one.evalset.json"
    path.write_text(json.dumps({"eval_set_id": "one", "eval_cases": [{"eval_id": "a", "conversation": [turn]}]}))
    program = [sys.executable, "-m", "tests.helpers.golden_shown", str(path)]
    done = subprocess.run(program, capture_output=True, text=True, check=True, timeout=180)
    lines = done.stdout.splitlines()
    assert int(lines[0].partition(" ")[2]) > 3
    assert "trace_inspector.views.golden.call_card" in lines
    assert [name for name in HEAVY if name in lines] == []


# As the command does, but only until the window is painted; what is imported by then is told.
PAINTED = """
import sys
import trace_inspector.views.shell.before_qt
from types import SimpleNamespace
from PySide6.QtWidgets import QApplication
from benchmarks import shown
from trace_inspector.cli import main

def told():
    print("imported", *sys.modules)
    return 1.0

shown.time = SimpleNamespace(time=told, process_time=float)
QApplication.exec = shown.until_painted
sys.exit(main([]))
"""


def test_the_window_is_painted_before_its_panels_are_imported(tmp_path: Path) -> None:
    environment = {**os.environ, "TRACE_INSPECTOR_DATA": str(tmp_path), "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-c", PAINTED], capture_output=True, text=True, check=True, timeout=240, env=environment
    )
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("imported "))
    imported = set(line.split())
    assert "trace_inspector.views.shell.welcome" in imported
    panels = {f"trace_inspector.views.{room}.panel" for room in ("details", "runs", "workspace")}
    assert imported & panels == set()


def test_qts_binding_reads_no_source_of_ours() -> None:
    """It keeps the lines that it has read, by the names of their files."""
    told = "import linecache; print(*linecache.cache, sep='\\n')"
    for first, is_read in (("PySide6.QtCore", True), ("trace_inspector.views.shell.before_qt", False)):
        code = f"import {first}, trace_inspector.views.shell.main_window\n{told}"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=240)
        ours = [path for path in map(Path, done.stdout.splitlines()) if path.is_relative_to(PACKAGE)]
        assert (PACKAGE / "views" / "shell" / "docks.py" in ours) is is_read
        assert bool(ours) is is_read
