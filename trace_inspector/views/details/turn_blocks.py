"""Blocks of Content about a turn: what was asked, answered and called, what it took, and who acted."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from trace_inspector.core.golden.golden import Suite
from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.trace.parts import Code, Media, Part, Text, Thought, ToolCall, ToolResult, Transfer, Unknown
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.trace.tools import tool_names
from trace_inspector.core.trace.trace import Agent, Trace, Turn, Usage, user_text
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.models.base.figures import seconds_text
from trace_inspector.models.base.translation import tr
from trace_inspector.models.search.properties import plain, text_of
from trace_inspector.models.search.property_names import NAMES
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.blocks.agent_tools import tools
from trace_inspector.views.blocks.blocks import CutText, Group, Growing, facts
from trace_inspector.views.blocks.json_view import JsonView
from trace_inspector.views.details.answer_block import AnswerBlock
from trace_inspector.views.details.place import Place
from trace_inspector.views.widgets.controls import Elided, Label, MarkLabel

CALLS_LISTED = 40
AGENTS_LISTED = 40
NAMES_LISTED = 12
_KINDS: dict[type[Part], str] = {
    Thought: "thought",
    ToolCall: "call",
    ToolResult: "result",
    Media: "media",
    Code: "code",
    Transfer: "transfer",
    Unknown: "other",
}


def user(theme: Theme, place: Place) -> QWidget | None:
    """The user's words, and what else came with them."""
    if place.turn is None:
        return None
    words, others = user_text(place.turn), _others(place.turn.user)
    group = Group(theme, tr("User"), "" if words or others else tr("no text"))
    if words:
        group.body.addWidget(CutText(theme, words, name=tr("User")))
    if others:
        group.body.addWidget(JsonView(theme, others, tr("With the user's message")))
    return group


def answer(theme: Theme, place: Place) -> QWidget | None:
    """The answer with its sentences."""
    if place.turn is None or place.turn.final_response is None:
        return None
    return AnswerBlock(theme, place)


def other_parts(theme: Theme, place: Place) -> QWidget | None:
    """What the answer holds besides words: thoughts, media, calls."""
    others = _others((place.turn.final_response or ()) if place.turn else ())
    if not others:
        return None
    group = Group(theme, tr("With the answer"), _counted(len(others), tr("part")))
    group.body.addWidget(JsonView(theme, others, tr("With the answer")))
    return group


def _others(parts: tuple[Part, ...]) -> list[Json]:
    return [{tr("Part"): _KINDS[type(part)], **_plain(part)} for part in parts if not isinstance(part, Text)]


def _plain(part: Part) -> JsonObject:
    value = plain(part)
    return value if isinstance(value, dict) else {}


def calls(theme: Theme, place: Place) -> QWidget | None:
    """The turn's calls, one a line."""
    table = place.file.table
    rows = [
        row
        for child in table.visible.unfiltered(place.row)
        for row in (table.visible.unfiltered(child) if table.kind(child) is Kind.EVENT else (child,))
        if table.kind(row) in (Kind.CALL, Kind.MISSING_CALL)
    ]
    if not rows:
        return None
    shown = rows[:CALLS_LISTED]
    caption = str(len(rows)) if len(rows) <= CALLS_LISTED else tr("{0} of {1}").format(CALLS_LISTED, len(rows))
    group = Group(theme, tr("Tool calls"), caption)
    for row in shown:
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addSpacing(2)
        mark = place.workspace.verdicts.mark_of(place.file.number, row)
        line.addWidget(MarkLabel(theme, mark or "skip", 14))
        ghost = table.kind(row) is Kind.MISSING_CALL
        line.addWidget(Elided(theme, table.label(row), font="ghost" if ghost else "data"), 1)
        words = tr("golden") if ghost else seconds_text(table.duration_s(row))
        line.addWidget(Label(theme, words, font="number", ink="text2"))
        group.body.addLayout(line)
    return group


