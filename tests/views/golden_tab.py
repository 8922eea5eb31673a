"""A golden and a trace of it in a real window, with the Golden tab open, and what the tests of it do."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.trace import calls_of
from trace_inspector.core.values.values import Absent, Json, JsonObject
from trace_inspector.models.base.open_file import FileState, OpenFile
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.views.details.panel import DetailsPanel
from trace_inspector.views.golden.calls import ExpectedCalls
from trace_inspector.views.golden.fields.line_field import GoldenLine
from trace_inspector.views.golden.fields.text_field import GoldenText
from trace_inspector.views.golden.tab import GoldenTab
from trace_inspector.views.golden.words import ReferenceAnswer
from trace_inspector.views.shell.main_window import MainWindow

WAIT_MS = 60_000
Calls = Sequence[tuple[str, Json]]
WANTED: Calls = (("places", {"query": "parking", "radius_m": 800}), ("stops", {"area": "Hill"}))
MADE: Calls = (("places", {"query": "parking", "radius_m": 500}), ("web", {"query": "garages"}))


def said(text: str, role: str) -> JsonObject:
    return {"role": role, "parts": [{"text": text}]}


def golden_file(folder: Path, calls: Calls = WANTED, answer: str = "Six dollars an hour.") -> Path:
    uses: list[Json] = [{"name": name, "args": args} for name, args in calls]
    turn: JsonObject = {
        "invocation_id": "i1",
        "user_content": said("Where can I park?", "user"),
        "final_response": said(answer, "model"),
        "intermediate_data": {"tool_uses": uses},
    }
    path = folder / "city.evalset.json"
    path.write_text(
        json.dumps({"eval_set_id": "city", "eval_cases": [{"eval_id": "park", "conversation": [turn]}]}, indent=2)
    )
    return path


def trace_file(folder: Path, calls: Calls = MADE, answer: str = "Six dollars an hour.") -> Path:
    events: list[Json] = [_event("1", "user", said("Where can I park?", "user"))]
    for at, (name, args) in enumerate(calls):
        part: JsonObject = {"function_call": {"id": f"c{at}", "name": name, "args": args}}
        events.append(_event(str(at + 2), "guide", {"role": "model", "parts": [part]}))
    events.append(_event(str(len(calls) + 2), "guide", said(answer, "model")))
    path = folder / "run.json"
    stated: JsonObject = {"app_name": "city", "user_id": "u", "id": "s1", "state": {}, "last_update_time": 1.0}
    path.write_text(json.dumps({**stated, "events": events}))
    return path


def _event(number: str, author: str, content: Json) -> JsonObject:
    return {"author": author, "invocation_id": "i", "id": number, "timestamp": float(number), "content": content}


class GoldenWindow:
    """The window with files open; everything is done by keys, as far as keys go."""

    def __init__(self, window: MainWindow) -> None:
        self.window = window

    @property
    def workspace(self) -> Workspace:
        return self.window.desk.workspace

    @property
    def panel(self) -> DetailsPanel:
        panel = self.window.desk.docks["details"].widget()
        assert isinstance(panel, DetailsPanel)
        return panel

    @property
    def tab(self) -> GoldenTab:
        return self.panel.golden

    @property
    def calls(self) -> ExpectedCalls:
        body = self.tab.groups["calls"].body
        assert isinstance(body, ExpectedCalls)
        return body

    @property
    def answer(self) -> GoldenText:
        body = self.tab.groups["answer"].body
        assert isinstance(body, ReferenceAnswer)
        return body.field

    def open(self, *paths: Path, evaluate: bool = True) -> None:
        self.workspace.files.open(paths)
        until(lambda: all(file.state is not FileState.LOADING for file in self.workspace.files))
        if evaluate:
            self.workspace.evaluation.ask_to_start()
            until(lambda: self.workspace.run.value is not None and self.workspace.run.value.verdict is not None)

    def file(self, name: str) -> OpenFile:
        return next(file for file in self.workspace.files if file.path.name == name)

    def select_turn(self, name: str, turn: int = 0) -> Selection:
        file = self.file(name)
        place = Selection(file.number, file.table.turns(file.table.tops[0])[turn])
        self.workspace.selection.select(place)
        QTest.qWait(5)
        return place

    def edit(self) -> None:
        """F2, as a person begins."""
        key(self.window, Qt.Key.Key_F2)
        until(lambda: self.panel.tabs.tabText(self.panel.tabs.currentIndex()) == "Golden")
        QTest.qWait(5)

    def settle(self) -> None:
        done: list[bool] = []
        self.workspace.goldens.settled(lambda: done.append(True))
        until(lambda: bool(done))
        QTest.qWait(20)

    def case(self) -> Case:
        file = self.file("city.evalset.json")
        case = self.workspace.goldens.case(file.number, self.workspace.goldens.places(file.number)[0])
        assert case is not None
        return case

    def expected(self) -> list[tuple[str, Json]]:
        calls = calls_of(self.case().turns[0])
        return [(call.name, call.args) for call in calls if not isinstance(call.args, Absent)]

    def mark(self, selection: Selection) -> str:
        return self.workspace.verdicts.mark_of(selection.file, selection.row)

    def save(self) -> None:
        self.workspace.goldens.save(self.file("city.evalset.json").number)
        self.settle()

    def field(self, call: int, name: str) -> GoldenLine:
        return self.calls.cards[call].rows[name].value


def until(there: Callable[[], bool]) -> None:
    for _turn in range(WAIT_MS // 10):
        if there():
            return
        QTest.qWait(10)
    raise AssertionError("it did not come")


def key(widget: QWidget, code: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """A key where the focus is."""
    held = QApplication.focusWidget()
    QTest.keyClick(held if held is not None else widget, code, modifier)


def focus(widget: QWidget) -> None:
    widget.setFocus()
    QTest.qWait(1)
    held = QApplication.focusWidget()
    assert held is widget, (held, widget.isVisible(), QApplication.activeWindow())


def retype(field: GoldenLine, text: str) -> None:
    """Select all, and type something else, letter by letter."""
    focus(field)
    QTest.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    for letter in text:
        QTest.keyClicks(field, letter)


def choose(words: str) -> None:
    """An entry of the menu that is open."""
    until(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    action = next(action for action in menu.actions() if action.text().startswith(words))
    while menu.activeAction() is not action:
        QTest.keyClick(menu, Qt.Key.Key_Down)
    owner = menu.parentWidget()
    assert owner is not None
    QTest.keyClick(menu, Qt.Key.Key_Return)
    owner.activateWindow()  # the platform without a screen forgets which window was in front


def drag(widget: QWidget, to: QPoint) -> None:
    """Hold a grip with the mouse, and let it go elsewhere on the screen."""
    QTest.mousePress(widget, Qt.MouseButton.LeftButton)
    QTest.mouseMove(widget, widget.mapFromGlobal(to))
    QTest.mouseRelease(widget, Qt.MouseButton.LeftButton, pos=widget.mapFromGlobal(to))
