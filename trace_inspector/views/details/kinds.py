"""BLOCKS: which blocks Content shows for each kind of row. A block may have nothing to say."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from trace_inspector.core.align import Match
from trace_inspector.core.golden import Case, Suite
from trace_inspector.core.parts import Code, Media, Text, Thought, ToolCall, ToolResult, Transfer, Unknown
from trace_inspector.core.rows import Kind
from trace_inspector.core.summary import call_line
from trace_inspector.core.tools import tool_names
from trace_inspector.core.trace import (
    Agent,
    Event,
    Span,
    Trace,
    Turn,
    answer_text,
    calls_of,
    paired_calls,
    turn_usage,
    user_text,
)
from trace_inspector.core.values import ABSENT, Absent, Json
from trace_inspector.models.figures import seconds_text
from trace_inspector.models.selection import Selection
from trace_inspector.views.controls import Elided, Label, MarkLabel
from trace_inspector.views.details.answer_block import AnswerBlock
from trace_inspector.views.details.blocks import Group, Words, banner, facts
from trace_inspector.views.details.event_block import event_block, usage_rows
from trace_inspector.views.details.failing_call import failing_call
from trace_inspector.views.details.json_view import JsonView
from trace_inspector.views.details.place import Place, compared_calls, differing_calls, golden_turn, place_of
from trace_inspector.views.look import Look

Block = Callable[[Look, Place], QWidget | None]
CALLS_LISTED = 40


def verdict_sentence(look: Look, place: Place) -> QWidget | None:
    """Why the turn or the case as a whole is what it is, when its verdict says so itself."""
    whole = place.turn_verdict if place.kind in (Kind.TURN, Kind.MISSING_TURN) else place.case_verdict
    if whole is None or not whole.reason:
        return None
    tone = "fail" if place.mark in ("failed", "missing", "extra") else "warn"
    return banner(look, place.mark or "info", whole.reason, tone)


def hidden_by_verdict(look: Look, place: Place) -> QWidget | None:
    """What a composed verdict does not show."""
    case = place.case_verdict
    return banner(look, "warning", "; ".join(case.hides), "warn") if case and case.hides else None


def failing(look: Look, place: Place) -> QWidget | None:
    """The first call of a turn that is not the golden's."""
    differing = differing_calls(place)
    return failing_call(look, differing[0], len(differing) - 1) if differing else None


def this_call(look: Look, place: Place) -> QWidget | None:
    """This call beside the golden's, when they differ."""
    number = place.file.table.call_index(place.row)
    found = next((call for call in differing_calls(place) if call.pair.observed == number), None)
    return failing_call(look, found, 0) if found else None


def missing_call(look: Look, place: Place) -> QWidget | None:
    """The golden's call that was not made."""
    ghost = place.file.table.ghost(place.row)
    parent = _parent(place)
    if ghost is None or parent is None:
        return None
    calls = [call for call in compared_calls(parent) if call.pair.match is Match.MISSING]
    found = next((call for call in calls if call.pair.expected == ghost.golden_index), None)
    return failing_call(look, found, 0) if found else facts(look, [(_tr("Golden"), ghost.label)], data=True)


def missing_turn(look: Look, place: Place) -> QWidget | None:
    """The golden's turn that the trace never reached."""
    golden = golden_turn(place)
    if golden is None:
        return None
    wanted = "\n".join(call_line(one) for one in calls_of(golden))
    rows = [(_tr("User"), user_text(golden)), (_tr("Calls"), wanted), (_tr("Answer"), answer_text(golden))]
    group = Group(look, _tr("The golden's turn"))
    group.body.addWidget(facts(look, [row for row in rows if row[1]]))
    return group


def user(look: Look, place: Place) -> QWidget | None:
    """The user's words."""
    if place.turn is None:
        return None
    words = user_text(place.turn)
    group = Group(look, _tr("User"), "" if words else _tr("no words"))
    if words:
        group.body.addWidget(Words(look, words, name=_tr("User")))
    return group


def answer(look: Look, place: Place) -> QWidget | None:
    """The answer with its sentences."""
    if place.turn is None or place.turn.final_response is None:
        return None
    return AnswerBlock(look, place)


def calls(look: Look, place: Place) -> QWidget | None:
    """The turn's calls, one a line."""
    table = place.file.table
    rows = [row for row in table.visible_children(place.row) if table.kind(row) in (Kind.CALL, Kind.MISSING_CALL)]
    if not rows:
        return None
    shown = rows[:CALLS_LISTED]
    caption = str(len(rows)) if len(rows) <= CALLS_LISTED else _tr("{0} of {1}").format(CALLS_LISTED, len(rows))
    group = Group(look, _tr("Tool calls"), caption)
    for row in shown:
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addSpacing(2)
        mark = place.workspace.mark_of(place.file.number, row)
        line.addWidget(MarkLabel(look, mark or "skip", 14))
        ghost = table.kind(row) is Kind.MISSING_CALL
        line.addWidget(Elided(look, table.label(row), font="ghost" if ghost else "data"), 1)
        words = _tr("golden") if ghost else seconds_text(table.duration_s(row))
        line.addWidget(Label(look, words, font="number", ink="text2"))
        group.body.addLayout(line)
    return group


