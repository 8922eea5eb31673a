"""The list of slow tests is about tests that exist, and each file keeps something in `make test`."""

from __future__ import annotations

import re
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


@pytest.mark.parametrize("part", ["quick", "slow", "all"])
def test_a_part_has_the_tests_that_the_list_gives_it(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    items = [_Item("a.py::test_one"), _Item("a.py::test_two[case]"), _Item("a.py::test_three")]
    config = _Config(part)
    monkeypatch.setattr(slow_tests, "listed", lambda: {"a.py::test_two"})
    slow_tests.divide(config, items)  # type: ignore[arg-type]
    kept = [item.nodeid for item in items]
    slow, quick = ["a.py::test_two[case]"], ["a.py::test_one", "a.py::test_three"]
    assert (
        kept
        == {"quick": quick, "slow": slow, "all": ["a.py::test_one", "a.py::test_two[case]", "a.py::test_three"]}[part]
    )
    assert sorted(config.left_out) == sorted({"quick": slow, "slow": quick, "all": []}[part])


class _Item:
    def __init__(self, nodeid: str) -> None:
        self.nodeid = nodeid


class _Config:
    """What `divide` asks of a configuration of pytest."""

    def __init__(self, part: str) -> None:
        self._part = part
        self.left_out: list[str] = []
        self.hook = self

    def getoption(self, _name: str) -> str:
        return self._part

    def pytest_deselected(self, items: list[_Item]) -> None:
        self.left_out += [item.nodeid for item in items]
