"""What SCRAPI's tools report of their tests: `scrapi-result`, in the shapes that its scripts write."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from trace_inspector.core.finding import error
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.common.fields import Fields, Report, objects_in
from trace_inspector.formats.common.format import Format, Source
from trace_inspector.formats.scrapi.result_report import report_items
from trace_inspector.formats.scrapi.result_runs import conversation_items, run_items


@dataclass(frozen=True, slots=True)
class _Shape:
    """One way in which a result is written: what tells it, and how it is read."""

    tells: Callable[[Fields], bool]
    read: Callable[[Fields, str, Report], Iterator[Item]]


def _is_runs(fields: Fields) -> bool:
    return any("evaluation_status" in run.value for run in fields.objects("runs")[:_LOOKED_AT])


def _is_conversation(fields: Fields) -> bool:
    turns = fields.objects("turns")[:_LOOKED_AT]
    return fields.text("golden_id") is not None and any("observed_agent_response" in turn.value for turn in turns)


def _is_report(fields: Fields) -> bool:
    """A line of the combined report: of a golden, a simulation or a tool test."""
    judged = any("justification" in one.value for one in fields.objects("expectations")[:_LOOKED_AT])
    compared = any("comparisons" in turn.value for turn in fields.objects("turns")[:_LOOKED_AT])
    is_golden = isinstance(fields.get("passed"), bool) and (
        judged or compared or "session_parameters" in fields.value
    )
    return ("name" in fields.value and is_golden) or ("test_name" in fields.value and "status" in fields.value)


_LOOKED_AT = 20
_SHAPES = (
    _Shape(_is_runs, run_items),
    _Shape(_is_conversation, conversation_items),
    _Shape(_is_report, report_items),
)
_SURE = 88


def recognise(value: Json) -> int:
    """One result, a list of them, or a list with the time that all took around it."""
    listed, _place = _listed(value, "")
    first = [value] if listed is None else listed[:_LOOKED_AT]
    return _SURE if any(_shape_of(one) for one in objects_in(first, "")) else 0


def read(source: Source) -> Iterator[Item]:
    """Each result with its conversation, as far as it is told."""
    report = Report()
    suite_id = source.name.split(".", maxsplit=1)[0] or "result"
    listed, place = _listed(source.value, source.place)
    found = report.bounded_list(listed, place) if listed is not None else [Fields(_object(source.value), place)]
    for one in found:
        source.tick()
        shape = _shape_of(one)
        if shape is None:
            message = "This is no result of a kind that is known here, as others in this file are; it is left out."
            report.add(error("not-recognised", message, one.place))
        else:
            yield from shape.read(one, suite_id, report)
    yield from report.drain()


def _listed(value: Json, place: str) -> tuple[list[Json] | None, str]:
    """The results in a file and the place of their list; None for a lone one."""
    if isinstance(value, list):
        return value, place
    listed = _object(value).get("results")
    return (listed, f"{place}/results") if isinstance(listed, list) else (None, place)


def _object(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _shape_of(fields: Fields) -> _Shape | None:
    return next((shape for shape in _SHAPES if shape.tells(fields)), None)


FORMAT = Format(
    name="scrapi-result",
    title="SCRAPI results for CX Agent Studio",
    system="CES",
    short="SCRAPI's results",
    holds="reported verdicts, and the conversations they are about",
    recognise=recognise,
    read=read,
)
