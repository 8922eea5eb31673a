"""Writes one recorded conversation as an ADK session, as the web export lays it out: camelCase, nulls dropped."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from trace_inspector.core.finding import Finding, error, info
from trace_inspector.core.golden.golden import as_trace
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.parts import Media, Part, Transfer, Unknown
from trace_inspector.core.trace.trace import Event, Trace, Turn, stated_duration_s
from trace_inspector.core.values.json_numbers import json_text
from trace_inspector.core.values.values import Json, JsonObject, present, strict
from trace_inspector.formats.adk.session.invocation_writer import role_for, usage_json
from trace_inspector.formats.adk.session.session_extras import is_of_adk, owner_of
from trace_inspector.formats.common.content import part_json
from trace_inspector.formats.common.fields import camel
from trace_inspector.formats.common.format import Written


def write(contents: Contents) -> Written:
    """The first recorded conversation, or the first script seen as one; a session file has room for one."""
    cases = [case for suite in contents.suites for case in suite.cases]
    scripts = tuple(as_trace(case) for case in cases if case.scenario is None)
    traces = contents.traces or scripts
    writer = _SessionWriter(contents.format)
    session = writer.session(traces[0] if traces else Trace(""))
    writer.lose(len(traces) - 1, "conversations", "a session file holds one, and the first is written")
    writer.lose(len(cases) - len(scripts), "scenarios", "they have no turns to write")
    writer.lose(len(scripts) if contents.traces else 0, "cases", "what was recorded is written, not what is expected")
    criteria = contents.criteria.items if contents.criteria else ()
    writer.lose(len(criteria), "criteria", "they have no place in a session")
    plain = strict(session)
    return Written(json_text(plain if isinstance(plain, dict) else {}), tuple(writer.losses))


def session_as_recorded(trace: Trace, origin: str) -> tuple[JsonObject, tuple[Finding, ...]]:
    """A conversation as a session in which events have a time only where one is recorded, and what it cannot hold.

    `origin` is the format of the file that tells it.
    """
    writer = _SessionWriter(origin, makes_up_times=False)
    return writer.session(trace), tuple(writer.losses)


class _SessionWriter(Struct):
    origin: str  # the format of the file that holds the conversation
    losses: list[Finding] = field(default_factory=list)
    makes_up_times: bool = True
    made_up: int = 0  # times that are not recorded
    last_s: float = 0.0
    others: int = 0  # extras of events from files of other systems

    def lose(self, count: int, what: str, why: str) -> None:
        """Name some things that are gone for good."""
        if count > 0:
            self.losses.append(error(f"{what}-lost", f"Not carried over ({what}: {count}): {why}."))

    def session(self, trace: Trace) -> JsonObject:
        """The whole session. ADK requires the names of app and user, which may be empty."""
        events = [event for turn in trace.turns for event in self._turn(turn)]
        if trace.app is None or trace.user is None:
            self.losses.append(
                info("no-owner", "The app or the user is not recorded, so it is left empty.", trace.place)
            )
        if self.made_up:
            message = f"{self.made_up} events have no recorded time; each is given the time of the event before it."
            self.losses.append(info("made-up-times", message))
        self._lose_the_rest(trace)
        return {
            "id": trace.session_id or trace.id,
            "appName": trace.app or "",
            "userId": trace.user or "",
            "state": trace.final_state or {},
            "events": [*events],
            "lastUpdateTime": self.last_s,
        }

    def _turn(self, turn: Turn) -> Iterator[JsonObject]:
        invocation = turn.id or f"turn-{turn.index + 1}"
        events = list(turn.events)
        author = turn.final_author or next((event.author for event in events if event.author), "agent")
        beside = next((event for event in events if _is_beside_question(event, turn)), None)
        asked = beside or Event("user", role="user", time_s=turn.start_s, place=turn.place)
        answer = turn.final_response
        messages = [(asked, turn.user)] if turn.user else []
        for index, event in enumerate(events):
            if turn.user and event is beside:
                continue
            gave_answer = index == turn.final_event and answer is not None and not _called(event)
            messages.append((event, (*(answer or ()), *event.parts) if gave_answer else event.parts))
        if answer is not None and turn.final_event is None:
            messages.append((Event(author, role="model"), answer))
        for index, (event, parts) in enumerate(messages):
            yield self._event(event, parts, invocation, author, index)

    def _event(self, event: Event, parts: tuple[Part, ...], invocation: str, author: str, index: int) -> JsonObject:
        written: JsonObject = {}
        content = [raw for part in parts if (raw := self._part(part)) is not None]
        if content:
            written["content"] = {"parts": [*content], "role": event.role or role_for(parts)}
        if present(event.grounding):
            written["groundingMetadata"] = event.grounding
        usage = _camel(usage_json(event.usage)) if event.usage is not None else {}
        optional: JsonObject = {
            "modelVersion": event.model,
            "finishReason": event.finish_reason,
            "partial": event.partial or None,
            **_error(event.error),
        }
        written.update({key: value for key, value in optional.items() if value is not None})
        actions: JsonObject = {
            "stateDelta": event.state_delta or {},
            "artifactDelta": {},
            "requestedAuthConfigs": {},
            "requestedToolConfirmations": {},
        }
        for part in parts:
            if isinstance(part, Transfer):
                actions["transferToAgent"] = part.target
        owners = {"": written, "actions": actions, "usageMetadata": usage}
        for extra in event.extras:
            if is_of_adk(extra, self.origin):
                owners[owner_of(extra)][camel(extra.name)] = extra.value
            else:
                self.others += 1
        if usage:
            written["usageMetadata"] = usage
        return {
            **written,
            "invocationId": invocation,
            "author": event.author or author,
            "actions": actions,
            "id": event.id or f"{invocation}-{index + 1}",
            **self._time(event),
        }

    def _time(self, event: Event) -> JsonObject:
        if event.time_s is not None:
            self.last_s = event.time_s
        elif self.makes_up_times:
            self.made_up += 1
        else:
            return {}
        return {"timestamp": self.last_s}

    def _part(self, part: Part) -> JsonObject | None:
        raw = part_json(part)
        if raw is None and not isinstance(part, Transfer):
            what = f"The bytes of a {part.mime_type or 'media'} part" if isinstance(part, Media) else "A part"
            what = f"A part “{part.kind}”" if isinstance(part, Unknown) else what
            self.losses.append(error("part-lost", f"{what} is not carried over.", part.place))
        return None if raw is None else {camel(key): _inner(value) for key, value in raw.items()}

    def _lose_the_rest(self, trace: Trace) -> None:
        turns = trace.turns
        self.lose(self.others, "event-extras", "what other systems say beside an event has no place in a session")
        self.lose(trace.span_count, "spans", "a session has none; messages, calls and results are carried over")
        timed = sum(stated_duration_s(turn) is not None for turn in turns)
        timed += sum(event.duration_s is not None for turn in turns for event in turn.events)
        self.lose(timed, "durations", "a session has only the times of its events")
        agents = (*trace.agents, *(agent for turn in turns for agent in turn.agents))
        described = {agent.name for agent in agents if agent.instruction or agent.description or agent.tools}
        self.lose(len(described), "agents", "their instructions and tools have no place in a session")
        self.lose(sum(len(turn.rubrics) for turn in turns), "rubrics", "they have no place in a session")


def _is_beside_question(event: Event, turn: Turn) -> bool:
    """Whether an event holds what the user's message states besides its parts."""
    return bool(turn.place) and event.place == turn.place and event.author.lower() == "user" and not event.parts


def _called(event: Event) -> bool:
    return any(not isinstance(part, Transfer) for part in event.parts)


def _error(message: str | None) -> JsonObject:
    """The code and the message, as they were joined when read."""
    if not message:
        return {}
    code, colon, words = message.partition(": ")
    return {"errorCode": code, "errorMessage": words} if colon else {"errorMessage": message}


def _inner(value: Json) -> Json:
    return _camel(value) if isinstance(value, dict) else value


def _camel(value: JsonObject) -> JsonObject:
    """Keys in camelCase, without touching the values: arguments and results are the user's own."""
    return {camel(key): item for key, item in value.items()}
