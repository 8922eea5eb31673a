"""What an event says beside its parts stands in Details, under the part, the quiet event and the agent."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel

from tests.models.stories import TRACES, put
from tests.views.doing import whole_details
from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.trace.parts import Text
from trace_inspector.core.trace.trace import Agent, Event, Steps, Trace, Turn, Usage
from trace_inspector.core.values.extra import Extra
from trace_inspector.models.base.selection import Selection
from trace_inspector.views.blocks.blocks import PassageView
from trace_inspector.views.blocks.json_view import JsonView
from trace_inspector.views.shell.main_window import MainWindow

pytestmark = pytest.mark.shared_window

RICH = Event(
    "cook",
    (Text("Soup.", "/soup"),),
    usage=Usage(30, candidates=4, thoughts=7),
    model="some-model",
    finish_reason="MAX_TOKENS",
    grounding={"queries": ["soup"]},
    partial=True,
    active_tools=("boil", "fry"),
    extras=(Extra("branch", "root.cook"), Extra("artifactDelta", {"menu.txt": 2})),
    id="event-7",
)
QUIET = Event("cook", extras=(Extra("compaction", {"until": 1}),))
TRACE = Trace(
    "kitchen",
    (Turn(0, user=(Text("Hungry"),), events=(RICH, QUIET), steps=Steps.EVENTS),),
    agents=(Agent("root", tools=({"name": "ring"},), sub_agents=("cook",)),),
    place="/kitchen",
)


@pytest.mark.parametrize(
    ("kind", "told", "trees"),
    [
        (
            Kind.TEXT,
            {"some-model", "MAX_TOKENS", "boil, fry", "event-7", "root.cook", "30", "4", "7"},
            {"Grounding", "artifactDelta"},
        ),
        (Kind.UNKNOWN, set(), {"compaction"}),
        (Kind.TRACE, {"1 tool; sub-agents: cook"}, set()),
        (Kind.AGENT, {"cook"}, {"ring"}),
    ],
)
def test_everything_that_is_known_of_an_event_is_shown(
    window: MainWindow, kind: Kind, told: set[str], trees: set[str]
) -> None:
    workspace = window.desk.workspace
    file = put(workspace, TRACES, TRACE)
    row = next(row for row in range(len(file.table)) if file.table.kind(row) is kind)
    workspace.selection.select(Selection(file.number, row))
    panel = whole_details(window)
    labels = {label.text() for label in panel.content.findChildren(QLabel)}
    assert told <= labels | {passage.toPlainText() for passage in panel.content.findChildren(PassageView)}
    assert trees <= labels
    assert len(panel.content.findChildren(JsonView)) == len(trees)
