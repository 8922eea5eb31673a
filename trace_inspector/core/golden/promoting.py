"""Make a recorded conversation a golden: a new case of the turns and expectations that somebody chose."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.errors import EditError
from trace_inspector.core.golden.expectation_kinds import default_expectations, without_unmet_needs
from trace_inspector.core.golden.golden import Case, Session, as_case
from trace_inspector.core.golden.matcher import Note
from trace_inspector.core.golden.promoted_turn import before_call, golden_turn
from trace_inspector.core.trace.trace import Agent, Trace, Turn, user_text
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import JsonObject
from trace_inspector.core.verdict.verdict import Status

_NAMED = re.compile(r"{(\w+)}")
_UNSAVED = ("temp:", "__llm_request_key__")


def state_before(trace: Trace, index: int) -> JsonObject | None:
    """The state before a turn: values that no event wrote were there from the start. None where none is known."""
    written = [delta for turn in trace.turns for delta in _deltas(turn)]
    if trace.final_state is None and not written:
        return None
    later = {name for delta in written for name in delta}
    state = {name: value for name, value in (trace.final_state or {}).items() if name not in later}
    for turn in trace.turns[:index]:
        for delta in _deltas(turn):
            state |= delta
    for turn in trace.turns[index : index + 1]:
        for delta in _deltas(turn, of_user=True):
            state |= delta
    return _saved(state)


def state_after(trace: Trace, index: int) -> JsonObject | None:
    """The state after a turn; after the last one it is what the recording says."""
    if index >= len(trace.turns) - 1:
        return None if trace.final_state is None else _saved(trace.final_state)
    state = state_before(trace, index)
    if state is None:
        return None
    for delta in _deltas(trace.turns[index]):
        state |= delta
    return _saved(state)


def template_state(agents: Iterable[Agent]) -> JsonObject:
    """What google-adk gives a new case: an empty text for every {name} in the instructions."""
    return {name: "" for agent in agents for name in _NAMED.findall(agent.instruction)}


def _deltas(turn: Turn, *, of_user: bool = False) -> Iterable[JsonObject]:
    for event in turn.events:
        if event.state_delta and (not of_user or event.author.lower() == "user"):
            yield event.state_delta


def _saved(state: JsonObject) -> JsonObject:
    return {name: value for name, value in state.items() if not name.startswith(_UNSAVED)}


_MOST_ID_CHARS = 40
_MOST_READ_CHARS = 1_000
_WORDS = re.compile(r"\w+")
_USUAL = default_expectations("adk-eval-set")

# By these tags a golden made from a run that did not pass is known again, in every format that has tags.
RUN_TAGS = {Status.FAILED: "made from: failed run", Status.ERROR: "made from: run with an error"}


class PromotionChoice(Struct, frozen=True):
    """Which turns become a golden, counted from 0, None for all; and the names of what is expected of them.

    `faults` are calls, by turn and counted from 0, with which it first went wrong: what was before them is expected.
    """

    turns: tuple[int, ...] | None = None
    wants: frozenset[str] = _USUAL
    faults: Mapping[int, int] = {}


class Origin(Struct, frozen=True):
    """Where a golden comes from: the file's name, and how the run fared, None where nobody judged it."""

    name: str = ""
    verdict: Status | None = None


def promoted(
    trace: Trace, choice: PromotionChoice | None = None, taken: Collection[str] = (), origin: Origin | None = None
) -> Case:
    """A new case, with an id that is not taken."""
    choice, origin = choice or PromotionChoice(), origin or Origin()
    turns, wants = chosen_turns(trace, choice), without_unmet_needs(choice.wants)
    last = turns[-1].index if turns else -1
    note = _note(trace, choice, turns, origin)
    return replace(
        as_case(trace),
        id=free_id(_name(trace, turns), taken),
        suite_id="",
        turns=golden_turns(trace, choice),
        session=_session(trace, turns, wants),
        final_state=state_after(trace, last) if "final_state" in wants else None,
        tags=tags_of(origin),
        notes=(Note("", note),) if "note" in wants else (),
        extras=(Extra("description", note, "/description"),) if "description" in wants else (),
        place="",
    )


