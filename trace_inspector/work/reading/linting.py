"""In a child that reads a file: lints of its goldens, as findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from trace_inspector.core.finding import Finding, Severity, info
from trace_inspector.core.golden.golden import Suite
from trace_inspector.core.trace.criteria import Criteria

LINT = "lint:"  # the prefix of the codes of these findings
MOST_HINTS = 1_000  # that are listed one by one


def hints(suites: Sequence[Suite], criteria: Criteria | None, tick: Callable[[], None]) -> Iterator[Finding]:
    """The first findings, and the number of all."""
    from trace_inspector.engine.lints import LintContext, linted

    around = LintContext(tuple(criteria.items) if criteria is not None else ())
    count = 0
    for suite in suites:
        for hint in linted(suite, around):
            tick()
            count += 1
            if count <= MOST_HINTS:
                yield Finding(Severity.WARNING, f"{LINT}{hint.lint}", hint.sentence, hint.place)
    if count > MOST_HINTS:
        yield info(
            "many-hints", f"There are {count:,} hints about these goldens; the first {MOST_HINTS:,} are listed."
        )
