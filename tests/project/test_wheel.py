"""The package as people install it: built from this checkout, unpacked beside it, started from there."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from trace_inspector.views.shell.application import DESKTOP_ID

PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*command, "--wheel-dir", str(folder), str(PROJECT)], timeout=240, check=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def unpacked(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def python(unpacked: Path, elsewhere: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(unpacked)}
    command: Sequence[str] = [sys.executable, "-P", *arguments]
    return subprocess.run(
        command, cwd=elsewhere, env=environment, capture_output=True, text=True, timeout=240, check=False
    )


def test_the_wheel_holds_the_program_and_its_resources(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    folders = {"/".join(name.split("/")[:3]) for name in names if name.startswith("trace_inspector/resources/")}
    there = {
        f"trace_inspector/resources/{folder.name}"
        for folder in (PROJECT / "resources").iterdir()
        if any(folder.iterdir())
    }
    assert there <= folders
    assert "trace_inspector/resources/samples" in folders
    assert "trace_inspector/py.typed" in names
    assert [name for name in names if name.startswith(("tests", "benchmarks", "packaging", "resources"))] == []


def test_the_wheel_brings_what_a_desktop_and_shells_look_for(unpacked: Path) -> None:
    (share,) = unpacked.glob("*.data/data/share")
    files = {file.relative_to(share) for file in share.rglob("*") if file.is_file()}
    icon = Path("icons", "hicolor", "scalable", "apps", f"{DESKTOP_ID}.svg")
    beside = PROJECT / "packaging" / "share"
    assert files == {icon, *(file.relative_to(beside) for file in beside.rglob("*") if file.is_file())}


def test_the_wheel_names_the_licence_of_each_part(unpacked: Path) -> None:
    (licences,) = unpacked.glob("*.dist-info/licenses")
    named = {str(file.relative_to(licences)) for file in licences.rglob("*") if file.is_file()}
    assert named == {"LICENSE", "resources/fonts/Inter-OFL.txt", "resources/fonts/JetBrainsMono-OFL.txt"}


def test_the_wheel_names_its_command(unpacked: Path) -> None:
    (file,) = unpacked.glob("*.dist-info/entry_points.txt")
    assert "trace-inspector = trace_inspector.__main__:run" in file.read_text(encoding="utf-8")


def test_the_installed_program_finds_its_own_files(unpacked: Path, tmp_path: Path) -> None:
    where = python(
        unpacked, tmp_path, "-c", "from trace_inspector import resources; print(resources.folder('samples'))"
    )
    assert Path(where.stdout.strip()) == unpacked / "trace_inspector" / "resources" / "samples"


def test_the_installed_program_has_its_help(unpacked: Path, tmp_path: Path) -> None:
    code = (
        "from trace_inspector.views.help.pages import PAGES\n"
        "from trace_inspector.resources import help_page\n"
        "for name in PAGES: print(help_page(name))"
    )
    folder = unpacked / "trace_inspector" / "resources" / "help"
    pages = [Path(line) for line in python(unpacked, tmp_path, "-c", code).stdout.splitlines()]
    assert pages
    assert all(page.parent == folder and page.is_file() for page in pages)


def test_the_installed_program_writes_pages(unpacked: Path, tmp_path: Path) -> None:
    code = (
        "from trace_inspector.engine.reports.pages import environment as pages\n"
        "for name in pages().list_templates(): print(name, pages().get_template(name).filename)"
    )
    done = python(unpacked, tmp_path, "-c", code)
    lines = dict(line.split(maxsplit=1) for line in done.stdout.splitlines())
    assert sorted(lines) == sorted(path.name for path in (PROJECT / "resources" / "pages").iterdir())
    assert {Path(file).parent for file in lines.values()} == {unpacked / "trace_inspector" / "resources" / "pages"}


def test_the_installed_program_runs(unpacked: Path, tmp_path: Path) -> None:
    done = python(unpacked, tmp_path, "-m", "trace_inspector", "formats")
    assert (done.returncode, done.stderr) == (0, "")
    assert "adk-eval-set" in done.stdout
