"""An agent's tools one by one with their schemas."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtWidgets import QVBoxLayout

from trace_inspector.core.trace.tools import tool_names
from trace_inspector.core.trace.trace import Agent
from trace_inspector.models.base.translation import tr
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.blocks.blocks import Group
from trace_inspector.views.blocks.json_view import JsonView

TOOLS_LISTED = 40


def tools(theme: Theme, agent: Agent, box: QVBoxLayout) -> Iterator[None]:
    """Each declaration as in the file, under a heading; one a step."""
    count = len(agent.tools)
    caption = (
        str(count)
        if count <= TOOLS_LISTED
        else tr("{0} of {1} shown; Raw shows the others").format(TOOLS_LISTED, count)
    )
    group = Group(theme, tr("Tools"), caption)
    box.addWidget(group)
    for number, tool in enumerate(agent.tools[:TOOLS_LISTED], 1):
        name = ", ".join(tool_names((tool,))[:3]) or tr("tool {0}").format(number)
        inside = Group(theme, name)
        inside.body.addWidget(JsonView(theme, tool, name))
        group.body.addWidget(inside)
        yield
