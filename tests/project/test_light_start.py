"""The window is there before readers and metrics are imported: those are for children, and for what is asked for."""

from __future__ import annotations

import subprocess
import sys

HEAVY = ("pydantic", "trace_inspector.formats", "trace_inspector.engine.metric")


def test_no_reader_and_no_metric_is_imported_before_the_window() -> None:
    code = "import sys, trace_inspector.views.main_window; print(*sys.modules, sep='\\n')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert [name for name in HEAVY if name in done.stdout.splitlines()] == []
