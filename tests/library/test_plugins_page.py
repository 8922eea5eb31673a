"""What docs/plugins.md shows: the distribution of examples/ is built and installed, and every command is run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import trace_inspector.extending
from trace_inspector.resources import folder

PROJECT = Path(__file__).parents[2]
EXAMPLES = PROJECT / "examples"
PAGE = (PROJECT / "docs" / "plugins.md").read_text(encoding="utf-8")
DIALOGUE = (
    '{"id": "d1", "dialogue": [["user", "How many?"], ["call", "count", {"shelf": 1}], ["result", "count", 3],'
    ' ["agent", "Three."], ["user", "Sure?"], ["agent", "I am sorry, four."], ["unknown"]]}'
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example as pip makes a wheel of it, unpacked where an interpreter looks for distributions."""
    made = tmp_path_factory.mktemp("plugin")
    shutil.copytree(EXAMPLES / "plugin", made / "source")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*command, "--wheel-dir", str(made), str(made / "source")], timeout=240, check=True)
    (wheel,) = made.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(made / "site")
    return made / "site"


@pytest.fixture
def program(site: Path, tmp_path: Path) -> dict[str, str]:
    """An environment in which the command is found, with the example beside it; and the files of the page."""
    command = tmp_path / "bin" / "trace-inspector"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m trace_inspector "$@"\n', "utf-8")
    command.chmod(0o700)
    for sample in folder("samples").iterdir():
        if sample.is_file():
            shutil.copy(sample, tmp_path)
    shutil.copytree(EXAMPLES / "metrics", tmp_path / "metrics")
    (tmp_path / "dialogue.json").write_text(DIALOGUE, "utf-8")
    return {
        **os.environ,
        "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join((str(site), str(PROJECT))),
        "TRACE_INSPECTOR_DATA": str(tmp_path / "data"),
    }


def shell(line: str, where: Path, program: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-c", line], cwd=where, env=program, capture_output=True, text=True, timeout=240, check=False
    )


def lines_of_the_page() -> list[str]:
    return "".join(re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)).splitlines()


# What each command of the page says, in its order: the exit code, and words of its output.
SAID = (
    (0, "short_answers"),
    (0, "few_calls"),
    (0, "answered"),
    (0, "no_apologies, trace-inspector-example 1.0; on"),
    (0, "dialogue.json: example-dialogue"),
    (0, "turn 2: no_apologies 0 (the answer says “sorry”)"),
    (0, "Answer"),
)


def test_the_commands_of_the_page_run(tmp_path: Path, program: dict[str, str]) -> None:
    lines = lines_of_the_page()
    assert len(lines) == len(SAID)
    for line, (status, words) in zip(lines, SAID, strict=True):
        if line.endswith('.js"') and shutil.which("node") is None:
            continue
        done = shell(line, tmp_path, program)
        assert words in done.stdout, (line, done.stdout, done.stderr)
        assert "ERROR" not in done.stdout
        assert done.returncode in {status, 1, 3}, (line, done.stderr)
        assert done.returncode == status or "doctor" in line or "run-0412" in line, (line, done.stdout)


def test_what_the_page_shows_stands_in_the_examples() -> None:
    files = "\n".join(path.read_text(encoding="utf-8") for path in EXAMPLES.rglob("*.*") if path.is_file())
    shown = re.findall(r"```(?:python|toml)\n(.*?)```", PAGE, re.DOTALL)
    assert [block for block in shown if block not in files and "metric_commands" not in block] == []
    assert len(shown) == 5


def test_the_example_is_switched_off(tmp_path: Path, program: dict[str, str]) -> None:
    done = shell("trace-inspector inspect dialogue.json --without-plugin trace-inspector-example", tmp_path, program)
    assert "in none of the formats" in done.stdout + done.stderr


def test_the_names_for_plugins_are_kept() -> None:
    kept = {
        "Backend", "CallFailed", "CannotJudge", "Case", "Criterion", "Event", "Finding", "Format", "Implementation",
        "Judged", "Method", "Metric", "MetricVerdict", "ModelAnswer", "PairedTurn", "Prompted", "Source", "Status",
        "Steps", "Subject", "Suite", "Text", "ToolCall", "ToolResult", "Trace", "Turn", "Usage", "against",
        "answer_text", "calls_of", "error", "info", "user_text", "warning",
    }  # fmt: skip
    assert set(trace_inspector.extending.__all__) >= kept
    assert [name for name in sorted(kept) if not hasattr(trace_inspector.extending, name)] == []