def usage(theme: Theme, place: Place) -> QWidget | None:
    """Tokens as reported, kind by kind."""
    if place.turn is None:
        return None
    _calls, spent = place.file.table.figures(place.row)
    kinds = ((words, name, getattr(spent, name)) for name, words in NAMES[Usage].items())
    rows = [(words, text_of(name, count)) for words, name, count in kinds if count is not None]
    if not rows:
        return None
    group = Group(theme, tr("Tokens"), tr("as reported"))
    group.body.addWidget(facts(theme, rows))
    return group


def guessed(theme: Theme, place: Place) -> QWidget | None:
    """What the reader derived."""
    what = place.turn.guessed if place.turn else frozenset()
    if isinstance(place.thing, Trace):
        what = place.thing.guessed
    if not what:
        return None
    words = tr("Derived by Trace Inspector, not stated by the file: {0}.").format(", ".join(sorted(what)))
    return Label(theme, words, font="secondary", ink="text2", wrap=True)


def agents(theme: Theme, place: Place) -> QWidget | None:
    """The agents that a suite, trace or turn describes, one a line; each has a row of its own."""
    thing = place.thing
    listed = thing.agents if isinstance(thing, Suite | Trace | Turn) else ()
    if not listed:
        return None
    group = Group(theme, tr("Agents"), str(len(listed)))
    group.body.addWidget(facts(theme, [(agent.name, _described(agent)) for agent in listed[:AGENTS_LISTED]]))
    return group


def _described(agent: Agent) -> str:
    tools = len(tool_names(agent.tools)) or len(agent.tools)
    phrases = [one_line(agent.description)]
    if tools:
        phrases.append(_counted(tools, tr("tool")))
    if agent.sub_agents:
        phrases.append(tr("sub-agents: {0}").format(", ".join(agent.sub_agents[:NAMES_LISTED])))
    return "; ".join(words for words in phrases if words) or "–"


def runs(theme: Theme, place: Place) -> QWidget | None:
    """How often a case was run, and the result of each run."""
    table, number = place.file.table, place.file.number
    rows = table.children(place.row)
    group = Group(theme, tr("Runs of this case"), str(len(rows)))
    for row in rows[:CALLS_LISTED]:
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(MarkLabel(theme, place.workspace.verdicts.mark_of(number, row) or "none", 14))
        line.addWidget(Elided(theme, table.label(row), font="data"), 1)
        line.addWidget(Label(theme, seconds_text(table.duration_s(row)), font="number", ink="text2"))
        group.body.addLayout(line)
    return group


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun if count == 1 else noun + 's'}"


def agent(theme: Theme, place: Place) -> QWidget | None:
    """An agent's instruction, and what it may call."""
    thing = place.thing
    if not isinstance(thing, Agent) or not (thing.instruction or thing.tools):
        return None
    return Growing(lambda box: _steps(theme, thing, box))


def versions(theme: Theme, place: Place) -> QWidget | None:
    """Whether an agent is described differently before or later, and where."""
    table, row = place.file.table, place.row
    first = table.parent(row) if table.kind(table.parent(row)) is Kind.AGENT else row
    later = table.children(first)
    if not later:
        return None
    words = tr(
        "Version {0:,} of {1:,}. Later ones are listed below the first; the State panel shows the one in "
        "force at the selected event."
    )
    return Label(theme, words.format(bisect_right(later, row) + 1, len(later) + 1), ink="text2", wrap=True)


def _steps(theme: Theme, agent: Agent, box: QVBoxLayout) -> Iterator[None]:
    if agent.instruction:
        group = Group(theme, tr("Instruction"), tr("as written; the State panel fills its placeholders"))
        group.body.addWidget(CutText(theme, agent.instruction, name=tr("Instruction")))
        box.addWidget(group)
        yield
    if agent.tools:
        yield from tools(theme, agent, box)
