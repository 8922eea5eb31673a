"""A scenario of CES: the task of the simulated user, and what is expected of the conversation."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.finding import error, info, warning
from trace_inspector.core.golden.golden import Scenario
from trace_inspector.core.golden.matcher import Matcher
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import ABSENT
from trace_inspector.formats.ces.common import evaluation_schemas as schemas
from trace_inspector.formats.ces.common.content import beside_chunks, beside_result, checked_result, message_parts
from trace_inspector.formats.ces.common.enums import (
    EXECUTION_MODE,
    TASK_COMPLETION_BEHAVIOR,
    USER_GOAL_BEHAVIOR,
    enum_word,
)
from trace_inspector.formats.ces.common.values import plain
from trace_inspector.formats.ces.evaluation.evaluation_golden import SHOWN_IN_PARTS, expected_call
from trace_inspector.formats.common.extras import extras_of
from trace_inspector.formats.common.fields import Fields, Report, kind_of, number_of
from trace_inspector.formats.common.schema import check

MOST_TURNS = 100
_READ = (
    "task", "user_facts", "max_turns", "rubrics", "scenario_expectations", "variable_overrides", "user_goal_behavior",
    "evaluation_expectations",
)  # fmt: skip


class ScenarioParts(Struct, frozen=True):
    """A scenario with its rubrics, expectations, matchers and extras."""

    scenario: Scenario
    rubrics: tuple[Rubric, ...] = ()
    expectations: tuple[Expectation, ...] = ()
    matchers: tuple[Matcher, ...] = ()
    extras: tuple[Extra, ...] = ()


def scenario_of(fields: Fields, report: Report) -> ScenarioParts:
    """The whole scenario."""
    check(fields, schemas.SCENARIO, report)
    task = fields.text("task") or ""
    if not task:
        report.add(error("no-task", "This scenario has no task, which CES requires.", fields.place))
    enum_word(fields, "scenario_execution_mode", EXECUTION_MODE, report)
    if enum_word(fields, "task_completion_behavior", TASK_COMPLETION_BEHAVIOR, report):
        message = (
            "CES has “userGoalBehavior” in place of the behaviour of task completion, which it no longer judges."
        )
        report.add(info("deprecated", message, fields.pointer("task_completion_behavior")))
    overrides = fields.get("variable_overrides")
    variables = None if overrides is ABSENT else plain(overrides)
    scenario = Scenario(
        starting_prompt="",
        plan=task,
        max_turns=_most_turns(fields, report),
        facts=tuple(facts_of(fields, report)),
        goal=enum_word(fields, "user_goal_behavior", USER_GOAL_BEHAVIOR, report),
        variables=variables if isinstance(variables, dict) else None,
        place=fields.place,
    )
    stated = report.bounded(fields, "scenario_expectations")
    expected = [scenario_expectation(expectation, report) for expectation in stated]
    return ScenarioParts(
        scenario,
        tuple(_rubrics(fields, report)),
        tuple(expectation for listed, _ in expected for expectation in listed),
        tuple(matcher for _, matchers in expected for matcher in matchers),
        (*extras_of(fields, *_READ), *(extra for expectation in stated for extra in beside_expectation(expectation))),
    )


def _most_turns(fields: Fields, report: Report) -> int | None:
    number = number_of(fields.get("max_turns"))
    if number is None or number == 0:  # dumps of messages write 0 where nothing is stated
        return None
    if not 1 <= number <= MOST_TURNS or not number.is_integer():
        message = f"CES lets a scenario have 1 to {MOST_TURNS} turns, not {number:g}."
        report.add(warning("too-many-turns", message, fields.pointer("max_turns")))
    return int(number) if number > 0 else None


def facts_of(fields: Fields, report: Report) -> Iterator[tuple[str, str]]:
    """What only the user knows, by name."""
    for fact in report.bounded(fields, "user_facts"):
        name, value = fact.text("name"), fact.text("value")
        if not name or value is None:
            message = "A fact that the user knows needs a “name” and a “value”, both texts."
            report.add(error("wrong-type", message, fact.place))
        yield name or "", value or ""


def _rubrics(fields: Fields, report: Report) -> Iterator[Rubric]:
    listed = fields.get("rubrics")
    for index, text in enumerate(listed if isinstance(listed, list) else []):
        place = join(fields.pointer("rubrics"), index)
        if isinstance(text, str):
            yield Rubric(f"rubric {index + 1}", text, place=place)
        else:
            report.add(error("wrong-type", f"A rubric of CES should be a text, not {kind_of(text)}.", place))


def scenario_expectation(fields: Fields, report: Report) -> tuple[list[Expectation], tuple[Matcher, ...]]:
    """What one scenario expectation expects: a call, perhaps with a mock of its result, or a message."""
    check(fields, schemas.SCENARIO_EXPECTATION, report)
    conditions = schemas.check_union(
        fields, tuple(schemas.SCENARIO_EXPECTATION.fields), "A scenario expectation", report
    )
    if not conditions:
        message = "This expectation contains nothing that CES can check."
        report.add(warning("empty-expectation", message, fields.place))
    expectations: list[Expectation] = []
    matchers: tuple[Matcher, ...] = ()
    about = Expectation(Expects.CALL, place=fields.place)
    tool = fields.object("tool_expectation")
    if tool is not None:
        check(tool, schemas.TOOL_EXPECTATION, report)
        stated = tool.object("expected_tool_call") or Fields({}, tool.place)
        call, matchers = expected_call(stated, report)
        expectations.append(replace(about, parts=(call,)))
        given = tool.object("mock_tool_response")
        if given is not None:
            expectations.append(Expectation(Expects.MOCK, (checked_result(given, report),), place=given.place))
    if "agent_response" in conditions:
        parts = message_parts(fields.get("agent_response"), fields.pointer("agent_response"), report)
        expectations.append(replace(about, kind=Expects.ANSWER, parts=parts))
    return expectations, matchers


def beside_expectation(expectation: Fields) -> Iterator[Extra]:
    """The members of a call, a result or a message in an expectation that their parts do not show."""
    tool = expectation.object("tool_expectation") or Fields({}, "")
    for inner in (tool.object("expected_tool_call"), expectation.object("agent_response")):
        if inner is not None:
            yield from extras_of(inner, *SHOWN_IN_PARTS)
            yield from beside_chunks(inner)
    mock = tool.object("mock_tool_response")
    yield from beside_result(mock) if mock is not None else ()
    yield from extras_of(expectation, *schemas.SCENARIO_EXPECTATION.fields)
    yield from extras_of(tool, *schemas.TOOL_EXPECTATION.fields)
