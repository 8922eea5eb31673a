"""What docs/ci.md shows is what there is: its command is run, its files name inputs, hooks and folders that exist."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.end_to_end.test_pull_request_action import COMMAND, ROOT, SAMPLES, run_script

PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Recordings and goldens where the page has them."""
    for folder, sample in (
        ("recorded", "run-0412.json"),
        ("traces", "run-0412.json"),
        ("goldens", "retail.evalset.json"),
    ):
        (tmp_path / folder).mkdir()
        shutil.copy(SAMPLES / sample, tmp_path / folder)
    return tmp_path


def environment(repository: Path) -> dict[str, str]:
    found = f"{COMMAND.parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": found, "TRACE_INSPECTOR_DATA": str(repository / "data")}


def test_the_command_for_any_pipeline_runs(repository: Path) -> None:
    (line,) = blocks("sh")
    done = subprocess.run(
        ["sh", "-c", line], cwd=repository, env=environment(repository), capture_output=True, text=True,
        timeout=240, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    written = re.findall(r"--report (\w+)=(\S+)", line)
    assert len(written) == 3
    for kind, name in written:
        assert (repository / name).stat().st_size > 0
        assert f"`{kind}`" in PAGE or kind == "html"


def test_the_step_for_pull_requests_gives_what_the_action_takes(repository: Path) -> None:
    workflow, _hook = map(yaml.safe_load, blocks("yaml"))
    (given,) = [step["with"] for step in workflow["steps"] if "trace-inspector" in step["uses"]]
    inputs: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["inputs"]
    assert set(given) <= set(inputs)
    assert {name for name, one in inputs.items() if one.get("required")} <= set(given)
    variables = {name.upper(): value for name, value in given.items()}
    first = {**variables, "BASELINE": "", "REPORTS": "results", "TRACE_INSPECTOR": str(COMMAND)}
    assert run_script("evaluate.sh", folder=repository, **environment(repository), **first).returncode == 0
    kept = repository / "results" / "run.evalset_result.json"
    kept.rename(repository / given["baseline"])
    output = repository / "output"
    later = {**variables, "REPORTS": "later", "TRACE_INSPECTOR": str(COMMAND), "GITHUB_OUTPUT": str(output)}
    assert run_script("evaluate.sh", folder=repository, **environment(repository), **later).returncode == 0
    assert output.read_text(encoding="utf-8") == "status=1\n"
    comment = (repository / "later" / "comment.md").read_text(encoding="utf-8")
    assert comment.index("unchanged") < comment.index("seattle_coffee_001")
    assert (repository / "later" / "evidence.html").is_file()


def test_the_hook_of_the_page_is_there() -> None:
    _workflow, configuration = map(yaml.safe_load, blocks("yaml"))
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    named = {hook["id"] for repository in configuration["repos"] for hook in repository["hooks"]}
    assert named == {hook["id"] for hook in hooks}


def test_the_server_is_started_as_the_page_configures_it(repository: Path) -> None:
    from mcp import Client  # takes longest of all that tests import
    from mcp.client.stdio import StdioServerParameters

    (server,) = json.loads(*blocks("json"))["mcpServers"].values()
    started = StdioServerParameters(**server, cwd=repository, env=environment(repository))

    async def ask() -> set[str]:
        async with asyncio.timeout(100), Client(started) as client:
            return {tool.name for tool in (await client.list_tools()).tools}

    wanted = {
        "failing", "explain_turn", "diff", "first_divergence", "evidence", "compare_runs", "propose_matchers",
    }  # fmt: skip
    assert asyncio.run(ask()) >= wanted


def test_the_extra_of_the_page_is_one() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = re.findall(r"trace-inspector\[(\w+)\]", PAGE)
    assert named == ["mcp"]
    assert set(named) <= set(project["optional-dependencies"])
