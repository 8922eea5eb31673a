from __future__ import annotations

import json
import subprocess
import sys

HEAVY = {"PySide6", "shiboken6", "pydantic", "pydantic_core", "numpy", "asyncio", "multiprocessing", "concurrent"}


def loaded_by(statement: str) -> set[str]:
    program = f"{statement}; import json, sys; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30, check=True)
    return {name.partition(".")[0] for name in json.loads(done.stdout)}


def test_the_command_line_starts_without_the_heavy_parts() -> None:
    assert loaded_by("import trace_inspector.cli") & HEAVY == set()


def test_what_is_looked_for_would_be_found() -> None:
    assert {"pydantic", "pydantic_core"} <= loaded_by("import pydantic; pydantic.BaseModel") & HEAVY


def test_no_command_needs_the_window() -> None:
    statement = "; ".join(
        (
            "from trace_inspector.commands import COMMANDS",
            "[command.load() for command in COMMANDS]",
        )
    )
    assert loaded_by(statement) & {"PySide6", "shiboken6", "numpy"} == set()
