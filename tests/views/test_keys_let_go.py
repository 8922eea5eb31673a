"""What one test pressed is not down in the next one: rows that are selected would be added to others."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot


def test_shift_seems_down_after_a_key_with_it(qtbot: QtBot) -> None:
    field = QLineEdit()
    qtbot.addWidget(field)
    QTest.keyClick(field, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert QGuiApplication.keyboardModifiers() == Qt.KeyboardModifier.ShiftModifier


def test_and_is_up_in_the_next_test(qtbot: QtBot) -> None:
    assert qtbot
    assert QGuiApplication.keyboardModifiers() == Qt.KeyboardModifier.NoModifier
