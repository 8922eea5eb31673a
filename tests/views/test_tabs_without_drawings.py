"""Where there is little room the tabs of the views keep their names and leave their drawings out."""

from __future__ import annotations

from PySide6.QtTest import QTest

from tests.views.tales import opened
from trace_inspector.views.shell.centre import NARROW_PX
from trace_inspector.views.shell.main_window import MainWindow


def drawn(window: MainWindow) -> set[bool]:
    """Whether the tabs have drawings; one answer where all are alike."""
    tabs = window.views.tabs
    assert all(tabs.tabText(at) for at in range(tabs.count()))
    return {not tabs.tabIcon(at).isNull() for at in range(tabs.count())}


def test_drawings_go_and_come_with_the_room(window: MainWindow) -> None:
    opened(window.desk.workspace)
    for width, there in ((NARROW_PX + 200, True), (NARROW_PX - 200, False), (NARROW_PX + 200, True)):
        window.resize(width, 800)
        QTest.qWait(1)
        assert drawn(window) == {there}
