from __future__ import annotations

import pickle

import pytest
from msgspec.structs import replace

from tests.helpers.tables import each
from trace_inspector.core.trace.parts import Part, Text, Thought, ToolCall, ToolResult, spoken_text, text_of
from trace_inspector.core.trace.trace import (
    Event,
    Span,
    SpanKind,
    Turn,
    Usage,
    input_tokens,
    output_tokens,
    paired_calls,
    total_tokens,
    turn_usage,
)


def _turn(*parts: Part) -> Turn:
    return Turn(0, events=tuple(Event("agent", (part,)) for part in parts))


def _results(turn: Turn) -> list[object]:
    return [paired.result.value if paired.result else None for paired in paired_calls(turn)]


@each(
    ("parts", "expected"),
    [
        pytest.param(
            [
                ToolCall("a", call_id="1"),
                ToolCall("a", call_id="2"),
                ToolResult("a", "two", "2"),
                ToolResult("a", "one", "1"),
            ],
            ["one", "two"],
            id="by id, whatever the order",
        ),
        pytest.param(
            [ToolCall("a"), ToolCall("b"), ToolResult("b", "for b"), ToolResult("a", "for a")],
            ["for a", "for b"],
            id="by name without ids",
        ),
        pytest.param(
            [ToolCall("a"), ToolCall("a"), ToolResult("a", 1), ToolResult("a", 2)],
            [1, 2],
            id="by order within a name",
        ),
        pytest.param(
            [ToolCall("a", call_id="1"), ToolResult("a", "stranger", "9")], [None], id="never a result of another id"
        ),
        pytest.param(
            [ToolCall("a", call_id="1"), ToolResult("a", "nameless")], ["nameless"], id="a result that lost its id"
        ),
        pytest.param(
            [
                ToolCall("a"),
                ToolCall("a", call_id="1"),
                ToolResult("a", "first", "1"),
                ToolResult("a", "second", "2"),
            ],
            ["second", "first"],
            id="ids are served before guesses",
        ),
        pytest.param([ToolCall("a"), ToolResult("b", 1)], [None], id="no result of that name"),
    ],
)
def test_calls_find_their_results(parts: list[Part], expected: list[object]) -> None:
    assert _results(_turn(*parts)) == expected


def test_pairing_many_parallel_calls_is_not_quadratic() -> None:
    count = 20_000
    calls = [ToolCall("a", call_id=str(at)) for at in range(count)]
    results = [ToolResult("a", at, str(at)) for at in reversed(range(count))]
    assert _results(_turn(*calls, *results)) == list(range(count))


def test_adk_reads_thoughts_as_text_and_people_do_not() -> None:
    parts = (Thought("hmm"), Text(""), Text("yes"))
    assert (text_of(parts), spoken_text(parts)) == ("hmm\nyes", "yes")


def test_unreported_tokens_stay_none() -> None:
    turn = Turn(
        0,
        events=(Event("a", usage=Usage(prompt=3, tool_use_prompt=1)), Event("a"), Event("a", usage=Usage(prompt=4))),
    )
    usage = turn_usage(turn)
    assert (input_tokens(usage), output_tokens(usage), total_tokens(usage)) == (8, None, 8)
    assert total_tokens(turn_usage(Turn(0))) is None


def test_every_field_of_a_span_outlives_pickling() -> None:
    span = Span("id", "name", SpanKind.TOOL, "parent", 1.5, 2.5, "error", "/place", "agent")
    assert all(getattr(span, name) not in (None, "") for name in span.__struct_fields__)
    assert pickle.loads(pickle.dumps(span)) == span
    bare = replace(span, agent="")
    assert pickle.loads(pickle.dumps(bare)) == bare
