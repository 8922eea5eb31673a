"""What Gemini CLI prints of a run instead of keeping it: `--output-format stream-json`, and `json`.

Its records are those of stream-json-formatter.ts and types.ts of google-gemini/gemini-cli, Apache-2.0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct, field

from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.parts import Part, Text, ToolCall, ToolResult, Unknown
from trace_inspector.core.trace.trace import Agent, Event, Trace, Turn, Usage
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import Json
from trace_inspector.formats.coding.gemini_cli import PRINTED
from trace_inspector.formats.common.extras import stated_extras
from trace_inspector.formats.common.fields import Fields, Report, count_of, number_of, objects_in, or_null
from trace_inspector.formats.common.format import Source
from trace_inspector.formats.common.recogniser import LOOKED_AT
from trace_inspector.formats.common.record_counts import RecordCounts
from trace_inspector.formats.common.times import seconds_of
from trace_inspector.formats.common.turn_flow import TurnFlow

PROGRAM = "gemini-cli"
# Of a command that ended otherwise than well, whose call is told as a success.
EXIT = re.compile(r"^Exit Code: (?!0\b)-?\d+", re.MULTILINE)
_OF_A_RESULT = ("type", "timestamp", "status", "stats", "error")
_TOKENS = ("prompt", "tool", "candidates", "thoughts", "cached")


def is_printed(value: Json) -> bool:
    """Whether this is what was printed of a run, and not a session that was kept."""
    listed: list[Json] = value[:LOOKED_AT] if isinstance(value, list) else [value]
    return any(map(PRINTED, objects_in(listed, "")))


def read_printed(source: Source, report: Report, counts: RecordCounts) -> Iterator[Item]:
    """Each session as a trace; of one that was printed as one object only the answer and the tokens are known."""
    value, name = source.value, source.stem or "session"
    whole = [Fields(value, source.place)] if isinstance(value, dict) else report.bounded_list(value, source.place)
    for number, records in enumerate(_sessions(whole)):
        reader = _PrintedTurns(source, counts)
        yield from reader.session(records, f"{name}-{number + 1}" if number else name)


def _sessions(records: list[Fields]) -> Iterator[list[Fields]]:
    """The records of each session: what somebody said just before one begins was said in it."""
    session: list[Fields] = []
    known = False
    for fields in records:
        is_whole = "type" not in fields.value
        if known and (is_whole or fields.text("type") == "init"):
            asked = len(session)
            while asked and not is_whole and session[asked - 1].text("role") == "user":
                asked -= 1
            yield session[:asked]
            session, known = session[asked:], False
        known = known or is_whole or fields.text("type") == "init"
        session.append(fields)
    if session:
        yield session


class _PrintedTurns(Struct):
    """Makes turns of the records of one session."""

    source: Source
    counts: RecordCounts
    flow: TurnFlow = field(default_factory=TurnFlow)
    names: dict[str, str] = field(default_factory=dict)  # of tools, by the id of the call
    extras: list[Extra] = field(default_factory=list)
    model: str | None = None
    said: list[str] = field(default_factory=list)  # pieces of an answer that is still being told
    said_at: Fields | None = None

    def session(self, records: list[Fields], name: str) -> Iterator[Item]:
        """The trace, then its turns."""
        stated = next((one for record in records if (one := record.text("session_id"))), None)
        turns = [turn for record in records for turn in self._take(record)]
        self._say()
        turns += self.flow.finish()
        yield Trace(
            stated or name,
            agents=(Agent(PROGRAM, place=records[0].place),),
            session_id=stated,
            app=PROGRAM,
            extras=tuple(self.extras),
            place=records[0].place,
        )
        yield from turns

    def _take(self, record: Fields) -> Iterator[Turn]:
        self.source.tick()
        kind, role = record.text("type"), record.text("role")
        self.counts.understood()
        if kind == "message" and role == "assistant":
            self._piece(record)
            return
        self._say()
        if kind == "message" and role == "user":
            words = Text(record.text("content") or "", record.pointer("content"))
            yield from self.flow.ask((words,), time_s=_time(record), place=record.place)
        elif kind == "tool_use":
            self._call(record)
        elif kind == "tool_result":
            self._answer(record)
        elif kind == "init":
            self.model = record.text("model") or self.model
            self.extras += stated_extras(record, "type", "timestamp", "session_id")
        elif kind == "result":
            yield from self._end(record)
        elif kind == "error":
            self._error(record, record.text("message") if record.text("severity") != "warning" else None)
        elif kind is None and ("response" in record.value or "error" in record.value):
            yield from self._whole(record)
        else:
            self.counts.understood(-1)
            self.counts.unknown(kind or "record", record.place)
            self._aside((Unknown(kind or "record", dict(record.value), record.place),), record)

    def _piece(self, record: Fields) -> None:
        """Words of an answer: pieces in a row are one answer."""
        if record.value.get("delta") is not True:
            self._say()
        self.said_at = self.said_at or record
        self.said.append(record.text("content") or "")
        self.flow.note(_time(record))

    def _say(self) -> None:
        if self.said_at is not None:
            words = Text("".join(self.said), self.said_at.pointer("content"))
            self._happen(words, self.said_at)
        self.said, self.said_at = [], None

    def _call(self, record: Fields) -> None:
        name, identity = record.text("tool_name") or "", record.text("tool_id")
        if identity is not None:
            self.names[identity] = name
        self._happen(ToolCall(name, record.get("parameters"), identity, record.place), record)

    def _happen(self, part: Part, record: Fields) -> None:
        self.flow.happen(
            Event(PROGRAM, (part,), "model", _time(record), model=self.model, place=record.place)
        )  # fmt: skip

    def _answer(self, record: Fields) -> None:
        identity, error = record.text("tool_id"), record.object("error")
        output, status = record.text("output"), record.text("status")
        key = "output" if output else "error" if error is not None else "status"
        failed = status == "error" or error is not None or (output is not None and EXIT.search(output) is not None)
        result = ToolResult(
            self.names.get(identity or "", ""), or_null(record.get(key)), identity, failed, record.pointer(key)
        )
        extras = stated_extras(record, "type", "timestamp", "tool_id", "status", key)
        self.flow.happen(Event(PROGRAM, (result,), "tool", _time(record), extras=extras, place=record.place))

    def _end(self, record: Fields) -> Iterator[Turn]:
        """How the run ended, and what all of it took."""
        stats = record.object("stats")
        error = record.object("error")
        if error is not None or record.text("status") == "error":
            words = error.text("message") if error is not None else None
            self._error(record, words or "The run ended with an error.")
        if stats is not None:
            counted = (count_of(stats.get(name)) for name in ("input_tokens", "output_tokens", "cached"))
            prompt, answer, cached = counted
            usage = Usage(prompt=prompt, candidates=answer, cached=cached)
            if usage != Usage():
                self.flow.happen(Event(PROGRAM, (), "model", usage=usage, model=self.model, place=stats.place))
            took = number_of(stats.get("duration_ms"))
            if took is not None and took >= 0 and self.flow.is_open:
                self.flow.last(took / 1000)
            self.extras.append(Extra("stats", stats.value, stats.place))
        self.extras += stated_extras(record, *_OF_A_RESULT)
        yield from self.flow.finish()

    def _whole(self, record: Fields) -> Iterator[Turn]:
        """A run in one object: its answer, and what each model took."""
        stats, error = record.object("stats"), record.object("error")
        models = (stats.object("models") if stats is not None else None) or Fields({}, record.place)
        for name in models.value:
            model = models.object(name)
            tokens = model.object("tokens") if model is not None else None
            if model is not None and tokens is not None:
                usage = Usage(*(count_of(tokens.get(kind)) for kind in _TOKENS))
                self.flow.happen(Event(PROGRAM, (), "model", usage=usage, model=name, place=model.place))
        if (words := record.text("response")) is not None:
            self._happen(Text(words, record.pointer("response")), record)
        if error is not None:
            self._error(record, error.text("message") or "The run ended with an error.")
        self.extras += stated_extras(record, "session_id", "response")
        yield from self.flow.finish()

    def _error(self, record: Fields, words: str | None) -> None:
        """Something that went wrong; a warning is said, and nothing failed by it."""
        said = Text(record.text("message") or "", record.pointer("message"))
        self._aside((said,) if words is None else (), record, error=words)

    def _aside(self, parts: tuple[Part, ...], record: Fields, *, error: str | None = None) -> None:
        self.flow.happen(Event("system", parts, "system", _time(record), error=error, place=record.place))


def _time(record: Fields) -> float | None:
    return seconds_of(or_null(record.get("timestamp")))
