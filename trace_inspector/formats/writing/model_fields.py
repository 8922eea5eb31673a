"""The content of a document, field by field of the canonical model, to compare it with another."""

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

FieldValue: TypeAlias = "Json | Absent | tuple[Json, ...] | tuple[tuple[str, str], ...]"
Leaf: TypeAlias = str | float
ModelFields: TypeAlias = Mapping[str, Callable[[Contents], Iterable[FieldValue]]]


def _cases(contents: Contents) -> Iterator[Case]:
    for suite in contents.suites:
        yield from suite.cases


def _turns(contents: Contents) -> Iterator[Turn]:
    for case in _cases(contents):
        yield from case.turns
    for trace in contents.traces:
        yield from trace.turns


def _events(contents: Contents) -> Iterator[Event]:
    for turn in _turns(contents):
        yield from turn.events
    for case in _cases(contents):
        yield from case.context


def _expected(contents: Contents) -> Iterator[Expectation]:
    for case in _cases(contents):
        yield from case.expectations
    for turn in _turns(contents):
        yield from turn.expectations


def _parts(contents: Contents) -> Iterator[Part]:
    for event in _events(contents):
        yield from event.parts
    for turn in _turns(contents):
        yield from turn.user
        yield from turn.final_response or ()


def _calls(contents: Contents) -> Iterator[ToolCall]:
    return (part for part in _parts(contents) if isinstance(part, ToolCall))


def _media(contents: Contents) -> Iterator[Media]:
    return (part for part in _parts(contents) if isinstance(part, Media))


def _usages(contents: Contents) -> Iterator[Usage]:
    return (event.usage for event in _events(contents) if event.usage is not None)


def _scenarios(contents: Contents) -> Iterator[Scenario]:
    return (case.scenario for case in _cases(contents) if case.scenario is not None)


def _sessions(contents: Contents) -> Iterator[Session]:
    return (case.session for case in _cases(contents) if case.session is not None)


def _agents(contents: Contents) -> Iterator[Agent]:
    for suite in contents.suites:
        yield from suite.agents
    for trace in contents.traces:
        yield from trace.agents
    for turn in _turns(contents):
        yield from turn.agents


def _rubrics(contents: Contents) -> Iterator[Rubric]:
    for case in _cases(contents):
        yield from case.rubrics
    for turn in _turns(contents):
        yield from turn.rubrics


def _criteria(contents: Contents) -> Iterator[Criterion]:
    yield from contents.criteria.items if contents.criteria is not None else ()
    for trace in contents.traces:
        yield from trace.criteria
    for case in _cases(contents):
        yield from case.criteria
    for turn in _turns(contents):
        yield from turn.criteria
    for expected in _expected(contents):
        yield from expected.criteria


def _personas(contents: Contents) -> Iterator[Persona]:
    for suite in contents.suites:
        yield from suite.personas
    yield from (scenario.persona for scenario in _scenarios(contents) if scenario.persona is not None)


def _titles(contents: Contents) -> Iterator[str]:
    yield from (case.title for case in _cases(contents))
    yield from (trace.title for trace in contents.traces)


def _final_states(contents: Contents) -> Iterator[JsonObject | None]:
    yield from (case.final_state for case in _cases(contents))
    yield from (trace.final_state for trace in contents.traces)


def _extras(contents: Contents) -> Iterator[Extra]:
    for trace in contents.traces:
        yield from trace.extras
    for turn in _turns(contents):
        yield from turn.extras
    for event in _events(contents):
        yield from event.extras


def _spans(contents: Contents) -> Iterator[Span]:
    for trace in contents.traces:
        yield from trace.spans
    for turn in _turns(contents):
        yield from turn.spans


def _values_of_part(part: Part) -> tuple[FieldValue, ...]:
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


def _scripted(contents: Contents) -> Iterator[FieldValue]:
    for case in _cases(contents):
        for turn in case.turns:
            for event in turn.events:
                yield from (value for part in event.parts for value in _values_of_part(part))
            yield from (value for part in turn.final_response or () for value in _values_of_part(part))


