"""What is imported: by the command line, by recognising a file, by listing metrics, and by whole commands."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import trace_inspector
from tests.formats.every_sample import every_sample
from tests.helpers.small_set import small_set

HEAVY = {
    "PySide6", "shiboken6", "pydantic", "pydantic_core", "numpy", "asyncio", "multiprocessing", "concurrent",
    "jinja2",
}  # fmt: skip
OURS = "trace_inspector"
SOURCES = sorted(Path(trace_inspector.__file__).parent.rglob("*.py"))
# Of each module: its name, whether it is a folder, and whether it does what a row of FORMATS or METRICS stands for.
_TOLD = """
import json, sys
doing = ("IMPLEMENTATION", "METHOD", "METHODS")
ours = {name: module for name, module in sys.modules.items() if name.startswith("trace_inspector.")}
sys.__stderr__.write(json.dumps({
    "all": sorted(sys.modules),
    "files": sorted(name for name, module in ours.items() if not hasattr(module, "__path__")),
    "doing": sorted(name for name, module in ours.items() if any(hasattr(module, one) for one in doing)),
}))
"""


@dataclass(frozen=True)
class Loaded:
    """Which modules a process has imported: all of them, ours without folders, and those that do something."""

    all: list[str]
    files: list[str]
    doing: list[str]

    @property
    def packages(self) -> set[str]:
        return {name.partition(".")[0] for name in self.all}


def loaded_by(statement: str, *arguments: str, given: str = "", folder: Path | None = None) -> Loaded:
    """Run a statement in a process of its own, and read what that says at its end."""
    data = {"TRACE_INSPECTOR_DATA": str(folder / "data")} if folder is not None else {}
    done = subprocess.run(
        [sys.executable, "-c", f"{statement}\n{_TOLD}", *arguments],
        input=given,
        env={**os.environ, **data},
        capture_output=True,
        text=True,
        timeout=240,
        check=True,
    )
    return Loaded(**json.loads(done.stderr))


def test_the_command_line_starts_without_the_heavy_parts() -> None:
    assert loaded_by("import trace_inspector.cli").packages & HEAVY == set()


def test_what_is_looked_for_would_be_found() -> None:
    assert {"pydantic", "pydantic_core"} <= loaded_by("import pydantic; pydantic.BaseModel").packages & HEAVY


def test_no_command_needs_the_window() -> None:
    statement = "from trace_inspector.commands import COMMANDS\n[command.load() for command in COMMANDS]"
    assert loaded_by(statement).packages & {"PySide6", "shiboken6", "numpy"} == set()


def test_what_every_child_is_forked_from_has_no_models() -> None:
    """Files are read, audited, compared and evaluated without them; they would be imported again in each child."""
    assert loaded_by("import trace_inspector.work.preloaded").packages & HEAVY == {"multiprocessing", "pydantic_core"}


def test_recognising_imports_no_reader() -> None:
    values = [json.loads(sample.data) for sample in every_sample() if sample.text]
    statement = (
        "import json, sys\nfrom trace_inspector.formats import recognise\n"
        "found = [recognise(value) for value in json.load(sys.stdin)]\nassert all(found)"
    )
    assert loaded_by(statement, given=json.dumps(values)).doing == []
    assert loaded_by("from trace_inspector.formats import FORMATS").packages & HEAVY == set()


def test_a_reader_is_found_by_what_looks_for_it() -> None:
    statement = "from trace_inspector.formats import BY_NAME\nBY_NAME['jaeger'].load()"
    assert loaded_by(statement).doing == ["trace_inspector.formats.spans.jaeger"]


def test_listing_metrics_computes_none() -> None:
    statement = "from trace_inspector.engine.metrics import METRICS\nassert METRICS"
    loaded = loaded_by(statement)
    assert loaded.doing == []
    assert loaded.packages & HEAVY == set()


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
    loaded = loaded_by(statement, *given, folder=tmp_path)
    assert set(loaded.doing) == doing
    assert len(loaded.files) < MOST_FILES[name]
    assert loaded.packages & HEAVY == set()


def test_what_writes_pages_is_imported_for_pages_alone(tmp_path: Path) -> None:
    goldens, recording = small_set(tmp_path)
    statement = "import sys\nfrom trace_inspector.cli import main\nassert main(sys.argv[1:]) in (0, 1)"
    for kind, imported in (("markdown", False), ("html", True)):
        given = ["diff", str(goldens), str(recording), "--report", f"{kind}={tmp_path / kind}"]
        assert ("jinja2" in loaded_by(statement, *given, folder=tmp_path).packages) is imported


# Folders not counted. A third of those of `evaluate` judge sentences of answers (docs/decisions/0048).
MOST_FILES = {"inspect": 100, "validate": 100, "convert": 120, "evaluate": 200, "diff": 140}


def test_our_own_modules_are_imported_by_statements() -> None:
    """What imports by name is seen by no checker; only others' modules are, each by its plain name."""
    imported = [name for path in SOURCES for name in _imported_by_name(path)]
    assert "PySide6.QtGui" in imported  # what is looked for is found
    assert [name for name in imported if not name or name.partition(".")[0] == OURS] == []


IMPORTING = {"import_module", "__import__"}


def _imported_by_name(path: Path) -> Iterator[str]:
    """What a file imports by calling a function; "" for what only running it would tell."""
    source = path.read_text(encoding="utf-8")
    if not any(name in source for name in IMPORTING):  # most files, which need not be parsed
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and _called(node.func) in IMPORTING:
            name = node.args[0] if node.args else None
            yield name.value if isinstance(name, ast.Constant) and isinstance(name.value, str) else ""


def _called(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""
