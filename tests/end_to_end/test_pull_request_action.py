"""What the action runs, as its steps run it: a shell, the installed command, a stand-in for the code host's tool."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from trace_inspector.core.rows.contents import EVIDENCE
from trace_inspector.flows.opening.open_file import open_file
from trace_inspector.resources import folder

ROOT = Path(__file__).parents[2]
SCRIPTS = ROOT / "packaging/pull_request"
SAMPLES = folder("samples")
COMMAND = Path(sys.executable).with_name("trace-inspector")
# Answers as `gh api` does, with comments from a file; what it is asked to write is noted.
GH = """#!/usr/bin/env python3
import json, os, sys
arguments = sys.argv[1:]
if "--input" in arguments:
    with open(arguments[arguments.index("--input") + 1]) as body, open(os.environ["NOTED"], "a") as noted:
        noted.write(json.dumps([arguments[2], arguments[3], json.load(body)["body"]]) + "\\n")
else:
    print(os.environ.get("OURS", ""))
"""


def run_script(name: str, *arguments: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", str(SCRIPTS / name), *arguments],
        cwd=folder, env={**os.environ, **variables}, check=False, capture_output=True, text=True, timeout=240,
    )  # fmt: skip


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with odd names, as a branch may have them."""
    odd = tmp_path / "recorded $(touch made) é"
    odd.mkdir()
    shutil.copy(SAMPLES / "run-0412.json", odd)
    shutil.copy(SAMPLES / "retail.evalset.json", tmp_path)
    return tmp_path


def evaluated(checkout: Path, **more: str) -> tuple[subprocess.CompletedProcess[str], str]:
    variables = {
        "TRACE_INSPECTOR": str(COMMAND), "TRACES": "recorded $(touch made) é/run-0412.json\r\n",
        "GOLDEN": "\nretail.evalset.json\n", "REPORTS": "out", "GITHUB_OUTPUT": str(checkout / "output"),
        "GITHUB_STEP_SUMMARY": str(checkout / "summary"), "TRACE_INSPECTOR_DATA": str(checkout / "data"),
    }  # fmt: skip
    done = run_script("evaluate.sh", folder=checkout, **{**variables, **more})
    return done, (checkout / "output").read_text(encoding="utf-8")


def test_every_report_is_written_and_the_exit_code_is_kept(checkout: Path) -> None:
    done, output = evaluated(checkout)
    assert done.returncode == 0, done.stderr
    assert output == "status=1\n"
    assert not (checkout / "made").exists()
    names = {path.name for path in (checkout / "out").iterdir()}
    assert names == {
        "run.evalset_result.json", "junit.xml", "run.sarif", "run.html", "run.md", "annotations.txt", "comment.md",
        "evidence.html", "run.otlp.jsonl",
    }  # fmt: skip
    assert "::error file=retail.evalset.json,line=" in done.stdout
    comment = (checkout / "out/comment.md").read_text(encoding="utf-8")
    assert comment.startswith("<!-- trace-inspector -->\n")
    assert "seattle_coffee_001" in comment
    assert (checkout / "summary").read_text(encoding="utf-8") == comment
    pack = open_file(checkout / "out/evidence.html")
    assert pack.contents.format == EVIDENCE
    assert json.loads((checkout / "out/run.sarif").read_text(encoding="utf-8"))["version"] == "2.1.0"
    again, output = evaluated(checkout, BASELINE="out/run.evalset_result.json", REPORTS="later")
    assert again.returncode == 0
    later = (checkout / "later/comment.md").read_text(encoding="utf-8")
    assert "unchanged" in later
    assert later.index("unchanged") < later.index("seattle_coffee_001")


def test_what_cannot_run_says_so_in_the_comment(checkout: Path) -> None:
    done, output = evaluated(checkout, TRACES="nothing here")
    assert (done.returncode, output) == (0, "status=2\n")
    assert "could not run" in (checkout / "out/comment.md").read_text(encoding="utf-8")


def test_there_is_one_comment_and_it_is_replaced(tmp_path: Path) -> None:
    tool = tmp_path / "bin/gh"
    tool.parent.mkdir()
    tool.write_text(GH, encoding="utf-8")
    tool.chmod(0o755)
    (tmp_path / "comment.md").write_text("<!-- trace-inspector -->\n“quoted” $(date)\n", encoding="utf-8")
    variables = {
        "PATH": f"{tool.parent}:{os.environ['PATH']}", "NOTED": str(tmp_path / "noted"), "REPOSITORY": "o/r",
        "PULL_REQUEST": "12",
    }  # fmt: skip
    for ours in ("", "77"):
        done = run_script("comment.sh", "comment.md", folder=tmp_path, OURS=ours, **variables)
        assert done.returncode == 0, done.stderr
    noted = [json.loads(line) for line in (tmp_path / "noted").read_text(encoding="utf-8").splitlines()]
    assert [line[:2] for line in noted] == [
        ["POST", "repos/o/r/issues/12/comments"], ["PATCH", "repos/o/r/issues/comments/77"],
    ]  # fmt: skip
    assert {line[2] for line in noted} == {"<!-- trace-inspector -->\n“quoted” $(date)\n"}


def test_the_action_gives_inputs_as_variables_alone() -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    steps = action["runs"]["steps"]
    assert not [step["name"] for step in steps if "${{" in step.get("run", "")]
    used = set(re.findall(r"inputs\.([a-z-]+)", (ROOT / "action.yml").read_text(encoding="utf-8")))
    assert used == set(action["inputs"])
    scripts = {name for step in steps for name in re.findall(r"pull_request/(\S+?\.sh)", step.get("run", ""))}
    assert scripts == {path.name for path in SCRIPTS.iterdir()}


def test_the_hook_runs_the_command_on_files_that_are_eval_sets(tmp_path: Path) -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert re.search(hook["files"], "goldens/retail.evalset.json")
    assert not re.search(hook["files"], "package.json")
    (tmp_path / "bad.evalset.json").write_text(
        '{"eval_set_id": "s", "eval_cases": [{"eval_id": 1}]}', encoding="utf-8"
    )
    program, *arguments = hook["entry"].split()
    for path, status in ((SAMPLES / "retail.evalset.json", 0), (tmp_path / "bad.evalset.json", 1)):
        done = subprocess.run([COMMAND.with_name(program), *arguments, path], check=False, timeout=240)
        assert done.returncode == status


def test_the_skills_call_commands_that_there_are() -> None:
    from trace_inspector.commands import COMMANDS

    names = {command.name for command in COMMANDS}
    for skill in (ROOT / "packaging/skills").glob("*/SKILL.md"):
        text = skill.read_text(encoding="utf-8")
        head = yaml.safe_load(text.split("---")[1])
        assert set(head) == {"name", "description"}
        called = set(re.findall(r"trace-inspector ([a-z-]+)", text))
        assert called <= names, skill
