"""What a document says, field by field of the canonical model, to hold one against another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias

from trace_inspector.core.golden.golden import Case, Persona, Scenario, Session
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.expectation import Expectation
from trace_inspector.core.trace.parts import Code, Media, Part, Text, Thought, ToolCall, ToolResult, Transfer, Unknown
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.trace.trace import Agent, Event, Span, Turn, Usage
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import ABSENT, Absent, Json, JsonObject

Said: TypeAlias = "Json | Absent | tuple[Json, ...] | tuple[tuple[str, str], ...]"
Leaf: TypeAlias = str | float
SaidFields: TypeAlias = Mapping[str, Callable[[Contents], Iterable[Said]]]


def _cases(held: Contents) -> Iterator[Case]:
    for suite in held.suites:
        yield from suite.cases


def _turns(held: Contents) -> Iterator[Turn]:
    for case in _cases(held):
        yield from case.turns
    for trace in held.traces:
        yield from trace.turns


def _events(held: Contents) -> Iterator[Event]:
    for turn in _turns(held):
        yield from turn.events
    for case in _cases(held):
        yield from case.context


def _expected(held: Contents) -> Iterator[Expectation]:
    for case in _cases(held):
        yield from case.expectations
    for turn in _turns(held):
        yield from turn.expectations


def _parts(held: Contents) -> Iterator[Part]:
    for event in _events(held):
        yield from event.parts
    for turn in _turns(held):
        yield from turn.user
        yield from turn.final_response or ()


def _calls(held: Contents) -> Iterator[ToolCall]:
    return (part for part in _parts(held) if isinstance(part, ToolCall))


def _media(held: Contents) -> Iterator[Media]:
    return (part for part in _parts(held) if isinstance(part, Media))


def _usages(held: Contents) -> Iterator[Usage]:
    return (event.usage for event in _events(held) if event.usage is not None)


def _scenarios(held: Contents) -> Iterator[Scenario]:
    return (case.scenario for case in _cases(held) if case.scenario is not None)


def _sessions(held: Contents) -> Iterator[Session]:
    return (case.session for case in _cases(held) if case.session is not None)


def _agents(held: Contents) -> Iterator[Agent]:
    for suite in held.suites:
        yield from suite.agents
    for trace in held.traces:
        yield from trace.agents
    for turn in _turns(held):
        yield from turn.agents


def _rubrics(held: Contents) -> Iterator[Rubric]:
    for case in _cases(held):
        yield from case.rubrics
    for turn in _turns(held):
        yield from turn.rubrics


def _criteria(held: Contents) -> Iterator[Criterion]:
    yield from held.criteria.items if held.criteria is not None else ()
    for case in _cases(held):
        yield from case.criteria
    for turn in _turns(held):
        yield from turn.criteria
    for expected in _expected(held):
        yield from expected.criteria


def _personas(held: Contents) -> Iterator[Persona]:
    for suite in held.suites:
        yield from suite.personas
    yield from (one.persona for one in _scenarios(held) if one.persona is not None)


def _titles(held: Contents) -> Iterator[str]:
    yield from (case.title for case in _cases(held))
    yield from (trace.title for trace in held.traces)


def _final_states(held: Contents) -> Iterator[JsonObject | None]:
    yield from (case.final_state for case in _cases(held))
    yield from (trace.final_state for trace in held.traces)


def _extras(held: Contents) -> Iterator[Extra]:
    for trace in held.traces:
        yield from trace.extras
    for turn in _turns(held):
        yield from turn.extras
    for event in _events(held):
        yield from event.extras


def _spans(held: Contents) -> Iterator[Span]:
    for trace in held.traces:
        yield from trace.spans
    for turn in _turns(held):
        yield from turn.spans


def _said_by(part: Part) -> tuple[Said, ...]:
    match part:
        case Text():
            return (part.text,)
        case ToolCall():
            return (part.name, part.args)
        case ToolResult():
            return (part.value,)
        case Transfer():
            return (part.target,)
    return ()


def _scripted(held: Contents) -> Iterator[Said]:
    for case in _cases(held):
        for turn in case.turns:
            for event in turn.events:
                yield from (said for part in event.parts for said in _said_by(part))
            yield from (said for part in turn.final_response or () for said in _said_by(part))


# Each field by the name under which people know it.
FIELDS: SaidFields = {
    "words": lambda held: (part.text for part in _parts(held) if isinstance(part, Text)),
    "thoughts": lambda held: (part.text for part in _parts(held) if isinstance(part, Thought)),
    "calls": lambda held: (call.name for call in _calls(held)),
    "arguments of calls": lambda held: (call.args for call in _calls(held)),
    "ids of calls": lambda held: (call.call_id for call in _calls(held)),
    "whole names of tools": lambda held: (call.resource for call in _calls(held)),
    "callers": lambda held: (said for call in _calls(held) for said in (call.agent, call.parent_id)),
    "results of calls": lambda held: (part.value for part in _parts(held) if isinstance(part, ToolResult)),
    "media": lambda held: (said for one in _media(held) for said in (one.mime_type, one.uri, one.data)),
    "code": lambda held: (part.text for part in _parts(held) if isinstance(part, Code)),
    "transfers": lambda held: (part.target for part in _parts(held) if isinstance(part, Transfer)),
    "parts of other kinds": lambda held: (part.raw for part in _parts(held) if isinstance(part, Unknown)),
    "ids of turns": lambda held: (turn.id for turn in _turns(held)),
    "times of turns": lambda held: (turn.start_s for turn in _turns(held) if "times" not in turn.guessed),
    "durations of turns": lambda held: (
        said
        for turn in _turns(held)
        if "times" not in turn.guessed
        for said in (turn.duration_s, turn.model_duration_s, turn.tool_duration_s)
    ),
    "who answered": lambda held: (turn.final_author for turn in _turns(held)),
    "authors of events": lambda held: (event.author for event in _events(held)),
    "times of events": lambda held: (event.time_s for event in _events(held)),
    "durations of events": lambda held: (event.duration_s for event in _events(held)),
    "tokens": lambda held: (said for one in _usages(held) for said in (one.prompt, one.candidates, one.cached)),
    "models": lambda held: (event.model for event in _events(held)),
    "finish reasons": lambda held: (event.finish_reason for event in _events(held)),
    "changes of state": lambda held: (event.state_delta for event in _events(held)),
    "grounding": lambda held: (event.grounding for event in _events(held)),
    "errors of events": lambda held: (event.error for event in _events(held)),
    "ids of events": lambda held: (event.id for event in _events(held)),
    "active tools": lambda held: (event.active_tools for event in _events(held)),
    "agents": lambda held: (agent.name for agent in _agents(held)),
    "instructions of agents": lambda held: (agent.instruction for agent in _agents(held)),
    "descriptions of agents": lambda held: (agent.description for agent in _agents(held)),
    "tools of agents": lambda held: (agent.tools for agent in _agents(held)),
    "agents below others": lambda held: (agent.sub_agents for agent in _agents(held)),
    "cases": lambda held: (case.id for case in _cases(held)),
    "titles": _titles,
    "tags": lambda held: (case.tags for case in _cases(held)),
    "first messages of scenarios": lambda held: (one.starting_prompt for one in _scenarios(held)),
    "plans of scenarios": lambda held: (one.plan for one in _scenarios(held)),
    "most turns of scenarios": lambda held: (one.max_turns for one in _scenarios(held)),
    "facts of scenarios": lambda held: (one.facts for one in _scenarios(held)),
    "goals of scenarios": lambda held: (one.goal for one in _scenarios(held)),
    "variables of scenarios": lambda held: (one.variables for one in _scenarios(held)),
    "personas": lambda held: (said for one in _personas(held) for said in (one.id, one.description)),
    "personas of recordings": lambda held: (trace.persona for trace in held.traces),
    "sessions": lambda held: (said for one in _sessions(held) for said in (one.app, one.user, one.id)),
    "sessions of recordings": lambda held: (
        said for trace in held.traces for said in (trace.app, trace.user, trace.session_id)
    ),
    "states of sessions": lambda held: (one.state for one in _sessions(held)),
    "final states": _final_states,
    "rubrics": lambda held: (said for one in _rubrics(held) for said in (one.id, one.text)),
    "types of rubrics": lambda held: (one.type for one in _rubrics(held)),
    "descriptions of rubrics": lambda held: (one.description for one in _rubrics(held)),
    "groups of rubrics": lambda held: (one.group for one in _rubrics(held)),
    "importance of rubrics": lambda held: (one.importance for one in _rubrics(held)),
    "expected calls, results and words": lambda held: (
        said for one in _expected(held) for part in one.parts for said in _said_by(part)
    ),
    "expected variables": lambda held: (one.value for one in _expected(held)),
    "expected sentences": lambda held: (said for one in _expected(held) for said in (one.text, one.reference)),
    "notes of expectations": lambda held: (one.note for one in _expected(held)),
    "criteria": lambda held: (one.metric for one in _criteria(held)),
    "thresholds": lambda held: (one.threshold for one in _criteria(held)),
    "options of criteria": lambda held: (one.options for one in _criteria(held)),
    "matchers": lambda held: (
        said for case in _cases(held) for one in case.matchers for said in (one.match.value, one.text, one.absolute)
    ),
    "notes": lambda held: (one.text for case in _cases(held) for one in case.notes),
    "overrules": lambda held: (case.overrules for case in _cases(held)),
    "other fields of cases": lambda held: (one.value for case in _cases(held) for one in case.extras),
    "other fields of suites": lambda held: (one.value for suite in held.suites for one in suite.extras),
    "other fields of recordings": lambda held: (one.value for one in _extras(held)),
    "names of suites": lambda held: (said for one in held.suites for said in (one.name, one.description)),
    "candidates": lambda held: (trace.candidate for trace in held.traces),
    "spans": lambda held: (one.name for one in _spans(held)),
    "scores": lambda held: (metric.score for one in held.reported for metric in one.metrics),
    "reasons of scores": lambda held: (metric.reason for one in held.reported for metric in one.metrics),
}
# What fields say together under another name: some formats have the script itself for what is expected.
SCRIPTED = "steps of scripts"
BESIDE: SaidFields = {SCRIPTED: _scripted}


def leaves(value: Said) -> Iterator[Leaf]:
    """The words and numbers in a value; what is empty, true or false says nothing by itself."""
    left: list[Said] = [value]
    while left:
        match left.pop():
            case bool() | None:
                continue
            case str() as words:
                if words:
                    yield words
            case int() | float() as number:
                yield round(float(number), 3) if abs(number) < 2**60 else str(number)
            case dict() as members:
                left.extend(members.values())
            case list() | tuple() as listed:
                left.extend(listed)
            case _:
                assert value is ABSENT
