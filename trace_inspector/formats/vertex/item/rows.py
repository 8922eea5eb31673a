"""Rows of tables that Vertex's SDK takes for cases: flat ones, Gemini batches, chat completions, observability."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.finding import warning
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.parts import Part, Text, spoken_text
from trace_inspector.core.trace.trace import Agent, Event, Trace, Turn
from trace_inspector.formats.common.content import parts_of
from trace_inspector.formats.common.fields import MOST_ITEMS, Fields, Report, fields_of, or_null
from trace_inspector.formats.common.span_attributes import from_text
from trace_inspector.formats.spans.messages import Message
from trace_inspector.formats.vertex.common.recognisers import row_kind
from trace_inspector.formats.vertex.common.request import Candidate, EvaluationRequest, answer_of, answered
from trace_inspector.formats.vertex.item.case import case_of

_SYSTEM = ("system", "developer")
_ANSWERING = ("assistant", "model")


class _Content(Message, frozen=True):
    """A message in Gemini's own form."""

    def parts(self) -> tuple[Part, ...]:
        """Its parts."""
        return parts_of(self.raw, self.place)


class _RowMessages(Struct, frozen=True):
    """A row as messages: those before, and each answer."""

    asked: list[Message]
    answers: list[tuple[tuple[Part, ...], str]]
    instruction: Message | None = None


def row_case(row: Fields, case_id: str, suite_id: str, report: Report) -> EvaluationRequest:
    """One row as a case with its responses."""
    read = _READERS.get(row_kind(row))
    if read is None:
        return case_of(row, case_id, suite_id, report)
    messages_of_row = read(row, report)
    messages = [message for message in messages_of_row.asked if message.role not in _SYSTEM]
    system = next(
        (message for message in messages_of_row.asked if message.role in _SYSTEM), messages_of_row.instruction
    )
    reference = messages.pop() if messages and messages[-1].role in _ANSWERING else None
    prompt = messages.pop() if messages else None
    if prompt is None:
        report.add(warning("empty-prompt", "This row asks nothing: it has no message of a user.", row.place))
    asked = (Turn(0, user=prompt.parts(), place=prompt.place),) if prompt is not None else ()
    agents = (Agent("model", spoken_text(system.parts()), place=system.place),) if system is not None else ()
    head = Trace("", agents=agents, case_id=case_id, suite_id=suite_id)
    candidates = [
        Candidate(str(index + 1), replace(head, turns=answered(asked, answer_of(parts, "model", place)), place=place))
        for index, (parts, place) in enumerate(messages_of_row.answers)
    ]
    script = answered(asked, answer_of(reference.parts(), "model", reference.place)) if reference else asked
    context = tuple(Event(earlier.role, earlier.parts(), earlier.role, place=earlier.place) for earlier in messages)
    return EvaluationRequest(Case(case_id, suite_id, script, context=context, place=row.place), tuple(candidates))


def _gemini(row: Fields, report: Report) -> _RowMessages:
    request = row.object("request") or row
    answers: list[tuple[tuple[Part, ...], str]] = []
    response = row.object("response")
    for candidate in report.bounded(response, "candidates") if response is not None else ():
        content = candidate.object("content")
        if content is not None:
            answers.append((parts_of(content.value, content.place), content.place))
    system = request.object("system_instruction")
    return _RowMessages(
        [_Content(item.value, item.place) for item in report.bounded(request, "contents")],
        answers or list(_words(row)),
        _Content(system.value, system.place) if system is not None else None,
    )


def _chat(row: Fields, report: Report) -> _RowMessages:
    request = row.object("request") or row
    stated = from_text(or_null(row.get("response")))
    response = fields_of(stated, row.pointer("response"))
    messages = [message for choice in report.bounded(response, "choices") if (message := choice.object("message"))]
    answers = [
        (Message(message_fields.value, message_fields.place).parts(), message_fields.place)
        for message_fields in messages
    ]
    return _RowMessages(
        [
            Message(message_fields.value, message_fields.place)
            for message_fields in report.bounded(request, "messages")
        ],
        answers or list(_words(row)),
    )


def _observability(row: Fields, report: Report) -> _RowMessages:
    answers = [(message.parts(), message.place) for message in _lines(row, "response", report)]
    return _RowMessages(
        list(_lines(row, "request", report)), answers, next(_lines(row, "system_instruction", report), None)
    )


def _lines(row: Fields, name: str, report: Report) -> Iterator[Message]:
    """Messages that stand as lines of JSON in a text; no pointer leads into them."""
    lines = (row.text(name) or "").splitlines()
    raws = [value for line in lines[: MOST_ITEMS + 1] if isinstance(value := from_text(line), dict)]
    for line_fields in report.bounded_list([*raws], row.pointer(name)):
        yield Message(line_fields.value, row.pointer(name), flat=True)


def _words(row: Fields) -> Iterator[tuple[tuple[Part, ...], str]]:
    response = row.text("response")
    if response is not None and isinstance(from_text(response), str):
        yield (Text(response, row.pointer("response")),), row.pointer("response")


_READERS: dict[str, Callable[[Fields, Report], _RowMessages]] = {
    "gemini": _gemini,
    "chat": _chat,
    "observability": _observability,
}
