"""What the tests of this folder share."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.views.conversation.placement import Placed
from trace_inspector.views.conversation.reader import Reader
from trace_inspector.views.conversation.scene import Act
from trace_inspector.views.conversation.view import ConversationView

Show = Callable[[OpenFile], Reader]


def said(reader: Reader) -> list[str]:
    """All texts in sight."""
    return [text for one in reader.seen() for text in one.scene.texts()]


def counted(view: ConversationView) -> str:
    """What stands beside the tabs."""
    return " ".join(label.text() for label in view.controls.findChildren(QLabel))


def press(reader: Reader, *keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(reader, key)


def item(reader: Reader, row: int) -> Placed:
    return next(one for one in reader.seen() if one.key.row == row)


def click(reader: Reader, point: QPointF, times: int = 1) -> None:
    for _ in range(times):
        QTest.mouseClick(reader.viewport(), Qt.MouseButton.LeftButton, pos=point.toPoint())


def click_on(reader: Reader, row: int, act: Act) -> None:
    one = next(
        one for one in reader.seen() if one.key.row == row and any(zone.act is act for zone in one.scene.zones)
    )
    box = next(zone.box for zone in one.scene.zones if zone.act is act)
    click(reader, box.center() + QPointF(0, one.top_px))
