"""What a lint is: a defect of a golden that is easily overlooked, with its place and a fix."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct, field

from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.golden.golden_change import GoldenChange
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.verdict.verdict import Status


class Fix(Struct, frozen=True):
    """A fix for a hint: changes of its case, or removing the case from the suite."""

    title: str
    changes: tuple[GoldenChange, ...] = ()
    drops_case: bool = False


class Hint(Struct, frozen=True):
    """One finding of a lint, at `place` in `case`."""

    lint: str
    sentence: str
    case: str
    place: str
    fix: Fix | None = None


class LintContext(Struct, frozen=True):
    """Context of a suite: the criteria it will be judged by, and the statuses of the runs that cases were made from.

    `runs` is keyed by the case's place.
    """

    criteria: tuple[Criterion, ...] = ()
    runs: Mapping[str, Status] = field(default_factory=dict)


class Lint(Struct, frozen=True):
    """One entry of LINTS. `why` explains the defect to users."""

    name: str
    title: str
    why: str
    check: Callable[[Suite, LintContext], Iterator[Hint]]


def of_each_case(look: Callable[[Case], Iterator[Hint]]) -> Callable[[Suite, LintContext], Iterator[Hint]]:
    """A lint that looks at one case at a time."""

    def looks(suite: Suite, _around: LintContext) -> Iterator[Hint]:
        for case in suite.cases:
            yield from look(case)

    return looks
