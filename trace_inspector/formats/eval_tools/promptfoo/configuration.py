"""promptfoo's configuration: its tests as cases, their asserts as what is expected; templates and code are shown."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

from trace_inspector.core.finding import error, info, warning
from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.trace.trace import Turn
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.pointer import join
from trace_inspector.formats.common.extras import stated_extras
from trace_inspector.formats.common.fields import MOST_ITEMS, Fields, Report, objects_in, or_null
from trace_inspector.formats.common.format import Source
from trace_inspector.formats.common.record_counts import RecordCounts
from trace_inspector.formats.eval_tools.promptfoo.asserts import expected_of
from trace_inspector.formats.eval_tools.promptfoo.questions import Question, Questions, Variable
from trace_inspector.formats.writing.unique_names import UniqueNames

_MOST_COMBINATIONS = 200  # of the values in the lists of one test
_MOST_COUNTED = 10**15  # a number of more digits than anybody reads
_TEMPLATES = "#/assertionTemplates/"
_MOST_NAMED = 5
_MARK_CHARS = 40
_LONGEST_MESSAGE = 400


def read_configuration(fields: Fields, source: Source, report: Report, counts: RecordCounts) -> Iterator[Item]:
    """The tests of the file itself; those that stand in other files are named."""
    suite = source.stem or "tests"
    tests = objects_in(or_null(fields.get("tests")), fields.pointer("tests"))
    elsewhere = [*_named_files(fields)]
    if elsewhere:
        named = ", ".join(f"“{name[:60]}”" for name in elsewhere[:_MOST_NAMED])
        more = len(elsewhere) - _MOST_NAMED
        rest = f" and {more} more" if more > 0 else ""
        message = f"Tests stand in other files, which are not read with this one: {named}{rest}."
        report.add(info("tests-elsewhere", message, fields.pointer("tests")))
    tests += [test for scenario in fields.objects("scenarios") for test in scenario.objects("tests")]
    for scenario in fields.objects("scenarios"):
        if scenario.objects("config"):
            message = "The tests of this scenario run once for each of its sets of variables; each is shown once."
            report.add(info("scenario-variables", message, scenario.place))
    if len(tests) > MOST_ITEMS:
        report.add(error("too-many-items", f"Of {len(tests):,} tests {MOST_ITEMS:,} are read.", fields.place))
    cases = cases_of_tests(tests[:MOST_ITEMS], fields, suite, counts, report)
    counts.understood()  # the configuration
    description = fields.text("description") or ""
    extras = stated_extras(fields, "tests", "description")
    yield Suite(suite, description=description, cases=cases, extras=extras, place=fields.place)


def cases_of_tests(
    tests: list[Fields], configuration: Fields, suite: str, counts: RecordCounts, report: Report
) -> tuple[Case, ...]:
    """A case for each test, and for each combination of the values where variables have lists of them."""
    names = UniqueNames([], "test")
    by_default = configuration.object("defaultTest") or Fields({}, "")
    questions = Questions(configuration)
    asked: list[tuple[Question, str]] = []
    cases: list[Case] = []
    for number, test in enumerate(tests, 1):
        expected = expected_of(
            [_resolved(one, configuration) for one in (*by_default.objects("assert"), *test.objects("assert"))]
        )
        counts.understood()
        combined, count = _combinations(by_default, test)
        if len(combined) < count or len(cases) >= MOST_ITEMS:
            shown = len(combined) if len(cases) < MOST_ITEMS else 1
            stated = f"{count:,}" if count <= _MOST_COUNTED else f"more than {_MOST_COUNTED:,}"
            message = f"Of {stated} combinations of variables {shown:,} are shown as cases."
            report.add(warning("too-many-combinations", message, test.place))
        for variables in combined if len(cases) < MOST_ITEMS else combined[:1]:
            name = names.take(test.text("description") or f"test {number}", test.place)
            question = questions.of(variables)
            asked.append((question, test.place))
            turn = Turn(
                0,
                user=question.words,
                expectations=expected.of_the_turn,
                guessed=frozenset({"question"}) if question.is_guessed else frozenset(),
                place=test.place,
            )
            chosen = {name: value for name, (value, _place) in variables.items()}
            cases.append(
                Case(
                    id=name,
                    suite_id=suite,
                    turns=(turn,),
                    expectations=expected.of_the_case,
                    extras=(
                        *((Extra("vars", chosen, test.pointer("vars")),) if chosen else ()),
                        *stated_extras(test, "description", "assert", "vars"),
                        *expected.shown,
                    ),
                    place=test.place,
                )
            )
    _note_questions(asked, report)
    return tuple(cases)


def _note_questions(asked: list[tuple[Question, str]], report: Report) -> None:
    """What was guessed, and what stands as it was written because nothing here fills it in."""
    guessed = [place for question, place in asked if question.is_guessed]
    if guessed:
        message = (
            f"In {len(guessed):,} {'case' if len(guessed) == 1 else 'cases'} the question is that of the variable "
            "which asks; the prompts are several, or stand in other files."
        )
        report.add(info("guessed-question", message, guessed[0]))
    unfilled = [(mark, place) for question, place in asked for mark in question.unfilled]
    if unfilled:
        named = ", ".join(f"“{one_line(mark, _MARK_CHARS)}”" for mark in dict.fromkeys(mark for mark, _ in unfilled))
        count = len({place for _mark, place in unfilled})
        message = (
            f"In the prompts of {count:,} {'test' if count == 1 else 'tests'} this stands as it is written, for no "
            f"variable says what it is: {named}."
        )
        report.add(info("unfilled-prompt", message[:_LONGEST_MESSAGE], unfilled[0][1]))


def _combinations(by_default: Fields, test: Fields) -> tuple[list[dict[str, Variable]], int]:
    """The variables of a test over those of all; once for each combination where some have lists, up to a limit."""
    stated: dict[str, Variable] = {}
    for owner in (by_default, test):
        variables = owner.object("vars") or Fields({}, "")
        stated |= {name: (value, join(variables.place, name)) for name, value in variables.value.items()}
    values: list[list[Variable]] = []
    for value, place in stated.values():
        several = isinstance(value, list) and len(value) > 0
        values.append(
            [(item, join(place, index)) for index, item in enumerate(value)]
            if several and isinstance(value, list)
            else [(value, place)]
        )
    combined = itertools.islice(itertools.product(*values), _MOST_COMBINATIONS)
    return [dict(zip(stated, chosen, strict=True)) for chosen in combined], math.prod(map(len, values))


def _named_files(fields: Fields) -> Iterator[str]:
    tests = or_null(fields.get("tests"))
    for test in tests if isinstance(tests, list) else [tests]:
        if isinstance(test, str):
            yield test


def _resolved(one: Fields, configuration: Fields) -> Fields:
    """An assert, taken from the templates of the file where it only names one."""
    reference = one.text("$ref") or ""
    templates = configuration.object("assertionTemplates")
    if templates is None or not reference.startswith(_TEMPLATES):
        return one
    return templates.object(reference.removeprefix(_TEMPLATES)) or one
