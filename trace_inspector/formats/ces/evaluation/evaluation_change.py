"""Changes of a golden in a CES evaluation: the raw value afterwards, every untouched part the same object."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from trace_inspector.core.errors import EditError
from trace_inspector.core.golden.golden import Case, Scenario
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
    Tagged,
    Titled,
    Turns,
    UserGives,
    UserSays,
)
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.value_edits import is_below
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.ces.common.content_writer import by_place
from trace_inspector.formats.ces.common.losses import Losses
from trace_inspector.formats.ces.evaluation.evaluation_golden_writer import GoldenWriter
from trace_inspector.formats.ces.evaluation.expectations_change import expect, expect_results, expect_transfers, judge
from trace_inspector.formats.ces.evaluation.inputs_change import user_gives
from trace_inspector.formats.ces.evaluation.steps_change import answers, expect_calls, set_variables, user_says
from trace_inspector.formats.common.fields import Fields, camel
from trace_inspector.formats.writing.case_draft import CaseDraft


def changed(raw: JsonObject, before: Case, change: GoldenChange) -> JsonObject:
    """The evaluation with a change made. How arguments are compared stands in them, and goes where they go."""
    draft = CaseDraft(before, raw)
    _CHANGES[type(change)](draft, change)
    if not isinstance(draft.value, dict):
        raise EditError("An evaluation must stay an object.")
    return draft.value


def _rubrics(draft: CaseDraft, change: Rubrics) -> None:
    scenario = draft.fields("").object("scenario")
    if scenario is None or change.owner != draft.before.place:
        raise EditError("Only scenarios of CES have rubrics. Expect a criterion by its name instead.")
    if any(rubric.type or rubric.description or rubric.group or rubric.importance for rubric in change.rubrics):
        raise EditError("A rubric of CES is a sentence alone. Leave type, group, importance and description empty.")
    listed: list[Json] = [rubric.text for rubric in change.rubrics]
    draft.put_or_drop(scenario.at("rubrics"), listed or None)


def _turns(draft: CaseDraft, change: Turns) -> None:
    golden = draft.fields("").object("golden")
    if golden is None:
        raise EditError("A scenario of CES has no turns. Make a golden of it in a file of its own.")
    known = {turn.place for turn in draft.before.turns if turn.place}
    writer = GoldenWriter(by_place(draft.before.matchers), Losses())
    draft.put(
        golden.at("turns"),
        [draft.at(draft.within(turn.place)) if turn.place in known else writer.turn(turn) for turn in change.turns],
    )


def _named(draft: CaseDraft, change: Named) -> None:
    """The last part of the name is the id; without a name the display name is."""
    fields = draft.fields("")
    owner, slash, _ = (fields.text("name") or "").rpartition("/")
    if fields.text("name"):
        draft.put(fields.at("name"), f"{owner}{slash}{change.id}")
    else:
        draft.put(_key(fields, "display_name"), change.id)


def _titled(draft: CaseDraft, change: Titled) -> None:
    """The display name, where that is not the id."""
    fields = draft.fields("")
    if change.title == draft.before.title:
        return
    if not fields.text("name"):
        raise EditError("This evaluation has no name, so its display name is its id. Change the id.")
    if not change.title:
        raise EditError("CES wants a display name of every evaluation. Write one.")
    draft.put(_key(fields, "display_name"), change.title)


def _described(draft: CaseDraft, change: Described) -> None:
    draft.put_or_drop(_key(draft.fields(""), "description"), change.text or None)


def _tagged(draft: CaseDraft, change: Tagged) -> None:
    draft.put_or_drop("/tags", [*change.tags] or None)


def _begins_with(draft: CaseDraft, change: BeginsWith) -> None:
    session = change.session
    if session is not None and any((session.app, session.user, session.id)):
        raise EditError("CES names no app, user or session in an evaluation. Set the state alone.")
    if not draft.before.turns:
        raise EditError("There is no turn in which variables could be set. Add a turn first.")
    set_variables(draft, draft.before.turns[0].place, session.state if session is not None else None)


def _ends_with(_draft: CaseDraft, change: EndsWith) -> None:
    if change.state is not None:
        raise EditError("CES expects variables in a turn, not at the end. Expect them in the last turn.")


def _simulated(draft: CaseDraft, change: Simulated) -> None:
    held = draft.fields("").object("scenario")
    if held is None:
        raise EditError("A golden of CES has no simulated user. Make a scenario of it in a file of its own.")
    wanted, stated = change.scenario, draft.before.scenario or Scenario("", "")
    if wanted.starting_prompt or wanted.persona is not None:
        raise EditError("CES has neither first words nor a persona here. Say in the task how the user begins.")
    facts: list[Json] = [{"name": name, "value": value} for name, value in wanted.facts]
    said: dict[str, tuple[object, object, Json]] = {
        "task": (wanted.plan, stated.plan, wanted.plan),
        "max_turns": (wanted.max_turns, stated.max_turns, wanted.max_turns),
        "user_facts": (wanted.facts, stated.facts, facts or None),
        "user_goal_behavior": (wanted.goal, stated.goal, wanted.goal or None),
        "variable_overrides": (wanted.variables, stated.variables, wanted.variables),
    }
    for name, (now, then, value) in said.items():
        if now != then:
            draft.put_or_drop(_key(held, name), value)


def _noted(draft: CaseDraft, change: Noted) -> None:
    """CES keeps a note at an expectation; one about anything in it is the expectation's."""
    expectations = (one for turn in draft.before.turns for one in turn.expectations)
    about = next((one for one in expectations if is_below(change.place, one.place)), None)
    if about is None:
        raise EditError("CES keeps notes only at expectations. Choose one.")
    draft.put_or_drop(_key(draft.fields(draft.within(about.place)), "note"), change.text or None)


def _key(fields: Fields, name: str) -> str:
    """The pointer of a key, in the file's spelling, or where it would stand in camelCase."""
    return join(fields.place, fields.key(name) or camel(name))


_CHANGES: Mapping[type, Callable[[CaseDraft, Any], None]] = {
    UserSays: user_says,
    UserGives: user_gives,
    Answers: answers,
    Calls: expect_calls,
    Results: expect_results,
    HandsOver: expect_transfers,
    Expected: expect,
    Judged: judge,
    Rubrics: _rubrics,
    Turns: _turns,
    Named: _named,
    Titled: _titled,
    Described: _described,
    Tagged: _tagged,
    BeginsWith: _begins_with,
    EndsWith: _ends_with,
    Simulated: _simulated,
    Noted: _noted,
}
