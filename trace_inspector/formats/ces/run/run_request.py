"""What CES is asked to run: `ces-run-request`, requests for runs of evaluations, and schedules that repeat them."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.finding import Finding, warning
from trace_inspector.core.golden.golden import Suite
from trace_inspector.core.rows.contents import Item
from trace_inspector.formats.ces.common.content import short_name
from trace_inspector.formats.ces.common.enums import (
    CACHING_MODE,
    EVALUATION_CHANNEL,
    FREQUENCY,
    GOLDEN_RUN_METHOD,
    TOOL_CALL_BEHAVIOUR,
    Enumeration,
    enum_word,
)
from trace_inspector.formats.ces.common.evaluation_entries import suites_of
from trace_inspector.formats.ces.common.recognisers import RUN_REQUESTS, TO_RUN
from trace_inspector.formats.ces.result.result_schemas import RUN_REQUEST, SCHEDULED_RUN
from trace_inspector.formats.ces.run.run import run_personas
from trace_inspector.formats.common.extras import extras_of
from trace_inspector.formats.common.fields import Fields, Report, camel
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.schema import check

_REQUEST = "request"
_REQUIRED = ("display_name", _REQUEST, "scheduling_config")
# Where a word of an enumeration stands: in the message of this key, under this one.
_ENUMS: tuple[tuple[str, str, Enumeration], ...] = (
    ("", "golden_run_method", GOLDEN_RUN_METHOD),
    ("config", "evaluation_channel", EVALUATION_CHANNEL),
    ("config", "tool_call_behaviour", TOOL_CALL_BEHAVIOUR),
    ("evaluation_run_caching_settings", "run_caching_mode", CACHING_MODE),
)


def read(source: Source) -> Iterator[Item]:
    """Each under its name with all of its members; what it names are files of their own."""
    return suites_of(source, RUN_REQUESTS, "ces-run-request", "requests for runs", _asked)


def _asked(fields: Fields, source: Source, report: Report) -> Suite:
    is_schedule = any(fields.key(name) for name in ("name", "scheduling_config", _REQUEST))
    check(fields, SCHEDULED_RUN if is_schedule else RUN_REQUEST, report)
    request = fields.object(_REQUEST) or Fields({}, fields.place) if is_schedule else fields
    for owner, name, enumeration in _ENUMS:
        inner = request.object(owner) if owner else request
        if inner is not None:
            enum_word(inner, name, enumeration, report)
    scheduling = fields.object("scheduling_config")
    if scheduling is not None:
        enum_word(scheduling, "frequency", FREQUENCY, report)
    if is_schedule:
        report.take(_missing(fields, _REQUIRED, "a schedule"))
    if is_schedule and request.value:
        report.take(_missing(request, ("app",), "the request of a schedule"))
    if request.value and not any(request.get(name) for name in TO_RUN):
        message = "This request names neither evaluations nor a dataset, so nothing would be run."
        report.add(warning("nothing-to-run", message, request.place))
    beside = extras_of(fields, "display_name", _REQUEST) if is_schedule else ()
    return Suite(
        id=short_name(fields.text("name") or "") or source.stem,
        name=fields.text("display_name") or request.text("display_name") or "",
        personas=tuple(run_personas(request, report)),
        extras=(*beside, *extras_of(request, *(() if is_schedule else ("display_name",)))),
        place=fields.place,
    )


def _missing(fields: Fields, names: tuple[str, ...], what: str) -> Iterator[Finding]:
    for name in names:
        if fields.get(name) in (None, "") or fields.key(name) is None:
            yield warning("missing-field", f"“{camel(name)}” is missing in {what}; CES requires it.", fields.place)


IMPLEMENTATION = Implementation(read=read)
