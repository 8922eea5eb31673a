"""Long names of arguments, sides and files: their ends are seen, the whole is told, and the window stays as it is."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, QPointF
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from tests.views.compare.comparing import Call, compared, eval_set, session
from trace_inspector.core.values.values import Json
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.compare.head import SideHeads, SignLegend
from trace_inspector.views.compare.page import ComparePage
from trace_inspector.views.painting.shapes import TextLine
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.shell.status import StatusBar

DEEP = "a_filter.of_many.members.price.amount"


def nested(value: Json) -> Call:
    for name in reversed(DEEP.split(".")):
        value = {name: value}
    assert isinstance(value, dict)
    return "look", value


def page_of(window: MainWindow, folder: Path, *values: Json, name: str = "s") -> ComparePage:
    runs = [
        session(folder / f"{name}{at}.json", ("How?", [nested(value)], "Fine."))
        for at, value in enumerate(values[1:])
    ]
    return compared(window, eval_set(folder / "set.evalset.json", ("How?", [nested(values[0])], "Fine.")), *runs)


def names_in(page: ComparePage, width: int) -> list[tuple[TextLine, float]]:
    """The names of arguments, and where their row begins."""
    page.rows.setFixedWidth(width)
    QTest.qWait(20)
    return [
        (shape, one.top_px)
        for one in page.rows.visible_rows()
        for shape in one.layout.shapes
        if isinstance(shape, TextLine) and shape.elide_left
    ]


def test_names_take_the_room_that_short_values_leave(window: MainWindow, tmp_path: Path) -> None:
    page = page_of(window, tmp_path, 1, 2)
    wide = TextPainter(window.desk.theme).width(DEEP, "data_strong")
    assert all(name.box.width() >= wide for name, _top in names_in(page, 1200))
    page = page_of(window, tmp_path, "a long text " * 20, "another text " * 20, name="t")
    assert all(name.box.width() < wide for name, _top in names_in(page, 800))


def test_the_whole_of_a_name_that_is_cut_is_told_as_plain_text(window: MainWindow, tmp_path: Path) -> None:
    page = page_of(window, tmp_path, "a long text " * 20, "another text " * 20)
    name, top = names_in(page, 800)[0]
    point = name.box.center() + QPointF(0, top)
    assert page.rows.tip(point) == DEEP
    assert page.rows.tip(QPointF(1, 1)) == ""
    at = point.toPoint()
    QApplication.sendEvent(
        page.rows.viewport(), QHelpEvent(QEvent.Type.ToolTip, at, page.rows.viewport().mapToGlobal(at))
    )
    assert QToolTip.text() == DEEP
    page.compare.go(1)
    assert f"argument {DEEP}: " in page.rows.accessibleDescription()


def heads_of(page: ComparePage) -> SideHeads:
    (heads,) = page.findChildren(SideHeads)
    return heads


def test_a_head_leaves_out_what_it_took_and_then_shortens_the_file_before_the_title(
    window: MainWindow, tmp_path: Path
) -> None:
    page = page_of(window, tmp_path, 1, 2, 3, name="a_rather_long_name_of_a_run_")
    heads = heads_of(page)

    def told(width: int) -> list[TextLine]:
        page.rows.setFixedWidth(width)
        QTest.qWait(20)
        heads.grab()
        return [shape for shape in heads.shapes if isinstance(shape, TextLine)]

    assert "editable" in [one.text for one in told(1600)]
    lines = (told(width) for width in range(1580, 740, -40))
    narrow = next(line for line in lines if "editable" not in [one.text for one in line])
    letters = TextPainter(window.desk.theme)
    for title in ("Golden", "Baseline", "Candidate"):
        (box,) = [one.box for one in narrow if one.text == title]
        assert box.width() >= letters.width(title, "strong")
    (run,) = [one for one in narrow if one.text.startswith("a_rather_long_name_of_a_run_0")]
    assert heads.tip(run.box.center()) == run.text
    at = run.box.center().toPoint()
    QApplication.sendEvent(heads, QHelpEvent(QEvent.Type.ToolTip, at, QPoint(0, 0)))
    assert QToolTip.text() == run.text
    (cut,) = [one.box for one in told(740) if one.text == "Candidate"]  # no room for a name, which the tip tells
    assert heads.tip(cut.center()).startswith("a_rather_long_name_of_a_run_")


def test_the_legend_tells_of_all_sides_or_of_none(window: MainWindow, tmp_path: Path) -> None:
    (legend,) = page_of(window, tmp_path, 1, 2).findChildren(SignLegend)
    assert legend.texts(1600)[1] == ["only in golden", "only in observed"]
    assert legend.texts(300)[1] == []
    some = {len(legend.texts(room)[1]) for room in range(200, 1600, 20)}
    assert some == {0, 2}
    assert any(legend.texts(room)[1] == ["golden", "observed"] for room in range(200, 1600, 20))


def test_names_of_work_never_widen_the_window(window: MainWindow) -> None:
    (bar,) = window.findChildren(StatusBar)
    before = bar.minimumSizeHint().width()
    bar._work.setText("Reading " + "a_very_long_name_" * 40)
    assert bar.minimumSizeHint().width() == before
