"""What is skipped is counted, and a run of continuous integration that skips what it could try is not green."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
PLUGIN = """
import pytest
from tests.helpers import skips

def pytest_configure(config):
    config.pluginmanager.register(skips.from_environment(corpus_expected={corpus_expected}))
"""


def run(folder: Path, reason: str, *options: str, corpus_expected: bool = True, ci: str = "true") -> tuple[int, str]:
    """A test run of its own in which one test passes and one is skipped."""
    (folder / "conftest.py").write_text(PLUGIN.format(corpus_expected=corpus_expected), encoding="utf-8")
    (folder / "test_some.py").write_text(
        f"import pytest\n\ndef test_passes():\n    pass\n\ndef test_skipped():\n    pytest.skip({reason!r})\n",
        encoding="utf-8",
    )
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    # Without the plugins of this project, which take most of the time.
    environment |= {"CI": ci, "PYTHONPATH": str(PROJECT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--rootdir", str(folder), *options, str(folder)],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
        cwd=folder,
        env=environment,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="strict on Linux only; elsewhere Windows and others lack much")
@pytest.mark.parametrize("options", [(), ("-p", "xdist.plugin", "-n", "1")], ids=["one process", "workers"])
def test_a_missing_screen_fails_where_everything_is_meant_to_be_tried(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    status, printed = run(tmp_path, "no real window here: not installed: Xvfb", *options)
    assert status == 1, printed
    assert "ERROR: with CI=true this may not be skipped: Skipped: no real window here: not installed: Xvfb" in printed


@pytest.mark.parametrize(
    ("reason", "name"),
    [
        ("no Chromium is installed", "a browser"),
        ("google-cloud-ces is not installed", "clients of other systems"),
        ("Windows has no permission bits", "another operating system"),
        ("lintian is not installed", "readers of packages"),
        ("not installed by the system's packages: libwayland-cursor0", "libraries that a package asks for"),
    ],
)
def test_what_a_machine_need_not_have_is_counted_and_printed(tmp_path: Path, reason: str, name: str) -> None:
    status, printed = run(tmp_path, reason)
    assert status == 0, printed
    assert f"skipped for want of {name}: 1" in printed


@pytest.mark.skipif(sys.platform != "linux", reason="strict on Linux only; elsewhere Windows and others lack much")
@pytest.mark.parametrize("beside", [True, False])
def test_third_party_files_may_be_missing_only_where_they_do_not_lie_beside(tmp_path: Path, beside: bool) -> None:
    status, printed = run(tmp_path, "TRACE_INSPECTOR_CORPUS is not set", corpus_expected=beside)
    assert status == int(beside), printed


def test_a_person_may_run_the_tests_without_a_screen(tmp_path: Path) -> None:
    status, printed = run(tmp_path, "no real window here: not installed: Xvfb", ci="")
    assert status == 0, printed
    assert "skipped for want of something else: 1" in printed
