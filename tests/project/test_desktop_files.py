from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from trace_inspector import __version__
from trace_inspector.views.shell.application import DESKTOP_ID

SHARE = Path(__file__).resolve().parents[2] / "packaging" / "share"
DESKTOP = SHARE / "applications" / f"{DESKTOP_ID}.desktop"
METAINFO = SHARE / "metainfo" / f"{DESKTOP_ID}.metainfo.xml"
MIME_TYPES = SHARE / "mime" / "packages" / f"{DESKTOP_ID}.xml"


def checked(*command: str) -> subprocess.CompletedProcess[str]:
    if not shutil.which(command[0]):
        pytest.skip(f"{command[0]} is not installed")
    return subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)


def test_the_desktop_entry_is_valid() -> None:
    done = checked("desktop-file-validate", str(DESKTOP))
    assert (done.returncode, done.stdout) == (0, "")


def test_the_metainfo_is_valid() -> None:
    done = checked("appstreamcli", "validate", "--no-net", str(METAINFO))
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_metainfo_names_this_version_first() -> None:
    release = ElementTree.parse(METAINFO).find("releases/release")
    assert release is not None
    assert release.get("version") == __version__


def test_the_desktop_entry_opens_the_types_that_are_declared() -> None:
    space = "{http://www.freedesktop.org/standards/shared-mime-info}"
    declared = {one.get("type") for one in ElementTree.parse(MIME_TYPES).iter(f"{space}mime-type")}
    entry = dict(line.split("=", 1) for line in DESKTOP.read_text(encoding="utf-8").splitlines() if "=" in line)
    opened = set(entry["MimeType"].strip(";").split(";"))
    assert declared
    assert declared == opened  # and none that belongs to others, such as all JSON


def test_one_id_stands_everywhere() -> None:
    entry = DESKTOP.read_text(encoding="utf-8")
    assert f"\nIcon={DESKTOP_ID}\n" in entry
    assert f"\nStartupWMClass={DESKTOP_ID}\n" in entry
    component = ElementTree.parse(METAINFO)
    assert component.findtext("id") == DESKTOP_ID
    assert component.findtext("launchable") == f"{DESKTOP_ID}.desktop"
