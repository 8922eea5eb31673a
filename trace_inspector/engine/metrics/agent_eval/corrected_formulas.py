"""The formulas of agent-eval without their mistakes: calls counted once, measured times, nothing out of nothing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from trace_inspector.core.trace.parts import ToolCall, Transfer
from trace_inspector.core.trace.trace import Event, SpanKind, Turn, calls_of, paired_calls, stated_duration_s
from trace_inspector.engine.metrics.agent_eval.measured import (
    NO_TOKENS,
    TRANSFER,
    Measurement,
    Work,
    chunks_of,
    counted,
    has_failed,
    in_sandbox,
    share,
)

_TARGETS = ("agent_name", "agentName")
_NO_TIMES = "no durations are recorded"


def latency(work: Work) -> Measurement:
    """The measured durations of all turns together."""
    took = [stated_duration_s(turn) for turn in work.turns]
    recorded = [duration for duration in took if duration is not None]
    if len(recorded) < len(took) or not took:
        missing = "" if not recorded else f" for {len(took) - len(recorded)} of {len(took)} turns"
        made_up = "the spans are made up, and " if work.is_made_up else ""
        return Measurement(None, f"{made_up}{_NO_TIMES}{missing}")
    figures = (
        ("average_turn_s", sum(recorded) / len(recorded)),
        ("llm_s", _within(work, SpanKind.MODEL, [turn.model_duration_s for turn in work.turns])),
        ("tool_s", _within(work, SpanKind.TOOL, [turn.tool_duration_s for turn in work.turns])),
        ("first_response_s", _first_response(work)),
    )
    return Measurement(sum(recorded), "", figures)


def _within(work: Work, kind: SpanKind, stated: list[float | None]) -> float | None:
    """The stated durations, else those of spans."""
    recorded = [duration for duration in stated if duration is not None]
    if recorded:
        return sum(recorded) if len(recorded) == len(stated) else None
    measured = [span.duration_s for span in work.spans_of(kind) if span.duration_s is not None]
    return sum(measured) if measured and not work.is_made_up else None


def _first_response(work: Work) -> float | None:
    """The time until the first model call ended."""
    if work.is_made_up or not work.spans:
        return None
    starts = [span.start_s for span in work.spans if span.start_s is not None]
    ends = [
        span.start_s + span.duration_s
        for span in work.spans_of(SpanKind.MODEL)
        if span.start_s is not None and span.duration_s is not None
    ]
    return min(ends) - min(starts) if starts and ends else None


def cache(work: Work) -> Measurement:
    """The share of prompt tokens from the cache."""
    tokens = work.tokens()
    return share(tokens.cached, tokens.prompt, NO_TOKENS)


def tools(work: Work) -> Measurement:
    """How many calls there were."""
    return counted(call.name for turn in work.turns for call in calls_of(turn))


def success(work: Work) -> Measurement:
    """The share of calls that were answered, and not with a failure."""
    paired = [pair for turn in work.turns for pair in paired_calls(turn)]
    missing = sum(pair.result is None for pair in paired)
    failed = sum(pair.result is not None and (has_failed(pair.result) or pair.result.is_error) for pair in paired)
    figures = (("calls", float(len(paired))), ("failed", float(failed)), ("unanswered", float(missing)))
    return share(len(paired) - failed - missing, len(paired), "no tool was called", figures)


def grounding(work: Work) -> Measurement:
    """The number of sources that events state."""
    chunk_counts = [chunks_of(event) for event in work.events()]
    responses = len(work.asked())
    figures = (
        ("grounded_responses", float(sum(count > 0 for count in chunk_counts))),
        ("responses", float(responses)),
    )
    return Measurement(float(sum(chunk_counts)), "", figures)


def handoffs(work: Work) -> Measurement:
    """Changes of agents within a turn, and transfers to agents that then said nothing."""
    changes = sum(_changes(turn) for turn in work.turns)
    idle = sum(_idle(turn) for turn in work.turns)
    return Measurement(
        float(changes + idle), "", (("author_changes", float(changes)), ("idle_transfers", float(idle)))
    )


def _authors(turn: Turn) -> list[str]:
    """The authors of events, and of the answer where it is no event of the turn."""
    authors = [event.author for event in turn.events if event.author and event.author.lower() != "user"]
    return [*authors, turn.final_author] if turn.final_author and turn.final_event is None else authors


def _changes(turn: Turn) -> int:
    authors = _authors(turn)
    return sum(author != next_author for author, next_author in pairwise(authors))


def _idle(turn: Turn) -> int:
    """The number of agents that were transferred to and did not act afterwards."""
    silent: set[str] = set()
    for index, event in enumerate(turn.events):
        later = {later_event.author for later_event in turn.events[index + 1 :]} | {turn.final_author}
        silent.update(target for target in _targets(event) if target not in later)
    return len(silent)


def _targets(event: Event) -> Iterator[str]:
    for part in event.parts:
        if isinstance(part, Transfer):
            yield part.target
        elif isinstance(part, ToolCall) and part.name == TRANSFER and isinstance(part.args, dict):
            yield from (name for key in _TARGETS if isinstance(name := part.args.get(key), str))


def sandbox(work: Work) -> Measurement:
    """How many calls were of tools that read and write files or run code."""
    return counted(in_sandbox(call.name for turn in work.turns for call in calls_of(turn)))
