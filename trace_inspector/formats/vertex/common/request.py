"""An evaluation request of Vertex AI: the case with its expected answer, and a trace for each candidate."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.finding import error, info, warning
from trace_inspector.core.golden.golden import Case, Scenario
from trace_inspector.core.trace.parts import Part, Text, ToolCall, spoken_text
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.trace.trace import Agent, Event, Steps, Trace, Turn
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import Absent, Json
from trace_inspector.formats.common.fields import Fields, Report, fields_of
from trace_inspector.formats.vertex.common.agent_data import (
    AgentConversation,
    content_event,
    conversation_of,
    is_users,
)
from trace_inspector.formats.vertex.common.content import (
    RESPONSE_DATA,
    beyond,
    check_required,
    check_union,
    check_word,
    data_parts,
    error_details,
    given,
    members,
    status_text,
)
from trace_inspector.formats.vertex.common.recognisers import OF_A_REQUEST, PROMPT_DATA

IMPORTANCES = frozenset({"IMPORTANCE_UNSPECIFIED", "HIGH", "MEDIUM", "LOW"})


class Asked(Struct, frozen=True):
    """The content of a prompt: the turns so far, of which the last is still to be answered, or a scenario."""

    turns: tuple[Turn, ...] = ()
    agents: tuple[Agent, ...] = ()
    scenario: Scenario | None = None
    extras: tuple[Extra, ...] = ()


class Candidate(Struct, frozen=True):
    """What one candidate answered."""

    name: str
    trace: Trace


class EvaluationRequest(Struct, frozen=True):
    """A request as a case and its candidates."""

    case: Case
    candidates: tuple[Candidate, ...] = ()


def request_of(fields: Fields, case_id: str, suite_id: str, report: Report) -> EvaluationRequest:
    """The whole request."""
    asked = _asked(fields.object("prompt"), report)
    head = Trace("", case_id=case_id, suite_id=suite_id)
    candidates = []
    for index, response in enumerate(report.bounded(fields, "candidate_responses")):
        name = response.text("candidate") or f"candidate {index + 1}"
        conversation = _answered(asked, response, name, report)
        trace = replace(
            head,
            id=name,
            turns=conversation.turns,
            agents=conversation.agents or asked.agents,
            candidate=name,
            extras=(
                *beyond(response, "candidate", "events", "error", *RESPONSE_DATA),
                *error_details(response),
                *conversation.extras,
            ),
            place=response.place,
        )
        candidates.append(Candidate(name, trace))
    _check(fields, asked, candidates, report)
    golden = fields.object("golden_response")
    if golden is not None:
        conversation = _answered(asked, golden, golden.text("candidate") or "", report)
    else:
        recorded = candidates[0].trace.turns if candidates and asked.scenario is None else ()
        conversation = AgentConversation(turns=asked.turns or tuple(only_asked(turn) for turn in recorded))
    case = Case(
        id=case_id,
        suite_id=suite_id,
        turns=described(conversation.turns, conversation.agents or asked.agents),
        scenario=asked.scenario,
        context=tuple(_context(fields.object("extra_context"), report)),
        rubrics=tuple(rubrics_of(fields.object("rubrics"), report)),
        extras=tuple(_case_extras(fields, asked)),
        place=fields.place,
    )
    return EvaluationRequest(case, tuple(candidates))


def described(turns: tuple[Turn, ...], agents: tuple[Agent, ...]) -> tuple[Turn, ...]:
    """Golden turns with the agents, which are kept at the first."""
    return (replace(turns[0], agents=agents), *turns[1:]) if turns and agents else turns


def only_asked(turn: Turn) -> Turn:
    """A turn of which only the user's messages are expected; all of them, where the user wrote more than once."""
    before = (part for event in turn.events if is_users(event) for part in event.parts)
    return Turn(turn.index, turn.id, (*before, *turn.user), place=turn.place)


