"""Vertex AI's metrics of a single tool call: the first of the conversation against the first that is expected."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.values.values import ABSENT, Json, JsonObject
from trace_inspector.engine.scoring.metric import Judged, Method, Subject
from trace_inspector.engine.vertex.whole_conversation import expected_calls, made_calls, scored


def is_valid(call: ToolCall) -> bool:
    """A call with a name, and with arguments that are an object or nothing."""
    return bool(call.name) and (call.args is ABSENT or call.args is None or isinstance(call.args, dict))


def _arguments(call: ToolCall) -> JsonObject:
    return call.args if isinstance(call.args, dict) else {}


def name_match(expected: ToolCall, made: ToolCall) -> float:
    """1 where the tools have the same name."""
    return float(expected.name == made.name)


def key_match(expected: ToolCall, made: ToolCall) -> float:
    """Of the expected arguments, the share of which there is one by that name; 0 with another tool."""
    return _share(expected, made, lambda _expected_value, _given_value: True)


def kv_match(expected: ToolCall, made: ToolCall) -> float:
    """Of the expected arguments, the share that has that name and value; 0 with another tool."""
    return _share(expected, made, lambda expected_value, given_value: expected_value == given_value)


def _share(expected: ToolCall, made: ToolCall, fits: Callable[[Json, Json], bool]) -> float:
    expected_args, made_args = _arguments(expected), _arguments(made)
    if expected.name != made.name:
        return 0.0
    if not expected_args:
        return float(not made_args)
    return sum(name in made_args and fits(value, made_args[name]) for name, value in expected_args.items()) / len(
        expected_args
    )


class _FirstCall(Struct, frozen=True):
    """One figure over two calls; a value, so that it can be pickled."""

    score: Callable[[ToolCall, ToolCall], float]

    def judge(self, subject: Subject, criterion: Criterion) -> Judged:
        """Compare the first calls; where one side has none, only the other side's having none is right."""
        expected, made = expected_calls(subject), made_calls(subject)
        if not expected or not made:
            reason = "no tool was called" if expected else "no call is expected"
            return scored(subject, criterion, float(not expected and not made), reason)
        score = self.score(expected[0], made[0])
        return scored(subject, criterion, score, "the first call is not the golden's first one")


def _judge_valid(subject: Subject, criterion: Criterion) -> Judged:
    made = made_calls(subject)
    reason = "the first call has no name, or its arguments are not an object" if made else "no tool was called"
    return scored(subject, criterion, float(bool(made) and is_valid(made[0])), reason)


METHODS = {
    "tool_call_valid": Method(_judge_valid),
    "tool_name_match": Method(_FirstCall(name_match).judge),
    "tool_parameter_key_match": Method(_FirstCall(key_match).judge),
    "tool_parameter_kv_match": Method(_FirstCall(kv_match).judge),
}
