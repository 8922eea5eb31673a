"""The list of slow tests is about tests that exist, and each file keeps something in `make test`."""

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


def _tests_of(path: str) -> set[str]:
    return set(
        re.findall(r"^\s*(?:async )?def (test_\w+)", (PROJECT / path).read_text(encoding="utf-8"), re.MULTILINE)
    )


def test_every_slow_test_exists_and_each_file_keeps_a_quick_one() -> None:
    listed: defaultdict[str, set[str]] = defaultdict(set)
    for name in slow_tests.listed():
        path, *_classes, test = name.split("::")
        listed[path].add(test)
    gone = {
        path: tests for path, tests in listed.items() if not (PROJECT / path).is_file() or tests - _tests_of(path)
    }
    assert not gone, "python -m tests.helpers.slow_tests writes the list anew"
    assert not [path for path, tests in listed.items() if tests == _tests_of(path)]
    assert not slow_tests.listed() & slow_tests.ALWAYS_QUICK


def test_slow_is_what_takes_long_in_the_mean_or_with_all_its_cases() -> None:
    times = {
        "a.py::test_long": 5.0,
        "a.py::test_short": 0.1,
        "a.py::test_cases[1]": 0.1,
        "a.py::test_cases[x[2]]": 0.4,
        "b.py::test_longer": 3.0,
        "b.py::test_long": 2.0,
        **{f"c.py::test_many[{number}]": 0.1 for number in range(70)},
        "c.py::test_one": 0.0,
    }
    assert slow_tests.chosen(times) == {"a.py::test_long", "b.py::test_longer", "c.py::test_many"}


@pytest.mark.parametrize("part", ["quick", "slow"])
def test_a_part_has_the_tests_that_the_list_gives_it(part: str, tmp_path: Path) -> None:
    """Each test is in one part; the slow part leaves a file without slow tests alone, broken as it is here."""
    (tmp_path / "pytest.ini").touch()
    (tmp_path / "conftest.py").write_text(f"{CONFTEST}\nslow_tests.LIST = Path({str(tmp_path)!r}) / 'list.txt'\n")
    (tmp_path / "list.txt").write_text("# slow ones\ntest_a.py::test_two\ntest_a.py::TestThese::test_four\n")
    (tmp_path / "test_a.py").write_text(TESTS)
    (tmp_path / "test_b.py").write_text("def test_five(): pass\nprint('imported')\n")
    line = [sys.executable, "-m", "pytest", "--collect-only", "-qs", "--part", part, "-p", "no:cacheprovider"]
    told = subprocess.run(
        line, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(PROJECT)}, capture_output=True, text=True, check=True
    ).stdout
    kept = {name for name in told.split() if "::" in name}
    slow = {"test_a.py::test_two[1]", "test_a.py::test_two[2]", "test_a.py::TestThese::test_four"}
    quick = {"test_a.py::test_one", "test_a.py::TestThese::test_three", "test_b.py::test_five"}
    assert kept == {"quick": quick, "slow": slow}[part]
    assert ("imported" in told) == (part != "slow")


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
