"""Changes of a golden in an ADK eval set: the raw case as it is afterwards, every untouched part the same object."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from trace_inspector.core.errors import EditError
from trace_inspector.core.finding import Finding
from trace_inspector.core.golden.disagreements import transfers_as_calls
from trace_inspector.core.golden.golden import Case, Persona
from trace_inspector.core.golden.golden_change import (
    Answers,
    BeginsWith,
    Calls,
    Described,
    EndsWith,
    Expected,
    GoldenChange,
    HandsOver,
    Judged,
    Named,
    Noted,
    Results,
    Rubrics,
    Simulated,
    SuiteDescribed,
    Tagged,
    Titled,
    Turns,
    UserGives,
    UserSays,
)
from trace_inspector.core.trace.parts import Part, Text
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.values.value_edits import is_below, steps_between
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.adk.common.schemas import PERSONAS
from trace_inspector.formats.adk.eval_set.change_calls import change_calls
from trace_inspector.formats.adk.eval_set.turn_change import results, user_gives
from trace_inspector.formats.adk.session.invocation_writer import Leftovers, invocation_json, rubric_json
from trace_inspector.formats.adk.session.session_invocation import as_invocation
from trace_inspector.formats.common.fields import Fields
from trace_inspector.formats.extension.change import followed_tables, with_matchers, with_note
from trace_inspector.formats.extension.writer import tables_of, with_tables
from trace_inspector.formats.writing.case_draft import CaseDraft
from trace_inspector.formats.writing.unsupported_changes import describe_here, expect_here, judge_here, title_here


def changed(raw: JsonObject, before: Case, change: GoldenChange) -> JsonObject:
    """The case with a change made; matchers and notes follow what they are about."""
    draft = CaseDraft(before, raw)
    if isinstance(change, HandsOver):
        change = transfers_as_calls(before, draft.turn(change.turn), change)
    calls = _CHANGES[type(change)](draft, change)
    new = draft.value
    if not isinstance(new, dict):
        raise EditError("A case must stay an object.")
    tables = followed_tables(tables_of(raw), steps_between(raw, new))
    if isinstance(change, Calls):
        tables["matchers"] = with_matchers(tables["matchers"], new, draft.within(change.turn), change, calls or ())
    if isinstance(change, Noted):
        tables["notes"] = with_note(tables["notes"], draft.within(change.place), change.text)
    return with_tables(new, tables)


def described(value: JsonObject, change: SuiteDescribed) -> JsonObject:
    """The eval set with another name and description."""
    said = {**value}
    for key, text in (("name", change.name), ("description", change.description)):
        if text != (Fields(value, "").text(key) or ""):
            said[key] = text
            if not text:
                del said[key]
    return said


def _user_says(draft: CaseDraft, change: UserSays) -> None:
    turn = draft.turn(change.turn)
    pointer = draft.fields(draft.within(change.turn)).at("user_content")
    _say(draft, pointer, turn.user, change.text, "user")


def _answers(draft: CaseDraft, change: Answers) -> None:
    turn = draft.turn(change.turn)
    pointer = draft.fields(draft.within(change.turn)).at("final_response")
    if change.text is None:
        draft.put_or_drop(pointer, None)
    else:
        _say(draft, pointer, turn.final_response or (), change.text, "model")


def _say(draft: CaseDraft, pointer: str, parts: tuple[Part, ...], text: str, role: str) -> None:
    """Other words where the first ones stand, and none where more followed; a content where there was none."""
    words = [part for part in parts if isinstance(part, Text)]
    if words and not all(is_below(part.place, draft.before.place + pointer) for part in words):
        raise EditError("These words stand under another tool's key. Edit the file by hand.")
    if not words:
        held = draft.fields(pointer)
        listed = held.get("parts")
        parts_left = listed if isinstance(listed, list) else []
        draft.put(pointer, {**held.value, "parts": [*parts_left, {"text": text}], "role": held.text("role") or role})
        return
    for part in reversed(words[1:]):
        draft.drop(draft.within(part.place).rpartition("/")[0])
    draft.put(draft.within(words[0].place), text)


def _rubrics(draft: CaseDraft, change: Rubrics) -> None:
    owner = draft.within(change.owner)
    pointer = draft.fields(owner).at("rubrics")
    listed: list[Json] = [_rubric(draft, rubric) for rubric in change.rubrics]
    draft.put_or_drop(pointer, listed or None)


def _rubric(draft: CaseDraft, rubric: Rubric) -> Json:
    if rubric.group or rubric.importance:
        raise EditError("A rubric of ADK has neither group nor importance. Say in its text what it is about.")
    held = draft.fields(draft.within(rubric.place)) if rubric.place else None
    if held is None or not held.value:
        return rubric_json(rubric)
    content = held.object("rubric_content")
    said: JsonObject = {**held.value}
    for name, value in (("rubric_id", rubric.id), ("type", rubric.type), ("description", rubric.description)):
        if value != held.text(name):
            said[held.key(name) or name] = value
    if content is None or content.text("text_property") != rubric.text:
        inside = {} if content is None else content.value
        name = (content.key("text_property") if content else None) or "text_property"
        said[held.key("rubric_content") or "rubric_content"] = {**inside, name: rubric.text}
    return held.value if said == held.value else said


def _turns(draft: CaseDraft, change: Turns) -> None:
    fields = draft.fields("")
    if fields.object("conversation_scenario") is not None:
        raise EditError("A scenario of ADK has no turns. Make a new case for them.")
    losses: list[Finding] = []
    left = Leftovers(losses)
    turns: list[Json] = []
    for index, turn in enumerate(change.turns):
        if turn.place and any(turn.place == other.place for other in draft.before.turns):
            turns.append(draft.at(draft.within(turn.place)))
        else:
            pointer = f"/conversation/{index}"
            told = as_invocation(turn, pointer, left) if change.recorded else turn
            turns.append(invocation_json(told, pointer, left))
    draft.put(fields.at("conversation"), turns)


def _named(draft: CaseDraft, change: Named) -> None:
    fields = draft.fields("")
    draft.put(
        fields.at("case_id" if fields.key("eval_id") is None and fields.key("case_id") else "eval_id"), change.id
    )


def _tagged(draft: CaseDraft, change: Tagged) -> None:
    draft.put_or_drop("/tags", [*change.tags] or None)


def _begins_with(draft: CaseDraft, change: BeginsWith) -> None:
    pointer = draft.fields("").at("session_input")
    if change.session is None:
        draft.put_or_drop(pointer, None)
        return
    held = draft.fields(pointer)
    said: JsonObject = {**held.value}
    session = change.session
    wanted = {"app_name": session.app or "", "user_id": session.user or "", "session_id": session.id}
    for name, text in wanted.items():
        if text is not None and text != held.text(name):
            said[held.key(name) or name] = text
        elif text is None:
            said.pop(held.key(name) or name, None)
    state = held.key("state") or "state"
    if session.state is None:
        said.pop(state, None)
    else:
        said[state] = session.state
    draft.put(pointer, said)


def _ends_with(draft: CaseDraft, change: EndsWith) -> None:
    draft.put_or_drop(draft.fields("").at("final_session_state"), change.state)


def _simulated(draft: CaseDraft, change: Simulated) -> None:
    if isinstance(draft.fields("").get("conversation"), list):
        raise EditError("A scripted case of ADK has no simulated user. Make a new case for that.")
    pointer = draft.fields("").at("conversation_scenario")
    held = draft.fields(pointer)
    said: JsonObject = {**held.value}
    scenario = change.scenario
    if scenario.facts or scenario.goal or scenario.variables is not None or scenario.max_turns is not None:
        raise EditError("A scenario of ADK is first words, a plan and a persona. Say all else in the plan.")
    for name, text in (("starting_prompt", scenario.starting_prompt), ("conversation_plan", scenario.plan)):
        said[held.key(name) or name] = text
    key = held.key("user_persona") or "user_persona"
    if scenario.persona is None:
        said.pop(key, None)
    elif draft.before.scenario is None or scenario.persona != draft.before.scenario.persona:
        said[key] = _persona(scenario.persona)
    draft.put(pointer, said)


def _persona(persona: Persona) -> Json:
    """One of ADK's own by its id, or the whole description of another."""
    if persona.stated is not None:
        return {**persona.stated, "id": persona.id, "description": persona.description}
    if persona.id not in PERSONAS:
        named = ", ".join(sorted(PERSONAS))
        raise EditError(f"ADK knows no persona “{persona.id}”. Choose {named}, or describe one in Raw.")
    return persona.id


def _noted(_draft: CaseDraft, _change: Noted) -> None:
    """What is noted stands beside; see `changed`."""


_CHANGES: Mapping[type, Callable[[CaseDraft, Any], tuple[JsonObject, ...] | None]] = {
    UserSays: _user_says,
    UserGives: user_gives,
    Answers: _answers,
    Calls: change_calls,
    Results: results,
    Expected: expect_here,
    Judged: judge_here,
    Rubrics: _rubrics,
    Turns: _turns,
    Named: _named,
    Titled: title_here,
    Described: describe_here,
    Tagged: _tagged,
    BeginsWith: _begins_with,
    EndsWith: _ends_with,
    Simulated: _simulated,
    Noted: _noted,
}
