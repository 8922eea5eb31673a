"""A pipe or a device that is named like a document: a folder is read without it, and says so."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.eval_sets import case, turn, write_eval_set
from tests.helpers.limits import within
from trace_inspector.cli import main
from trace_inspector.work.reading.loading import listed_in

LIMIT_S = 60
pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes by name on this system")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "traces"
    made.mkdir()
    write_eval_set(made / "a.evalset.json", case("parking", turn("Where?", "There.", [])))
    os.mkfifo(made / "b.json")
    return made


def test_validate_lists_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", str(folder)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(" This")[0] for line in lines if "b.json" in line] == [
        f"{folder / 'b.json'}:0:0: warning not-a-file"
    ]


def test_inspect_says_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", str(folder)]) == 0
    told = capsys.readouterr()
    assert "a.evalset.json" in told.out
    assert f"{folder / 'b.json'}: This is not a regular file, so it was skipped." in told.err


def test_evaluate_judges_the_others_and_notes_it(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    golden = tmp_path / "golden.evalset.json"
    golden.write_bytes((folder / "a.evalset.json").read_bytes())
    os.mkfifo(tmp_path / "test_config.json")
    assert main(["evaluate", "--golden", str(golden), "--", str(folder)]) == 0
    told = capsys.readouterr()
    assert f"{folder / 'b.json'}: This is not a regular file, so it was skipped." in told.out + told.err


def test_the_window_says_it(folder: Path) -> None:
    sentences = [listed.sentence for listed in listed_in(folder) if listed.sentence]
    assert sentences == [f"{folder / 'b.json'} is no regular file, and was skipped."]
    assert [path.name for listed in listed_in(folder) for path in listed.paths] == ["a.evalset.json"]


REFUSED = "This is no regular file. Copy what it delivers into a file and open that."


@pytest.mark.parametrize("command", [["inspect"], ["validate"], ["evaluate", "--golden"], ["coverage"], ["convert"]])
def test_named_itself_it_is_refused_without_waiting(
    folder: Path, command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = ["--to", "agent-eval", "-o", str(tmp_path / "out.json")] if command == ["convert"] else []
    more = ["--", str(folder / "a.evalset.json")] if "--golden" in command else more
    with within(LIMIT_S):
        assert main([*command, str(folder / "b.json"), *more]) == 2
    assert REFUSED in capsys.readouterr().err


def test_a_program_of_its_own_refuses_it_too(folder: Path) -> None:
    line = [sys.executable, "-m", "trace_inspector", "inspect", str(folder / "b.json")]
    done = subprocess.run(
        line, capture_output=True, text=True, timeout=LIMIT_S, check=False, stdin=subprocess.DEVNULL
    )
    assert (done.returncode, REFUSED in done.stderr) == (2, True)


@pytest.mark.skipif(not Path("/dev/stdin").exists(), reason="no such name on this system")
def test_a_file_that_stands_at_the_standard_input_is_read(folder: Path) -> None:
    line = [sys.executable, "-m", "trace_inspector", "inspect", "/dev/stdin"]
    with (folder / "a.evalset.json").open("rb") as given:
        done = subprocess.run(line, stdin=given, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    assert (done.returncode, "adk-eval-set" in done.stdout) == (0, True)
