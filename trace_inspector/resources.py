"""Where fonts, icons, pages, samples and translations lie: inside an installed package, beside it in a checkout."""

from __future__ import annotations

import os
from pathlib import Path

_HERE = Path(__file__).resolve().parent


def folder(name: str) -> Path:
    """The resources folder of that name, such as "fonts", "icons", "pages" or "samples"."""
    inside = _HERE / "resources" / name
    return inside if inside.is_dir() else _HERE.parent / "resources" / name


def is_sample(path: Path) -> bool:
    """Whether a file is one of the program's own samples, which are never written: they may be installed for all."""
    whole = os.path.abspath(path)  # noqa: PTH100 - resolve() reads the disk, and the window asks
    return Path(whole).is_relative_to(folder("samples"))


def help_page(name: str) -> Path:
    """A page of the documentation that is installed with the program, such as "tour"; in a checkout, of `docs`."""
    inside = _HERE / "resources" / "help" / f"{name}.md"
    return inside if inside.is_file() else _HERE.parent / "docs" / f"{name}.md"
