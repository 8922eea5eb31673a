"""What the tests of this folder share."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.views.conversation.item_layout import ItemAction
from trace_inspector.views.conversation.reader import Reader
from trace_inspector.views.conversation.text_selection import VisibleItem
from trace_inspector.views.conversation.view import ConversationView

Show = Callable[[OpenFile], Reader]


def said(reader: Reader) -> list[str]:
    """All texts in sight."""
    return [text for one in reader.visible_rows() for text in one.layout.texts()]


def counted(view: ConversationView) -> str:
    """What stands beside the tabs."""
    return " ".join(label.text() for label in view.controls.findChildren(QLabel))


def press(reader: Reader, *keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(reader, key)


def item(reader: Reader, row: int) -> VisibleItem:
    return next(one for one in reader.visible_rows() if one.layout.key.row == row)


def click(reader: Reader, point: QPointF, times: int = 1) -> None:
    for _ in range(times):
        QTest.mouseClick(reader.viewport(), Qt.MouseButton.LeftButton, pos=point.toPoint())


def click_on(reader: Reader, row: int, act: ItemAction) -> None:
    one = next(
        one
        for one in reader.visible_rows()
        if one.layout.key.row == row and any(area.action is act for area in one.layout.click_areas)
    )
    box = next(area.box for area in one.layout.click_areas if area.action is act)
    click(reader, box.center() + QPointF(0, one.top_px))
