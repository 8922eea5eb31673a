"""Makes a change in one raw case: a method for each kind of change, refused where a format does not override it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from trace_inspector.core.errors import EditError
from trace_inspector.core.golden.equivalent_changes import transfers_as_calls
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
from trace_inspector.core.trace.expectation import Expects
from trace_inspector.core.values.value_edits import steps_between
from trace_inspector.core.values.values import JsonObject
from trace_inspector.formats.extension.change import followed_tables, with_matchers, with_note
from trace_inspector.formats.extension.writer import tables_of, with_tables
from trace_inspector.formats.writing.case_draft import CaseDraft

_INSTEAD: Mapping[Expects, str] = {
    Expects.CALL: "Change the expected calls of the turn.",
    Expects.RESULT: "Change the expected results of the turn.",
    Expects.ANSWER: "Change the expected answer of the turn.",
    Expects.TRANSFER: "Say to whom the turn hands over.",
    Expects.VARIABLES: "Expect a state at the end of the case, or a call that sets them.",
    Expects.NO_CALLS: "Remove the expected calls, and set the trajectory criterion to compare exactly.",
    Expects.CRITERION: "Add a rubric.",
    Expects.MOCK: "Give the agent a tool that returns this value, and state it as the expected result.",
}
_UNSUPPORTED: Mapping[type, str] = {
    UserSays: "words of the user",
    UserGives: "messages of the user",
    Answers: "expected answers",
    Calls: "expected calls",
    Results: "expected results",
    Rubrics: "rubrics",
    Turns: "turns",
    Named: "ids of cases",
    Tagged: "tags",
    BeginsWith: "sessions",
    EndsWith: "final states",
    Simulated: "simulated users",
    Noted: "notes",
}


class CaseEditor:
    """Makes changes in a draft. To ask for nothing where a format keeps nothing is no change, and not refused."""

    refusals: ClassVar[Mapping[type, str]] = {
        kind: f"This format has no {noun} that could be changed. Choose another format for that."
        for kind, noun in _UNSUPPORTED.items()
    } | {
        Judged: "This format stores criteria in a separate file. Open Criteria, and change them there.",
        Titled: "A case of this format has no title beside its id. Change the id.",
        Described: "A case of this format has no description. Add a note to it.",
    }

    def __init__(self, draft: CaseDraft) -> None:
        self.draft = draft

    def changed(self, change: GoldenChange) -> JsonObject:
        """The raw case with a change made, every untouched part the same object."""
        self.make(change)
        return self.draft.value

    def make(self, change: GoldenChange) -> None:
        """Make a change in the draft."""
        methods: Mapping[type, Callable[[Any], None]] = {
            UserSays: self.user_says,
            UserGives: self.user_gives,
            Answers: self.answer,
            Calls: self.expect_calls,
            Results: self.expect_results,
            HandsOver: self.hand_over,
            Expected: self.expect,
            Judged: self.judge,
            Rubrics: self.set_rubrics,
            Turns: self.arrange_turns,
            Named: self.set_id,
            Titled: self.set_title,
            Described: self.describe,
            Tagged: self.tag,
            BeginsWith: self.begin_with,
            EndsWith: self.end_with,
            Simulated: self.simulate,
            Noted: self.note,
        }
        methods[type(change)](change)

    def refuse(self, change: GoldenChange) -> None:
        """Say that the format has no place for this, and what to do instead."""
        raise EditError(self.refusals[type(change)])

    def user_says(self, change: UserSays) -> None:
        """Change the text of the user's message."""
        self.refuse(change)

    def user_gives(self, change: UserGives) -> None:
        """Change all that the user gives."""
        self.refuse(change)

    def answer(self, change: Answers) -> None:
        """Change the expected answer."""
        self.refuse(change)

    def expect_calls(self, change: Calls) -> None:
        """Change the expected calls."""
        self.refuse(change)

    def expect_results(self, change: Results) -> None:
        """Change the expected results."""
        self.refuse(change)

    def hand_over(self, change: HandsOver) -> None:
        """Expect transfers; without another place for them, as calls of the tool that hands over."""
        self.expect_calls(transfers_as_calls(self.draft.before, self.draft.turn(change.turn), change))

    def expect(self, change: Expected) -> None:
        """Change the list of expectations."""
        if change.expectations:
            expectation = change.expectations[0].expectation
            is_sentence = expectation.kind is Expects.CRITERION
            name = "a sentence for a judge" if is_sentence else f"“{expectation.kind.value}”"
            raise EditError(f"This format does not list {name} among expectations. {_INSTEAD[expectation.kind]}")

    def judge(self, change: Judged) -> None:
        """Change criteria."""
        if change.criteria:
            self.refuse(change)

    def set_rubrics(self, change: Rubrics) -> None:
        """Change rubrics."""
        self.refuse(change)

    def arrange_turns(self, change: Turns) -> None:
        """Move, add and remove turns."""
        self.refuse(change)

    def set_id(self, change: Named) -> None:
        """Change the id."""
        self.refuse(change)

    def set_title(self, change: Titled) -> None:
        """Change the title."""
        if change.title not in (self.draft.before.title, self.draft.before.id):
            self.refuse(change)

    def describe(self, change: Described) -> None:
        """Change the description."""
        if change.text:
            self.refuse(change)

    def tag(self, change: Tagged) -> None:
        """Change the tags."""
        self.refuse(change)

    def begin_with(self, change: BeginsWith) -> None:
        """Change the session in which the case begins."""
        if change.session is not None:
            self.refuse(change)

    def end_with(self, change: EndsWith) -> None:
        """Change the state that is expected at the end."""
        if change.state is not None:
            self.refuse(change)

    def simulate(self, change: Simulated) -> None:
        """Change the scenario of the simulated user."""
        self.refuse(change)

    def note(self, change: Noted) -> None:
        """Change a note."""
        self.refuse(change)


class ExtensionCaseEditor(CaseEditor, ABC):
    """Edits a case with matchers and notes under our own key, where they follow the values that they are about."""

    def __init__(self, draft: CaseDraft) -> None:
        super().__init__(draft)
        self.raw = draft.value
        self._calls: tuple[Calls, Sequence[JsonObject]] | None = None

    def changed(self, change: GoldenChange) -> JsonObject:
        """The raw case with a change made; matchers and notes follow."""
        self.make(change)
        tables = self.followed_tables()
        if self._calls is not None:
            calls, raws = self._calls
            owner = self.draft.within(calls.turn)
            stated = tables_of(self.raw)["matchers"]
            tables["matchers"] = with_matchers(tables["matchers"], self.draft.value, owner, calls, raws, stated)
        if isinstance(change, Noted):
            tables["notes"] = with_note(tables["notes"], self.draft.within(change.place), change.text)
        return self.with_tables(tables)

    def expect_calls(self, change: Calls) -> None:
        """Change the expected calls; their matchers are those of the change."""
        self._calls = self.place_calls(change)

    def note(self, change: Noted) -> None:
        """Change a note: under our key, once all else is done."""

    @abstractmethod
    def place_calls(self, change: Calls) -> tuple[Calls, Sequence[JsonObject]]:
        """Place the expected calls; gives the change with the place of its turn now, and the calls as they stand."""

    def followed_tables(self) -> dict[str, JsonObject]:
        """The matchers and notes by the pointers that they have after the change."""
        return followed_tables(tables_of(self.raw), steps_between(self.raw, self.draft.value))

    def with_tables(self, tables: Mapping[str, JsonObject]) -> JsonObject:
        """The raw case with matchers and notes under our key."""
        return with_tables(self.draft.value, tables)
