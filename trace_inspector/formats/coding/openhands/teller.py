"""What is known while the events of a conversation are told, of both generations of OpenHands."""

from __future__ import annotations

from msgspec import Struct, field

from trace_inspector.core.trace.parts import Text
from trace_inspector.core.trace.trace import Event, Usage
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.common.chat_flow import AGENT, SYSTEM
from trace_inspector.formats.common.fields import Fields, count_of, or_null
from trace_inspector.formats.common.record_counts import RecordCounts
from trace_inspector.formats.common.times import seconds_of
from trace_inspector.formats.common.turn_flow import TurnFlow


class Reply(Struct):
    """The model of one reply, and what it counted by the names of the file; that goes with what it said first."""

    model: str | None
    counts: dict[str, int]


class Teller(Struct):
    """Makes turns of events, and keeps what they say of the whole conversation."""

    counts: RecordCounts
    flow: TurnFlow = field(default_factory=TurnFlow)
    instruction: str = ""
    tools: list[Json] = field(default_factory=list)
    place: str = ""
    beside: list[Extra] = field(default_factory=list)
    answers: set[str] = field(default_factory=set)  # replies of models whose tokens are counted
    used: dict[str, int] = field(default_factory=dict)  # what the statistics had counted before
    by_statistics: bool = False  # whether events tell what was counted, which then counts alone
    names: dict[str, str] = field(default_factory=dict)  # of tools, by the id of the call
    replies: dict[str, Reply] = field(default_factory=dict)  # of models, as the state beside the events lists them


def time_of(fields: Fields) -> float | None:
    """When an event happened."""
    return seconds_of(or_null(fields.get("timestamp")))


def id_of(fields: Fields, name: str = "id") -> str | None:
    """An id, which may be a number."""
    value = fields.value.get(name)
    return str(value) if isinstance(value, int | str) and not isinstance(value, bool) else None


def answer_of(words: str, place: str, fields: Fields) -> Event:
    """What was handed in at the end, as the answer."""
    return Event("agent", (Text(words, place),), AGENT, time_of(fields), place=fields.place)


def reply_of(teller: Teller, fields: Fields) -> tuple[Usage | None, str | None]:
    """What the state lists of the reply that an event of the SDK is from, its tokens once."""
    reply = teller.replies.get(fields.text("llm_response_id") or "")
    if reply is None:
        return None, None
    counts, reply.counts = reply.counts, {}
    if not counts or teller.by_statistics:
        return None, reply.model
    for name, count in counts.items():
        teller.used[name] = teller.used.get(name, 0) + count
    return _usage(counts), reply.model


def take_statistics(teller: Teller, value: Fields, time_s: float | None, place: str) -> None:
    """Statistics are tokens from the beginning; what came since the last belongs to what happened then."""
    stated: dict[str, int] = {}
    for metrics in (value.mapping("usage_to_metrics") or {}).values():
        inner = metrics.get("accumulated_token_usage") if isinstance(metrics, dict) else None
        for name, count in tokens_in(inner if isinstance(inner, dict) else {}).items():
            stated[name] = stated.get(name, 0) + count
    grown = {name: count - teller.used.get(name, 0) for name, count in stated.items()}
    teller.used = stated
    if any(count > 0 for count in grown.values()):
        teller.flow.happen(Event("agent", (), SYSTEM, time_s, usage=_usage(grown), place=place))


def tokens_in(stated: JsonObject) -> dict[str, int]:
    """The counts of tokens among others."""
    counts = {name: count_of(value) for name, value in stated.items() if name.endswith("_tokens")}
    return {name: count for name, count in counts.items() if count is not None}


def _usage(counts: dict[str, int]) -> Usage:
    return Usage(
        prompt=max(0, counts.get("prompt_tokens", 0)),
        candidates=max(0, counts.get("completion_tokens", 0) - counts.get("reasoning_tokens", 0)),
        thoughts=max(0, counts.get("reasoning_tokens", 0)),
        cached=max(0, counts.get("cache_read_tokens", 0)),
        cache_written=max(0, counts.get("cache_write_tokens", 0)),
    )
