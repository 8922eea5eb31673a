"""The list of slow tests is about tests that exist, and only what a part needs is imported."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from tests.helpers import slow_tests

PROJECT = Path(__file__).resolve().parents[2]


def test_every_slow_test_exists() -> None:
    listed: defaultdict[str, set[str]] = defaultdict(set)
    for name in slow_tests.listed():
        path, *_classes, test = name.split("::")
        listed[path].add(test)
    gone = {
        path: tests
        for path, tests in listed.items()
        if not (PROJECT / path).is_file() or tests - slow_tests.tests_of(PROJECT / path)
    }
    assert not gone, "python -m tests.helpers.slow_tests writes the list anew"
    assert not slow_tests.listed() & slow_tests.ALWAYS_QUICK


def test_each_command_runs_what_is_said_of_it() -> None:
    lines = re.findall(r"^make (.*)", (PROJECT / ".ci" / "run").read_text(encoding="utf-8"), re.MULTILINE)
    targets = [
        [word for word in re.sub('".*"', "", line).split() if re.fullmatch(r"[a-z][\w-]+", word)] for line in lines
    ]
    assert targets == [["test"], ["package", "test-ship"]]
    rules = (PROJECT / "Makefile").read_text(encoding="utf-8")
    assert re.findall(r"^(tests|test-slow): .*\n\t\$\(PYTEST\) --part (\w+)$", rules, re.MULTILINE) == [
        ("tests", "quick"),
        ("test-slow", "slow"),
    ]
    assert "\ntest-long: test-slow\n" in rules


def test_slow_is_what_takes_long_in_the_mean_or_with_all_its_cases() -> None:
    times = {
        "a.py::test_long": 5.0,
        "a.py::test_short": 0.1,
        "a.py::test_cases[1]": 0.1,
        "a.py::test_cases[x[2]]": 0.4,
        "b.py::test_longer": 3.0,
        "b.py::test_long": 0.5,
        "c.py::test_longer": 3.0,
        "c.py::test_long": 2.0,
        **{f"d.py::test_many[{number}]": 0.1 for number in range(70)},
        "d.py::test_one": 0.0,
    }
    slow = {"a.py::test_long", "a.py::test_cases", "b.py::test_longer", "c.py::test_longer", "c.py::test_long"}
    assert slow_tests.chosen(times) == {*slow, "d.py::test_many"}


@pytest.mark.parametrize("part", ["quick", "slow"])
def test_a_part_has_the_tests_that_the_list_gives_it(part: str, tmp_path: Path) -> None:
    """Each test is in one part, and a file that has none of a part is not imported for it."""
    (tmp_path / "pytest.ini").touch()
    (tmp_path / "conftest.py").write_text(f"{CONFTEST}\nslow_tests.LIST = Path({str(tmp_path)!r}) / 'list.txt'\n")
    (tmp_path / "list.txt").write_text(
        "# slow ones\ntest_a.py::test_two\ntest_a.py::TestThese::test_four\ntest_c.py::test_six\n"
    )
    (tmp_path / "test_a.py").write_text(TESTS)
    (tmp_path / "test_b.py").write_text("def test_five(): pass\nprint('quick imported')\n")
    (tmp_path / "test_c.py").write_text("async def test_six(): pass\nprint('slow imported')\n")
    line = [sys.executable, "-m", "pytest", "--collect-only", "-qs", "--part", part, "-p", "no:cacheprovider"]
    told = subprocess.run(
        line, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(PROJECT)}, capture_output=True, text=True, check=True
    ).stdout
    kept = {name for name in told.split() if "::" in name}
    slow = {
        "test_a.py::test_two[1]",
        "test_a.py::test_two[2]",
        "test_a.py::TestThese::test_four",
        "test_c.py::test_six",
    }
    quick = {"test_a.py::test_one", "test_a.py::TestThese::test_three", "test_b.py::test_five"}
    assert kept == {"quick": quick, "slow": slow}[part]
    assert [word for word in ("quick", "slow") if f"{word} imported" in told] == [part]


CONFTEST = """
from pathlib import Path
from tests.conftest import pytest_addoption, pytest_ignore_collect, pytest_pycollect_makeitem
from tests.helpers import slow_tests
"""
TESTS = """
import pytest

def test_one(): pass

@pytest.mark.parametrize("case", [1, 2])
def test_two(case): pass

class TestThese:
    def test_three(self): pass
    def test_four(self): pass
"""
