"""What an event says beside its parts: model, reason to finish, tools at hand, grounding, and everything unnamed."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QVBoxLayout, QWidget

from trace_inspector.core.trace import Event, Usage
from trace_inspector.core.values import Absent, Json
from trace_inspector.models.row_table import RowTable
from trace_inspector.views.details.blocks import Group, facts
from trace_inspector.views.details.json_view import JsonView
from trace_inspector.views.details.place import Place
from trace_inspector.views.look import Look

NAMES_LISTED = 40


def event_block(look: Look, place: Place) -> QWidget | None:
    """The event that the row belongs to, when it says more than the row itself shows."""
    table: RowTable = place.file.table
    event = table.event(place.row)
    if event is None:
        return None
    rows = [(name, value) for name, value in _rows(event) if value]
    trees = [*_trees(event)]
    if not rows and not trees:
        return None
    holder = QWidget()
    box = QVBoxLayout(holder)
    box.setContentsMargins(0, 0, 0, 0)
    box.setSpacing(12)
    if rows:
        group = Group(look, _tr("Event"))
        group.body.addWidget(facts(look, rows))
        box.addWidget(group)
    for name, value in trees:
        group = Group(look, name)
        group.body.addWidget(JsonView(look, value, name))
        box.addWidget(group)
    return holder


def usage_rows(usage: Usage) -> list[tuple[str, str]]:
    """Tokens kind by kind; a kind nobody reported is not there."""
    kinds = (
        (_tr("Prompt"), usage.prompt),
        (_tr("Tool use prompt"), usage.tool_use_prompt),
        (_tr("Answer"), usage.candidates),
        (_tr("Thoughts"), usage.thoughts),
        (_tr("From cache"), usage.cached),
    )
    return [(name, f"{count:,}") for name, count in kinds if count is not None]


def _rows(event: Event) -> Iterator[tuple[str, str]]:
    yield _tr("Model"), event.model or ""
    yield _tr("Finished because"), event.finish_reason or ""
    yield _tr("Piece"), _tr("partial, more follows") if event.partial else ""
    if event.usage is not None:
        yield _tr("Tokens"), ", ".join(f"{name.lower()} {count}" for name, count in usage_rows(event.usage))
    if event.active_tools:
        names = ", ".join(event.active_tools[:NAMES_LISTED])
        left = len(event.active_tools) - NAMES_LISTED
        yield _tr("Tools at hand"), names if left <= 0 else _tr("{0} and {1} more").format(names, left)
    yield _tr("Event id"), event.id or ""
    for extra in event.extras:
        if not isinstance(extra.value, dict | list):
            yield extra.name, extra.value if isinstance(extra.value, str) else str(extra.value)


def _trees(event: Event) -> Iterator[tuple[str, Json]]:
    if not isinstance(event.grounding, Absent) and event.grounding is not None:
        yield _tr("Grounding"), event.grounding
    for extra in event.extras:
        if isinstance(extra.value, dict | list):
            yield extra.name, extra.value


def _tr(text: str) -> str:
    return QCoreApplication.translate("Details", text)
