"""Changes of a golden in an ADK eval set: the raw case as it is afterwards, every untouched part the same object."""

from __future__ import annotations

from collections.abc import Sequence

from trace_inspector.core.errors import EditError
from trace_inspector.core.finding import Finding
from trace_inspector.core.golden.golden import Case, Persona
from trace_inspector.core.golden.golden_change import (
    Answers,
    BeginsWith,
    Calls,
    EndsWith,
    GoldenChange,
    Named,
    Results,
    Rubrics,
    Simulated,
    SuiteDescribed,
    Tagged,
    Turns,
    UserGives,
    UserSays,
)
from trace_inspector.core.trace.parts import Part
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.trace.trace import Turn
from trace_inspector.core.values.value_edits import is_below
from trace_inspector.core.values.values import ABSENT, Absent, Json, JsonObject
from trace_inspector.formats.adk.common.schemas import PERSONAS
from trace_inspector.formats.adk.eval_set.change_calls import change_calls
from trace_inspector.formats.adk.eval_set.turn_change import change_listed_results, change_user_parts
from trace_inspector.formats.adk.session.invocation_writer import Leftovers, invocation_json, rubric_json
from trace_inspector.formats.adk.session.session_invocation import as_invocation
from trace_inspector.formats.common.fields import Fields
from trace_inspector.formats.writing.case_draft import CaseDraft, texts_in, with_keys
from trace_inspector.formats.writing.case_editor import ExtensionCaseEditor


def changed(raw: JsonObject, before: Case, change: GoldenChange) -> JsonObject:
    """The case with a change made; matchers and notes follow what they are about."""
    return AdkCaseEditor(CaseDraft(before, raw)).changed(change)


def described(value: JsonObject, change: SuiteDescribed) -> JsonObject:
    """The eval set with another name and description."""
    eval_set = {**value}
    for key, text in (("name", change.name), ("description", change.description)):
        if text != (Fields(value, "").text(key) or ""):
            eval_set[key] = text
            if not text:
                del eval_set[key]
    return eval_set


