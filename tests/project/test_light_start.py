"""Readers and metrics are imported by children: the window is there before, and shows goldens without them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

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
