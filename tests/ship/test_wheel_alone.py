"""The wheel in an environment that has nothing but it and its lock: verdicts without a key, a window, its size."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.screen import why_not
from tests.ship.conftest import PACKAGING, PROJECT

pytestmark = [pytest.mark.ship, pytest.mark.timeout(900)]
LARGEST_MB = 300
PIPS = ("pip", "setuptools", "pkg_resources", "_distutils_hack", "distutils")  # what every new environment has
NEVER_IN_A_RUN = ("PySide6", "shiboken6", "google", "httpx2", "mcp", "duckdb", "numpy", "keyring")
_NAME = re.compile(r"^([A-Za-z0-9._-]+)==", re.MULTILINE)


@pytest.fixture(scope="module")
def first_line(
    wheel: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, subprocess.CompletedProcess[str]]:
    """The folder of the environment's commands, and what was said by the line that installs and starts."""
    folder = tmp_path_factory.mktemp("clean")
    home = folder / "environment"
    subprocess.run([sys.executable, "-m", "venv", str(home)], timeout=200, check=True)
    commands = home / "bin"
    pip = "pip --quiet --disable-pip-version-check install"
    lock = PACKAGING / "locks" / "base.txt"
    subprocess.run(f"'{commands}'/{pip} --require-hashes -r '{lock}'", shell=True, timeout=400, check=True)
    line = f"'{commands}'/{pip} --no-index '{wheel}' && '{commands}'/trace-inspector --samples"
    return commands, run(["sh", "-c", line], folder)


@pytest.fixture(scope="module")
def installed(first_line: tuple[Path, subprocess.CompletedProcess[str]]) -> Path:
    """The folder of the environment's commands."""
    return first_line[0]


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run it as somebody does who has no screen and no key of a judge."""
    unset = ("PYTHONPATH", "DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    kept = {name: value for name, value in os.environ.items() if name not in unset and not name.endswith("_API_KEY")}
    environment = {**kept, "TRACE_INSPECTOR_DATA": str(folder / "data")}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=200, check=False
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


def test_one_line_leads_from_pip_to_verdicts_without_a_key(
    first_line: tuple[Path, subprocess.CompletedProcess[str]],
) -> None:
    _commands, done = first_line
    assert done.returncode == 0, done.stderr
    assert re.search(r"\d+ cases: \d+ passed, \d+ FAILED", done.stdout)


# What asks for something of each extra, in a folder with a recording and goldens.
_EVALUATE = ("evaluate", "run-0412.json", "--golden", "retail.evalset.json")
NEEDS = {
    "judges": (*_EVALUATE, "--judge", "gemini"),
    "cluster": (*_EVALUATE, "--judge", "none", "--on", "dask"),
    "sql": ("query", ".", "SELECT 1"),
    "live": ("listen", "--grpc-port", "4317"),
    "mcp": ("mcp", "."),
}


@pytest.mark.parametrize("extra", NEEDS)
def test_without_an_extra_what_needs_it_ends_with_the_line_that_brings_it(
    extra: str, installed: Path, tmp_path: Path
) -> None:
    for name in ("run-0412.json", "retail.evalset.json"):
        shutil.copy(samples(installed) / name, tmp_path)
    done = run([str(installed / "trace-inspector"), *NEEDS[extra]], tmp_path)
    assert done.returncode == 2, done.stdout
    (sentence,) = done.stderr.splitlines()
    assert sentence.endswith(f"pip install 'trace-inspector[{extra}]'")


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
    own = [folder for folder in packages.iterdir() if not folder.name.startswith(PIPS)]
    files = (file for folder in own for file in (folder.rglob("*") if folder.is_dir() else [folder]))
    size = sum(file.stat().st_size for file in files if file.is_file()) / 1e6
    assert size < LARGEST_MB


def test_its_window_opens_and_works(installed: Path) -> None:
    if reason := why_not():
        pytest.skip(reason)
    command = [sys.executable, str(PACKAGING / "smoke.py"), str(installed / "trace-inspector")]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.campaign
def test_the_library_the_plugin_of_pytest_and_the_server_work_where_nothing_else_is(
    installed: Path, tmp_path: Path
) -> None:
    """Our own tests of them, run by what somebody has who installs the wheel, the extra `mcp` and pytest."""
    more, ours = tmp_path / "more", tmp_path / "ours"
    pip = [str(installed / "python"), "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
    wanted = ("mcp", "pytest", "pytest-timeout", "pytest-xdist")
    constraints = str(PROJECT / "constraints.txt")
    subprocess.run([*pip, "--target", str(more), "-c", constraints, *wanted], timeout=400, check=True)
    shutil.copytree(PROJECT / "tests", ours / "tests", ignore=shutil.ignore_patterns("__pycache__", "data"))
    shutil.copytree(PROJECT / "docs", ours / "docs", ignore=shutil.ignore_patterns("images"))
    tried = ("library/test_public_names.py", "library/test_pytest_plugin.py", "commands/test_mcp.py")
    code = "import sys, trace_inspector\nassert trace_inspector.__file__.startswith(sys.prefix)\n"
    code += "import pytest\nsys.exit(pytest.main(sys.argv[1:]))"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(
        [str(installed / "python"), "-c", code, "--noconftest", "-q", *(f"tests/{name}" for name in tried)],
        cwd=ours, env={**environment, "PYTHONPATH": os.pathsep.join(map(str, (more, ours)))},
        capture_output=True, text=True, timeout=500, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
