"""The head of Content: mark, title, facts in one line, copy."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from trace_inspector.core.rows.rows import Flag, Kind
from trace_inspector.core.trace.parts import Code, Text, Thought, ToolCall, ToolResult, Transfer
from trace_inspector.core.trace.trace import Event, answer_text, user_text
from trace_inspector.core.translatable import N_
from trace_inspector.models.base.figures import seconds_text
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.base.translation import tr
from trace_inspector.models.tree.trace_cells import initials
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.details.place import Place
from trace_inspector.views.widgets.controls import Elided, MarkLabel, Tag, TagKind

TITLES = {
    Kind.SUITE: "Eval set",
    Kind.CASE: "Case",
    Kind.TRACE: "Trace",
    Kind.TURN: "Turn",
    Kind.USER: "User",
    Kind.TEXT: N_("Text"),
    Kind.THOUGHT: N_("Thought"),
    Kind.CALL: N_("Tool call"),
    Kind.RESULT: N_("Tool result"),
    Kind.TRANSFER: N_("Transfer"),
    Kind.MEDIA: N_("Media"),
    Kind.CODE: N_("Code"),
    Kind.STATE: N_("State change"),
    Kind.UNKNOWN: N_("Other part"),
    Kind.ANSWER: "Answer",
    Kind.SPAN: "Span",
    Kind.MISSING_CALL: N_("Missing call"),
    Kind.MISSING_TURN: N_("Missing turn"),
    Kind.EVENT: "Event",
    Kind.RUNS: "Case",
    Kind.AGENTS: "Agents",
    Kind.AGENT: "Agent",
}


def header(theme: Theme, place: Place) -> QWidget:
    """Mark and title; below, the author and the figures."""
    widget = QWidget()
    box = QVBoxLayout(widget)
    box.setContentsMargins(0, 0, 0, 0)
    box.setSpacing(6)
    head = QHBoxLayout()
    head.setSpacing(10)
    if place.mark:
        head.addWidget(MarkLabel(theme, place.mark, 16))
    head.addWidget(Elided(theme, title(place), font="title"), 1)
    text = own_text(place)
    if text:
        head.addWidget(_copy_button(theme, text))
    box.addLayout(head)
    figures = _facts(place)
    author = place.file.table.author(place.row)
    if place.kind is Kind.TURN and place.turn is not None:
        author = place.turn.final_author
    if figures or author:
        row = QHBoxLayout()
        row.setSpacing(8)
        if author:
            chip = Tag(theme, initials(author), TagKind.THIN, strong=True)
            chip.setToolTip("")
            row.addWidget(chip)
        row.addWidget(
            Elided(theme, " • ".join([*([author] if author else []), *figures]), font="secondary", ink="text2"), 1
        )
        box.addLayout(row)
    return widget


def title(place: Place) -> str:
    """What the row is called."""
    table = place.file.table
    if place.kind in (Kind.TURN, Kind.MISSING_TURN) and place.turn is not None:
        return tr("Turn {0}").format(place.turn.index + 1)
    if place.kind in (Kind.SUITE, Kind.CASE, Kind.RUNS, Kind.TRACE, Kind.AGENTS, Kind.AGENT, Kind.SPAN):
        return table.label(place.row)
    thing = place.thing
    named = thing.name if isinstance(thing, ToolCall | ToolResult) else ""
    if isinstance(thing, Transfer):
        named = thing.target
    kind = tr(TITLES[place.kind])
    if isinstance(thing, Event) and place.kind is Kind.UNKNOWN:
        kind = tr("Error" if thing.error else "Event")
    return f"{kind}: {named}" if named else kind


def own_text(place: Place) -> str:
    """What the copy button takes."""
    thing = place.thing
    if place.kind is Kind.TURN and place.turn is not None:
        return "\n\n".join(text for text in (user_text(place.turn), answer_text(place.turn)) if text)
    if place.kind is Kind.ANSWER and place.turn is not None:
        return answer_text(place.turn)
    if isinstance(thing, Text | Thought | Code):
        return thing.text
    return place.file.table.label(place.row)


def _facts(place: Place) -> list[str]:
    table, row = place.file.table, place.row
    texts = []
    if (seconds := table.duration_s(row)) is not None:
        texts.append(seconds_text(seconds))
    if (tokens := table.tokens(row)) is not None:
        texts.append(tr("{0:,} tokens").format(tokens))
    if place.kind is Kind.TURN and place.turn is not None:
        count, _usage = table.figures(row)
        texts.append(_counted(count, tr("tool call")))
    if place.kind in (Kind.CASE, Kind.TRACE):
        turns, calls = len(table.turns(row)), table.call_count(row)
        texts.append(", ".join((_counted(turns, tr("turn")), _counted(calls, tr("tool call")))))
    if table.flag(row) & Flag.ERROR:
        texts.append(tr("error"))
    if place.kind not in (Kind.TURN, Kind.CASE, Kind.TRACE, Kind.SUITE) and (turn := table.turn_of(row)) != TOP:
        texts.append(table.label(turn).split("  ")[0])
    return texts


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun if count == 1 else noun + 's'}"


def _copy_button(theme: Theme, text: str) -> QToolButton:
    button = QToolButton()
    button.setIcon(theme.icon("copy", "text2"))
    button.setToolTip(tr("Copy the text"))
    button.setAccessibleName(tr("Copy the text"))
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.clicked.connect(lambda: QGuiApplication.clipboard().setText(text))
    return button
