"""LangGraph's SQLite checkpoints: `langgraph`, a conversation for each thread, with the state step by step."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from trace_inspector.core.finding import error, info
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.parts import Text
from trace_inspector.core.trace.trace import Agent, Event, ParentCall, Trace, Turn
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import ABSENT, Json, JsonObject
from trace_inspector.formats.common.chat_flow import SYSTEM, USER, ChatFlow, instruction_of, speaker_of
from trace_inspector.formats.common.fields import Fields, Report
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.record_counts import RecordCounts
from trace_inspector.formats.common.times import seconds_of
from trace_inspector.formats.langgraph.values import from_cell, items_in, messages_in, plain, record, texts_in

_READ_KINDS = ("msgpack", "json", None)
_MESSAGES = "messages"
_INPUT = "__start__"
_FAILURE, _INTERRUPT = "__error__", "__interrupt__"
_GRAPH = "graph"
# What a message is known by in every checkpoint that repeats it, and which it is of several that are known by that.
_Key: TypeAlias = tuple[str, int]


class _Checkpoint(Struct):
    """One checkpoint, its channels as they are packed."""

    id: str
    parent: str | None
    place: str
    time_s: float | None
    channels: JsonObject
    channels_place: str
    source: str
    step: Json


class _Thread(Struct):
    """The checkpoints of one thread and namespace, the oldest first, and what was written after each."""

    thread: str
    namespace: str
    checkpoints: list[_Checkpoint] = field(default_factory=list)
    writes: dict[str, list[Fields]] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """The thread, and the path of the subgraph where it is one."""
        return f"{self.thread}/{self.namespace}" if self.namespace else self.thread


def read(source: Source) -> Iterator[Item]:
    """Each thread as a trace, each subgraph as one below it, each branch that was left as one of its own."""
    report, counts = Report(), RecordCounts()
    tables = Fields(source.value if isinstance(source.value, dict) else {}, "")
    threads: dict[tuple[str, str], _Thread] = {}
    for row in report.bounded(tables, "checkpoints"):
        source.tick()
        checkpoint = _checkpoint(row, report, counts)
        if checkpoint is not None:
            _thread_of(row, threads).checkpoints.append(checkpoint)
    for row in report.bounded(tables, "writes"):
        _thread_of(row, threads).writes.setdefault(row.text("checkpoint_id") or "", []).append(row)
        counts.understood()
    if not threads:
        yield info("no-checkpoints", "Nothing was kept in these checkpoints. Open those of a conversation.")
    for thread in sorted(threads.values(), key=lambda one: (one.thread, one.namespace)):
        thread.checkpoints.sort(key=lambda one: one.id)
        yield from _traces(thread, source)
    yield counts.finding()
    yield from report.drain()


def _thread_of(row: Fields, threads: dict[tuple[str, str], _Thread]) -> _Thread:
    key = str(row.value.get("thread_id") or ""), row.text("checkpoint_ns") or ""
    return threads.setdefault(key, _Thread(*key))


def _checkpoint(row: Fields, report: Report, counts: RecordCounts) -> _Checkpoint | None:
    kind, cell = row.text("type"), row.get("checkpoint")
    packed = from_cell(None if cell is ABSENT else cell)
    state = record(packed, row.pointer("checkpoint"))
    if kind not in _READ_KINDS or state is None:
        words = {
            "pickle": "It is a pickle, which is never loaded: opening one may run anything.",
            "msgpack+aes": "It is encrypted.",
        }.get(kind or "", "It could not be unpacked.")
        report.add(error("checkpoint-unread", f"{words} What is in this checkpoint is not shown.", row.place))
        counts.unknown(f"checkpoint of type {kind}", row.place)
        return None
    counts.understood()
    metadata = record(from_cell(row.value.get("metadata")), row.pointer("metadata"))
    channels = record(state.value.get("channel_values"), state.pointer("channel_values"))
    return _Checkpoint(
        row.text("checkpoint_id") or state.text("id") or "",
        row.text("parent_checkpoint_id"),
        row.place,
        seconds_of(state.value.get("ts")),
        channels.value if channels is not None else {},
        channels.place if channels is not None else "",
        (metadata.text("source") if metadata is not None else None) or "",
        metadata.value.get("step") if metadata is not None else None,
    )


def _traces(thread: _Thread, source: Source) -> Iterator[Item]:
    by_id = {checkpoint.id: checkpoint for checkpoint in thread.checkpoints}
    parents = {checkpoint.parent for checkpoint in thread.checkpoints}
    leaves = [checkpoint for checkpoint in thread.checkpoints if checkpoint.id not in parents]
    if not leaves:
        return
    seen_ids: set[str] = set()
    for number, leaf in enumerate(sorted(leaves, key=lambda one: one.id, reverse=True)):
        source.tick()
        branch = _branch(leaf, by_id)
        own = [checkpoint for checkpoint in branch if checkpoint.id not in seen_ids]
        head = Trace(
            f"{thread.id}~{number}" if number else thread.id,
            session_id=thread.thread if not number and not thread.namespace else None,
            final_state=_state_of(leaf),
            place=leaf.place,
            parent=ParentCall(thread.thread) if thread.namespace else None,
            abandoned=number > 0,
        )
        yield from _conversation(head, branch, own, thread)
        seen_ids.update(checkpoint.id for checkpoint in branch)


def _branch(leaf: _Checkpoint, by_id: Mapping[str, _Checkpoint]) -> list[_Checkpoint]:
    """The way to a leaf, its beginning first."""
    way: dict[str, _Checkpoint] = {}
    current: _Checkpoint | None = leaf
    while current is not None and current.id not in way:
        way[current.id] = current
        current = by_id.get(current.parent or "")
    return list(reversed(way.values()))


def _conversation(
    head: Trace, branch: Sequence[_Checkpoint], own: Sequence[_Checkpoint], thread: _Thread
) -> Iterator[Trace | Turn]:
    """The messages of the newest checkpoint, each as of the first that has it; other channels as changes of state."""
    before = branch[: len(branch) - len(own)]
    known = _keyed(_messages(before[-1])).keys() if before else set[_Key]()
    at_the_end = _keyed(_messages(own[-1])) if own else {}
    new_ones = {key: message for key, message in at_the_end.items() if key not in known}
    messages = [*new_ones.values()]
    opening, count = instruction_of(messages)
    yield replace(head, agents=(Agent("assistant", opening),))
    for key in list(new_ones)[:count]:
        del new_ones[key]
    chat, state, arrivals = ChatFlow(), _state_of(before[-1]) if before else {}, _Arrivals()
    is_asked_anew, given = False, None  # by an input; in values alone, which a graph may answer by a message
    for checkpoint in own:
        arrived = [new_ones.pop(key) for key in arrivals.take(checkpoint) if key in new_ones]
        now = _state_of(checkpoint)
        changed = {name: value for name, value in now.items() if state.get(name) != value}
        state = now
        if not arrived and not messages and checkpoint.source == "input":
            yield from _asked(checkpoint, chat)
        if checkpoint.source == "input":
            is_asked_anew, given = True, checkpoint if messages and _gives_values_alone(checkpoint) else None
        for message in arrived:
            if is_asked_anew and speaker_of(message) == USER:  # also where no message answered what was asked before
                yield from chat.flow.finish()
                is_asked_anew = False
            elif is_asked_anew and given is not None:
                yield from _asked(given, chat)
                is_asked_anew = False
            yield from _turns_of(message, checkpoint, chat)
        _note_state(changed, checkpoint, chat, has_messages=bool(messages), arrived=arrived)
        for event in _failures(checkpoint, thread):
            chat.flow.happen(event)
    yield from chat.flow.finish()


def _turns_of(message: Fields, checkpoint: _Checkpoint, chat: ChatFlow) -> Iterator[Turn]:
    if speaker_of(message) == USER:
        yield from chat.message(Fields({**message.value, "timestamp": checkpoint.time_s}, message.place))
        return
    yield from chat.message(message)
    chat.flow.note(checkpoint.time_s)


def _note_state(
    changed: JsonObject, checkpoint: _Checkpoint, chat: ChatFlow, *, has_messages: bool, arrived: list[Fields]
) -> None:
    if not changed:
        return
    if arrived and chat.flow.events and speaker_of(arrived[-1]) != USER:
        last = chat.flow.events[-1]
        chat.flow.events[-1] = replace(last, state_delta={**(last.state_delta or {}), **changed})
        return
    if has_messages and not chat.flow.events and (arrived or checkpoint.source == "input" or not chat.flow.is_open):
        return  # what the input itself set before anything happened; it stands in the state at the end
    step = (Extra("step", checkpoint.step, checkpoint.place),) if checkpoint.step is not None else ()
    chat.flow.happen(
        Event(_GRAPH, (), SYSTEM, checkpoint.time_s, state_delta=changed, extras=step, place=checkpoint.place)
    )


def _gives_values_alone(checkpoint: _Checkpoint) -> bool:
    given = plain(checkpoint.channels.get(_INPUT))
    return isinstance(given, dict) and bool(given) and _MESSAGES not in given


def _asked(checkpoint: _Checkpoint, chat: ChatFlow) -> Iterator[Turn]:
    """What a graph was given in values."""
    given = plain(checkpoint.channels.get(_INPUT))
    texts = list(texts_in(list(given.values()) if isinstance(given, dict) else given))
    place = checkpoint.place
    yield from chat.flow.ask((Text(" ".join(texts), place),) if texts else (), time_s=checkpoint.time_s, place=place)


def _failures(checkpoint: _Checkpoint, thread: _Thread) -> Iterator[Event]:
    """What went wrong after a checkpoint, and where the graph waits for somebody."""
    for write in thread.writes.get(checkpoint.id, []):
        channel, value = write.text("channel"), plain(write.value.get("value"))
        if channel == _FAILURE:
            words = " ".join(texts_in(value)) or str(value)
            yield Event(_GRAPH, (), SYSTEM, checkpoint.time_s, error=words, place=write.place)
        elif channel == _INTERRUPT:
            waits = (Extra("waits for", value, write.place),)
            yield Event(_GRAPH, (), SYSTEM, checkpoint.time_s, extras=waits, place=write.place)


class _Arrivals(Struct):
    """The messages of checkpoints in turn: each repeats those before, mostly as the same objects at its beginning."""

    items: list[Json] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def take(self, checkpoint: _Checkpoint) -> dict[_Key, Fields]:
        """What stands behind the messages of the checkpoint before; all messages where it begins otherwise."""
        value = checkpoint.channels.get(_MESSAGES)
        items = [] if value is None else items_in(value)
        goes_on = len(items) >= len(self.items) and all(map(operator.is_, self.items, items))
        first = len(self.items) if goes_on else 0
        self.items, self.counts = items, self.counts if goes_on else Counter()
        return _keyed(_messages(checkpoint, first), self.counts)


def _messages(checkpoint: _Checkpoint, first: int = 0) -> list[Fields]:
    value = checkpoint.channels.get(_MESSAGES)
    return [] if value is None else messages_in(value, f"{checkpoint.channels_place}/{_MESSAGES}", first)


def _keyed(messages: Sequence[Fields], counts: Counter[str] | None = None) -> dict[_Key, Fields]:
    """Messages by their keys: without an id, whoever says the same twice has said it twice."""
    counts = Counter() if counts is None else counts
    keyed: dict[_Key, Fields] = {}
    for message in messages:
        identity = _identity(message)
        counts[identity] += 1
        keyed[identity, counts[identity]] = message
    return keyed


def _identity(message: Fields) -> str:
    return message.text("id") or repr((message.value.get("type"), message.value.get("content")))


def _state_of(checkpoint: _Checkpoint) -> JsonObject:
    """The channels that people named, without the messages and the plumbing of the graph."""
    return {
        name: plain(value)
        for name, value in checkpoint.channels.items()
        if name != _MESSAGES and not name.startswith(("__", "branch:", "start:"))
    }


IMPLEMENTATION = Implementation(read=read)
