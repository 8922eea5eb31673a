"""The fields of agent-eval's rows besides the conversation, under their own names, without repetitions of it."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.trace.trace import Trace
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import ABSENT, JsonObject
from trace_inspector.formats.agent_eval.cells import extras_in
from trace_inspector.formats.agent_eval.recognisers import RESULTS, SCORES
from trace_inspector.formats.agent_eval.spans import LIST as SPANS
from trace_inspector.formats.agent_eval.verdicts import beside_results
from trace_inspector.formats.common.fields import Fields
from trace_inspector.formats.extension.key import KEY

_READ = (
    "question_id", "session_id", "app_name", "ADK_USER_ID", "user_inputs", "reference_data", "final_session_state",
    SPANS, "extracted_data", "request", "response", "final_response", RESULTS, KEY,
)  # fmt: skip
_LATENCIES, _SUMMARY = "latency_data", "trace_summary"
_STATE = "state_variables"
# What is extracted of the session again.
EXTRACTED = (
    _STATE, "tool_interactions", "sub_agent_trace", "tool_declarations", "system_instruction",
    "thinking_trace", "grounding_chunks", "per_turn_tokens", "stop_reasons", "conversation_history",
)  # fmt: skip
_EXTRACTED_ALONE = (_STATE, "tool_interactions", "tool_declarations", "system_instruction")


def beside_row(row: Fields, trace: Trace, source: str) -> Iterator[Extra]:
    """The other fields of a row; scores are verdicts."""
    plain: JsonObject = {key: value for key, value in row.value.items() if not key.startswith(SCORES)}
    again = (_SUMMARY,) if source == "session" else ()
    timed = (_LATENCIES,) if trace.span_count else ()  # of the same spans
    yield from extras_in(Fields(plain, row.place), (*_READ, *again, *timed))
    yield from beside_results(row)


def beside_extracted(extracted: Fields, source: str, state: JsonObject) -> Iterator[Extra]:
    """What is extracted beyond the conversation; the state stands there twice, whole and value by value."""
    again = EXTRACTED if source == "session" else _EXTRACTED_ALONE
    repeated = {**state, _STATE: state}
    for extra in extras_in(extracted, [name for name in again if name != _STATE]):
        if extracted.value[extra.name] != repeated.get(extra.name, ABSENT):
            yield extra