def promoted_many(
    chosen: Sequence[tuple[Trace, PromotionChoice, Origin]], taken: Collection[str] = ()
) -> tuple[Case, ...]:
    """New cases, whose ids are neither taken nor each other's."""
    made: list[Case] = []
    for trace, choice, origin in chosen:
        made.append(promoted(trace, choice, {*taken, *(case.id for case in made)}, origin))
    return tuple(made)


def golden_turns(trace: Trace, choice: PromotionChoice, start: int = 0) -> tuple[Turn, ...]:
    """The chosen turns as those of a golden, counted from `start`."""
    wants = without_unmet_needs(choice.wants)
    return tuple(
        golden_turn(_right_part(turn, choice), index, wants, trace.agents)
        for index, turn in enumerate(chosen_turns(trace, choice), start)
    )


def _right_part(turn: Turn, choice: PromotionChoice) -> Turn:
    return before_call(turn, choice.faults[turn.index]) if turn.index in choice.faults else turn


def chosen_turns(trace: Trace, choice: PromotionChoice) -> tuple[Turn, ...]:
    """The turns that are meant, in the order of the conversation."""
    if choice.turns is None:
        return trace.turns
    by_index = {turn.index: turn for turn in trace.turns}
    absent = next((number for number in choice.turns if number not in by_index), None)
    if absent is not None:
        has = "1 turn" if len(trace.turns) == 1 else f"{len(trace.turns)} turns"
        raise EditError(f"“{trace.id}” has {has}, and so no turn {absent + 1}. Choose another.")
    if not choice.turns:
        raise EditError("No turn is chosen. Choose at least one.")
    return tuple(by_index[number] for number in sorted(set(choice.turns)))


def free_id(preferred: str, taken: Collection[str]) -> str:
    """The id, with a number behind it where it is taken."""
    if preferred not in taken:
        return preferred
    return next(name for number in range(2, len(taken) + 3) if (name := f"{preferred}_{number}") not in taken)


def tags_of(origin: Origin) -> tuple[str, ...]:
    """The tag of a run that did not pass."""
    tag = RUN_TAGS.get(origin.verdict) if origin.verdict is not None else None
    return (tag,) if tag else ()


def _name(trace: Trace, turns: Sequence[Turn]) -> str:
    """The id of the case that was run, else the first words of the user, else the id of the recording."""
    if trace.case_id:
        return trace.case_id
    first_words = next((text for turn in turns if (text := user_text(turn).strip())), "")
    name = ""
    for word in _WORDS.findall(first_words[:_MOST_READ_CHARS].casefold()):
        longer = f"{name}_{word}" if name else word
        if len(longer) > _MOST_ID_CHARS:
            break
        name = longer
    return name or "_".join(_WORDS.findall(trace.id))[:_MOST_ID_CHARS] or "case"


def _session(trace: Trace, turns: Sequence[Turn], wants: Collection[str]) -> Session | None:
    recorded_state = state_before(trace, turns[0].index if turns else 0) if "state" in wants else None
    has_session = "session" in wants
    template = template_state([*trace.agents, *_agents(turns)]) if has_session else {}
    state = {**template, **(recorded_state or {})} or None
    made = Session(trace.app, trace.user, trace.session_id, state) if has_session else Session(state=state)
    return made if made != Session() else None


def _agents(turns: Sequence[Turn]) -> list[Agent]:
    return [agent for turn in turns for agent in turn.agents]


def _note(trace: Trace, choice: PromotionChoice, turns: Sequence[Turn], origin: Origin) -> str:
    where = f" in {origin.name}" if origin.name else ""
    numbers = [str(turn.index + 1) for turn in turns]
    part = "" if choice.turns is None else f", {'turn' if len(numbers) == 1 else 'turns'} {', '.join(numbers)}"
    fared = _FARED.get(origin.verdict) if origin.verdict is not None else None
    return f"Made from the run “{trace.id}”{where}{part}{f', which {fared}' if fared else ''}."


_FARED = {Status.PASSED: "passed", Status.FAILED: "failed", Status.ERROR: "ended with an error"}
