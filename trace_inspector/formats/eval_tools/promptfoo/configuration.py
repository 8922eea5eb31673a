"""promptfoo's configuration: its tests as cases, their asserts as what is expected; templates and code are shown."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator
from typing import TypeAlias

from trace_inspector.core.finding import error, info, warning
from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.parts import Text
from trace_inspector.core.trace.trace import Turn
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import Json
from trace_inspector.formats.common.extras import stated_extras
from trace_inspector.formats.common.fields import MOST_ITEMS, Fields, Report, objects_in, or_null
from trace_inspector.formats.common.format import Source
from trace_inspector.formats.common.record_counts import RecordCounts
from trace_inspector.formats.eval_tools.promptfoo.asserts import expected_of
from trace_inspector.formats.writing.unique_names import UniqueNames

_ONLY_A_VARIABLE = re.compile(r"\s*\{\{-?\s*([A-Za-z_]\w*)\s*-?\}\}\s*")
_MOST_COMBINATIONS = 200  # of the values in the lists of one test
_MOST_COUNTED = 10**15  # a number of more digits than anybody reads
_Variable: TypeAlias = tuple[Json, str]  # with its place
_TEMPLATES = "#/assertionTemplates/"
_MOST_NAMED = 5
_FILE = "file://"


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
    prompt = _only_prompt(configuration)
    cases: list[Case] = []
    for number, test in enumerate(tests, 1):
        expected = expected_of(
            [_resolved(one, configuration) for one in (*by_default.objects("assert"), *test.objects("assert"))]
        )
        counts.understood()
        combined, count = _combinations(test)
        if len(combined) < count or len(cases) >= MOST_ITEMS:
            shown = len(combined) if len(cases) < MOST_ITEMS else 1
            stated = f"{count:,}" if count <= _MOST_COUNTED else f"more than {_MOST_COUNTED:,}"
            message = f"Of {stated} combinations of variables {shown:,} are shown as cases."
            report.add(warning("too-many-combinations", message, test.place))
        for variables in combined if len(cases) < MOST_ITEMS else combined[:1]:
            name = names.take(test.text("description") or f"test {number}", test.place)
            turn = Turn(0, user=_asked(prompt, variables), expectations=expected.of_the_turn, place=test.place)
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
    return tuple(cases)


def _combinations(test: Fields) -> tuple[list[dict[str, _Variable]], int]:
    """The variables of a test; once for each combination where some have lists, up to a limit; and how many."""
    variables = test.object("vars") or Fields({}, "")
    values: list[list[_Variable]] = []
    for name, value in variables.value.items():
        place = join(variables.place, name)
        several = isinstance(value, list) and len(value) > 0
        values.append(
            [(item, join(place, index)) for index, item in enumerate(value)]
            if several and isinstance(value, list)
            else [(value, place)]
        )
    combined = itertools.islice(itertools.product(*values), _MOST_COMBINATIONS)
    return [dict(zip(variables.value, chosen, strict=True)) for chosen in combined], math.prod(map(len, values))


def _asked(prompt: tuple[str, str] | None, variables: dict[str, _Variable]) -> tuple[Text, ...]:
    """The prompt as it stands; where it is nothing but one variable, what that says."""
    if prompt is None:
        return ()
    words, place = prompt
    alone = _ONLY_A_VARIABLE.fullmatch(words)
    value, at = variables.get(alone[1], (None, "")) if alone else (None, "")
    return (Text(value, at),) if isinstance(value, str) else (Text(words, place),)


def _only_prompt(configuration: Fields) -> tuple[str, str] | None:
    """The prompt of the configuration with its place, where there is one alone and it stands in the file itself."""
    listed, place = or_null(configuration.get("prompts")), configuration.pointer("prompts")
    if isinstance(listed, list):
        if len(listed) != 1:
            return None
        listed, place = listed[0], join(place, 0)
    if isinstance(listed, dict) and isinstance(raw := listed.get("raw"), str):
        listed, place = raw, join(place, "raw")
    return (listed, place) if isinstance(listed, str) and not listed.startswith(_FILE) else None


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
