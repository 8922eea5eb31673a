"""The locks hold what constraints.txt pins, with hashes, and name no place where it comes from."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.project.test_pins import pins

PROJECT = Path(__file__).resolve().parents[2]
LOCKS = PROJECT / "packaging" / "locks"
HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}")


def entries(name: str) -> dict[str, tuple[Version, list[str]]]:
    """Each package of a lock with its version and its hashes."""
    found: dict[str, tuple[Version, list[str]]] = {}
    for entry in (LOCKS / f"{name}.txt").read_text(encoding="utf-8").replace("\\\n", " ").splitlines():
        pin, *hashes = re.split(r"\s+(?=--hash)", entry.strip())
        requirement = Requirement(pin)
        (specifier,) = requirement.specifier
        assert specifier.operator == "=="
        found[canonicalize_name(requirement.name)] = (Version(specifier.version), hashes)
    return found


@pytest.mark.parametrize("name", ["base", "installers", "build"])
def test_a_lock_has_our_versions_each_with_hashes(name: str) -> None:
    known = pins()
    for package, (version, hashes) in entries(name).items():
        assert version == known[package], f"{package}: run make locks"
        assert hashes
        assert [one for one in hashes if not HASH.fullmatch(one)] == []
    assert "://" not in (LOCKS / f"{name}.txt").read_text(encoding="utf-8")


def test_what_the_program_asks_for_is_in_them() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    for name, asked in (
        ("base", project["project"]["dependencies"]),
        ("installers", [*project["project"]["dependencies"], *project["project"]["optional-dependencies"]["judges"]]),
        ("build", project["build-system"]["requires"]),
    ):
        wanted = {canonicalize_name(Requirement(text).name) for text in asked}
        assert wanted
        assert wanted - entries(name).keys() == set()
