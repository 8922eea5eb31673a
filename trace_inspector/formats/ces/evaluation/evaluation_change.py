"""Changes of a golden in a CES evaluation: the raw value afterwards, every untouched part the same object."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

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
from trace_inspector.core.values.value_edits import is_below
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.ces.common.content_writer import by_place
from trace_inspector.formats.ces.common.losses import Losses
from trace_inspector.formats.ces.evaluation.evaluation_golden_writer import GoldenWriter
from trace_inspector.formats.ces.evaluation.expectations_change import (
    change_expectations,
    change_results,
    change_thresholds,
    change_transfers,
)
from trace_inspector.formats.ces.evaluation.inputs_change import change_inputs
from trace_inspector.formats.ces.evaluation.steps_change import (
    change_answer,
    change_calls,
    change_user_text,
    set_variables,
)
from trace_inspector.formats.common.fields import camel
from trace_inspector.formats.writing.case_draft import CaseDraft
from trace_inspector.formats.writing.case_editor import CaseEditor


class EvaluationDraft(CaseDraft):
    """The draft of an evaluation; new keys are in camelCase, as the service writes them."""

    def spell(self, name: str) -> str:
        """A new key in camelCase."""
        return camel(name)


def changed(raw: JsonObject, before: Case, change: GoldenChange) -> JsonObject:
    """The evaluation with a change made. How arguments are compared stands in them, and goes where they go."""
    return EvaluationEditor(EvaluationDraft(before, raw)).changed(change)


class EvaluationEditor(CaseEditor):
    """Edits a golden or a scenario of CES."""

    refusals: ClassVar[Mapping[type, str]] = {
        **CaseEditor.refusals,
        EndsWith: "CES expects variables in a turn, not at the end. Expect them in the last turn.",
    }

    def user_says(self, change: UserSays) -> None:
        """Change the text of a step."""
        change_user_text(self.draft, change)

    def user_gives(self, change: UserGives) -> None:
        """Change the inputs, a step each."""
        change_inputs(self.draft, change)

    def answer(self, change: Answers) -> None:
        """Change the last message that is expected."""
        change_answer(self.draft, change)

    def expect_calls(self, change: Calls) -> None:
        """Change the steps that expect calls."""
        change_calls(self.draft, change)

    def expect_results(self, change: Results) -> None:
        """Change the steps that expect results."""
        change_results(self.draft, change)

    def hand_over(self, change: HandsOver) -> None:
        """Change the steps that expect transfers."""
        change_transfers(self.draft, change)

    def expect(self, change: Expected) -> None:
        """Change the expectations of a turn or of the evaluation."""
        change_expectations(self.draft, change)

    def judge(self, change: Judged) -> None:
        """Change thresholds and switches."""
        change_thresholds(self.draft, change)

    def set_rubrics(self, change: Rubrics) -> None:
        """Change the rubrics of a scenario."""
        scenario = self.draft.fields("").object("scenario")
        if scenario is None or change.owner != self.draft.before.place:
            raise EditError("Only scenarios of CES have rubrics. Expect a criterion by its name instead.")
        if any(rubric.type or rubric.description or rubric.group or rubric.importance for rubric in change.rubrics):
            raise EditError(
                "A rubric of CES is only a sentence. Leave type, group, importance and description empty."
            )
        rubrics: list[Json] = [rubric.text for rubric in change.rubrics]
        self.draft.put_or_drop(scenario.pointer("rubrics"), rubrics or None)

    def arrange_turns(self, change: Turns) -> None:
        """Change the turns of a golden."""
        golden = self.draft.fields("").object("golden")
        if golden is None:
            raise EditError("A scenario of CES has no turns. Make a golden of it in a file of its own.")
        writer = GoldenWriter(by_place(self.draft.before.matchers), Losses())
        turns = self.draft.raw_turns(change.turns, lambda _index, turn: writer.turn(turn))
        self.draft.put(golden.pointer("turns"), turns)

    def set_id(self, change: Named) -> None:
        """Change the id: the last part of the name, or the display name where there is no name."""
        fields = self.draft.fields("")
        owner, slash, _ = (fields.text("name") or "").rpartition("/")
        if fields.text("name"):
            self.draft.put(fields.pointer("name"), f"{owner}{slash}{change.id}")
        else:
            self.draft.put(self.draft.key("", "display_name"), change.id)

    def set_title(self, change: Titled) -> None:
        """Change the display name, where that is not the id."""
        if change.title == self.draft.before.title:
            return
        if not self.draft.fields("").text("name"):
            raise EditError("This evaluation has no name, so its display name is its id. Change the id.")
        if not change.title:
            raise EditError("CES wants a display name of every evaluation. Write one.")
        self.draft.put(self.draft.key("", "display_name"), change.title)

    def describe(self, change: Described) -> None:
        """Change the description."""
        self.draft.put_or_drop(self.draft.key("", "description"), change.text or None)

    def tag(self, change: Tagged) -> None:
        """Change the tags."""
        self.draft.put_or_drop("/tags", [*change.tags] or None)

    def begin_with(self, change: BeginsWith) -> None:
        """Change the variables that are set in the first turn."""
        session = change.session
        if session is not None and any((session.app, session.user, session.id)):
            raise EditError("CES stores no app, user or session in an evaluation. Set only the state.")
        if not self.draft.before.turns:
            raise EditError("There is no turn in which variables could be set. Add a turn first.")
        set_variables(self.draft, self.draft.before.turns[0].place, session.state if session is not None else None)

    def simulate(self, change: Simulated) -> None:
        """Change the scenario."""
        if self.draft.fields("").object("scenario") is None:
            raise EditError("A golden of CES has no simulated user. Make a scenario of it in a file of its own.")
        scenario, before = change.scenario, self.draft.before.scenario or Scenario("", "")
        if scenario.starting_prompt or scenario.persona is not None:
            raise EditError("CES has no first message and no persona here. Say in the task how the user begins.")
        facts: list[Json] = [{"name": name, "value": value} for name, value in scenario.facts]
        members: dict[str, tuple[object, object, Json]] = {
            "task": (scenario.plan, before.plan, scenario.plan),
            "max_turns": (scenario.max_turns, before.max_turns, scenario.max_turns),
            "user_facts": (scenario.facts, before.facts, facts or None),
            "user_goal_behavior": (scenario.goal, before.goal, scenario.goal or None),
            "variable_overrides": (scenario.variables, before.variables, scenario.variables),
        }
        for name, (now, then, value) in members.items():
            if now != then:
                self.draft.put_or_drop(self.draft.key("/scenario", name), value)

    def note(self, change: Noted) -> None:
        """Change the note of an expectation; one about anything in it is the expectation's."""
        expectations = (expectation for turn in self.draft.before.turns for expectation in turn.expectations)
        owner = next((owner for owner in expectations if is_below(change.place, owner.place)), None)
        if owner is None:
            raise EditError("CES stores notes only at expectations. Add the note to one of them.")
        self.draft.put_or_drop(self.draft.key(self.draft.within(owner.place), "note"), change.text or None)
