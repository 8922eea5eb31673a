"""An agent in Details: its instruction as written, and its tools one by one with their schemas."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QVBoxLayout, QWidget

from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.trace.trace import Agent
from trace_inspector.views.appearance.appearance import Look
from trace_inspector.views.blocks.agent_tools import tools
from trace_inspector.views.blocks.blocks import Group, Growing, Words
from trace_inspector.views.details.place import Place
from trace_inspector.views.widgets.controls import Label


def agent(look: Look, place: Place) -> QWidget | None:
    """What it is told to do and what it may call."""
    thing = place.thing
    if not isinstance(thing, Agent) or not (thing.instruction or thing.tools):
        return None
    return Growing(lambda box: _steps(look, thing, box))


def versions(look: Look, place: Place) -> QWidget | None:
    """That it is told of in other words later, or was before, and where."""
    table, row = place.file.table, place.row
    first = table.parent(row) if table.kind(table.parent(row)) is Kind.AGENT else row
    later = table.children(first)
    if not later:
        return None
    words = _tr("Version {0:,} of {1:,}. Later ones stand below the first; State shows the one in force at a place.")
    return Label(look, words.format(bisect_right(later, row) + 1, len(later) + 1), ink="text2", wrap=True)


def _steps(look: Look, agent: Agent, box: QVBoxLayout) -> Iterator[None]:
    if agent.instruction:
        group = Group(look, _tr("Instruction"), _tr("as written; State shows it with its placeholders filled"))
        group.body.addWidget(Words(look, agent.instruction, name=_tr("Instruction")))
        box.addWidget(group)
        yield
    if agent.tools:
        yield from tools(look, agent, box)


def _tr(text: str) -> str:
    return QCoreApplication.translate("Details", text)
