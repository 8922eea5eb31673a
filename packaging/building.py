"""Builds the wheel, and puts it where it is to run, with every package of a lock and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from locks import BUILD, ROOT, pip_arguments

_PIP = ("-m", "pip", "--disable-pip-version-check", "--quiet")


def build_wheel(folder: Path) -> Path:
    """The wheel of this checkout, built by what the lock for it names."""
    with tempfile.TemporaryDirectory(prefix="trace-inspector-build-") as tools:
        subprocess.run([sys.executable, *_PIP, "install", "--target", tools, *pip_arguments(BUILD)], check=True)
        command = [sys.executable, *_PIP, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder)]
        subprocess.run([*command, str(ROOT)], env={**os.environ, "PYTHONPATH": tools}, check=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def install_wheel(wheel: Path, lock: str, *options: str, python: Sequence[str] = (sys.executable,)) -> None:
    """What a lock names, then the wheel: nothing is looked for that neither of them is."""
    install = [*python, *_PIP, "install", *options]
    subprocess.run([*install, *pip_arguments(lock)], check=True)
    subprocess.run([*install, "--no-deps", str(wheel)], check=True)