class AdkCaseEditor(ExtensionCaseEditor):
    """Edits a case of an eval set."""

    def user_says(self, change: UserSays) -> None:
        """Change the words of the user's message."""
        pointer = self.draft.fields(self.draft.within(change.turn)).pointer("user_content")
        self._put_words(pointer, self.draft.turn(change.turn).user, change.text, "user")

    def user_gives(self, change: UserGives) -> None:
        """Change the parts of the user's message."""
        change_user_parts(self.draft, change)

    def answer(self, change: Answers) -> None:
        """Change the words of the final response, or take it out."""
        turn = self.draft.turn(change.turn)
        pointer = self.draft.fields(self.draft.within(change.turn)).pointer("final_response")
        if change.text is None:
            self.draft.put_or_drop(pointer, None)
        else:
            self._put_words(pointer, turn.final_response or (), change.text, "model")

    def _put_words(self, pointer: str, parts: tuple[Part, ...], text: str, role: str) -> None:
        """Another text in the place of the first; further ones go. A content where there was none."""
        words = texts_in(parts)
        if words and not all(is_below(part.place, self.draft.before.place + pointer) for part in words):
            raise EditError("These words stand under another tool's key. Edit the file by hand.")
        if words:
            self.draft.put_text(words, text)
            return
        content = self.draft.fields(pointer)
        raws: list[Json] = [*self.draft.list_at(f"{pointer}/parts"), {"text": text}]
        self.draft.put(pointer, {**content.value, "parts": raws, "role": content.text("role") or role})

    def place_calls(self, change: Calls) -> tuple[Calls, Sequence[JsonObject]]:
        """Place the expected calls in the list of calls, or in the parts of events."""
        return change, change_calls(self.draft, change)

    def expect_results(self, change: Results) -> None:
        """Change the list of responses, or the parts of events."""
        change_listed_results(self.draft, change)

    def set_rubrics(self, change: Rubrics) -> None:
        """Change the rubrics of the case or of a turn."""
        pointer = self.draft.fields(self.draft.within(change.owner)).pointer("rubrics")
        rubrics: list[Json] = [self._rubric(rubric) for rubric in change.rubrics]
        self.draft.put_or_drop(pointer, rubrics or None)

    def _rubric(self, rubric: Rubric) -> Json:
        if rubric.group or rubric.importance:
            raise EditError("A rubric of ADK has no group and no importance. Put them into its text.")
        fields = self.draft.fields(self.draft.within(rubric.place)) if rubric.place else None
        if fields is None or not fields.value:
            return rubric_json(rubric)
        stated = (("rubric_id", rubric.id), ("type", rubric.type), ("description", rubric.description))
        members: dict[str, Json] = {name: value for name, value in stated if value != fields.text(name)}
        content = fields.object("rubric_content")
        if content is None or content.text("text_property") != rubric.text:
            members["rubric_content"] = with_keys(content or Fields({}, ""), {"text_property": rubric.text})
        return with_keys(fields, members) if members else fields.value

    def arrange_turns(self, change: Turns) -> None:
        """Change the conversation; new turns are written as invocations."""
        fields = self.draft.fields("")
        if fields.object("conversation_scenario") is not None:
            raise EditError("A scenario of ADK has no turns. Make a new case for them.")
        losses: list[Finding] = []
        leftovers = Leftovers(losses)

        def write(index: int, turn: Turn) -> Json:
            pointer = f"/conversation/{index}"
            invocation = as_invocation(turn, pointer, leftovers) if change.recorded else turn
            return invocation_json(invocation, pointer, leftovers)

        self.draft.put(fields.pointer("conversation"), self.draft.raw_turns(change.turns, write))

    def set_id(self, change: Named) -> None:
        """Change the id, which older files call the id of the case."""
        fields = self.draft.fields("")
        is_older = fields.key("eval_id") is None and fields.key("case_id") is not None
        self.draft.put(fields.pointer("case_id" if is_older else "eval_id"), change.id)

    def tag(self, change: Tagged) -> None:
        """Change the tags."""
        self.draft.put_or_drop("/tags", [*change.tags] or None)

    def begin_with(self, change: BeginsWith) -> None:
        """Change the session input, or take it out."""
        session = change.session
        fields = self.draft.fields(self.draft.fields("").pointer("session_input"))
        if session is None:
            self.draft.put_or_drop(fields.place, None)
            return
        members: dict[str, Json | Absent] = {
            "app_name": session.app or "",
            "user_id": session.user or "",
            "session_id": ABSENT if session.id is None else session.id,
            "state": ABSENT if session.state is None else session.state,
        }
        self.draft.put(fields.place, with_keys(fields, members))

    def end_with(self, change: EndsWith) -> None:
        """Change the final session state, or take it out."""
        self.draft.put_or_drop(self.draft.fields("").pointer("final_session_state"), change.state)

    def simulate(self, change: Simulated) -> None:
        """Change the scenario."""
        if isinstance(self.draft.fields("").get("conversation"), list):
            raise EditError("A scripted case of ADK has no simulated user. Make a new scenario for that.")
        scenario, before = change.scenario, self.draft.before.scenario
        if scenario.facts or scenario.goal or scenario.variables is not None or scenario.max_turns is not None:
            raise EditError(
                "A scenario of ADK has a first message, a plan and a persona. Put everything else into the plan."
            )
        members: dict[str, Json | Absent] = {
            "starting_prompt": scenario.starting_prompt,
            "conversation_plan": scenario.plan,
        }
        if scenario.persona is None:
            members["user_persona"] = ABSENT
        elif before is None or scenario.persona != before.persona:
            members["user_persona"] = _persona(scenario.persona)
        fields = self.draft.fields(self.draft.fields("").pointer("conversation_scenario"))
        self.draft.put(fields.place, with_keys(fields, members))


def _persona(persona: Persona) -> Json:
    """One of ADK's own by its id, or the whole description of another."""
    if persona.stated is not None:
        return {**persona.stated, "id": persona.id, "description": persona.description}
    if persona.id not in PERSONAS:
        named = ", ".join(sorted(PERSONAS))
        raise EditError(f"ADK knows no persona “{persona.id}”. Choose {named}, or describe one in Raw.")
    return persona.id
