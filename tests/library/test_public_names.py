"""The names that others may rely on, what importing them takes, and the examples that show them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import trace_inspector as ti
from tests.helpers.calibrated import PEOPLE, answered, labels_of, queue_of, twelve_outputs
from trace_inspector.resources import folder

# A name or a field that goes breaks somebody's program: it may only go with the major version.
NAMES = {
    "read": (), "evaluate": (), "compare": (), "promote": (), "calibrate": (),
    "InspectorError": (),
    "Status": ("PASSED", "FAILED", "NOT_EVALUATED", "INFORMATIONAL", "SKIPPED", "ERROR", "PENDING"),
    "File": ("path", "format", "traces", "goldens", "notes", "to_dicts", "to_arrow"),
    "Trace": ("id", "turns", "path", "place", "title", "is_golden"),
    "Turn": (
        "index", "user", "answer", "calls", "author", "start_s", "duration_s", "input_tokens", "output_tokens",
    ),
    "ToolCall": ("name", "arguments", "result", "id", "is_error"),
    "Note": ("severity", "code", "message", "place", "line"),
    "Run": (
        "id", "status", "cases", "rules", "notes", "unpaired_traces", "passed", "counts", "to_dicts", "to_arrow",
    ),
    "CaseResult": (
        "id", "trace", "status", "metrics", "turns", "reason", "trace_path", "golden_path", "difference",
    ),
    "TurnResult": ("index", "golden_index", "status", "metrics", "reason"),
    "MetricResult": ("metric", "score", "threshold", "status", "reason", "version"),
    "Comparison": ("cases", "chance", "notes", "counts", "regressed", "to_dicts", "to_arrow"),
    "ComparedCase": ("id", "change", "base", "new", "reason"),
    "Promotion": ("path", "cases", "written", "losses"),
    "Calibrations": ("questions", "notes", "to_dicts", "to_arrow"),
    "Calibration": (
        "question", "level", "judge", "compared", "confusion", "sensitivity", "specificity", "accuracy", "kappa",
        "raw_pass_rate", "corrected_pass_rate", "stale",
    ),
    "Figure": ("value", "low", "high", "reason"),
    "__version__": (),
}  # fmt: skip
PAGE = Path(__file__).parents[2] / "docs/api.md"
HEAVY = re.compile(r"pydantic|PySide6|shiboken6|msgspec|trace_inspector\.(formats|documents|engine|flows|library)")


def test_the_names_are_kept() -> None:
    assert set(ti.__all__) == set(NAMES)
    missing = [
        f"{name}.{field}"
        for name, fields in NAMES.items()
        for field in fields
        if not hasattr(getattr(ti, name), field)
    ]
    assert not missing
    assert set(dir(ti)) == set(NAMES)
    with pytest.raises(AttributeError, match="no_such_name"):
        ti.no_such_name  # noqa: B018


def test_every_name_is_on_the_page() -> None:
    page = PAGE.read_text(encoding="utf-8")
    untold = [name for name in NAMES if not re.search(rf"\b{name}\b", page)]
    assert untold == ["__version__"]


@pytest.mark.parametrize("statement", ["import trace_inspector", "import trace_inspector.pytest_plugin"])
def test_importing_it_brings_nothing_heavy(statement: str) -> None:
    told = subprocess.run(
        [sys.executable, "-c", f"import sys\n{statement}\nprint(*sys.modules, sep='\\n')"],
        capture_output=True, text=True, check=True, timeout=240,
    ).stdout  # fmt: skip
    assert not [name for name in told.split() if HEAVY.match(name)]


def test_the_examples_of_the_page_run(tmp_path: Path) -> None:
    for sample in folder("samples").iterdir():
        if sample.is_file():
            shutil.copy(sample, tmp_path)
    for name in ("results-of-the-judge", "labels"):
        (tmp_path / name).mkdir()
    judged = twelve_outputs(tmp_path / "results-of-the-judge" / "orders.evalset_result.json")
    labels_of(tmp_path / "labels" / "Ana.jsonl", answered(queue_of(judged), PEOPLE))
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    scripts = [block for block in blocks if not block.startswith("# test_")]
    assert len(scripts) == 6
    told = subprocess.run(
        [sys.executable, "-c", "\n".join(scripts)],
        check=False, cwd=tmp_path, capture_output=True, text=True, timeout=90,
        env={**os.environ, "TRACE_INSPECTOR_DATA": str(tmp_path / "data")},
    )  # fmt: skip
    assert told.returncode == 0, told.stderr
    assert told.stdout.splitlines()[0] == "jaeger 11"
    assert "final_response_match_v2 12 0.6" in told.stdout
