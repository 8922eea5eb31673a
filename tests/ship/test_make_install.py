"""`make install` below a prefix, and `make uninstall`, which leaves nothing but what people made."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.ship.conftest import PROJECT

pytestmark = [pytest.mark.ship, pytest.mark.campaign, pytest.mark.timeout(900)]


def make(target: str, prefix: Path) -> subprocess.CompletedProcess[str]:
    command = ["make", target, f"PREFIX={prefix}", f"PYTHON={sys.executable}"]
    return subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=800, check=False)


def test_it_is_installed_started_and_removed(tmp_path: Path) -> None:
    prefix = tmp_path / "prefix"
    others = prefix / "bin" / "another-program"
    others.parent.mkdir(parents=True)
    others.touch()
    done = make("install", prefix)
    assert done.returncode == 0, done.stderr
    command = [str(prefix / "bin" / "trace-inspector"), "formats"]
    assert "adk-eval-set" in subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    told = subprocess.run([command[0], "doctor"], capture_output=True, text=True, timeout=100, check=True).stdout
    assert re.search(r"extra judges +installed", told)
    assert (prefix / "share" / "man" / "man1" / "trace-inspector.1").is_file()
    gone = make("uninstall", prefix)
    assert "TRACE_INSPECTOR_DATA" in gone.stdout
    assert [file for file in prefix.rglob("*") if not file.is_dir() or file.is_symlink()] == [others]
