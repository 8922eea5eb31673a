"""Blocks of Content about one part of an event: its words, its call with the result, the state it wrote."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from trace_inspector.core.trace.parts import Code, Text, Thought, ToolCall, ToolResult
from trace_inspector.core.trace.trace import Event
from trace_inspector.core.values.values import ABSENT, Absent, Json
from trace_inspector.models.base.translation import tr
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.blocks.blocks import CutText, Group, banner
from trace_inspector.views.blocks.json_view import JsonView
from trace_inspector.views.details.place import Place


def text(theme: Theme, place: Place) -> QWidget | None:
    """Words, thoughts, code."""
    thing = place.thing
    if isinstance(thing, Text | Thought):
        return CutText(theme, thing.text)
    if isinstance(thing, Code):
        return CutText(theme, thing.text, font="data")
    return None


def call(theme: Theme, place: Place) -> QWidget | None:
    """Arguments and result of a call."""
    if not isinstance(place.thing, ToolCall):
        return None
    box = _column()
    box.body.addWidget(_json(theme, tr("Arguments"), place.thing.args, tr("no arguments given")))
    table = place.file.table
    below = (table.thing(row) for row in table.children(place.row))
    value = next((thing.value for thing in below if isinstance(thing, ToolResult)), ABSENT)
    box.body.addWidget(_json(theme, tr("Result"), value, tr("no result recorded")))
    return box


def result(theme: Theme, place: Place) -> QWidget | None:
    """What a tool answered."""
    if not isinstance(place.thing, ToolResult):
        return None
    box = _column()
    if place.thing.is_error:
        box.body.addWidget(banner(theme, "warning", tr("The tool reported an error."), "warn"))
    box.body.addWidget(_json(theme, tr("Result"), place.thing.value, tr("empty")))
    return box


def state(theme: Theme, place: Place) -> QWidget | None:
    """What an event wrote into the session state."""
    if not isinstance(place.thing, Event) or place.thing.state_delta is None:
        return None
    return _json(theme, tr("Written to the session state"), place.thing.state_delta, "")


def error(theme: Theme, place: Place) -> QWidget | None:
    """What an event says went wrong."""
    thing = place.thing
    return banner(theme, "warning", thing.error, "fail") if isinstance(thing, Event) and thing.error else None


class _Column(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(0, 0, 0, 0)
        self.body.setSpacing(12)


def _column() -> _Column:
    return _Column()


def _json(theme: Theme, title: str, value: Json | Absent, nothing: str) -> QWidget:
    if isinstance(value, Absent):
        return Group(theme, title, nothing)
    group = Group(theme, title)
    group.body.addWidget(JsonView(theme, value, title))
    return group
