"""What is built once for all of these tests, by the tools that this environment has."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
PACKAGING = PROJECT / "packaging"


def build_wheel(source: Path, folder: Path, **how: str) -> Path:
    """The wheel of a folder with the project; `how` are variables of the environment it is built in."""
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run(
        [*command, "--wheel-dir", str(folder), str(source)], env={**os.environ, **how}, timeout=300, check=True
    )
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    return build_wheel(PROJECT, tmp_path_factory.mktemp("wheel"))
