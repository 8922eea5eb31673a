"""Editing the goldens of one document: changes come in as plain values, edited bytes and cases go out."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.errors import EditError
from trace_inspector.core.finding import Finding
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.golden_change import GoldenChange, SuiteDescribed
from trace_inspector.core.values.pointer import join, resolve
from trace_inspector.core.values.structural_sharing import with_shared_parts
from trace_inspector.core.values.value_edits import ValueStep, ordering_steps, pointers_after, steps_between
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.documents.base.document import Document
from trace_inspector.flows.goldens.apply_steps import after_steps
from trace_inspector.flows.goldens.edit_session import EditSession
from trace_inspector.formats.common.format import Editing, Format

# The place of an existing case, a new case, or one in the form of the format.
Arranged: TypeAlias = "str | Case | JsonObject"

SINGLE = "This document is a single case. Add others in files of their own."


class Moved(Struct, frozen=True):
    """What a change did: its steps, by which places can be followed, and the cases that changed or are new.

    `losses` list what a new case could not hold in this format.
    """

    steps: tuple[ValueStep, ...] = ()
    cases: tuple[str, ...] = ()
    losses: tuple[Finding, ...] = ()


class GoldenSession(Struct):
    """Changes the goldens of a document through its edit session, which journals every change first."""

    session: EditSession
    format: Format

    @property
    def value(self) -> Json:
        """The document's value now."""
        return self.session.state.document.value

    @property
    def places(self) -> tuple[str, ...]:
        """The places of the cases."""
        listed = self._editing.cases(self.value)
        if listed is None:
            return ("",) if self._is_golden(self.value) else ()
        raws = enumerate(_listed(self.value, listed))
        return tuple(join(listed, index) for index, raw in raws if self._is_golden(raw))

    @property
    def is_list(self) -> bool:
        """Whether cases can be added and removed; a document may be a single case."""
        return self._editing.cases(self.value) is not None

    def case(self, place: str, suite_id: str = "") -> Case:
        """The current case at a place."""
        return self._editing.read(self._raw(place), place, suite_id)

    def case_in(self, value: Json, place: str) -> Case | None:
        """The case at a place of an earlier value of the document; None where there was none."""
        raw = resolve(value, place)
        return self._editing.read(raw, place, "") if isinstance(raw, dict) and self._is_golden(raw) else None

    def change(self, place: str, *changes: GoldenChange) -> Moved:
        """Change one case, as one undo step. Each change uses the places that the one before it leaves."""
        return self.change_many({place: changes})

    def change_many(self, changes: Mapping[str, Sequence[GoldenChange]]) -> Moved:
        """Change several cases as one undo step."""
        return self.make(self.steps(changes))

    def steps(self, changes: Mapping[str, Sequence[GoldenChange]]) -> list[ValueStep]:
        """The steps for changes of several cases, not made yet; EditError where a case cannot be changed so."""
        steps: list[ValueStep] = []
        for place, case_changes in changes.items():
            steps += self.steps_of(self.case(place), case_changes)
        return steps

    def steps_of(self, case: Case, changes: Sequence[GoldenChange]) -> list[ValueStep]:
        """The steps for changes of a case that was just read."""
        return list(steps_between(self._raw(case.place), self._changed(case, changes), case.place))

    def foreseen(self, case: Case, changes: Sequence[GoldenChange]) -> tuple[JsonObject, Case]:
        """A case as changes would make it, which are not made here: in the form of the format, and read."""
        after = self._changed(case, changes)
        return after, self._editing.read(after, case.place, case.suite_id)

    def steps_to(self, place: str, after: JsonObject) -> list[ValueStep]:
        """The steps that make this of the case at a place, its new keys where they stand in it."""
        before = self._raw(place)
        steps = list(steps_between(before, after, place))
        return [*steps, *ordering_steps(before, steps, after, place)]

    def after(self, steps: Sequence[ValueStep]) -> Document:
        """The document as steps would make it, which are not made here."""
        before = self.session.state.document
        return after_steps(before, steps, self._editing.cases(before.value))[0] if steps else before

    def make(self, steps: Sequence[ValueStep]) -> Moved:
        """Make steps that were computed for the current value, as one undo step."""
        before = self.session.state.document
        if not steps:
            return Moved()
        document, patches = after_steps(before, steps, self._editing.cases(before.value))
        self.session.make(tuple(patches), document)
        # Other files than strict JSON are read anew, so all objects in their value are new.
        after = self.value if document.plain else with_shared_parts(self.value, before.value)
        return self._moved(before.value, steps, after)

    def arrange(self, cases: Sequence[Arranged]) -> Moved:
        """Have exactly these cases in this order, existing ones given by place. Everything else stays."""
        listed = self._editing.cases(self.value)
        if listed is None:
            raise EditError(SINGLE)
        losses: list[Finding] = []
        raws: list[Json] = []
        for case in cases:
            if isinstance(case, str):
                raws.append(self._raw(case))
            elif isinstance(case, dict):
                raws.append(case)
            else:
                raw, lost = self._editing.written(case)
                raws.append(raw)
                losses += lost
        before = _listed(self.value, listed)
        steps = tuple(steps_between(before, self._among_others(before, raws), listed))
        return replace(self.make(steps), losses=tuple(losses))

    def describe(self, change: SuiteDescribed) -> Moved:
        """Change what the document says of all its goldens, as one undo step."""
        described, value = self._editing.described, self.value
        if described is None or not isinstance(value, dict):
            raise EditError(f"A file of {self.format.title} has neither name nor description. Name the file itself.")
        return self.make([*steps_between(value, described(value, change))])

    def revert(self) -> Moved:
        """Go back to what was last opened or saved, as one undo step."""
        before = self.value
        if not self.session.revert().change:
            return Moved()
        return self._compared(before, self.value)

    def undo(self) -> Moved:
        """Undo the last step."""
        return self.go(-1)

    def redo(self) -> Moved:
        """Redo the step that was undone last."""
        return self.go(1)

    def go(self, steps: int) -> Moved:
        """Undo (below 0) or redo that many steps, all or none."""
        before, made, cases = self.value, list[ValueStep](), list[str]()
        for state in self.session.go(steps):
            moved = self._compared(before, state.document.value)
            now = pointers_after(cases, moved.steps)
            cases = [*(place for case in cases if (place := now[case]) is not None), *moved.cases]
            made += moved.steps
            before = state.document.value
        return Moved(tuple(made), tuple(dict.fromkeys(cases)))

    def since(self, before: Json) -> Moved:
        """What differs from a value that was read at another time."""
        moved = self._compared(before, self.value)
        return moved if moved.steps else Moved()

    @property
    def _editing(self) -> Editing:
        if self.format.editing is None:
            raise EditError(
                f"Goldens of {self.format.title} cannot be edited here. Convert the file, and edit the new one."
            )
        return self.format.editing

    def _changed(self, case: Case, changes: Sequence[GoldenChange]) -> JsonObject:
        """The raw case after changes."""
        raw = self._raw(case.place)
        for number, change in enumerate(changes):
            now = case if not number else self._editing.read(raw, case.place, "")
            raw = self._editing.changed(raw, now, change)
        return raw

    def _is_golden(self, raw: Json) -> bool:
        return isinstance(raw, dict) and self._editing.is_golden(raw)

    def _among_others(self, items: Sequence[Json], goldens: Sequence[Json]) -> list[Json]:
        """New items of the list: goldens take the places of goldens, further ones follow, everything else stays."""
        remaining = deque(goldens)
        there = [
            raw if not self._is_golden(raw) else remaining.popleft()
            for raw in items
            if remaining or not self._is_golden(raw)
        ]
        return [*there, *remaining]

    def _raw(self, place: str) -> JsonObject:
        raw = resolve(self.value, place)
        if not isinstance(raw, dict):
            raise EditError(f"There is no case at “{place}” any more. Select it again.")
        return raw

    def _compared(self, before: Json, after: Json) -> Moved:
        """What differs where the steps are not known and no object may be shared."""
        after = with_shared_parts(after, before)
        return self._moved(before, tuple(steps_between(before, after)), after)

    def _moved(self, before: Json, steps: Sequence[ValueStep], after: Json) -> Moved:
        listed = self._editing.cases(before)
        if listed is None:
            return Moved(tuple(steps), ("",))
        unchanged = {id(raw) for raw in _listed(before, listed)}
        now = _listed(after, listed)
        return Moved(
            tuple(steps), tuple(join(listed, index) for index, raw in enumerate(now) if id(raw) not in unchanged)
        )


def _listed(value: Json, pointer: str) -> list[Json]:
    """The list at a pointer; empty where there is none."""
    items = resolve(value, pointer)
    return items if isinstance(items, list) else []
