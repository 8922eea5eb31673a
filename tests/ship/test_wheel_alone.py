"""The wheel in an environment that has nothing but it and its lock: verdicts without a key, a window, its size."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.screen import why_not
from tests.ship.conftest import PACKAGING, PROJECT

pytestmark = [pytest.mark.ship, pytest.mark.timeout(600)]
LARGEST_MB = 300
NEVER_IN_A_RUN = ("PySide6", "shiboken6", "google", "httpx2", "mcp", "duckdb", "numpy", "keyring")
_NAME = re.compile(r"^([A-Za-z0-9._-]+)==", re.MULTILINE)


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the environment's commands."""
    home = tmp_path_factory.mktemp("clean") / "environment"
    subprocess.run([sys.executable, "-m", "venv", str(home)], timeout=60, check=True)
    pip = [str(home / "bin" / "python"), "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
    lock = PACKAGING / "locks" / "base.txt"
    subprocess.run([*pip, "--require-hashes", "-r", str(lock)], timeout=400, check=True)
    subprocess.run([*pip, "--no-index", str(wheel)], timeout=100, check=True)
    return home / "bin"


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    unset = ("PYTHONPATH", "DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    environment = {name: value for name, value in os.environ.items() if name not in unset}
    environment["TRACE_INSPECTOR_DATA"] = str(folder / "data")
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=100, check=False
    )


def samples(installed: Path) -> Path:
    (folder,) = installed.parent.glob("lib/python*/site-packages/trace_inspector/resources/samples")
    return folder


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_the_samples_get_verdicts_without_a_key(installed: Path, tmp_path: Path) -> None:
    there = samples(installed)
    command = [str(installed / "trace-inspector"), "evaluate", str(there / "run-0412.json"), "--json"]
    done = run([*command, "--golden", str(there / "retail.evalset.json"), "--judge", "none"], tmp_path)
    assert done.returncode == 1, done.stderr
    assert {case["status"] for case in json.loads(done.stdout)["cases"]} >= {"PASSED", "FAILED"}


def test_a_run_imports_nothing_that_it_does_not_need(installed: Path, tmp_path: Path) -> None:
    there = samples(installed)
    code = (
        "import sys\nfrom trace_inspector.cli import main\ncode = main(sys.argv[1:])\n"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}), file=sys.stderr)\nsys.exit(code)"
    )
    command = [str(installed / "python"), "-c", code, "evaluate", str(there / "run-0412.json")]
    done = run([*command, "--golden", str(there / "retail.evalset.json"), "--judge", "none"], tmp_path)
    loaded = done.stderr.splitlines()[-1].split()
    assert "msgspec" in loaded  # what is looked for is found
    assert [name for name in NEVER_IN_A_RUN if name in loaded] == []


def test_there_is_nothing_but_the_lock(installed: Path) -> None:
    listed = [str(installed / "python"), "-m", "pip", "--disable-pip-version-check", "list", "--format=freeze"]
    there = subprocess.run(listed, capture_output=True, text=True, check=True, timeout=60).stdout
    lock = (PACKAGING / "locks" / "base.txt").read_text(encoding="utf-8")
    expected = {normal(name) for name in _NAME.findall(lock)} | {"trace-inspector"}
    assert {normal(name) for name in _NAME.findall(there)} - {"pip", "setuptools"} == expected
    subprocess.run([str(installed / "python"), "-m", "pip", "check"], check=True, timeout=60)


def test_it_is_no_larger_than_it_may_be(installed: Path) -> None:
    (packages,) = installed.parent.glob("lib/python*/site-packages")
    own = [folder for folder in packages.iterdir() if not folder.name.startswith(("pip", "setuptools"))]
    files = (file for folder in own for file in (folder.rglob("*") if folder.is_dir() else [folder]))
    size = sum(file.stat().st_size for file in files if file.is_file()) / 1e6
    assert size < LARGEST_MB


def test_its_window_opens_and_works(installed: Path) -> None:
    if reason := why_not():
        pytest.skip(reason)
    command = [sys.executable, str(PACKAGING / "smoke.py"), str(installed / "trace-inspector")]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
