"""The source archive has all that is in the repository, and the wheel built from it has the same bytes as ours."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.ship.conftest import PROJECT, build_wheel

pytestmark = [pytest.mark.ship, pytest.mark.timeout(900)]
ANOTHER_DAY = 1_000_000_000


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sdist")
    code = f"import hatchling.build; hatchling.build.build_sdist({str(folder)!r})"
    subprocess.run([sys.executable, "-c", code], cwd=PROJECT, timeout=300, check=True)
    (built,) = folder.glob("*.tar.gz")
    return built


def test_it_is_complete(archive: Path) -> None:
    if not shutil.which("git") or not (PROJECT / ".git").exists():
        pytest.skip("another operating system, or no repository: nobody says what belongs to it")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=PROJECT, capture_output=True, text=True, check=True).stdout
    with tarfile.open(archive) as opened:
        there = {name.partition("/")[2] for name in opened.getnames()}
    assert {name for name in listed.split("\0") if name and (PROJECT / name).exists()} - there == set()


def test_the_wheel_built_from_it_elsewhere_on_another_day_has_the_same_bytes(
    archive: Path, wheel: Path, tmp_path: Path
) -> None:
    with tarfile.open(archive) as opened:
        opened.extractall(tmp_path / "elsewhere", filter="data")
    (source,) = (tmp_path / "elsewhere").iterdir()
    for file in source.rglob("*"):
        os.utime(file, (ANOTHER_DAY, ANOTHER_DAY))
        if file.is_file():
            file.chmod(0o600 | file.stat().st_mode & 0o100)
    again = build_wheel(source, tmp_path / "built", TZ="Pacific/Auckland", LC_ALL="C", PYTHONHASHSEED="7")
    assert again.name == wheel.name
    differ = contents(again).items() ^ contents(wheel).items()
    assert sorted({name for name, _header in differ}) == []
    assert hashlib.sha256(again.read_bytes()).digest() == hashlib.sha256(wheel.read_bytes()).digest()


def contents(wheel: Path) -> dict[str, tuple[object, ...]]:
    """What the archive says of each of its files."""
    with zipfile.ZipFile(wheel) as opened:
        return {one.filename: (one.CRC, one.date_time, one.external_attr, one.file_size) for one in opened.infolist()}
