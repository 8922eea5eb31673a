"""Turns as golden turns of CES: what the user gives, and step by step what is expected."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from trace_inspector.core.golden.matcher import Matcher
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import Part, ToolCall, ToolResult, Transfer
from trace_inspector.core.trace.trace import Event, Turn
from trace_inspector.core.values.values import JsonObject, strict
from trace_inspector.formats.ces.common import evaluation_schemas as schemas
from trace_inspector.formats.ces.common.content_writer import (
    call_json,
    inputs_json,
    is_sayable,
    lose_part,
    message_json,
    result_json,
)
from trace_inspector.formats.ces.common.losses import Losses
from trace_inspector.formats.ces.common.own_fields import own_fields
from trace_inspector.formats.ces.common.thresholds import OF_EXPECTATION, OF_TURN
from trace_inspector.formats.ces.evaluation.thresholds_writer import levels_json

_TRANSFER = "transfer_to_agent"  # the call by which ADK's agents hand over
_TARGET = "agent_name"


class GoldenWriter(Struct, frozen=True):
    """Writes the turns of one case."""

    matchers: Mapping[str, Matcher]
    losses: Losses

    def turn(self, turn: Turn, variables: JsonObject | None = None) -> JsonObject:
        """One turn; `variables` are set before anything else."""
        steps: list[JsonObject] = [{"userInput": {"variables": strict(variables)}}] if variables else []
        steps += ({"userInput": given} for given in inputs_json(turn.user, self.losses))
        steps += self._stated(turn) if turn.expectations else self._derived(turn)
        written: JsonObject = {"steps": [*steps]}
        beside, rest = own_fields(turn.extras, turn.place, schemas.TURN)
        self.losses.lose("other fields", turn.place, len(rest))
        overrides, unsaid = levels_json(turn.criteria, OF_TURN)
        self.losses.lose("criteria", turn.place, len(unsaid))
        self._lose_the_rest(turn)
        return {**written, **beside, **overrides}

    def expectation(self, expected: Expectation) -> JsonObject | None:
        """One expectation; None where CES has nothing like it."""
        condition = _CONDITIONS.get(expected.kind)
        written = condition(self, expected) if condition is not None else None
        if written is None:
            self.losses.lose("expectations", expected.place)
            return None
        overrides, unsaid = levels_json(expected.criteria, OF_EXPECTATION)
        self.losses.lose("criteria", expected.place, len(unsaid))
        beside: JsonObject = {
            "note": expected.note,
            "skipEvaluation": expected.skipped,
            "comparisonType": expected.compared_by,
        }
        return {**written, **{key: value for key, value in beside.items() if value}, **overrides}

    def _stated(self, turn: Turn) -> Iterator[JsonObject]:
        """The expectations as they stand, with the transfers between them that are not expected."""
        expected = {
            part for expectation in turn.expectations for part in expectation.parts if isinstance(part, Transfer)
        }
        moves = deque(
            (index, part)
            for index, event in enumerate(turn.events)
            for part in event.parts
            if isinstance(part, Transfer) and part not in expected
        )
        reached, at_place = 0, _events_by_place(turn)
        for expectation in turn.expectations:
            reached = at_place.get(expectation.place, reached)
            while moves and moves[0][0] < reached:
                yield _move(moves.popleft()[1])
            written = self.expectation(expectation)
            if written is not None:
                yield {"expectation": written}
        yield from (_move(part) for _, part in moves)

    def _derived(self, turn: Turn) -> Iterator[JsonObject]:
        """What another system's script expects: its calls in order and the answer. The rest only stands there."""
        for expectation in self._expected(turn):
            written = self.expectation(expectation)
            if written is not None:
                yield {"expectation": written}

    def _expected(self, turn: Turn) -> Iterator[Expectation]:
        answer = turn.final_response or ()
        moved: set[str | None] = set()
        for index, event in enumerate(turn.events):
            yield from self._of_event(event, moved)
            if index == turn.final_event:
                yield from self._words(answer, turn.place)
        if turn.final_event is None:
            yield from self._words(answer, turn.place)

    def _words(self, parts: Sequence[Part], place: str, *, skipped: bool = False) -> Iterator[Expectation]:
        """The parts that a message can hold."""
        sayable = tuple(part for part in parts if is_sayable(part))
        for part in parts:
            if part not in sayable:
                lose_part(part, self.losses)
        if sayable:
            yield Expectation(Expects.ANSWER, sayable, skipped=skipped, place=place)

    def _of_event(self, event: Event, moved: set[str | None]) -> Iterator[Expectation]:
        spoken: list[Part] = []
        for part in event.parts:
            match part:
                case ToolCall() if part.name == _TRANSFER and isinstance(part.args, dict) and _TARGET in part.args:
                    moved.add(part.call_id)
                    target = Transfer(str(part.args[_TARGET]), part.place)
                    yield Expectation(Expects.TRANSFER, (target,), place=part.place)
                case ToolCall():
                    yield Expectation(Expects.CALL, (part,), place=part.place)
                case ToolResult() if part.name == _TRANSFER and part.call_id in moved:
                    self.losses.lose("results", part.place)
                case ToolResult():
                    yield Expectation(Expects.RESULT, (part,), skipped=True, place=part.place)
                case Transfer():
                    yield Expectation(Expects.TRANSFER, (part,), place=part.place)
                case _:
                    spoken.append(part)
        yield from self._words(spoken, event.place, skipped=True)
        if event.state_delta:
            yield Expectation(Expects.VARIABLES, value=event.state_delta, place=event.place)

    def call(self, expectation: Expectation) -> JsonObject | None:
        """An expected call."""
        tool_call = next((part for part in expectation.parts if isinstance(part, ToolCall)), None)
        return None if tool_call is None else {"toolCall": call_json(tool_call, self.matchers, self.losses)}

    def result(self, expectation: Expectation) -> JsonObject | None:
        """What a tool is to answer, or answers in the run."""
        tool_result = next((part for part in expectation.parts if isinstance(part, ToolResult)), None)
        key = "mockToolResponse" if expectation.kind is Expects.MOCK else "toolResponse"
        return None if tool_result is None else {key: result_json(tool_result)}

    def words(self, expectation: Expectation) -> JsonObject | None:
        """What the agent is to say."""
        return {"agentResponse": message_json(expectation.parts, self.losses)}

    def transfer(self, expectation: Expectation) -> JsonObject | None:
        """Whom the agent is to hand over to."""
        handover = next((part for part in expectation.parts if isinstance(part, Transfer)), None)
        return None if handover is None else _move(handover)

    def variables(self, expectation: Expectation) -> JsonObject | None:
        """Variables as they are to be."""
        return {"updatedVariables": strict(expectation.value)} if isinstance(expectation.value, dict) else None

    def no_calls(self, expectation: Expectation) -> JsonObject | None:
        """No call at all."""
        return {"noToolCalls": expectation.value is not False}

    def _lose_the_rest(self, turn: Turn) -> None:
        timed = turn.id, turn.start_s, turn.duration_s, turn.model_duration_s, turn.tool_duration_s
        self.losses.lose("turn details", turn.place, int(any(detail is not None for detail in timed)))
        self.losses.lose("rubrics", turn.place, len(turn.rubrics))
        self.losses.lose("agents", turn.place, len(turn.agents))
        self.losses.lose("spans", turn.place, len(turn.spans))
        for event in turn.events:
            details = (
                event.time_s,
                event.duration_s,
                event.usage,
                event.model,
                event.finish_reason,
                event.error,
                event.id,
            )
            is_more = any(detail is not None for detail in details) or bool(event.active_tools)
            self.losses.lose("event details", event.place, int(is_more))
            self.losses.lose("other fields", event.place, len(event.extras))


def _move(part: Transfer) -> JsonObject:
    return {"agentTransfer": {"targetAgent": part.target}}


def _events_by_place(turn: Turn) -> dict[str, int]:
    """The number of the event that an expectation is, by its place: the event's own, or the one above that."""
    indexes: dict[str, int] = {}
    for index, event in enumerate(turn.events):
        indexes.setdefault(event.place, index)
        indexes.setdefault(event.place.rpartition("/")[0], index)
    return indexes


_Condition: TypeAlias = "Callable[[GoldenWriter, Expectation], JsonObject | None]"
_CONDITIONS: Mapping[Expects, _Condition] = {
    Expects.CALL: GoldenWriter.call,
    Expects.RESULT: GoldenWriter.result,
    Expects.MOCK: GoldenWriter.result,
    Expects.ANSWER: GoldenWriter.words,
    Expects.TRANSFER: GoldenWriter.transfer,
    Expects.VARIABLES: GoldenWriter.variables,
    Expects.NO_CALLS: GoldenWriter.no_calls,
}
