"""Bulk edits of goldens in several files: the preview is the plan that is carried out, one undo step a file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct

from trace_inspector.core.errors import EditError, UsageError
from trace_inspector.core.golden.bulk_change import Bulk, DeleteCases, ReplaceText, Row, Where
from trace_inspector.core.golden.bulk_effects import bulk_title, effect_on
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.values.json_numbers import has_lone_surrogate
from trace_inspector.core.values.value_edits import ValueStep
from trace_inspector.core.values.values import Json
from trace_inspector.engine.scoring.patterns import replaced_in, why_unusable
from trace_inspector.flows.goldens.golden_session import GoldenSession, Moved

_MOST_SHOWN = 80  # characters of what was typed; its spaces stay


class Target(Struct, frozen=True):
    """Cases of one file, as they are now."""

    goldens: GoldenSession
    cases: Sequence[Case]

    @classmethod
    def of(cls, goldens: GoldenSession, places: Iterable[str] | None = None) -> Target:
        """Some cases of a file, or all of them."""
        return cls(goldens, tuple(map(goldens.case, goldens.places if places is None else places)))


class FilePlan(Struct, frozen=True):
    """The changes planned for one file, valid for this value of it."""

    goldens: GoldenSession
    value: Json
    rows: tuple[Row, ...]
    steps: tuple[ValueStep, ...]
    deleted: frozenset[str]

    def do(self) -> Moved:
        """Make the change as one undo step."""
        if self.deleted:
            return self.goldens.arrange([place for place in self.goldens.places if place not in self.deleted])
        return self.goldens.make(self.steps)


class BulkPlan(Struct, frozen=True):
    """A bulk edit before it is made. `left_out` lists what cannot be changed, and why."""

    sentence: str
    files: tuple[FilePlan, ...]
    left_out: tuple[str, ...]

    @property
    def rows(self) -> tuple[Row, ...]:
        """Everything that would change, file by file."""
        return tuple(row for file in self.files for row in file.rows)

    def do(self) -> list[Moved]:
        """Change all files or none."""
        if any(file.goldens.value is not file.value for file in self.files):
            raise EditError("A file has changed since this preview was made. Look at the preview again.")
        done: list[Moved] = []
        try:
            for file in self.files:
                done += [file.do()]
        except EditError:
            for file in self.files[: len(done)]:
                file.goldens.undo()
            raise
        return done


def planned(targets: Iterable[Target], bulk: Bulk) -> BulkPlan:
    """Plan a bulk edit of these cases. Cases whose format refuses the change are left out, with the reason."""
    files: list[FilePlan] = []
    left_out: list[str] = []
    for target in targets:
        rows: list[Row] = []
        steps: list[ValueStep] = []
        deleted: set[str] = set()
        for case in target.cases:
            effect = effect_on(case, bulk)
            left_out += effect.left_out
            if not effect.rows:
                continue
            try:
                steps += target.goldens.steps_of(case, effect.changes)
            except EditError as refusal:
                left_out.append(f"“{case.id}”: {refusal.sentence}")
                continue
            rows += effect.rows
            if effect.deletes:
                deleted.add(case.place)
        if rows:
            goldens = target.goldens
            files.append(FilePlan(goldens, goldens.value, tuple(rows), tuple(steps), frozenset(deleted)))
    return BulkPlan(_sentence(bulk, files), tuple(files), tuple(left_out))


def text_replacement(
    where: Iterable[Where], old: str, new: str, *, is_pattern: bool = False, any_case: bool = False
) -> ReplaceText:
    """Search and replace: plain text, or a regular expression whose groups the new text may refer to."""
    pattern = old if is_pattern else re.escape(old)
    if not old:
        raise UsageError("There is nothing to search for. Enter the text to replace.")
    if has_lone_surrogate(new):
        raise UsageError("Half of a character cannot be put in. Paste the whole of it.")
    short_old, short_new = _short(old), _short(new)
    if is_pattern and (why := why_unusable(pattern)):
        raise UsageError(f"“{short_old}” cannot be searched for: {_short(why)}.")
    literal = new if is_pattern else new.replace("\\", "\\\\")

    def replaced(text: str) -> str:
        try:
            return replaced_in(pattern, literal, text, any_case=any_case)
        except TimeoutError:
            raise EditError(f"“{short_old}” takes too long to search for. Write a simpler pattern.") from None
        except ValueError as problem:
            raise EditError(f"“{short_new}” cannot be put in: {_short(str(problem))}.") from None

    return ReplaceText(frozenset(where), replaced, f"Replace “{short_old}” with “{short_new}”")


def _short(text: str) -> str:
    return text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 1]}…"


def _sentence(bulk: Bulk, files: Sequence[FilePlan]) -> str:
    cases = {(id(file.goldens), row.case_place) for file in files for row in file.rows}
    where = _counted(len(cases), "case")
    if len(files) > 1:
        where += f" of {len(files)} files"
    if isinstance(bulk, DeleteCases):
        return f"Delete {where}"
    places = sum(len(file.rows) for file in files)
    return f"{bulk_title(bulk)} in {where}" + (f", {_counted(places, 'place')}" if places != len(cases) else "")


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
