"""A case of Vertex's SDK: what is asked and expected of it, and what was recorded or answered."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from trace_inspector.core.finding import error, info, warning
from trace_inspector.core.golden.golden import Case, Scenario
from trace_inspector.core.trace.parts import Part, Text, ToolCall, spoken_text
from trace_inspector.core.trace.trace import Agent, Event, Steps, Trace, Turn, answer_text
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import ABSENT
from trace_inspector.formats.common.fields import Fields, Report, kind_of, or_null
from trace_inspector.formats.common.schema import check
from trace_inspector.formats.common.span_attributes import from_text
from trace_inspector.formats.extension.key import KEY
from trace_inspector.formats.vertex.common.agent_data import (
    AgentConversation,
    content_event,
    conversation_of,
    is_users,
    time_in,
)
from trace_inspector.formats.vertex.common.content import beyond, content_parts, given
from trace_inspector.formats.vertex.common.request import (
    Candidate,
    EvaluationRequest,
    answer_of,
    answer_turn,
    answered,
    beside_groups,
    described,
    only_asked,
    rubrics_of,
    scenario_of,
)
from trace_inspector.formats.vertex.common.schemas import AGENT_DATA, CASE
from trace_inspector.formats.vertex.item.prompts import Prompt, prompt_of

_INSTRUCTION = ("system_instruction", "instruction")
# The calls of tools that are expected, and those that an agent made, as lists beside the prompt.
_EXPECTED = ("reference_trajectory", "expected_trajectory")
_PREDICTED = ("predicted_trajectory", "actual_trajectory")
# What an entry of such a list calls the tool and what it is given; some are only names.
_TOOL_NAMES = ("tool_name", "name", "tool", "action")
_TOOL_INPUTS = ("tool_input", "arguments", "args", "params", "input")
_OF_A_CASE = (
    "eval_case_id", "eval_id", "prompt", "source", "responses", "response", "reference",
    *_EXPECTED, *_PREDICTED,
    "conversation_history", "history", "context", "rubric_groups", "agent_data", "user_scenario", "starting_prompt",
    "conversation_plan", KEY,
)  # fmt: skip


def case_of(fields: Fields, case_id: str, suite_id: str, report: Report) -> EvaluationRequest:
    """The case, and one trace for each response; recorded agent data is the conversation of the first."""
    check(fields, CASE, report)
    stated = from_text(or_null(fields.get("agent_data")))  # rows of tables may have it as a text
    data = Fields(stated, fields.pointer("agent_data")) if isinstance(stated, dict) else None
    if data is not None:
        check(data, AGENT_DATA, report)
    elif given(stated) and stated != "":
        message = f"Agent data should be an object, not {kind_of(or_null(stated))}; it is left out."
        report.add(error("wrong-type", message, fields.pointer("agent_data")))
    conversation = conversation_of(data, report) if data is not None else AgentConversation()
    prompt = Prompt() if any(turn.user for turn in conversation.turns) else prompt_of(fields, report)
    asked = _asked(fields, conversation, prompt, report)
    instructed = tuple(_instructed(fields, report))
    agents = conversation.agents or instructed
    shown = [] if conversation.agents else [_first(fields, *_INSTRUCTION)]
    script = _script(fields, asked, report)
    aside: tuple[Extra, ...] = ()
    head = Trace("", agents=agents, case_id=case_id, suite_id=suite_id, extras=conversation.extras)
    candidates = [
        Candidate(response.name, replace(response.trace, suite_id=suite_id, case_id=case_id, agents=agents))
        for response in _responses(fields, asked, report)
    ]
    if data is not None and any(_is_answered(turn) for turn in conversation.turns):
        recorded = replace(head, turns=conversation.turns, place=data.place)
        _compare(recorded, candidates, report)
        candidates[:1] = [Candidate(candidates[0].name if candidates else "1", recorded)]
    else:
        shown.append("intermediate_events")
        # Agents of an empty conversation have no turn to be shown at.
        aside = beyond(data) if data is not None and not script else ()
    case = Case(
        id=case_id,
        suite_id=suite_id,
        turns=described(script, conversation.agents),
        scenario=_scenario(fields),
        context=(*_history(fields, report), *prompt.before),
        rubrics=tuple(rubrics_of(fields.object("rubric_groups"), report)),
        extras=(
            *beside_groups(fields.object("rubric_groups")),
            *beyond(fields, *_OF_A_CASE, prompt.key, *shown),
            *aside,
        ),
        place=fields.place,
    )
    return EvaluationRequest(case, tuple(candidates))


def _is_answered(turn: Turn) -> bool:
    """Whether an agent did anything; a question that changes the state is an event too."""
    return turn.final_response is not None or any(not is_users(event) for event in turn.events)


def _asked(fields: Fields, conversation: AgentConversation, prompt: Prompt, report: Report) -> tuple[Turn, ...]:
    """The user's messages, turn by turn: as recorded, else the prompt."""
    if any(turn.user for turn in conversation.turns):
        return tuple(only_asked(turn) for turn in conversation.turns)
    if not prompt.parts:
        if _scenario(fields) is None:
            report.add(warning("empty-prompt", "This case asks nothing: it has no prompt.", fields.place))
        return ()
    return (Turn(0, user=prompt.parts, place=prompt.place),)


def _scenario(fields: Fields) -> Scenario | None:
    """The scenario of a simulated user; tables have it in columns of its own."""
    nested = fields.object("user_scenario")
    if nested is not None:
        return scenario_of(nested)
    return scenario_of(fields) if fields.text("starting_prompt") else None