def usage(look: Look, place: Place) -> QWidget | None:
    """Tokens as reported, kind by kind."""
    if place.turn is None:
        return None
    rows = usage_rows(turn_usage(place.turn))
    if not rows:
        return None
    group = Group(look, _tr("Tokens"), _tr("as reported"))
    group.body.addWidget(facts(look, rows))
    return group


def guessed(look: Look, place: Place) -> QWidget | None:
    """What the reader derived."""
    what = place.turn.guessed if place.turn else frozenset()
    if isinstance(place.thing, Trace):
        what = place.thing.guessed
    if not what:
        return None
    words = _tr("Derived by us, not stated by the file: {0}.").format(", ".join(sorted(what)))
    return Label(look, words, font="secondary", ink="text2", wrap=True)


def text(look: Look, place: Place) -> QWidget | None:
    """Words, thoughts, code."""
    thing = place.thing
    if isinstance(thing, Text | Thought):
        return Words(look, thing.text)
    if isinstance(thing, Code):
        return Words(look, thing.text, font="data")
    return None


def call(look: Look, place: Place) -> QWidget | None:
    """Arguments and result of a call."""
    if not isinstance(place.thing, ToolCall):
        return None
    box = _column()
    box.body.addWidget(_json(look, _tr("Arguments"), place.thing.args, _tr("no arguments given")))
    paired = next((one for one in paired_calls(place.turn) if one.call is place.thing), None) if place.turn else None
    result = paired.result if paired else None
    box.body.addWidget(_json(look, _tr("Result"), result.value if result else ABSENT, _tr("no result recorded")))
    if place.thing.call_id:
        box.body.addWidget(facts(look, [(_tr("Call id"), place.thing.call_id)], data=True))
    return box


def result(look: Look, place: Place) -> QWidget | None:
    """What a tool answered."""
    if not isinstance(place.thing, ToolResult):
        return None
    box = _column()
    if place.thing.is_error:
        box.body.addWidget(banner(look, "warning", _tr("The tool reported an error."), "warn"))
    box.body.addWidget(_json(look, _tr("Result"), place.thing.value, _tr("empty")))
    return box


def state(look: Look, place: Place) -> QWidget | None:
    """What an event wrote into the session state."""
    if not isinstance(place.thing, Event) or place.thing.state_delta is None:
        return None
    return _json(look, _tr("Written to the session state"), place.thing.state_delta, "")


def media(look: Look, place: Place) -> QWidget | None:
    """A placeholder: bytes are never decoded, links never followed."""
    thing = place.thing
    if not isinstance(thing, Media):
        return None
    size = f"{thing.size_bytes:,} bytes" if thing.size_bytes is not None else _tr("unknown")
    rows = [(_tr("Type"), thing.mime_type), (_tr("Size"), size)]
    if thing.uri:
        rows.append((_tr("Address, not fetched"), thing.uri))
    return facts(look, rows)


def other(look: Look, place: Place) -> QWidget | None:
    """A part of a kind this version does not know, or an event's error."""
    if isinstance(place.thing, Unknown):
        return _json(look, place.thing.kind, place.thing.raw, "")
    if isinstance(place.thing, Event) and place.thing.error:
        return banner(look, "warning", place.thing.error, "fail")
    return None


def span(look: Look, place: Place) -> QWidget | None:
    """A span's own figures."""
    thing = place.thing
    if not isinstance(thing, Span):
        return None
    rows = [(_tr("Span id"), thing.id), (_tr("Measures"), thing.kind.value)]
    if thing.parent_id:
        rows.append((_tr("Parent"), thing.parent_id))
    if thing.error:
        rows.append((_tr("Error"), thing.error))
    return facts(look, rows, data=True)


def properties(look: Look, place: Place) -> QWidget | None:
    """What was read of a suite, case, trace, turn or part."""
    rows = [(name, value) for name, value in _properties(place) if value]
    return facts(look, rows) if rows else None


def whole_state(look: Look, place: Place) -> QWidget | None:
    """The state a case starts from or a trace ends in."""
    thing = place.thing
    box = _column()
    if isinstance(thing, Case) and thing.session and thing.session.state is not None:
        box.body.addWidget(_json(look, _tr("State at the start"), thing.session.state, ""))
    if isinstance(thing, Case | Trace) and thing.final_state is not None:
        box.body.addWidget(_json(look, _tr("State at the end"), thing.final_state, ""))
    return box if box.body.count() else None


