"""Compare with little room: cards say first which tool was called, and no button is cut."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.views.compare.comparing import Call, compared, eval_set, session, shown
from trace_inspector.views.compare.key_button import KeyButton
from trace_inspector.views.compare.row_shapes import SideText
from trace_inspector.views.painting.shapes import TextLine
from trace_inspector.views.shell.main_window import MainWindow

WIDE: Call = ("search_places", {"query": "parking lots"})
NARROW_PX = 420


def test_narrow_cards_name_the_tool_and_break_no_words(window: MainWindow, tmp_path: Path) -> None:
    runs = [
        session(tmp_path / f"{n}.json", ("Where?", [("search_places", {"query": n})], "There."))
        for n in ("park", "lots")
    ]
    page = compared(window, eval_set(tmp_path / "set.evalset.json", ("Where?", [WIDE], "There.")), *runs)
    page.rows.setFixedWidth(NARROW_PX)
    QTest.qWait(20)
    page.compare.go(1)
    shown(page)
    (card,) = [one.layout for one in page.rows.visible_rows() if "search_places" in one.layout.texts()]
    words = [shape for shape in card.shapes if isinstance(shape, TextLine)]
    assert not [one.text for one in words if one.text in ("AG", "call 1")]
    names = [
        shape.box
        for shape in card.shapes
        if isinstance(shape, TextLine) and shape.elide_left and shape.text == "query"
    ]
    values = [shape for shape in card.shapes if isinstance(shape, SideText) and shape.text.startswith('"')]
    for name, value in zip(names, values, strict=True):
        assert value.origin.y() > name.center().y()  # below its name, where the card has most room
        assert value.origin.x() + value.layout.natural_px <= name.right() + 1


def test_buttons_are_never_cut(window: MainWindow, tmp_path: Path) -> None:
    golden = eval_set(tmp_path / "set.evalset.json", ("Where?", [WIDE], "There."))
    page = compared(
        window, golden, session(tmp_path / "s.json", ("Where?", [("search_places", {"query": "park"})], ""))
    )
    QTest.keyClick(page.rows, Qt.Key.Key_N)
    buttons = page.rows.bar.findChildren(KeyButton)
    said = []
    for width in (900, 600):
        page.rows.setFixedWidth(width)
        QTest.qWait(20)
        page.rows.forget()
        QTest.qWait(20)
        there = [button for button in buttons if button.isVisible()]
        assert all(button.width() >= button.sizeHint().width() for button in there)
        said += [button.text() for button in there if button.text().startswith("Take")]
    assert said == ["Take observed into golden", "Take observed"]
