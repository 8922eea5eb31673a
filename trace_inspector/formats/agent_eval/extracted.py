"""Conversations of agent-eval's rows without session and spans: put together from inputs, answers and calls."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, zip_longest

from msgspec.structs import replace

from trace_inspector.core.trace.parts import Part, Text, ToolCall, ToolResult, spoken_text
from trace_inspector.core.trace.trace import Event, Steps, Turn
from trace_inspector.core.values.values import ABSENT
from trace_inspector.formats.agent_eval.cells import bounded_cells, cell, cell_object, texts_in
from trace_inspector.formats.agent_eval.recognisers import INPUTS
from trace_inspector.formats.common.content import is_failure, parts_of, role_of
from trace_inspector.formats.common.fields import MOST_ITEMS, Fields, Report, or_null


def extracted_turns(row: Fields, extracted: Fields, report: Report) -> tuple[Turn, ...]:
    """Turns from inputs and answers that are paired by number, with every call in the last."""
    asked = list(islice(_asked(row), MOST_ITEMS)) or [("", row.place)]
    answers = list(_answers(row))
    guessed = frozenset({"pairing"}) if len(asked) > 1 else frozenset[str]()
    turns = [
        Turn(
            index,
            user=(Text(words, place),) if words else (),
            final_response=answer or None,
            guessed=guessed,
            place=place,
        )
        for index, ((words, place), answer) in enumerate(zip(asked, _fitted(answers, len(asked)), strict=True))
    ]
    events = tuple(_interactions(extracted, report))
    borders = {"borders"} if len(asked) > 1 and events else set[str]()
    turns[-1] = replace(turns[-1], events=events, steps=Steps.EVENTS, guessed=guessed | borders)
    return tuple(turns)


def response_of(row: Fields) -> tuple[Part, ...]:
    """The model's last answer, from the response."""
    response = cell_object(row, "response") or Fields({}, "")
    contents = (
        parts_of(or_null(candidate.get("content")), candidate.pointer("content"))
        for candidate in response.objects("candidates")
    )
    return next(contents, ())


def _answers(row: Fields) -> Iterator[tuple[Part, ...]]:
    """The model's answers, from the request and the response."""
    for content in _contents(row):
        if role_of(content.value) == "model":
            yield parts_of(content.value, content.place)
    if answer := response_of(row):
        yield answer


def _asked(row: Fields) -> Iterator[tuple[str, str]]:
    """The user's messages: the inputs, else those of the request."""
    listed = list(texts_in(row, INPUTS))
    yield from listed
    for content in () if listed else _contents(row):
        if role_of(content.value) == "user":
            yield spoken_text(parts_of(content.value, content.place)), content.place


def _contents(row: Fields) -> list[Fields]:
    request = cell_object(row, "request") or Fields({}, "")
    return request.objects("contents")


def _fitted(answers: list[tuple[Part, ...]], count: int) -> Iterator[tuple[Part, ...]]:
    """One for each input; there may be more or fewer."""
    yield from (answer for answer, _at in zip_longest(answers[:count], range(count), fillvalue=()))


def _interactions(extracted: Fields, report: Report) -> Iterator[Event]:
    for interaction in bounded_cells(extracted, "tool_interactions", report):
        name, call_id = interaction.text("tool_name") or "", interaction.text("call_id")
        args = ABSENT if interaction.key("input_arguments") is None else cell(interaction, "input_arguments")
        yield Event("", (ToolCall(name, args, call_id, interaction.place),), place=interaction.place)
        if interaction.text("status") != "no_response" and interaction.key("output_result") is not None:
            value = cell(interaction, "output_result")
            place = interaction.pointer("output_result")
            yield Event("", (ToolResult(name, value, call_id, is_failure(value), place),), place=place)
