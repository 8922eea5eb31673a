"""A recorded turn as the turn of a golden: what is chosen stays, and no place points into the recording."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import TypeVar

from msgspec.structs import replace

from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import Part, Text, ToolCall, ToolResult, Transfer
from trace_inspector.core.trace.trace import Agent, Event, Steps, Turn, paired_calls
from trace_inspector.core.values.values import ABSENT

TRANSFER_TOOL = "transfer_to_agent"  # the call by which ADK's agents hand over
_TARGET = "agent_name"

_Placed = TypeVar("_Placed", bound=Part | Agent)


def golden_turn(turn: Turn, index: int, wants: AbstractSet[str], agents: Sequence[Agent] = ()) -> Turn:
    """The turn of a golden. `agents` are those of the whole trace, for turns that name none themselves."""
    answer = turn.final_response if "answers" in wants else None
    events, answered = _events(turn, wants, has_answer=answer is not None) if "calls" in wants else ((), None)
    final_response = None if answer is None else without_places(answer)
    has_figures = "figures" in wants
    made = Turn(
        index=index,
        id=turn.id if has_figures else None,
        user=without_places(turn.user),
        events=events,
        final_response=final_response,
        final_author=turn.final_author if final_response is not None else "",
        final_event=answered,
        steps=turn.steps if "calls" in wants else Steps.ABSENT,
        start_s=turn.start_s if has_figures else None,
        rubrics=tuple(replace(rubric, place="") for rubric in turn.rubrics),
        agents=tuple(without_places(described_agents(turn.agents) or described_agents(agents)))
        if "agents" in wants
        else (),
        guessed=turn.guessed - {"times"},
    )
    return replace(made, expectations=tuple(_expected(made))) if "mocks" in wants else made


def before_call(turn: Turn, number: int) -> Turn:
    """A turn up to one of its calls: that call and all that came of it is left out, as is an answer."""
    paired = paired_calls(turn)
    if number >= len(paired):
        return turn
    wrong, event_of_wrong = paired[number].call, paired[number].event
    results = {id(each.result) for each in paired[:number] if each.result is not None}
    events: list[Event] = []
    for index, event in enumerate(turn.events):
        if index < event_of_wrong:
            events.append(event)
            continue
        stop = next((at for at, part in enumerate(event.parts) if part is wrong), 0)
        parts = tuple(part for at, part in enumerate(event.parts) if at < stop or id(part) in results)
        if parts:
            events.append(replace(event, parts=parts, state_delta=None))
    return replace(turn, events=tuple(events), final_response=None, final_author="", final_event=None)


def without_places(things: Sequence[_Placed]) -> tuple[_Placed, ...]:
    """Parts or agents that stand nowhere yet."""
    return tuple(replace(thing, place="") for thing in things)


def described_agents(agents: Sequence[Agent]) -> tuple[Agent, ...]:
    """The agents of which more is known than the name."""
    return tuple(agent for agent in agents if agent.instruction or agent.tools or agent.description)


def target_of_transfer(part: Part) -> str | None:
    """The agent to which a part hands over, by a call or by an action; None where it does not."""
    if isinstance(part, Transfer):
        return part.target
    if isinstance(part, ToolCall) and part.name == TRANSFER_TOOL and isinstance(part.args, dict):
        target = part.args.get(_TARGET)
        return target if isinstance(target, str) else None
    return None


def _events(turn: Turn, wants: AbstractSet[str], *, has_answer: bool) -> tuple[tuple[Event, ...], int | None]:
    """The events of which anything is chosen, and which of them gave the answer."""
    kept: list[Event] = []
    answered: int | None = None
    for index, event in enumerate(turn.events):
        parts = without_places([part for part in event.parts if _is_wanted(part, wants)])
        is_answer = has_answer and index == turn.final_event
        made = _event(event, parts, wants)
        if parts or is_answer or (not event.parts and made != Event(event.author, role=event.role)):
            answered = len(kept) if is_answer else answered
            kept.append(made)
    return tuple(kept), answered


def _event(event: Event, parts: tuple[Part, ...], wants: AbstractSet[str]) -> Event:
    has_figures = "figures" in wants
    return Event(
        author=event.author,
        parts=parts,
        role=event.role,
        usage=event.usage if has_figures else None,
        model=event.model if has_figures else None,
        state_delta=event.state_delta if "final_state" in wants else None,
        grounding=event.grounding if has_figures else ABSENT,
        error=event.error if has_figures else None,
        partial=event.partial,
    )


def _is_wanted(part: Part, wants: AbstractSet[str]) -> bool:
    match part:
        case ToolCall(name=name):
            return name != TRANSFER_TOOL or "transfers" in wants
        case ToolResult(name=name):
            return "transfers" in wants if name == TRANSFER_TOOL else not wants.isdisjoint({"results", "mocks"})
        case Transfer():
            return "transfers" in wants
    return "said" in wants


def _expected(turn: Turn) -> Iterator[Expectation]:
    """One thing after the other, for formats that state each: what tools answered is what they answer in the run."""
    answer = _answer(turn)
    for index, event in enumerate(turn.events):
        for part in event.parts:
            yield from _of_part(part)
        if index == turn.final_event:
            yield from answer
        if event.state_delta:
            yield Expectation(Expects.VARIABLES, value=event.state_delta)
    if turn.final_event is None:
        yield from answer


def _answer(turn: Turn) -> tuple[Expectation, ...]:
    return (Expectation(Expects.ANSWER, turn.final_response),) if turn.final_response else ()


def _of_part(part: Part) -> Iterator[Expectation]:
    target = target_of_transfer(part)
    if target is not None:
        yield Expectation(Expects.TRANSFER, (Transfer(target),))
    elif isinstance(part, ToolCall):
        yield Expectation(Expects.CALL, (part,))
    elif isinstance(part, ToolResult) and part.name != TRANSFER_TOOL:
        yield Expectation(Expects.MOCK, (part,))
    elif isinstance(part, Text):
        yield Expectation(Expects.ANSWER, (part,), skipped=True)
