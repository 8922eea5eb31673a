from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

PROJECT = Path(__file__).resolve().parents[2]
PIN = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)==([0-9][0-9A-Za-z.]*)")


def pins() -> dict[str, Version]:
    matches = [PIN.fullmatch(line) for line in (PROJECT / "constraints.txt").read_text(encoding="utf-8").splitlines()]
    return {canonicalize_name(match[1]): Version(match[2]) for match in matches if match}


def asked_for() -> Iterator[Requirement]:
    project: dict[str, Any] = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    lists = [project["project"]["dependencies"], *project["project"]["optional-dependencies"].values()]
    every = (Requirement(text) for wanted in lists for text in wanted)
    yield from (one for one in every if one.name != project["project"]["name"])  # an extra that has another
    yield from (Requirement(text) for text in project["build-system"]["requires"])


def test_constraints_are_pins_and_nothing_else() -> None:
    text = (PROJECT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    assert [line for line in text if not PIN.fullmatch(line)] == []
    assert sorted(text, key=str.casefold) == text
    assert len(pins()) == len(text)


def test_everything_asked_for_is_pinned_to_a_version_that_is_asked_for() -> None:
    known = pins()
    odd = [str(one) for one in asked_for() if not one.specifier.contains(known[canonicalize_name(one.name)])]
    assert odd == []


def test_the_pinned_window_library_is_one_that_works() -> None:
    known = pins()
    assert known["pyside6-essentials"] == known["shiboken6"] == Version("6.11.3")