def _first(fields: Fields, *names: str) -> str:
    """The first of several names with a value, else the first one."""
    return next((name for name in names if given(fields.get(name))), names[0])


def _responses(fields: Fields, asked: tuple[Turn, ...], report: Report) -> Iterator[Candidate]:
    """Each response as the answer to what was asked; hand-made files have one, without a list."""
    listed = report.bounded(fields, "responses")
    single = fields.get("response")
    if not listed and given(single):
        listed = [fields]
    steps = tuple(_steps(fields, report))
    if steps and not listed and not given(fields.get("agent_data")):
        place = fields.pointer(_first(fields, "intermediate_events", *_PREDICTED))
        unanswered = Turn(0, events=steps, steps=Steps.EVENTS, place=place)
        yield Candidate("1", Trace("", turns=answered(asked, unanswered), place=unanswered.place))
    for index, response in enumerate(listed):
        parts = content_parts(response.get("response"), response.pointer("response"), report)
        place = response.pointer("response") if given(response.get("response")) else response.place
        answer = answer_of(parts, "", place)
        turns = answered(asked, answer_turn(answer, (*steps, *answer.events)) if steps else answer)
        yield Candidate(str(index + 1), Trace("", turns=turns, place=place))


def _steps(fields: Fields, report: Report) -> Iterator[Event]:
    """Events between prompt and answer, as far as a row states them."""
    calls, place = _calls_in(fields, _PREDICTED, report)
    if calls:
        yield Event("", calls, place=place)
    for event in report.bounded(fields, "intermediate_events"):
        content = event.get("content")
        author = event.text("author") or ""
        yield replace(
            content_event(author, or_null(content), event.pointer("content"), report),
            id=event.text("event_id"),
            time_s=time_in(event, "creation_timestamp", report),
            place=event.place,
        )


def _script(fields: Fields, asked: tuple[Turn, ...], report: Report) -> tuple[Turn, ...]:
    """What was asked, with the reference as the expected answer of the last turn."""
    name = "reference" if given(fields.get("reference")) else None
    calls, calls_place = _calls_in(fields, _EXPECTED, report)
    if name is None and not calls:
        return asked
    stated = fields.object(name) if name else None
    owner, key = (stated, "response") if stated and stated.key("response") else (fields, name or "")
    parts: tuple[Part, ...] | None = content_parts(owner.get(key), owner.pointer(key), report) if name else None
    events = (Event("", calls, place=calls_place),) if calls else ()
    steps = Steps.CALLS if calls else Steps.ABSENT
    place = owner.pointer(key) if name else calls_place
    return answered(asked, Turn(0, events=events, final_response=parts, steps=steps, place=place))


def _calls_in(fields: Fields, names: tuple[str, ...], report: Report) -> tuple[tuple[ToolCall, ...], str]:
    """The calls that one of some lists has, and its place."""
    name = _first(fields, *names)
    listed, place = fields.get(name), fields.pointer(name)
    if isinstance(listed, list) and listed and all(isinstance(item, str) for item in listed):
        named = [item for item in listed if isinstance(item, str)]
        return tuple(ToolCall(item, place=f"{place}/{index}") for index, item in enumerate(named)), place
    return tuple(_call(use) for use in report.bounded(fields, name)), place


def _call(use: Fields) -> ToolCall:
    inputs = (use.get(name) for name in _TOOL_INPUTS)
    args = next((value for value in inputs if value is not ABSENT), ABSENT)
    return ToolCall(next((text for name in _TOOL_NAMES if (text := use.text(name))), ""), args, place=use.place)


def _history(fields: Fields, report: Report) -> Iterator[Event]:
    """The conversation before: messages with a content, or contents themselves."""
    name = _first(fields, "conversation_history", "history")
    for message in report.bounded(fields, name):
        content = message.object("content") or message
        author = message.text("author") or content.text("role") or ""
        stated = message.get("content")
        if given(stated) and not isinstance(stated, str | dict):
            event = content_event(author, or_null(stated), message.pointer("content"), report)
        else:
            event = content_event(author, content.value, content.place, report)
        time_s = time_in(message, "creation_timestamp", report)
        yield replace(event, id=message.text("turn_id"), time_s=time_s, place=message.place)
    context = fields.text("context")
    if context:
        yield Event(
            "context", content_parts(context, fields.pointer("context"), report), place=fields.pointer("context")
        )


def _instructed(fields: Fields, report: Report) -> Iterator[Agent]:
    """The instruction that a row carries, and the agents of an agent info."""
    name = _first(fields, *_INSTRUCTION)
    if given(fields.get(name)):
        parts = content_parts(fields.get(name), fields.pointer(name), report)
        for part in parts:
            if not isinstance(part, Text):
                report.add(
                    warning(
                        "left-out", "Only the text of an instruction is shown; this part is not text.", part.place
                    )
                )
        yield Agent("model", instruction=spoken_text(parts), place=fields.pointer(name))
    info_of = fields.object("agent_info")
    if info_of is not None:
        yield from conversation_of(Fields({"agents": info_of.value.get("agents")}, info_of.place), report).agents


def _compare(recorded: Trace, candidates: list[Candidate], report: Report) -> None:
    """Say when the first response is not what the recorded conversation ends with."""
    if not candidates or not recorded.turns:
        return
    answer, response = (answer_text(trace.turns[-1]) for trace in (recorded, candidates[0].trace))
    if answer.strip() != response.strip():
        message = "The response differs from the last answer of the recorded conversation; the last answer is shown."
        report.add(info("sources-differ", message, candidates[0].trace.place))
