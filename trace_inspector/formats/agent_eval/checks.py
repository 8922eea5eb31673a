"""Checks agent-eval's files, also within JSON in texts; for a wrong type the finding names what to do."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from trace_inspector.core.finding import Finding, error
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.agent_eval.schemas import EXPECTED_CALL, EXTRACTED, REFERENCE, ROW, TOOL_INTERACTION
from trace_inspector.formats.common.fields import Fields, Report, kind_of
from trace_inspector.formats.common.schema import ANYTHING, Schema, check
from trace_inspector.formats.common.span_attributes import from_text
from trace_inspector.formats.common.times import is_time

_NEXT = "Correct it in the file; until then it is not used."
_TIMES = ("start_time", "end_time")
# In tables these are texts, and so may be what stands in them.
_WITH_CELLS = {
    "extracted_data": EXTRACTED,
    "tool_interactions": TOOL_INTERACTION,
    "reference_data": REFERENCE,
    "reference_tool_interactions": EXPECTED_CALL,
}


class Advising(Report):
    """Passes findings on to another report, and adds what to do about a wrong type."""

    def __init__(self, report: Report) -> None:
        super().__init__()
        self._report = report

    def add(self, finding: Finding) -> None:
        """Pass one on."""
        advised = finding.code == "wrong-type"
        self._report.add(replace(finding, message=f"{finding.message} {_NEXT}") if advised else finding)


def check_stated(fields: Fields, schema: Schema, report: Report) -> None:
    """Report what is of a wrong kind or unknown in an object and in those inside it."""
    check(fields, schema, Advising(report))


def checked_row(raw: Fields, report: Report) -> Fields:
    """A row with JSON in its cells seen through, and what is odd in it reported."""
    row = seen_through(raw, ROW)
    check_stated(_without_state_again(row), ROW, report)
    Advising(report).take(_odd_times(row))
    return row


def seen_through(fields: Fields, schema: Schema) -> Fields:
    """JSON in a text seen through where no text is meant, or a list as well; an empty cell of a table is null."""
    value = dict(fields.value)
    for name, expected in schema.fields.items():
        key = fields.key(name)
        if key is None or expected.kind is ANYTHING:
            continue
        text_value = value[key]
        if isinstance(text_value, str) and str not in expected.kind.types:
            value[key] = from_text(text_value) if text_value else None
        elif (
            isinstance(text_value, str)
            and list in expected.kind.types
            and isinstance(listed := from_text(text_value), list)
        ):
            value[key] = listed
        if name in _WITH_CELLS:
            value[key] = _inner(value[key], _WITH_CELLS[name])
    return Fields(value, fields.place)


def _inner(value: Json, schema: Schema) -> Json:
    """The same of an object, or of those in a list."""
    if isinstance(value, list):
        return [seen_through(Fields(item, ""), schema).value if isinstance(item, dict) else item for item in value]
    return seen_through(Fields(value, ""), schema).value if isinstance(value, dict) else value


def _without_state_again(row: Fields) -> Fields:
    """The row without what the state has written over the extracted data."""
    extracted = row.object("extracted_data")
    if extracted is None:
        return row
    states = [owner.mapping(name) or {} for owner, name in _states(row, extracted)]
    kept: JsonObject = {
        key: value
        for key, value in extracted.value.items()
        if not any(key in state and state[key] == value for state in states)
    }
    return Fields({**row.value, "extracted_data": kept}, row.place)


def _states(row: Fields, extracted: Fields) -> Iterator[tuple[Fields, str]]:
    yield extracted, "state_variables"
    session = row.object("final_session_state")
    if session is not None:
        yield session, "state"


def _odd_times(row: Fields) -> Iterator[Finding]:
    """Times of spans that were not measured."""
    for span in row.objects("session_trace"):
        for name in _TIMES:
            value: Json = span.value.get(name)
            if value is not None and not is_time(value):
                message = f"“{name}” of a span should be a time, not {kind_of(value)}."
                yield error("wrong-type", message, span.pointer(name))
