"""The net under moves of code has every command and every report in it, and notices one byte that is another."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.project import compare_outputs
from tests.project.compare_outputs import NOT_COMPARED, PROJECT, Case, cases, differences, run
from trace_inspector.commands import COMMANDS
from trace_inspector.formats import FORMATS

SAMPLE = PROJECT / "resources" / "samples" / "retail.evalset.json"
TINY = (
    Case("edit", ("edit", str(SAMPLE), "--set", '/eval_set_id="other"', "-o", "edited.json")),
    Case("inspect", ("inspect", str(SAMPLE))),
    Case("refused", ("inspect", "nowhere.json")),
)


@pytest.fixture
def lines(tmp_path: Path) -> list[Case]:
    """What is run of a folder with two files."""
    folder = tmp_path / "samples"
    folder.mkdir()
    for name in ("a.json", "b.json"):
        (folder / name).touch()
    return [*cases(tmp_path)]


def test_every_command_is_compared_or_there_is_a_reason(lines: list[Case]) -> None:
    compared = {line.argv[0] for line in lines} - {"--samples"}
    names = {command.name for command in COMMANDS}
    assert compared | {*NOT_COMPARED} == names, "tests/project/compare_outputs.py has an entry for each command"
    assert compared & {*NOT_COMPARED} == set()
    assert all(NOT_COMPARED.values())


def test_every_kind_of_report_and_conversion_is_compared(lines: list[Case]) -> None:
    def asked(command: str) -> set[str]:
        words = [word for line in lines if line.argv[0] == command for word in _reports(line)]
        return {word.partition("=")[0] for word in words}

    of_traces, of_runs = compare_outputs.comparison_reports()
    assert asked("evaluate") == {*compare_outputs.run_reports()} >= {"adk", "junit", "sarif", "otel"}
    assert asked("diff") == {*of_traces}
    assert asked("compare-runs") == {*of_runs}
    targets = {line.argv[line.argv.index("--to") + 1] for line in lines if line.argv[0] == "convert"}
    assert targets == {known.name for known in FORMATS if known.write is not None}


def _reports(line: Case) -> Iterator[str]:
    return (word for before, word in zip(line.argv, line.argv[1:], strict=False) if before == "--report")


def test_no_two_command_lines_have_one_place(lines: list[Case]) -> None:
    assert len({line.name for line in lines}) == len(lines)


@pytest.fixture(scope="module")
def twice(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Three command lines, run two times with the code of this checkout."""
    place = tmp_path_factory.mktemp("compared")
    old, new = place / "old", place / "new"
    for process in [run(PROJECT, TINY, side) for side in (old, new)]:
        assert process.wait() == 0
    return old, new


# In a process of its own: the limit of a test is the same signal.
HANGING = """
import importlib, sys, time
from pathlib import Path
from types import SimpleNamespace
from tests.project import compare_outputs

importlib.import_module = lambda _name: SimpleNamespace(main=lambda words: time.sleep(float(words[0])))
compare_outputs.LIMIT_S = 1
compare_outputs.run_listed(Path(sys.argv[1]))
"""


def test_a_command_line_that_does_not_end_is_told_and_the_others_are_run(tmp_path: Path) -> None:
    listing = tmp_path / "cases.json"
    listing.write_text('[["hangs", ["600"]], ["ends", ["0"]]]')
    subprocess.run([sys.executable, "-c", HANGING, str(listing)], cwd=PROJECT, check=True, timeout=240)
    ended = {file.parent.name: file.read_text() for file in tmp_path.rglob("exit")}
    assert ended == {"hangs": "raised TooLong\n", "ends": "None\n"}


def told(old: Path, new: Path) -> dict[str, list[str]]:
    return dict(differences(old, new, (PROJECT, PROJECT)))


def test_the_same_code_gives_the_same(twice: tuple[Path, Path]) -> None:
    old, new = twice
    assert told(old, new) == {}
    kept = {str(file.relative_to(new / "cases")) for file in (new / "cases").rglob("*") if file.is_file()}
    assert kept == {
        "edit/edited.json",
        *(f"{one.name}/{what}" for one in TINY for what in ("exit", "stdout", "stderr")),
    }
    assert (new / "cases" / "refused" / "exit").read_text() == "2\n"
    assert (new / "cases" / "edit" / "edited.json").read_bytes() != SAMPLE.read_bytes()


@pytest.mark.parametrize("name", ["edit/edited.json", "inspect/stdout", "refused/stderr", "refused/exit"])
def test_one_byte_that_is_another_is_told(twice: tuple[Path, Path], name: str, tmp_path: Path) -> None:
    old, new = twice[0], tmp_path / "new"
    shutil.copytree(twice[1], new)
    file = new / "cases" / name
    data = bytearray(file.read_bytes())
    data[len(data) // 3] ^= 1
    file.write_bytes(data)
    assert [*told(old, new)] == [f"cases/{name}"]
    file.unlink()
    assert [*told(old, new)] == [f"cases/{name}"]


def test_what_is_masked_is_no_difference_and_what_is_beside_it_is(tmp_path: Path) -> None:
    for side, time, score in (("old", "2026-11-30T10:00:00Z", 1), ("new", "2026-11-30T11:30:00Z", 2)):
        folder = tmp_path / side / "cases" / "a"
        folder.mkdir(parents=True)
        (folder / "stdout").write_text(f'{{"at": "{time}", "in": "{tmp_path / side}"}}\n')
        (folder / "stderr").write_text(f'{{"at": "{time}", "score": {score}}}\n')
    assert told(tmp_path / "old", tmp_path / "new") == {
        "cases/a/stderr": ['-{"at": "TIME", "score": 1}', '+{"at": "TIME", "score": 2}']
    }
