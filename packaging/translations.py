"""Collects the texts of the window for translators (Qt Linguist): `python packaging/translations.py FILE.ts`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
# N_ marks a text in a table (trace_inspector/core/translatable.py).
_OPTIONS = ("-tr-function-alias", "QT_TR_NOOP+=N_", "-no-obsolete", "-silent")


def collect(file: Path) -> None:
    """Bring a file of translations up to date: what is translated stays, what is gone goes."""
    sources = [str(source) for source in sorted((PROJECT / "trace_inspector").rglob("*.py"))]
    subprocess.run([_tool("pyside6-lupdate"), *_OPTIONS, *sources, "-ts", str(file)], check=True)


def _tool(name: str) -> str:
    return str(Path(sys.executable).with_name(name))


if __name__ == "__main__":
    collect(Path(sys.argv[1]))
