"""What is imported: by the command line, by recognising a file, by listing metrics, and by whole commands."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import trace_inspector
from tests.formats.every_sample import every_sample
from tests.helpers.small_set import small_set

HEAVY = {"PySide6", "shiboken6", "pydantic", "pydantic_core", "numpy", "asyncio", "multiprocessing", "concurrent"}
OURS = "trace_inspector"
SOURCES = sorted(Path(trace_inspector.__file__).parent.rglob("*.py"))
_TOLD = "import json, sys; sys.__stderr__.write(json.dumps(sorted(sys.modules)))"
_FILES = (
    "import json, sys; sys.__stderr__.write(json.dumps(sorted(name for name, module in sys.modules.items() "
    "if name.startswith('trace_inspector.') and not hasattr(module, '__path__'))))"
)
# The modules that do what a row of FORMATS or METRICS stands for.
_DOING = (
    "import json, sys; names = ('IMPLEMENTATION', 'METHOD', 'METHODS'); "
    "sys.__stderr__.write(json.dumps(sorted(name for name, module in sys.modules.items() "
    "if name.startswith('trace_inspector.') and any(hasattr(module, one) for one in names))))"
)


def run_and_tell(
    statement: str, told: str = _TOLD, *arguments: str, given: str = "", folder: Path | None = None
) -> list[str]:
    """Run a statement in a process of its own, and read what that says at its end."""
    data = {"TRACE_INSPECTOR_DATA": str(folder / "data")} if folder is not None else {}
    done = subprocess.run(
        [sys.executable, "-c", f"{statement}\n{told}", *arguments],
        input=given,
        env={**os.environ, **data},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return [str(name) for name in json.loads(done.stderr)]


def loaded_by(statement: str) -> set[str]:
    return {name.partition(".")[0] for name in run_and_tell(statement)}


def test_the_command_line_starts_without_the_heavy_parts() -> None:
    assert loaded_by("import trace_inspector.cli") & HEAVY == set()


def test_what_is_looked_for_would_be_found() -> None:
    assert {"pydantic", "pydantic_core"} <= loaded_by("import pydantic; pydantic.BaseModel") & HEAVY


def test_no_command_needs_the_window() -> None:
    statement = "from trace_inspector.commands import COMMANDS\n[command.load() for command in COMMANDS]"
    assert loaded_by(statement) & {"PySide6", "shiboken6", "numpy"} == set()


def test_recognising_imports_no_reader() -> None:
    values = [json.loads(sample.data) for sample in every_sample() if sample.text]
    statement = (
        "import json, sys\nfrom trace_inspector.formats import recognise\n"
        "found = [recognise(value) for value in json.load(sys.stdin)]\nassert all(found)"
    )
    assert run_and_tell(statement, _DOING, given=json.dumps(values)) == []
    assert loaded_by("from trace_inspector.formats import FORMATS") & HEAVY == set()


def test_a_reader_is_found_by_what_looks_for_it() -> None:
    statement = "from trace_inspector.formats import BY_NAME\nBY_NAME['jaeger'].load()"
    assert run_and_tell(statement, _DOING) == ["trace_inspector.formats.spans.jaeger"]


def test_listing_metrics_computes_none() -> None:
    statement = "from trace_inspector.engine.metrics import METRICS\nassert METRICS"
    assert run_and_tell(statement, _DOING) == []
    assert loaded_by(statement) & HEAVY == set()


READER = "trace_inspector.formats.adk.eval_set.eval_set"
SESSIONS = "trace_inspector.formats.adk.session.session"
# What every run by our own rules is told, beside the defaults of ADK.
BY_DEFAULT = {
    f"trace_inspector.engine.metrics.{name}"
    for name in (
        "adk.tool_trajectory", "adk.response_match", "adk.tool_call_count", "adk.inference_call_count",
        "adk.token_usage", "adk.invocation_duration", "local.local_grounding",
    )
}  # fmt: skip
COMMANDS = {
    "inspect": (["inspect", "{goldens}"], {READER}),
    "validate": (["validate", "{goldens}"], {READER}),
    "convert": (
        ["convert", "{goldens}", "--to", "adk-session", "-o", "{out}", "--allow-loss"],
        {READER, SESSIONS},
    ),
    "evaluate": (["evaluate", "{recording}", "--golden", "{goldens}"], {READER, SESSIONS} | BY_DEFAULT),
    "diff": (["diff", "{goldens}", "{recording}"], {READER, SESSIONS}),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_imports_what_it_does_and_little_else(name: str, tmp_path: Path) -> None:
    goldens, recording = small_set(tmp_path)
    words, doing = COMMANDS[name]
    given = [word.format(goldens=goldens, recording=recording, out=tmp_path / "out.json") for word in words]
    statement = "import sys\nfrom trace_inspector.cli import main\nassert main(sys.argv[1:]) in (0, 1)"
    assert set(run_and_tell(statement, _DOING, *given, folder=tmp_path)) == doing
    assert len(run_and_tell(statement, _FILES, *given, folder=tmp_path)) < MOST_FILES
    loaded = run_and_tell(statement, _TOLD, *given, folder=tmp_path)
    assert {one.partition(".")[0] for one in loaded} & HEAVY == set()


MOST_FILES = 200  # folders not counted


def test_our_own_modules_are_imported_by_statements() -> None:
    """What imports by name is seen by no checker; only others' modules are, each by its plain name."""
    imported = [name for path in SOURCES for name in _imported_by_name(path)]
    assert "PySide6.QtGui" in imported  # what is looked for is found
    assert [name for name in imported if not name or name.partition(".")[0] == OURS] == []


def _imported_by_name(path: Path) -> Iterator[str]:
    """What a file imports by calling a function; "" for what only running it would tell."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and _called(node.func) in {"import_module", "__import__"}:
            name = node.args[0] if node.args else None
            yield name.value if isinstance(name, ast.Constant) and isinstance(name.value, str) else ""


def _called(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""