def scenario_of(fields: Fields) -> Scenario:
    """The scenario of a simulated user."""
    return Scenario(fields.text("starting_prompt") or "", fields.text("conversation_plan") or "", place=fields.place)


def rubrics_of(groups: Fields | None, report: Report) -> Iterator[Rubric]:
    """The rubrics of named groups, which a judge decides together."""
    for key, value, place in members(groups, report):
        group = fields_of(value, place)
        # The SDK's own rows have bare lists.
        for rubric in report.bounded_list(value, place) or report.bounded(group, "rubrics"):
            check_word(rubric, "importance", IMPORTANCES, report)
            yield rubric_of(rubric, key, group.text("display_name") or "")


def rubric_of(fields: Fields, group: str = "", shown: str = "") -> Rubric:
    """One rubric. The name that people gave its group is its description."""
    content = fields.object("content")
    stated = content.object("property") if content is not None else None
    return Rubric(
        id=fields.text("rubric_id") or "",
        text=(stated.text("description") if stated is not None else None) or "",
        type=fields.text("type"),
        description=shown or None,
        group=group,
        importance=_word(fields.get("importance")),
        place=fields.place,
    )


def _word(value: Json | Absent) -> str:
    """A word of an enum; a number, as some dumps have it, is shown as it stands."""
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""


def answered(turns: tuple[Turn, ...], answer: Turn) -> tuple[Turn, ...]:
    """The turns with an answer in the last one, or after it when it has one."""
    last = turns[-1] if turns else None
    if last is None or last.final_response is not None:
        return (*turns, replace(answer, index=len(turns)))
    whole = replace(
        last,
        events=(*last.events, *answer.events),
        final_response=answer.final_response,
        final_author=answer.final_author,
        final_event=None if answer.final_event is None else len(last.events) + answer.final_event,
        steps=answer.steps if last.steps is Steps.ABSENT else last.steps,
        place=answer.place,
    )
    return (*turns[:-1], whole)


def answer_of(parts: tuple[Part, ...], author: str, place: str) -> Turn:
    """A bare answer; one that calls tools is a step, and its calls are calls."""
    if not any(isinstance(part, ToolCall) for part in parts):
        return Turn(0, final_response=parts, final_author=author, place=place)
    return Turn(0, events=(Event(author, parts, place=place),), steps=Steps.EVENTS, place=place)


def answer_turn(answer: Turn, events: tuple[Event, ...]) -> Turn:
    """An answer after its events; text that the last of them has already is not repeated."""
    turn = replace(answer, events=events, steps=Steps.EVENTS)
    last = events[-1] if events else Event("")
    words = spoken_text(turn.final_response or ())
    if not words or spoken_text(last.parts) != words or not all(isinstance(part, Text) for part in last.parts):
        return turn
    return replace(turn, events=(*events[:-1], replace(last, parts=())), final_event=len(events) - 1)


def _asked(prompt: Fields | None, report: Report) -> Asked:
    if prompt is None:
        return Asked()
    check_union(prompt, PROMPT_DATA, "A prompt", report)
    scenario = prompt.object("user_scenario")
    if scenario is not None:
        check_required(scenario, "This scenario", ("starting_prompt", "conversation_plan"), report)
        beside = beyond(scenario, "starting_prompt", "conversation_plan")
        return Asked(scenario=scenario_of(scenario), extras=beside)
    data = prompt.object("agent_data")
    if data is not None:
        conversation = conversation_of(data, report)
        if conversation.turns and conversation.turns[-1].final_response is not None:
            message = "The conversation in the prompt ends with an agent, so it leaves nothing to answer."
            report.add(info("nothing-asked", message, data.place))
        turns = tuple(turn if _answers(turn) else only_asked(turn) for turn in conversation.turns)
        return Asked(turns, conversation.agents, extras=conversation.extras)
    user = data_parts(prompt, report)
    if not user and not any(given(prompt.get(name)) for name in PROMPT_DATA):
        report.add(warning("empty-prompt", "This prompt contains nothing that Trace Inspector knows.", prompt.place))
    return Asked((Turn(0, user=user, place=prompt.place),), extras=beyond(prompt, *PROMPT_DATA))


