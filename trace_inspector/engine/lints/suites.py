"""Lints of cases among each other, of rubrics, and of what criteria need."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.golden.golden_change import Named, Rubrics, Tagged
from trace_inspector.core.golden.promoting import RUN_TAGS
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.trace.trace import Turn
from trace_inspector.core.values.unique_id import unique_id
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.engine.lints.criteria_needs import lacked_by
from trace_inspector.engine.lints.lint import Fix, Hint, LintContext

READ_TYPES = frozenset({"FINAL_RESPONSE_QUALITY", "TOOL_USE_QUALITY", "TRAJECTORY_QUALITY"})


def unnamed_cases(suite: Suite, _around: LintContext) -> Iterator[Hint]:
    """Cases without an id of their own."""
    taken = {case.id for case in suite.cases}
    for index, case in enumerate(suite.cases):
        if not case.id.strip():
            free = unique_id(f"case_{index + 1}", taken)
            taken.add(free)
            fix = Fix(f"Name it “{free}”", (Named(free),))
            yield Hint("no-id", "This case has no id, so results cannot refer to it.", case.place, case.place, fix)


def repeated_ids(suite: Suite, _around: LintContext) -> Iterator[Hint]:
    """Ids that several cases have."""
    taken = {case.id for case in suite.cases}
    seen: Counter[str] = Counter()
    for case in suite.cases:
        seen[case.id] += 1
        if seen[case.id] > 1:
            free = next(name for n in range(2, len(taken) + 3) if (name := f"{case.id}_{n}") not in taken)
            taken.add(free)
            fix = Fix(f"Name it “{free}”", (Named(free),))
            yield Hint(
                "repeated-id", f"The id “{case.id}” is already used by another case.", case.place, case.place, fix
            )


def from_failing_runs(suite: Suite, around: LintContext) -> Iterator[Hint]:
    """Cases made from a run that did not pass, as the context or a tag says."""
    for case in suite.cases:
        tagged = next((status for status, tag in RUN_TAGS.items() if tag in case.tags), None)
        status = around.runs.get(case.place, tagged)
        if status in _FARED:
            sentence = f"“{case.id}” was made from a run that {_FARED[status]}: it expects what went wrong there."
            yield Hint("from-failing-run", sentence, case.place, case.place, _untagged(case))


def _untagged(case: Case) -> Fix | None:
    """A fix that removes the tag, and with it the warning, from a golden that was corrected."""
    kept = tuple(tag for tag in case.tags if tag not in RUN_TAGS.values())
    return Fix("It expects what is right now: take the tag away", (Tagged(kept),)) if kept != case.tags else None


_FARED: Mapping[Status | None, str] = {Status.FAILED: "failed", Status.ERROR: "ended with an error"}


def odd_rubrics(case: Case) -> Iterator[Hint]:
    """Rubrics without text, with the id of another, or of a type that no criterion reads."""
    owners: list[Case | Turn] = [case, *case.turns]
    for owner in owners:
        seen: set[str] = set()
        for rubric in owner.rubrics:
            problem = _wrong_with(rubric, seen)
            seen.add(rubric.id)
            if problem:
                name, sentence = problem
                yield Hint(name, sentence, case.place, rubric.place, _mended(owner, rubric, name, seen))


def _wrong_with(rubric: Rubric, seen: set[str]) -> tuple[str, str] | None:
    if not rubric.text.strip():
        return "empty-rubric", f"Rubric “{rubric.id}” has no text: there is nothing to judge."
    if rubric.id in seen:
        return "repeated-rubric", f"Rubric “{rubric.id}” is here twice: the votes on the two cannot be told apart."
    if rubric.type is not None and not rubric.group and rubric.type not in READ_TYPES:
        types = ", ".join(sorted(READ_TYPES))
        return "unread-rubric", f"No criterion reads rubrics of type “{rubric.type}”; there are {types}."
    return None


def _mended(owner: Case | Turn, rubric: Rubric, name: str, taken: set[str]) -> Fix:
    if name == "repeated-rubric":
        free = next(
            free_name for n in range(2, len(owner.rubrics) + 3) if (free_name := f"{rubric.id}_{n}") not in taken
        )
        listed = tuple(replace(owned, id=free) if owned is rubric else owned for owned in owner.rubrics)
        return Fix(f"Name it “{free}”", (Rubrics(owner.place, listed),))
    if name == "unread-rubric":
        listed = tuple(replace(owned, type=None) if owned is rubric else owned for owned in owner.rubrics)
        return Fix("Take the type away", (Rubrics(owner.place, listed),))
    kept = tuple(owned for owned in owner.rubrics if owned is not rubric)
    return Fix("Take the rubric out", (Rubrics(owner.place, kept),))


def lacking_for_criteria(suite: Suite, around: LintContext) -> Iterator[Hint]:
    """Criteria that cannot be evaluated for a case because it lacks something."""
    for criterion in around.criteria:
        for case in suite.cases:
            lacked = lacked_by(case, criterion)
            if lacked:
                sentence = f"“{criterion.metric}” needs {lacked}; “{case.id}” has none."
                yield Hint("criterion-lacks", sentence, case.place, case.place)
