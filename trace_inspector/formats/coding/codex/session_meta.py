"""What a rollout says of itself: who was told what, which call started it, and what it repeats of its parent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trace_inspector.core.finding import Finding, info
from trace_inspector.core.values.values import Json
from trace_inspector.formats.coding.codex.records import META, RolloutRecord, text_in
from trace_inspector.formats.common.fields import Fields, count_of, or_null
from trace_inspector.formats.common.span_attributes import from_text


def spawn_of(meta: Fields) -> Fields:
    """What a rollout of a sub-agent says of its start; empty for any other."""
    source = meta.object("source")
    inner = source.object("subagent") if source is not None else None
    spawn = inner.object("thread_spawn") if inner is not None else None
    if spawn is not None:
        return spawn
    named = {key: meta.value[key] for key in ("agent_role", "agent_nickname") if isinstance(meta.value.get(key), str)}
    return Fields(named, meta.place)


def instruction_of(meta: Fields) -> tuple[str, str]:
    """The instruction and where it stands."""
    base = meta.object("base_instructions")
    if base is not None and (words := base.text("text")):
        return words, base.pointer("text")
    words = text_in(or_null(meta.get("instructions")))
    return words, meta.pointer("instructions") if words else meta.place


def copied_and_own(
    records: Sequence[RolloutRecord], meta: Fields, spawn: Fields
) -> tuple[list[RolloutRecord], list[RolloutRecord]]:
    """The records that a sub-agent's file repeats of its parent, and its own: told apart by number, else by time."""
    first = count_of(meta.get("subagent_history_start_ordinal"))
    began = next((record.time_s for record in records if record.kind == META), None)
    copied: list[RolloutRecord] = []
    own: list[RolloutRecord] = []
    for record in records:
        early = False
        if record.kind != META and first is not None and record.ordinal is not None:
            early = record.ordinal < first
        elif record.kind != META and spawn.value and began is not None and record.time_s is not None:
            early = record.time_s < began
        (copied if early else own).append(record)
    return copied, own


def copied_finding(copied: Sequence[RolloutRecord]) -> Finding:
    """What became of the records that repeat the parent."""
    message = (
        f"{len(copied):,} records repeat the conversation that started this one; they are shown beside it and not "
        "counted."
    )
    return info("copied-context", message, copied[0].place)


def starts_in_record(record: Json) -> Iterator[tuple[str, str]]:
    """The sub-agents that one record names with the call that started each: as an event, or as what a call gave."""
    payload = record.get("payload") if isinstance(record, dict) else None
    fields = Fields(payload, "") if isinstance(payload, dict) else Fields({}, "")
    call = fields.text("call_id")
    if call is None:
        return
    if started := fields.text("new_thread_id"):
        yield started, call
    answer = from_text(or_null(fields.get("output")))
    if isinstance(answer, dict) and isinstance(named := answer.get("agent_id"), str):
        yield named, call
