"""Which of Qt's modules each room may import; import-linter sees only the whole of an outside package."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "trace_inspector"
ALLOWED = {
    "work": {"PySide6.QtCore"},
    "models": {"PySide6.QtCore", "PySide6.QtGui"},
    "views": {"PySide6.QtCore", "PySide6.QtGui", "PySide6.QtSvg", "PySide6.QtWidgets"},
}


def qt_modules(source: str) -> Iterator[tuple[int, str]]:
    """Each of Qt's modules that is imported, with its line."""
    if "PySide6" not in source and "shiboken6" not in source:
        return  # most files; parsing them takes seconds
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found = [node.module or ""]
        else:
            continue
        yield from ((node.lineno, name) for name in found if name.startswith(("PySide6", "shiboken6")))


def test_every_room_imports_only_its_part_of_qt() -> None:
    found = []
    for file in sorted(PACKAGE.rglob("*.py")):
        path = file.relative_to(PACKAGE)
        allowed = ALLOWED.get(path.parts[0], set())
        source = file.read_text(encoding="utf-8")
        found += [f"{path}:{line}: {name}" for line, name in qt_modules(source) if name not in allowed]
    assert found == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("from PySide6.QtWidgets import QLabel", [(1, "PySide6.QtWidgets")]),
        ("def f():\n    import PySide6.QtGui as gui", [(2, "PySide6.QtGui")]),
        ("from trace_inspector.views.appearance import fonts", []),
    ],
)
def test_what_is_looked_for_would_be_found(source: str, found: list[tuple[int, str]]) -> None:
    assert list(qt_modules(source)) == found
