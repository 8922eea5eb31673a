"""One sentence about calls that are not those of the golden: which call, and which arguments differ."""

from __future__ import annotations

from collections.abc import Sequence

from trace_inspector.core.alignment.sequence_alignment import Order
from trace_inspector.core.alignment.turn_alignment import CallMatch, CallPair, Policy
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.trace.summary import compact, one_line
from trace_inspector.core.values.values import ABSENT, Absent, Json

_SHOWN = 3
_VALUE_CHARS = 60


def call_sentence(
    pairs: Sequence[CallPair], expected: Sequence[ToolCall], observed: Sequence[ToolCall], policy: Policy
) -> str:
    """What is wrong with the calls of a turn, the first few in words."""
    wrong = [pair for pair in pairs if pair.counts(policy)]
    wrong.sort(key=lambda pair: pair.order is Order.KEPT)  # stable: what moved comes first
    sentences = [_sentence(pair, expected, observed) for pair in wrong[:_SHOWN]]
    more = [f"and {len(wrong) - _SHOWN} more"] if len(wrong) > _SHOWN else []
    return "; ".join(sentences + more)


def _sentence(pair: CallPair, expected: Sequence[ToolCall], observed: Sequence[ToolCall]) -> str:
    if pair.expected is None:
        return f"{one_line(observed[pair.observed or 0].name)} was called but is not expected"
    call_expected = expected[pair.expected]
    if pair.observed is None:
        return f"{one_line(call_expected.name)} was not called"
    if pair.match is CallMatch.SAME:
        return f"{one_line(call_expected.name)} was called out of order"
    if pair.match is CallMatch.RENAMED:
        return f"{one_line(call_expected.name)} was expected, {one_line(observed[pair.observed].name)} was called"
    return f"{one_line(call_expected.name)}: {_differences(pair, call_expected, observed[pair.observed])}"


def _differences(pair: CallPair, expected: ToolCall, observed: ToolCall) -> str:
    expected_args, observed_args = expected.args, observed.args
    if not (pair.differing and isinstance(expected_args, dict) and isinstance(observed_args, dict)):
        return f"arguments {_value(expected_args)} ≠ {_value(observed_args)}"
    shown = [
        f"{one_line(name, _VALUE_CHARS)} {_value(expected_args.get(name, ABSENT))} ≠ "
        f"{_value(observed_args.get(name, ABSENT))}"
        for name in pair.differing[:_SHOWN]
    ]
    more = len(pair.differing) - _SHOWN
    return ", ".join([*shown, f"and {more} more"] if more > 0 else shown)


def _value(value: Json | Absent) -> str:
    return "(absent)" if isinstance(value, Absent) else compact(value, _VALUE_CHARS)
