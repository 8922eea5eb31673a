from __future__ import annotations

import sys

from PySide6.QtCore import QObject


def test_pyside_keeps_its_references_to_none() -> None:
    """PySide6 6.12.0 loses one on most calls until the interpreter dies; from Python 3.12 on None is immortal."""
    thing = QObject()
    before = sys.getrefcount(None)
    for _ in range(1_000):
        thing.setObjectName("canary")
    assert sys.getrefcount(None) > before - 100