def agents(look: Look, place: Place) -> QWidget | None:
    """The agents a trace or turn describes, with their instructions."""
    thing = place.thing
    known = thing.agents if isinstance(thing, Trace | Turn) else ()
    if not known:
        return None
    group = Group(look, _tr("Agents"), str(len(known)))
    group.body.addWidget(facts(look, [(agent.name, _described(agent)) for agent in known]))
    return group


def rubrics(look: Look, place: Place) -> QWidget | None:
    """The rubrics a case or turn carries."""
    thing = place.thing
    known = thing.rubrics if isinstance(thing, Case | Turn) else ()
    if not known:
        return None
    group = Group(look, _tr("Rubrics"), str(len(known)))
    group.body.addWidget(facts(look, [(rubric.id, rubric.text) for rubric in known]))
    return group


def _described(agent: Agent) -> str:
    """What a file says of an agent, one thing a line."""
    said = [agent.description, agent.instruction]
    if agent.tools:
        said.append(_tr("Tools: {0}").format(", ".join(tool_names(agent.tools)) or len(agent.tools)))
    if agent.sub_agents:
        said.append(_tr("Agents below it: {0}").format(", ".join(agent.sub_agents)))
    return "\n".join(words for words in said if words) or "–"


BLOCKS: dict[Kind, tuple[Block, ...]] = {
    Kind.SUITE: (properties,),
    Kind.CASE: (verdict_sentence, hidden_by_verdict, properties, whole_state, rubrics),
    Kind.TRACE: (verdict_sentence, hidden_by_verdict, properties, guessed, whole_state, agents),
    Kind.TURN: (verdict_sentence, failing, answer, user, calls, usage, agents, rubrics, guessed),
    Kind.ANSWER: (answer, user, usage, event_block),
    Kind.TEXT: (text, event_block, properties),
    Kind.THOUGHT: (text, event_block, properties),
    Kind.CODE: (text, event_block, properties),
    Kind.USER: (user,),
    Kind.CALL: (this_call, call, event_block, properties),
    Kind.RESULT: (result, event_block, properties),
    Kind.TRANSFER: (event_block, properties),
    Kind.MEDIA: (media, event_block, properties),
    Kind.STATE: (state, event_block, properties),
    Kind.UNKNOWN: (other, event_block, properties),
    Kind.SPAN: (span, properties),
    Kind.MISSING_CALL: (missing_call,),
    Kind.MISSING_TURN: (verdict_sentence, missing_turn),
}


class _Column(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(0, 0, 0, 0)
        self.body.setSpacing(12)


def _column() -> _Column:
    return _Column()


def _json(look: Look, title: str, value: Json | Absent, nothing: str) -> QWidget:
    if isinstance(value, Absent):
        return Group(look, title, nothing)
    group = Group(look, title)
    group.body.addWidget(JsonView(look, value, title))
    return group


def _parent(place: Place) -> Place | None:
    return place_of(place.workspace, Selection(place.file.number, place.file.table.parent(place.row)))


def _properties(place: Place) -> list[tuple[str, str]]:
    thing = place.thing
    here = [(_tr("Place"), place.file.table.place(place.row) or "/"), (_tr("File"), place.file.name)]
    match thing:
        case Suite():
            own = [(_tr("Id"), thing.id), (_tr("Name"), thing.name), (_tr("Description"), thing.description)]
        case Case():
            scenario = thing.scenario
            session = thing.session
            own = [
                (_tr("Id"), thing.id),
                (_tr("Eval set"), thing.suite_id),
                (_tr("Simulated user starts"), scenario.starting_prompt if scenario else ""),
                (_tr("and follows"), scenario.plan if scenario else ""),
                (_tr("App"), (session.app or "") if session else ""),
                (_tr("User"), (session.user or "") if session else ""),
            ]
        case Trace():
            own = [
                (_tr("Id"), thing.id),
                (_tr("Session"), thing.session_id or ""),
                (_tr("App"), thing.app or ""),
                (_tr("User"), thing.user or ""),
                (_tr("Case"), thing.case_id or ""),
                (_tr("Spans"), f"{thing.span_count:,}" if thing.span_count else ""),
            ]
        case Transfer():
            own = [(_tr("Hands over to"), thing.target)]
        case Code():
            printed = _tr("what it printed") if thing.is_result else ""
            own = [(_tr("Language"), thing.language), (_tr("What"), printed)]
        case _:
            own = []
    return [*own, *_case_facts(place), *here]


def _case_facts(place: Place) -> list[tuple[str, str]]:
    case = place.case_verdict
    if case is None or place.kind not in (Kind.CASE, Kind.TRACE):
        return []
    return [(_tr("Held against"), case.case_id), (_tr("Paired by"), case.paired_by)]


def _tr(text: str) -> str:
    return QCoreApplication.translate("Details", text)
