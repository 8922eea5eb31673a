"""Span dumps that other people's tracers wrote: every span is there, and turns and calls are those counted by eye."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from trace_inspector.core.trace.trace import answer_text, calls_of, user_text
from trace_inspector.flows.opening.open_file import open_file

pytestmark = pytest.mark.corpus

# Turns and calls of each file, counted by eye; a delegate's own calls are not its caller's.
COUNTED = {
    "test_adk_single_agent": (2, 2),  # recorded twice, by ADK itself and by what was wrapped around it
    "test_crewai_single_agent": (1, 1),
    "test_langgraph_multi_agent": (1, 7),
    "test_openai_agents_sdk": (1, 3),
    "all-spans": (8, 0),  # each span in a trace of its own, so that calls and what is around them are not joined
    "adk_live_spans": (1, 1),
    "claude_live_spans": (1, 3),
    "openai_agents_openinference_live_spans": (1, 1),
    "openinference_live_spans": (1, 2),
    "otel_genai_convention_spans": (1, 2),
    "pydantic_ai_live_spans": (1, 1),
}
UNANSWERED = ("openinference_live_spans",)  # its last model call says something and calls another tool


@pytest.mark.parametrize("folder", ["spans-monocle", "spans-openinference", "spans-strands-evals"])
def test_span_dumps(corpus: Path, folder: str) -> None:
    for path in sorted((corpus / folder).iterdir()):
        contents = open_file(path).contents
        turns = [turn for trace in contents.traces for turn in trace.turns]
        name = path.stem.rpartition("__")[2]
        assert contents.format == "spans", name
        assert sum(trace.span_count for trace in contents.traces) == len(json.loads(path.read_bytes())), name
        held = [len(trace.spans) + sum(len(turn.spans) for turn in trace.turns) for trace in contents.traces]
        assert held == [trace.span_count for trace in contents.traces], name
        assert (len(turns), sum(len(calls_of(turn)) for turn in turns)) == COUNTED[name], name
        assert all(user_text(turn) and turn.duration_s for turn in turns), name
        assert all(bool(answer_text(turn)) != (name in UNANSWERED) for turn in turns), name


def test_the_same_calls_told_by_two_tracers(corpus: Path) -> None:
    (path,) = (corpus / "spans-monocle").glob("*adk_single*")
    first, second = (trace.turns[0] for trace in open_file(path).contents.traces)
    assert (user_text(first), answer_text(first)) == (user_text(second), answer_text(second))
    assert [call.name for call in calls_of(first)] == [call.name for call in calls_of(second)]
