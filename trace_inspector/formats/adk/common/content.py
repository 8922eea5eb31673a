"""ADK contents inside evaluation files: parts, with findings about what google-genai would reject."""

from __future__ import annotations

from trace_inspector.core.trace.parts import Part, ToolCall, ToolResult
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.trace.trace import Agent, Usage
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import ABSENT, Absent, Json
from trace_inspector.formats.adk.common import schemas
from trace_inspector.formats.common.content import call_of, genai_usage, parts_in, parts_of, result_of
from trace_inspector.formats.common.fields import Fields, Report
from trace_inspector.formats.common.schema import check


def checked_content(value: Json | Absent, place: str, report: Report) -> tuple[Part, ...]:
    """The parts of a Content."""
    if value is ABSENT or value is None:
        return ()
    if isinstance(value, dict):
        fields = Fields(value, place)
        check(fields, schemas.CONTENT, report)
        for part in fields.objects("parts"):
            _check_part(part, report)
    return parts_of(value, place)


def checked_parts(value: Json, place: str, report: Report) -> tuple[Part, ...]:
    """The parts of a list of parts, as intermediate responses have them."""
    if not isinstance(value, list):
        return parts_of(value, place)
    for index, raw in enumerate(value):
        if isinstance(raw, dict):
            _check_part(Fields(raw, join(place, index)), report)
    return parts_in(value, place)


def checked_call(fields: Fields, report: Report) -> ToolCall:
    """A FunctionCall of a list of tool uses."""
    check(fields, schemas.FUNCTION_CALL, report)
    return call_of(fields)


def checked_result(fields: Fields, report: Report) -> ToolResult:
    """A FunctionResponse of a list of tool responses."""
    check(fields, schemas.FUNCTION_RESPONSE, report)
    return result_of(fields)


def usage_of(fields: Fields | None) -> Usage | None:
    """Usage metadata as google-genai counts it."""
    if fields is None:
        return None
    return genai_usage(fields)


def rubrics_of(owner: Fields, report: Report) -> tuple[Rubric, ...]:
    """The rubrics of a case or an invocation."""
    return tuple(_rubric(fields, report) for fields in owner.objects("rubrics"))


def agents_of(invocation: Fields, report: Report) -> tuple[Agent, ...]:
    """The agents of an invocation's app details."""
    details = invocation.object("app_details")
    if details is None:
        return ()
    check(details, schemas.APP_DETAILS, report)
    named = details.object("agent_details")
    if named is None:
        return ()
    agents = []
    for name, raw in named.value.items():
        if isinstance(raw, dict):
            fields = Fields(raw, join(named.place, name))
            check(fields, schemas.AGENT_DETAILS, report)
            tools = fields.get("tool_declarations")
            agents.append(
                Agent(
                    fields.text("name") or name,
                    fields.text("instructions") or "",
                    tools=tuple(tools) if isinstance(tools, list) else (),
                    place=fields.place,
                )
            )
    return tuple(agents)


def _rubric(fields: Fields, report: Report) -> Rubric:
    check(fields, schemas.RUBRIC, report)
    content = fields.object("rubric_content")
    return Rubric(
        fields.text("rubric_id") or "",
        (content.text("text_property") if content else None) or "",
        fields.text("type"),
        fields.text("description"),
        fields.place,
    )


def _check_part(fields: Fields, report: Report) -> None:
    check(fields, schemas.PART, report)
    for name, schema in (("function_call", schemas.FUNCTION_CALL), ("function_response", schemas.FUNCTION_RESPONSE)):
        inner = fields.object(name)
        if inner is not None:
            check(inner, schema, report)
