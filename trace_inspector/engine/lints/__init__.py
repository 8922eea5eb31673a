"""Lints of goldens, listed in LINTS. Pure functions over the typed view; a GoldenChange fixes a hint."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.golden.golden import Suite
from trace_inspector.engine.lints import suites, turns
from trace_inspector.engine.lints.lint import Fix, Hint, Lint, LintContext, of_each_case
from trace_inspector.engine.lints.near_duplicates import near_duplicates

__all__ = ["LINTS", "Fix", "Hint", "Lint", "LintContext", "linted"]

LINTS: tuple[Lint, ...] = (
    Lint(
        "from-failing-run",
        "Made from a failing run",
        "A golden says what is right. Made from a failed run, it demands the failure.",
        suites.from_failing_runs,
    ),
    Lint(
        "no-id",
        "No id",
        "Results, baselines and overrules refer to a case by its id. Without an id they are lost at the next run.",
        suites.unnamed_cases,
    ),
    Lint(
        "repeated-id",
        "Repeated id",
        "Two cases with the same id share their results: one overwrites the other.",
        suites.repeated_ids,
    ),
    Lint(
        "undeclared-tool",
        "Undeclared tool",
        "The agents of this turn declare their tools, and this one is not among them: no run can call it.",
        of_each_case(turns.undeclared_tools),
    ),
    Lint(
        "wrong-argument",
        "Argument not in the schema",
        "The tool declares its arguments. A call that does not fit cannot be made as the golden wants it.",
        of_each_case(turns.wrong_arguments),
    ),
    Lint(
        "empty-answer",
        "Empty expected answer",
        "An empty expected answer matches nothing: criteria for the answer score 0 whatever the agent says.",
        of_each_case(turns.empty_answers),
    ),
    Lint(
        "rubrics",
        "Rubric that decides nothing",
        "A rubric needs a text to judge, an id of its own, and a type that a criterion reads.",
        of_each_case(suites.odd_rubrics),
    ),
    Lint(
        "criterion-lacks",
        "Criterion lacks what it needs",
        "A criterion that has nothing to compare the run with is not evaluated, which is easily mistaken for passed.",
        suites.lacking_for_criteria,
    ),
    Lint(
        "silent-user",
        "Turn without the user's words",
        "A turn begins with what the user says. Without it traces cannot be paired by their words.",
        of_each_case(turns.silent_users),
    ),
    Lint(
        "volatile-value",
        "Volatile value compared exactly",
        "Ids and times are different in every run, so an exact comparison fails without a real reason.",
        of_each_case(turns.volatile_values),
    ),
    Lint(
        "near-duplicate",
        "Near-duplicate case",
        "Cases that ask the same count the same behaviour several times, and cost as many judge calls.",
        near_duplicates,
    ),
)


def linted(suite: Suite, around: LintContext | None = None) -> Iterator[Hint]:
    """All hints for a suite, lint by lint."""
    context = around or LintContext()
    for lint in LINTS:
        yield from lint.check(suite, context)