# Each field by the name under which people know it.
FIELDS: ModelFields = {
    "words": lambda contents: (part.text for part in _parts(contents) if isinstance(part, Text)),
    "thoughts": lambda contents: (part.text for part in _parts(contents) if isinstance(part, Thought)),
    "calls": lambda contents: (call.name for call in _calls(contents)),
    "arguments of calls": lambda contents: (call.args for call in _calls(contents)),
    "ids of calls": lambda contents: (call.call_id for call in _calls(contents)),
    "whole names of tools": lambda contents: (call.resource for call in _calls(contents)),
    "callers": lambda contents: (value for call in _calls(contents) for value in (call.agent, call.parent_id)),
    "names of results": lambda contents: (part.name for part in _parts(contents) if isinstance(part, ToolResult)),
    "results of calls": lambda contents: (part.value for part in _parts(contents) if isinstance(part, ToolResult)),
    "media": lambda contents: (
        value for media in _media(contents) for value in (media.mime_type, media.uri, media.data)
    ),
    "code": lambda contents: (part.text for part in _parts(contents) if isinstance(part, Code)),
    "transfers": lambda contents: (part.target for part in _parts(contents) if isinstance(part, Transfer)),
    "parts of other kinds": lambda contents: (part.raw for part in _parts(contents) if isinstance(part, Unknown)),
    "ids of turns": lambda contents: (turn.id for turn in _turns(contents)),
    "times of turns": lambda contents: (turn.start_s for turn in _turns(contents) if "times" not in turn.guessed),
    "durations of turns": lambda contents: (
        value
        for turn in _turns(contents)
        if "times" not in turn.guessed
        for value in (turn.duration_s, turn.model_duration_s, turn.tool_duration_s)
    ),
    "who answered": lambda contents: (turn.final_author for turn in _turns(contents)),
    "authors of events": lambda contents: (event.author for event in _events(contents)),
    "times of events": lambda contents: (event.time_s for event in _events(contents)),
    "durations of events": lambda contents: (event.duration_s for event in _events(contents)),
    "tokens": lambda contents: (
        value
        for usage in _usages(contents)
        for value in (usage.prompt, usage.candidates, usage.cached, usage.cache_written)
    ),
    "models": lambda contents: (event.model for event in _events(contents)),
    "finish reasons": lambda contents: (event.finish_reason for event in _events(contents)),
    "changes of state": lambda contents: (event.state_delta for event in _events(contents)),
    "grounding": lambda contents: (event.grounding for event in _events(contents)),
    "errors of events": lambda contents: (event.error for event in _events(contents)),
    "ids of events": lambda contents: (event.id for event in _events(contents)),
    "active tools": lambda contents: (event.active_tools for event in _events(contents)),
    "agents": lambda contents: (agent.name for agent in _agents(contents)),
    "instructions of agents": lambda contents: (agent.instruction for agent in _agents(contents)),
    "descriptions of agents": lambda contents: (agent.description for agent in _agents(contents)),
    "tools of agents": lambda contents: (agent.tools for agent in _agents(contents)),
    "agents below others": lambda contents: (agent.sub_agents for agent in _agents(contents)),
    "cases": lambda contents: (case.id for case in _cases(contents)),
    "titles": _titles,
    "tags": lambda contents: (case.tags for case in _cases(contents)),
    "first messages of scenarios": lambda contents: (scenario.starting_prompt for scenario in _scenarios(contents)),
    "plans of scenarios": lambda contents: (scenario.plan for scenario in _scenarios(contents)),
    "most turns of scenarios": lambda contents: (scenario.max_turns for scenario in _scenarios(contents)),
    "facts of scenarios": lambda contents: (scenario.facts for scenario in _scenarios(contents)),
    "goals of scenarios": lambda contents: (scenario.goal for scenario in _scenarios(contents)),
    "variables of scenarios": lambda contents: (scenario.variables for scenario in _scenarios(contents)),
    "personas": lambda contents: (
        value for persona in _personas(contents) for value in (persona.id, persona.description)
    ),
    "callers of sub-agents": lambda contents: (
        value
        for trace in contents.traces
        if trace.parent is not None
        for value in (trace.parent.trace_id, trace.parent.call_id)
    ),
    "personas of recordings": lambda contents: (trace.persona for trace in contents.traces),
    "sessions": lambda contents: (
        value for session in _sessions(contents) for value in (session.app, session.user, session.id)
    ),
    "sessions of recordings": lambda contents: (
        value for trace in contents.traces for value in (trace.app, trace.user, trace.session_id)
    ),
    "states of sessions": lambda contents: (session.state for session in _sessions(contents)),
    "final states": _final_states,
    "rubrics": lambda contents: (value for rubric in _rubrics(contents) for value in (rubric.id, rubric.text)),
    "types of rubrics": lambda contents: (rubric.type for rubric in _rubrics(contents)),
    "descriptions of rubrics": lambda contents: (rubric.description for rubric in _rubrics(contents)),
    "groups of rubrics": lambda contents: (rubric.group for rubric in _rubrics(contents)),
    "importance of rubrics": lambda contents: (rubric.importance for rubric in _rubrics(contents)),
    "expected calls, results and words": lambda contents: (
        value for expectation in _expected(contents) for part in expectation.parts for value in _values_of_part(part)
    ),
    "expected variables": lambda contents: (expectation.value for expectation in _expected(contents)),
    "expected sentences": lambda contents: (
        value for expectation in _expected(contents) for value in (expectation.text, expectation.reference)
    ),
    "notes of expectations": lambda contents: (expectation.note for expectation in _expected(contents)),
    "criteria": lambda contents: (criterion.metric for criterion in _criteria(contents)),
    "thresholds": lambda contents: (criterion.threshold for criterion in _criteria(contents)),
    "options of criteria": lambda contents: (criterion.options for criterion in _criteria(contents)),
    "matchers": lambda contents: (
        value
        for case in _cases(contents)
        for matcher in case.matchers
        for value in (matcher.match.value, matcher.text, matcher.absolute)
    ),
    "notes": lambda contents: (note.text for case in _cases(contents) for note in case.notes),
    "overrules": lambda contents: (case.overrules for case in _cases(contents)),
    "other fields of cases": lambda contents: (extra.value for case in _cases(contents) for extra in case.extras),
    "other fields of suites": lambda contents: (extra.value for suite in contents.suites for extra in suite.extras),
    "other fields of recordings": lambda contents: (extra.value for extra in _extras(contents)),
    "names of suites": lambda contents: (
        value for suite in contents.suites for value in (suite.name, suite.description)
    ),
    "candidates": lambda contents: (trace.candidate for trace in contents.traces),
    "spans": lambda contents: (span.name for span in _spans(contents)),
    "scores": lambda contents: (
        said for verdict in contents.reported for metric in verdict.metrics for said in (metric.metric, metric.score)
    ),
    "reasons of scores": lambda contents: (
        metric.reason for verdict in contents.reported for metric in verdict.metrics
    ),
}
# What fields say together under another name: some formats have the script itself for what is expected.
SCRIPTED = "steps of scripts"
BESIDE: ModelFields = {SCRIPTED: _scripted}


def leaves(value: FieldValue) -> Iterator[Leaf]:
    """The texts and numbers in a value; what is empty, true or false means nothing by itself."""
    remaining: list[FieldValue] = [value]
    while remaining:
        match remaining.pop():
            case bool() | None:
                continue
            case str() as words:
                if words:
                    yield words
            case int() | float() as number:
                yield round(float(number), 3) if abs(number) < 2**60 else str(number)
            case dict() as members:
                remaining.extend(members.values())
            case list() | tuple() as listed:
                remaining.extend(listed)
            case _:
                assert value is ABSENT
