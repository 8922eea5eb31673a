"""Recipes for installers that cannot be tried here: each is read by the strictest tool there is for it."""

from __future__ import annotations

import json
import plistlib
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.ship.conftest import PACKAGING, PROJECT
from trace_inspector import __version__
from trace_inspector.views.shell.application import DESKTOP_ID

pytestmark = pytest.mark.ship
SCRIPTS = sorted({*PACKAGING.glob("**/*.sh"), *(PROJECT / "tests" / "ship").glob("*.sh"), PROJECT / ".ci" / "run"})
UNTRIED = (
    "appimage/build.sh",
    "flatpak/org.traceinspector.traceinspector.yaml",
    "windows/installer.nsi",
    "macos/build.sh",
)


def checked(*command: str, folder: Path | None = None) -> str:
    if not shutil.which(command[0]):
        pytest.skip(f"{command[0]} is not installed")
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_each_says_that_nobody_has_tried_it() -> None:
    texts = {name: (PACKAGING / name).read_text(encoding="utf-8") for name in UNTRIED}
    assert [name for name, text in texts.items() if "UNTRIED" not in text] == []


def test_scripts_are_sound() -> None:
    assert len(SCRIPTS) > 4
    checked("shellcheck", "--severity=warning", "--exclude=SC2154", *map(str, SCRIPTS))


def test_the_installer_for_windows_compiles(tmp_path: Path) -> None:
    program = tmp_path / "program"
    (program / "_internal").mkdir(parents=True)
    (program / "trace-inspector.exe").touch()
    (program / "_internal" / "library.dll").touch()
    names = {"VERSION": __version__, "PROGRAM": str(program), "TARGET": str(tmp_path / "installer.exe")}
    defined = [f"-D{name}={value}" for name, value in names.items()]
    checked("makensis", "-V2", "-WX", *defined, str(PACKAGING / "windows" / "installer.nsi"))
    assert (tmp_path / "installer.exe").stat().st_size > 10_000


def test_flatpak_reads_its_manifest(tmp_path: Path) -> None:
    manifest = shutil.copy(PACKAGING / "flatpak" / f"{DESKTOP_ID}.yaml", tmp_path)
    packages = {"name": "python-packages", "buildsystem": "simple", "build-commands": [], "sources": []}
    (tmp_path / "python-packages.json").write_text(json.dumps(packages), encoding="utf-8")
    shown = json.loads(checked("flatpak-builder", "--show-manifest", str(manifest), folder=tmp_path))
    assert shown["id"] == DESKTOP_ID
    assert shown["command"] == "trace-inspector"
    assert [one["name"] for one in shown["modules"]] == ["python-packages", "trace-inspector"]


def test_the_folder_of_an_appimage_starts(tmp_path: Path) -> None:
    """Around something that stands in for the stand-alone program, which takes a minute and a half to build."""
    root = tmp_path / "project"
    for name in ("packaging/appimage", "packaging/share", "resources/desktop"):
        shutil.copytree(PROJECT / name, root / name)
    program = root / "dist" / "trace-inspector" / "trace-inspector"
    program.parent.mkdir(parents=True)
    program.write_text('#!/bin/sh\necho "started with $*"\n', encoding="utf-8")
    program.chmod(0o755)
    checked("bash", str(root / "packaging" / "appimage" / "build.sh"), "--folder-only")
    folder = root / "dist" / "trace-inspector.AppDir"
    assert checked(str(folder / "AppRun"), "one", "two words", folder=tmp_path) == "started with one two words\n"
    assert {f"{DESKTOP_ID}.desktop", f"{DESKTOP_ID}.svg", ".DirIcon"} <= {one.name for one in folder.iterdir()}


def test_the_list_of_properties_for_macos_claims_no_json() -> None:
    properties = plistlib.loads((PACKAGING / "macos" / "Info.plist").read_bytes())
    (kind,) = properties["CFBundleDocumentTypes"]
    assert kind["LSHandlerRank"] == "Alternate"