def _answers(turn: Turn) -> bool:
    """Whether a turn of a prompt holds more than the user's message."""
    return bool(turn.events) or turn.final_response is not None


def _case_extras(fields: Fields, asked: Asked) -> Iterator[Extra]:
    """The kind of prompt, other members of groups of rubrics and of the expected answer, and unknown keys."""
    prompt = fields.object("prompt")
    for name in PROMPT_DATA if prompt is not None else ():
        if prompt is not None and given(prompt.get(name)):
            yield Extra("prompt", prompt.key(name), prompt.pointer(name))
    yield from asked.extras
    golden = fields.object("golden_response")
    if golden is not None:
        yield from beyond(golden, "events", *RESPONSE_DATA)
    yield from beside_groups(fields.object("rubrics"))
    yield from beyond(fields, *OF_A_REQUEST)


def beside_groups(groups: Fields | None) -> Iterator[Extra]:
    """What groups of rubrics say of themselves."""
    for group in groups.value if groups is not None else ():
        member = groups.object(group) if groups is not None else None
        if member is not None and (beside := {extra.name: extra.value for extra in beyond(member, "rubrics")}):
            yield Extra(f"rubrics: {group}", beside, member.place)


def _answered(asked: Asked, response: Fields, name: str, report: Report) -> AgentConversation:
    """The turns with what a response answers, and the agents that it names."""
    check_union(response, RESPONSE_DATA, "A response", report)
    data = response.object("agent_data")
    if data is not None:
        return conversation_of(data, report)
    listed = report.bounded(response, "events")
    events = tuple(content_event(name, event.value, event.place, report) for event in listed)
    failed = status_text(response)
    if failed is not None:
        events = (*events, Event(name, error=failed, place=response.pointer("error")))
    parts = data_parts(response, report)
    states_answer = any(given(response.get(name)) for name in RESPONSE_DATA)
    turn = Turn(0, final_response=parts if states_answer else None, final_author=name, place=response.place)
    has_steps = isinstance(response.get("events"), list) or failed is not None
    return AgentConversation(turns=answered(asked.turns, answer_turn(turn, events) if has_steps else turn))


def _context(extra: Fields | None, report: Report) -> Iterator[Event]:
    for name, content, place in members(extra, report):
        yield content_event(name, content, place, report)


def _check(fields: Fields, asked: Asked, candidates: list[Candidate], report: Report) -> None:
    """Vertex AI's rules for a whole request."""
    has_trace = any(
        candidate_fields.object("agent_data") is not None
        for candidate_fields in fields.objects("candidate_responses")
    )
    if fields.object("prompt") is None and not has_trace:
        empty = "" if fields.value else " Vertex's SDK also writes this where reading from Cloud Storage failed."
        message = f"A request needs a prompt, or a candidate with agent data; this one has neither.{empty}"
        report.add(error("nothing-to-evaluate", message, fields.place))
    seen: set[str] = set()
    for candidate, response in zip(candidates, fields.objects("candidate_responses"), strict=False):
        if response.text("candidate") is None:
            message = f"This response names no candidate, which Vertex AI requires; it is shown as {candidate.name}."
            report.add(error("no-candidate", message, response.place))
        elif candidate.name in seen:
            message = f"“{candidate.name}” has another response to this request already; both are shown."
            report.add(warning("repeated-candidate", message, response.pointer("candidate")))
        seen.add(candidate.name)
        turns = candidate.trace.turns
        if response.object("agent_data") is not None and turns and turns[-1].final_response is None:
            message = "This recorded conversation does not end with an agent's answer."
            report.add(info("unfinished", message, response.pointer("agent_data")))
    if asked.scenario is not None and not asked.scenario.starting_prompt:
        report.add(warning("empty-prompt", "This scenario has no starting prompt.", asked.scenario.place))
