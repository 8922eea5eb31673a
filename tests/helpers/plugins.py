"""Distributions made on the spot, as pip would have installed them: modules, and the entry points that name them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path


def install(folder: Path, name: str, entries: Mapping[str, Mapping[str, str]], modules: Mapping[str, str]) -> None:
    """Write a distribution into a folder: of each kind the entry points, and the text of each module."""
    about = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", "utf-8")
    lines = []
    for kind, named in entries.items():
        lines += [f"[trace_inspector.{kind}]", *(f"{entry} = {target}" for entry, target in named.items())]
    (about / "entry_points.txt").write_text("\n".join(lines), "utf-8")
    for module, text in modules.items():
        (folder / f"{module}.py").write_text(text, "utf-8")


@contextmanager
def forgotten(folder: Path) -> Iterator[None]:
    """The folder is looked for modules in; afterwards none of them is known any more."""
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name, module in [*sys.modules.items()]:
            if str(getattr(module, "__file__", "")).startswith(str(folder)):
                del sys.modules[name]
