"""Which tests are slow, and run by `make test-slow` instead of `make test`: measured, not judged (decision 0072).

`python -m tests.helpers.slow_tests` runs all tests, measures the processor time of each and of the children that it
waits for, and writes `tests/slow_tests.txt` anew. A file of tests keeps something in `make test` where that is cheap.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import pytest

LIST = Path(__file__).resolve().parents[1] / "slow_tests.txt"
PROJECT = LIST.parents[1]
MOST_S = 0.2  # of processor time, the mean of the cases: two in three tests take less than a sixth of it
MOST_ALL_CASES_S = 1.5  # of a test with many cases
MOST_OF_A_FILE_S = 0.6  # of the one test that a file keeps although it is slow
ALWAYS_QUICK = {
    # A person at a real window: "make test" stands for it.
    "tests/end_to_end/test_real_window.py::test_a_person_evaluates_reads_filters_saves_a_report_and_quits",
    # Whatever shows a golden rests upon it.
    "tests/models/test_goldens.py::test_the_verdict_stays_with_its_case_when_the_one_before_it_goes",
    # These end the server of the children, and are charged with the time of all children of the run.
    "tests/work/test_fork_server.py::test_a_server_that_was_ended_is_started_again",
    "tests/work/test_jobs.py::test_short_requests_are_answered_by_a_child_that_stays",
}
_TEST = re.compile(r"^\s*(?:async )?def (test_\w+)", re.MULTILINE)
_HEAD = (
    "# Tests that `make test-slow` runs and `make test` leaves out. Written by `python -m tests.helpers.slow_tests`;"
    " docs/testing.md says why.\n"
)


def name_of(node_id: str) -> str:
    """A test without its case."""
    return node_id.partition("[")[0]


@cache
def listed() -> frozenset[str]:
    """The names in the list."""
    lines = LIST.read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("#"))


def is_left_out(config: pytest.Config, node_id: str, name: str) -> bool:
    """Whether the option `--part` does not ask for a test of this name in a file or class."""
    part: str = config.getoption("part")
    if part == "all" or not name.startswith("test"):
        return False
    return (f"{node_id}::{name}" in listed()) != (part == "slow")


def is_elsewhere(config: pytest.Config, path: Path) -> bool:
    """Whether the option `--part` asks for nothing in this file, which then need not be imported."""
    part: str = config.getoption("part")
    if part == "all" or not path.match("test_*.py"):
        return False
    slow = _slow_of_files().get(path.relative_to(config.rootpath).as_posix(), set[str]())
    return not slow if part == "slow" else bool(slow) and tests_of(path) <= slow


def tests_of(path: Path) -> set[str]:
    """The names of the tests in a file, without their classes."""
    return set(_TEST.findall(path.read_text(encoding="utf-8")))


@cache
def _slow_of_files() -> dict[str, set[str]]:
    slow: defaultdict[str, set[str]] = defaultdict(set)
    for name in listed():
        path, *_classes, test = name.split("::")
        slow[path].add(test)
    return slow


class Times:
    """A plugin that writes down how much processor time each test took, one file a process."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / f"{os.getpid()}.jsonl"

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        before = _processor_s()
        result = yield
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps([item.nodeid, round(_processor_s() - before, 3)]) + "\n")
        return result


def chosen(times: Mapping[str, float]) -> set[str]:
    """The slow ones of the tests with these node ids and seconds."""
    cases = defaultdict(list)
    for node_id, seconds in times.items():
        cases[name_of(node_id)].append(seconds)
    slow = {name for name, all_s in cases.items() if sum(all_s) > min(MOST_S * len(all_s), MOST_ALL_CASES_S)}
    slow -= ALWAYS_QUICK
    files = defaultdict(set)
    for name in cases:
        files[name.partition("::")[0]].add(name)
    for names in files.values():
        cheapest = min(sorted(names), key=lambda name: sum(cases[name]))
        if names <= slow and sum(cases[cheapest]) <= MOST_OF_A_FILE_S:
            slow.remove(cheapest)
    return slow


def main(argv: Sequence[str] | None = None) -> int:
    """0 when the list was written; that of the tests when one failed, and the list stays as it is."""
    parser = argparse.ArgumentParser(prog="python -m tests.helpers.slow_tests", description=__doc__)
    parser.add_argument("--times", type=Path, metavar="FOLDER", help="take what `pytest --times FOLDER` wrote")
    folder = parser.parse_args(argv).times
    with tempfile.TemporaryDirectory(prefix="times-") as made:
        if folder is None:
            folder = Path(made)
            line = [sys.executable, "-m", "pytest", "-q", "-n", "auto", "--dist", "loadfile", f"--times={folder}"]
            ended = subprocess.run(line, cwd=PROJECT, check=False).returncode
            if ended:
                return ended
        times = dict(_written(folder.glob("*.jsonl")))
    slow = chosen(times)
    LIST.write_text(_HEAD + "".join(f"{name}\n" for name in sorted(slow)), encoding="utf-8")
    spent = sum(seconds for node_id, seconds in times.items() if name_of(node_id) in slow)
    told = f"{len(slow)} slow tests with {spent:.0f} of {sum(times.values()):.0f} s of processor time: {LIST.name}\n"
    sys.stdout.write(told)
    return 0


def _written(paths: Iterable[Path]) -> Iterator[tuple[str, float]]:
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            node_id, seconds = json.loads(line)
            yield node_id, seconds


def _processor_s() -> float:
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


if __name__ == "__main__":
    sys.exit(main())
