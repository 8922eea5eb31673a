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


def qt_modules(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith(("PySide6", "shiboken6")))
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(("PySide6", "shiboken6")):
            yield node.module or ""


@pytest.mark.parametrize("file", sorted(PACKAGE.rglob("*.py")), ids=lambda file: str(file.relative_to(PACKAGE)))
def test_a_room_imports_only_its_part_of_qt(file: Path) -> None:
    room = file.relative_to(PACKAGE).parts[0]
    assert set(qt_modules(file.read_text(encoding="utf-8"))) <= ALLOWED.get(room, set())


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("from PySide6.QtWidgets import QLabel", ["PySide6.QtWidgets"]),
        ("def f():\n    import PySide6.QtGui as gui", ["PySide6.QtGui"]),
        ("from trace_inspector.views.appearance import fonts", []),
    ],
)
def test_what_is_looked_for_would_be_found(source: str, found: list[str]) -> None:
    assert list(qt_modules(source)) == found
