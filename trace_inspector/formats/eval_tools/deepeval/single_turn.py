"""A case of DeepEval with one question: as a conversation of one turn, and as the golden that it is compared with."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.trace import Event, Steps, Trace, Turn
from trace_inspector.formats.common.extras import stated_extras
from trace_inspector.formats.common.fields import Fields
from trace_inspector.formats.common.record_counts import RecordCounts
from trace_inspector.formats.eval_tools.deepeval.spans import spans_of
from trace_inspector.formats.eval_tools.deepeval.tools import BESIDE, beside_golden, calls_in, retrieved_in, texts_in
from trace_inspector.formats.eval_tools.stated_texts import words_in

_OF_A_GOLDEN = ("expected_output", "expected_tools")
_REPORTED = ("success", "metrics_data", "evaluation_cost", "run_duration")
_OF_A_RUN = (
    "name", "input", "actual_output", "tools_called", "retrieval_context", "trace", "completion_time", *_OF_A_GOLDEN,
    *BESIDE, *_REPORTED,
)  # fmt: skip


def name_of(case: Fields, index: int) -> str:
    """The name of a case or a golden, else which one it is."""
    return case.text("name") or f"case {index + 1}"


def is_recorded(golden: Fields) -> bool:
    """Whether a golden also says what was answered, or which tools were called."""
    return bool(golden.text("actual_output")) or bool(calls_in(golden, "tools_called"))


def golden_of(case: Fields, identity: str, suite: str) -> Case:
    """The question with the answer and the calls that are expected, where they are stated."""
    answer = words_in(case, "expected_output")
    calls = calls_in(case, "expected_tools")
    turn = Turn(
        index=0,
        user=words_in(case, "input"),
        events=tuple(calls or ()),
        final_response=answer or None,
        steps=Steps.ABSENT if calls is None else Steps.CALLS,
        place=case.place,
    )
    return Case(
        id=identity,
        suite_id=suite,
        turns=(turn,),
        tags=tuple(tag for tag in texts_in(case, "tags") if isinstance(tag, str)),
        extras=tuple(beside_golden(case)),
        place=case.place,
    )


def trace_items(case: Fields, identity: str, suite: str, counts: RecordCounts) -> Iterator[Item]:
    """What was answered, retrieved and called; of a case that was traced also its spans, tokens and times."""
    told = spans_of(case.object("trace"), counts)
    yield Trace(
        identity,
        span_count=len(told.spans),
        case_id=identity,
        suite_id=suite,
        extras=stated_extras(case, *_OF_A_RUN),
        place=case.place,
    )
    calls = calls_in(case, "tools_called")
    events: list[Event] = [*retrieved_in(case)]
    # Spans have the calls in their order and with their times; the list of the case has the same calls again.
    events += told.events if told.has_calls or not calls else [*calls, *told.events]
    took = case.number("completion_time")
    answer = words_in(case, "actual_output")
    yield Turn(
        index=0,
        user=words_in(case, "input"),
        events=tuple(events),
        final_response=answer or None,
        final_author="assistant" if answer else "",
        steps=Steps.EVENTS if told.events else Steps.ABSENT if calls is None else Steps.CALLS,
        start_s=told.start_s,
        duration_s=took if took is not None else told.duration_s,
        spans=told.spans,
        place=case.place,
    )
    counts.understood()
