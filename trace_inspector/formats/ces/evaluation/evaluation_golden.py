"""A golden of CES: its turns as a script, and step by step what is expected of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from trace_inspector.core.finding import error, info, warning
from trace_inspector.core.golden.matcher import Matcher
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import Part, ToolCall, ToolResult
from trace_inspector.core.trace.trace import Event, Steps, Turn
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import ABSENT, Absent, Json
from trace_inspector.formats.ces.common import evaluation_schemas as schemas
from trace_inspector.formats.ces.common.content import (
    beside_chunks,
    beside_result,
    checked_call,
    checked_result,
    checked_transfer,
    input_parts,
    message_parts,
)
from trace_inspector.formats.ces.common.enums import COMPARISON_TYPE, enum_word
from trace_inspector.formats.ces.common.match_type import expected_args
from trace_inspector.formats.ces.common.thresholds import OF_EXPECTATION, OF_TURN, criteria_in
from trace_inspector.formats.ces.common.values import plain
from trace_inspector.formats.common.extras import extras_of
from trace_inspector.formats.common.fields import Fields, Report, camel
from trace_inspector.formats.common.schema import check

MOST_TURNS = 100
AGENT = "agent"  # CES's own word for whoever speaks when no agent is named
# Keys of calls, answers, transfers and messages that their parts show.
SHOWN_IN_PARTS = (
    "id", "tool", "toolset_tool", "args", "response", "agent_name", "parent_tool_call_id", "target_agent", "role",
    "chunks",
)  # fmt: skip
_OF_A_TURN = ("steps", "turn_level_metrics_thresholds_override", "hallucination_metric_behavior_override")


class Script(Struct, frozen=True):
    """The turns of a golden, and how their arguments are compared."""

    turns: tuple[Turn, ...] = ()
    matchers: tuple[Matcher, ...] = ()


def script_of(golden: Fields, report: Report) -> Script:
    """All turns in their order. Who speaks goes on from turn to turn."""
    check(golden, schemas.GOLDEN, report)
    turns: list[Turn] = []
    matchers: list[Matcher] = []
    speaker = AGENT
    for index, fields in enumerate(report.bounded(golden, "turns")):
        reader = _TurnReader(report, speaker)
        turns.append(reader.turn(fields, index))
        matchers += reader.matchers
        speaker = reader.speaker
    if len(turns) > MOST_TURNS:
        message = f"CES accepts goldens of at most {MOST_TURNS} turns, and this one has {len(turns):,}."
        report.add(warning("too-many-turns", message, golden.pointer("turns")))
    return Script(tuple(turns), tuple(matchers))


def expected_turn(
    expectations: Iterable[Fields], index: int, place: str, report: Report
) -> tuple[Turn, tuple[Matcher, ...]]:
    """A turn of which only what was expected is known, as results repeat it."""
    reader = _TurnReader(report, AGENT)
    for fields in expectations:
        reader.expectation(fields)
    return reader.whole(index, place), tuple(reader.matchers)


def expected_call(fields: Fields, report: Report) -> tuple[ToolCall, tuple[Matcher, ...]]:
    """A call with plain values in its arguments, and how they are compared."""
    call = checked_call(fields, report)
    if not schemas.check_union(fields, schemas.TOOL_KINDS, "A tool call", report) and not call.name:
        report.add(error("no-tool", "This call names no tool, so no call can match it.", fields.place))
    args, matchers = expected_args(call.args, fields.pointer("args"), report)
    return replace(call, args=args), matchers


class _TurnReader(Struct):
    """Reads one turn, step by step."""

    report: Report
    speaker: str
    user: list[Part] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    expectations: list[Expectation] = field(default_factory=list)
    matchers: list[Matcher] = field(default_factory=list)
    extras: list[Extra] = field(default_factory=list)
    answer: int | None = None  # the event that is the answer, as far as is read

    def turn(self, fields: Fields, index: int) -> Turn:
        """The whole turn."""
        check(fields, schemas.TURN, self.report)
        self.extras += extras_of(fields, *_OF_A_TURN)
        for step in self.report.bounded(fields, "steps"):
            self._step(step)
        self._check(fields)
        return self.whole(index, fields.place, criteria_in(fields, OF_TURN, self.report))

    def whole(self, index: int, place: str, criteria: tuple[Criterion, ...] = ()) -> Turn:
        """What was read so far as a turn."""
        turn = Turn(
            index=index,
            user=tuple(self.user),
            events=tuple(self.events),
            steps=Steps.EVENTS if self.expectations or self.events else Steps.ABSENT,
            expectations=tuple(self.expectations),
            criteria=criteria,
            extras=tuple(self.extras),
            place=place,
        )
        return turn if self.answer is None else with_answer(turn, self.answer)

    def _step(self, step: Fields) -> None:
        check(step, schemas.STEP, self.report)
        self.extras += extras_of(step, *schemas.STEP_KINDS)
        if not schemas.check_union(step, schemas.STEP_KINDS, "A step", self.report):
            self.report.add(warning("empty-step", "This step contains nothing that CES knows.", step.place))
        stated = step.object("user_input")
        if stated is not None:
            check(stated, schemas.INPUT, self.report)
            schemas.check_union(stated, schemas.INPUT_KINDS, "A user input", self.report)
            self.user += input_parts(stated, self.report)
            self.extras += extras_of(stated, *(name for name in stated.value if camel(name) != "willContinue"))
            answers = stated.object("tool_responses") or Fields({}, "")
            self.extras += [
                extra for response in answers.objects("tool_responses") for extra in beside_result(response)
            ]
        moved = step.object("agent_transfer")
        if moved is not None:
            self._transfer(moved)
        expected = step.object("expectation")
        if expected is not None:
            self.expectation(expected)

    def expectation(self, fields: Fields) -> None:
        """One more thing to expect."""
        check(fields, schemas.EXPECTATION, self.report)
        self.extras += extras_of(fields, *schemas.EXPECTATION.fields)
        conditions = schemas.check_union(fields, schemas.CONDITIONS, "An expectation", self.report)
        if not conditions:
            message = "This expectation contains nothing that CES can check."
            self.report.add(warning("empty-expectation", message, fields.place))
        word = enum_word(fields, "comparison_type", COMPARISON_TYPE, self.report)
        about = Expectation(
            Expects.CALL,
            compared_by=word,
            note=fields.text("note") or "",
            skipped=fields.get("skip_evaluation") is True,
            criteria=criteria_in(fields, OF_EXPECTATION, self.report),
            place=fields.place,
        )
        for name in conditions:
            kind, read = _CONDITIONS[name]
            self.expectations.append(read(self, fields, name, replace(about, kind=kind)))

    def call(self, fields: Fields, name: str, about: Expectation) -> Expectation:
        """An expected call, which is an event of the script too."""
        call, matchers = expected_call(_object(fields, name), self.report)
        self.matchers += matchers
        stated = _object(fields, name)
        self._event((call,), extras_of(stated, *SHOWN_IN_PARTS), stated.place, call.agent)
        return replace(about, parts=(call,))

    def result(self, fields: Fields, name: str, about: Expectation) -> Expectation:
        """An expected or given answer of a tool."""
        stated = _object(fields, name)
        result = checked_result(stated, self.report)
        self._event((result,), beside_result(stated), stated.place)
        return replace(about, parts=(result,))

    def words(self, fields: Fields, name: str, about: Expectation) -> Expectation:
        """What the agent is to say; the last of it in a turn is the answer."""
        parts = message_parts(fields.get(name), fields.pointer(name), self.report)
        self.answer = len(self.events)
        stated = _object(fields, name)
        self._event(parts, (*extras_of(stated, *SHOWN_IN_PARTS), *beside_chunks(stated)), stated.place)
        return replace(about, parts=parts)

    def transfer(self, fields: Fields, name: str, about: Expectation) -> Expectation:
        """An expected transfer."""
        return replace(about, parts=self._transfer(_object(fields, name)))

    def variables(self, fields: Fields, name: str, about: Expectation) -> Expectation:
        """Variables as they are to be afterwards."""
        value = _plain(fields.get(name))
        changed = value if isinstance(value, dict) else None
        self.events.append(Event(self.speaker, state_delta=changed, place=fields.pointer(name)))
        return replace(about, value=value)

    def no_calls(self, fields: Fields, name: str, about: Expectation) -> Expectation:
        """No call at all in this turn; false checks nothing."""
        value = fields.get(name)
        return replace(about, value=value, skipped=about.skipped or value is not True)

    def _transfer(self, fields: Fields) -> tuple[Part, ...]:
        part = checked_transfer(fields, self.report)
        self._event((part,), extras_of(fields, *SHOWN_IN_PARTS), fields.place)
        self.speaker = part.target or self.speaker
        return (part,)

    def _event(self, parts: tuple[Part, ...], beside: tuple[Extra, ...], place: str, author: str = "") -> None:
        self.events.append(Event(author or self.speaker, parts, extras=beside, place=place))

    def _check(self, fields: Fields) -> None:
        if not self.user and (self.expectations or self.events):
            message = "The user gives nothing in this turn: no text, no event, no variables."
            self.report.add(info("no-user-input", message, fields.place))
        kinds = {expectation.kind for expectation in self.expectations if not expectation.skipped}
        if {Expects.CALL, Expects.NO_CALLS} <= kinds:
            message = "This turn expects a call and also no calls, so it cannot pass."
            self.report.add(warning("contradiction", message, fields.place))


_Condition = tuple[Expects, Callable[[_TurnReader, Fields, str, Expectation], Expectation]]
_CONDITIONS: Mapping[str, _Condition] = {
    "tool_call": (Expects.CALL, _TurnReader.call),
    "tool_response": (Expects.RESULT, _TurnReader.result),
    "agent_response": (Expects.ANSWER, _TurnReader.words),
    "agent_transfer": (Expects.TRANSFER, _TurnReader.transfer),
    "updated_variables": (Expects.VARIABLES, _TurnReader.variables),
    "mock_tool_response": (Expects.MOCK, _TurnReader.result),
    "no_tool_calls": (Expects.NO_CALLS, _TurnReader.no_calls),
}


def with_answer(turn: Turn, index: int) -> Turn:
    """The turn with the text of one event as the answer; what that event calls stays in it."""
    event = turn.events[index]
    acts = tuple(part for part in event.parts if isinstance(part, ToolCall | ToolResult))
    events = (*turn.events[:index], replace(event, parts=acts), *turn.events[index + 1 :])
    answer = tuple(part for part in event.parts if part not in acts)
    return replace(turn, events=events, final_response=answer, final_author=event.author, final_event=index)


def _object(fields: Fields, name: str) -> Fields:
    return fields.object(name) or Fields({}, fields.pointer(name))


def _plain(value: Json | Absent) -> Json | Absent:
    return value if value is ABSENT else plain(value)
