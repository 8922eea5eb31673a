"""What agent-eval expects of a question: its golden questions, and the reference data that rows carry along."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from trace_inspector.core.finding import info, warning
from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import Part, Text, ToolCall, ToolResult, Transfer
from trace_inspector.core.trace.trace import Event, Steps, Turn
from trace_inspector.core.values.values import ABSENT
from trace_inspector.formats.agent_eval.cells import cell, cell_object, cell_objects, extras_in, name_in, texts_in
from trace_inspector.formats.agent_eval.checks import check_stated, seen_through
from trace_inspector.formats.agent_eval.recognisers import INPUTS, LISTS
from trace_inspector.formats.agent_eval.schemas import QUESTION
from trace_inspector.formats.common.fields import Fields, Report
from trace_inspector.formats.common.format import Source

SUITE = "golden_questions"  # the files have no id of their own
CONTAINS = "expected_response_contains"
ANSWER = "reference_response"
CALLS, TRAJECTORY = "reference_tool_interactions", "reference_trajectory"
_READ = ("id", INPUTS, "reference_data")
_OF_A_REFERENCE = (CALLS, TRAJECTORY, CONTAINS, ANSWER)
_AGENTS = ("agent", "sub-agent")


def read_questions(fields: Fields, source: Source) -> Iterator[Item]:
    """One suite; each question is a case."""
    report = Report()
    name = next((name for name in LISTS if isinstance(fields.get(name), list)), LISTS[0])
    cases = []
    for index, raw in enumerate(report.bounded(fields, name)):
        source.tick()
        question = seen_through(raw, QUESTION)
        check_stated(question, QUESTION, report)
        cases.append(case_of(question, name_in(question, "id") or f"question {index + 1}", SUITE, report))
    yield Suite(SUITE, cases=tuple(cases), extras=tuple(extras_in(fields, (name,))), place=source.place)
    repeated = len(cases) - len({case.id for case in cases})
    if repeated:
        message = f"{repeated} questions have the id of an earlier one, so their results cannot be told apart."
        report.add(warning("duplicate-id", message, fields.pointer(name)))
    yield from report.drain()


def case_of(question: Fields, case_id: str, suite_id: str, report: Report) -> Case:
    """A question with what is expected of it."""
    reference = cell_object(question, "reference_data") or Fields({}, question.pointer("reference_data"))
    turns = [
        Turn(index, user=(Text(words, place),), place=place)
        for index, (words, place) in enumerate(texts_in(question, INPUTS))
    ]
    expectations = list(_expectations(reference))
    calls = [_call(interaction) for interaction in cell_objects(reference, CALLS)]
    states_calls = isinstance(cell(reference, CALLS), list)
    if states_calls and len(turns) == 1:
        events = tuple(Event("", (part,), place=part.place) for parts in calls for part in parts)
        turns[0] = replace(turns[0], events=events, steps=Steps.CALLS)
    elif calls:
        expectations = [Expectation(Expects.CALL, parts, place=parts[0].place) for parts in calls] + expectations
        message = (
            "The expected calls are those of the whole conversation; the file does not say which turn makes them."
        )
        report.add(info("reference-turns", message, reference.pointer(CALLS)))
    answer = reference.text(ANSWER)
    if answer is not None and turns:
        turns[-1] = replace(turns[-1], final_response=(Text(answer, reference.pointer(ANSWER)),))
    return Case(
        id=case_id,
        suite_id=suite_id,
        turns=tuple(turns),
        expectations=tuple(expectations),
        extras=(*extras_in(question, _READ), *extras_in(reference, _OF_A_REFERENCE)),
        place=question.place,
    )


def _call(interaction: Fields) -> tuple[Part, ...]:
    """A call, and its result where that is stated."""
    name, call_id = interaction.text("tool_name") or "", interaction.text("call_id")
    args = ABSENT if interaction.key("input_arguments") is None else cell(interaction, "input_arguments")
    call = ToolCall(name, args, call_id, interaction.place)
    if interaction.key("output_result") is None:
        return (call,)
    return call, ToolResult(
        name, cell(interaction, "output_result"), call_id, place=interaction.pointer("output_result")
    )


def _expectations(reference: Fields) -> Iterator[Expectation]:
    if isinstance(cell(reference, TRAJECTORY), list):
        yield from (_step(step, place) for step, place in texts_in(reference, TRAJECTORY))
    for words, place in texts_in(reference, CONTAINS):
        texts = (Text(words, place),)
        yield Expectation(Expects.ANSWER, texts, compared_by="CONTAINS", place=place)


def _step(step: str, place: str) -> Expectation:
    """A step of a trajectory: `tool:NAME`, `agent:NAME`, `sub-agent:NAME`, or the name of a tool alone."""
    kind, colon, name = step.partition(":")
    if colon and kind in _AGENTS:
        return Expectation(Expects.TRANSFER, (Transfer(name, place),), reference=TRAJECTORY, place=place)
    tool = name if colon and kind == "tool" else step
    return Expectation(Expects.CALL, (ToolCall(tool, place=place),), reference=TRAJECTORY, place=place)
