"""Properties: every field read of a row and of its event, and the file's further fields."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtWidgets import QVBoxLayout, QWidget

from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.rows.safe_unpickle import Unreadable
from trace_inspector.core.trace.trace import Event
from trace_inspector.models.base.translation import tr
from trace_inspector.models.search.properties import Chapter, chapters_of
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.blocks.blocks import Group, Growing, facts
from trace_inspector.views.blocks.json_view import JsonView
from trace_inspector.views.details.place import Place

CHAPTERS_SHOWN = 40

# Fields that a block above shows already, and better.
_SHOWN_ABOVE: dict[Kind, frozenset[str]] = {
    Kind.CASE: frozenset({"expectations"}),
    Kind.TURN: frozenset({"expectations"}),
    Kind.TEXT: frozenset({"text"}),
    Kind.THOUGHT: frozenset({"text"}),
    Kind.CODE: frozenset({"text"}),
    Kind.CALL: frozenset({"args"}),
    Kind.RESULT: frozenset({"value"}),
    Kind.STATE: frozenset({"state_delta"}),
    Kind.AGENT: frozenset({"instruction", "tools"}),
}


def fields(theme: Theme, place: Place) -> QWidget | None:
    """The row's own fields."""
    thing = place.thing
    if thing is None or isinstance(thing, Unreadable | tuple):
        return None
    return chapters(theme, chapters_of(thing, tr("Properties"), _SHOWN_ABOVE.get(place.kind, frozenset())))


def event(theme: Theme, place: Place) -> QWidget | None:
    """The event that the row is a part of."""
    recorded = place.file.table.event(place.row)
    if recorded is None or isinstance(place.thing, Event):
        return None
    # The state it wrote has its own row.
    return chapters(theme, chapters_of(recorded, tr("Event"), frozenset({"state_delta"})))


def pairing(theme: Theme, place: Place) -> QWidget | None:
    """Which golden the case or trace was compared with, and why that one."""
    case = place.case_verdict
    if case is None:
        return None
    rows = [(tr("Compared with"), case.case_id), (tr("Paired by"), case.paired_by)]
    return facts(theme, [row for row in rows if row[1]])


def chapters(theme: Theme, listed: Sequence[Chapter]) -> Growing | None:
    """One under the other: short values as a table, whole ones as trees. None when there is nothing."""
    return Growing(lambda box: _steps(theme, listed, box)) if listed else None


def _steps(theme: Theme, listed: Sequence[Chapter], box: QVBoxLayout) -> Iterator[None]:
    for chapter in listed[:CHAPTERS_SHOWN]:
        if chapter.facts or not chapter.values:
            group = Group(theme, chapter.title)
            group.body.addWidget(facts(theme, chapter.facts))
            box.addWidget(group)
            yield
        for name, value in chapter.values:
            group = Group(theme, name, "" if chapter.facts else chapter.title)
            group.body.addWidget(JsonView(theme, value, name))
            box.addWidget(group)
            yield
    if len(listed) > CHAPTERS_SHOWN:
        words = tr("{0} of {1} shown; Raw shows the others.").format(CHAPTERS_SHOWN, len(listed))
        box.addWidget(Group(theme, tr("More"), words))
