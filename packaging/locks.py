"""Writes the locks: for each use, every package with its version and the hashes of its files.

The versions are those of constraints.txt, which people read and edit; run this after every change of it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "packaging" / "locks"
# What each one is for, and the extras in it. What builds a wheel has a lock of its own.
LOCKS: dict[str, Sequence[str]] = {
    "base": (),  # the program alone
    "installers": ("judges",),  # what `make install`, `make deb` and the other installers carry
}
BUILD = "build"
_OPTIONS = (
    "--universal", "--python-version", "3.11", "--generate-hashes", "--no-header", "--no-annotate",
    "--no-emit-index-url", "--no-emit-find-links", "--quiet", "--constraints", str(ROOT / "constraints.txt"),
)  # fmt: skip


def main() -> int:
    """Write all of them."""
    FOLDER.mkdir(exist_ok=True)
    for name, extras in LOCKS.items():
        _write(name, "pyproject.toml", *(word for extra in extras for word in ("--extra", extra)))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    _write(BUILD, "-", given="\n".join(project["build-system"]["requires"]))
    return 0


def pip_arguments(name: str) -> list[str]:
    """What `pip install` is told to take a lock, all of it, and nothing else."""
    return ["--require-hashes", "--no-deps", "-r", str(FOLDER / f"{name}.txt")]


def _write(name: str, source: str, *options: str, given: str = "") -> None:
    target = FOLDER / f"{name}.txt"
    target.unlink(missing_ok=True)  # what stood there before has no say
    command = [
        sys.executable,
        "-m",
        "uv",
        "pip",
        "compile",
        source,
        *options,
        *_OPTIONS,
        "--output-file",
        str(target),
    ]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("UV_")}
    subprocess.run(command, cwd=ROOT, input=given, env=environment, text=True, stdout=subprocess.DEVNULL, check=True)


if __name__ == "__main__":
    sys.exit(main())
