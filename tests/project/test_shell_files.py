"""The man page and the completions: made from the command line as it is, and understood by real shells."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGING = Path(__file__).resolve().parents[2] / "packaging"
SHARE = PACKAGING / "share"
MAN_PAGE = SHARE / "man" / "man1" / "trace-inspector.1"
BASH = SHARE / "bash-completion" / "completions" / "trace-inspector"
ZSH = SHARE / "zsh" / "site-functions" / "_trace-inspector"
FISH = SHARE / "fish" / "vendor_completions.d" / "trace-inspector.fish"
ASK_BASH = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
_trace_inspector
printf '%s\\n' "${COMPREPLY[@]}"
"""
WORDS = [
    (("ev",), {"evaluate", "evidence"}),
    (("evaluate", "--pair-b"), {"--pair-by"}),
    (("evaluate", "--pair-by", ""), {"auto", "id", "text", "order"}),
    (("labels", "mo"), {"modes"}),
    (("labels", "modes", "--level", ""), {"case", "turn", "call", "sentence"}),
]


def output_of(*command: str | Path, cwd: Path | None = None) -> str:
    if shutil.which(str(command[0])) is None:
        pytest.skip(f"{command[0]} is not installed")
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, cwd=cwd, timeout=240, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_they_are_those_of_this_command_line(tmp_path: Path) -> None:
    shutil.copytree(PACKAGING, tmp_path / "packaging")
    output_of(sys.executable, tmp_path / "packaging" / "shell_files.py")
    for file in (MAN_PAGE, BASH, ZSH, FISH):
        made = tmp_path / "packaging" / file.relative_to(PACKAGING)
        assert made.read_text("utf-8") == file.read_text("utf-8"), "run: python packaging/shell_files.py"


def test_man_shows_every_command() -> None:
    shown = output_of("man", "--warnings", "-l", MAN_PAGE)
    assert "compare-runs" in shown
    assert "--pair-by {auto,id,text,order}" in shown
    assert "\\" not in shown


@pytest.mark.parametrize(("typed", "offered"), WORDS)
def test_bash_completes(typed: tuple[str, ...], offered: set[str], tmp_path: Path) -> None:
    assert {*output_of("bash", "-c", ASK_BASH, "-", BASH, "trace-inspector", *typed, cwd=tmp_path).split()} == offered


def test_bash_completes_files(tmp_path: Path) -> None:
    (tmp_path / "a trace.json").touch()
    shown = output_of("bash", "-c", ASK_BASH, "-", BASH, "trace-inspector", "inspect", "a", cwd=tmp_path)
    assert shown == "a trace.json\n"


@pytest.mark.parametrize(("typed", "offered"), WORDS)
def test_fish_completes(typed: tuple[str, ...], offered: set[str], tmp_path: Path) -> None:
    line = " ".join(("trace-inspector", *typed))
    shown = output_of("fish", "-c", f"source '{FISH}'; complete -C '{line}'", cwd=tmp_path)
    assert {row.partition("\t")[0] for row in shown.splitlines()} == offered


def test_zsh_reads_its_completions() -> None:
    assert output_of("zsh", "-n", ZSH) == ""
