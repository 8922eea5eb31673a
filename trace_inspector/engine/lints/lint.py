"""What a lint is: one thing that makes a golden worth less than it looks, with its place and a way to mend it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.golden.golden_change import GoldenChange
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.verdict.verdict import Status


@dataclass(frozen=True, slots=True)
class Mend:
    """One step that takes a hint away: changes of its case, or the case taken out of the suite."""

    title: str
    changes: tuple[GoldenChange, ...] = ()
    drops_case: bool = False


@dataclass(frozen=True, slots=True)
class Hint:
    """One finding of a lint. `case` and `place` say where it is."""

    lint: str
    sentence: str
    case: str
    place: str
    mend: Mend | None = None


@dataclass(frozen=True, slots=True)
class Around:
    """What is known beside the suite: criteria it will be judged by, and how the run fared that a case was made from.

    `runs` goes by the case's place.
    """

    criteria: tuple[Criterion, ...] = ()
    runs: Mapping[str, Status] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Lint:
    """One line of LINTS. `why` explains to people what is wrong with what it finds."""

    name: str
    title: str
    why: str
    look: Callable[[Suite, Around], Iterator[Hint]]


def of_each_case(look: Callable[[Case], Iterator[Hint]]) -> Callable[[Suite, Around], Iterator[Hint]]:
    """A lint that looks at one case at a time."""

    def looks(suite: Suite, _around: Around) -> Iterator[Hint]:
        for case in suite.cases:
            yield from look(case)

    return looks
