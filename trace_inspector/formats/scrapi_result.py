"""What SCRAPI's tools report of their tests: `scrapi-result`, in the shapes that its scripts write."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from trace_inspector.core.contents import Item
from trace_inspector.core.values import Json
from trace_inspector.formats.format import Format, Source
from trace_inspector.formats.lenient import Fields, Report, objects_in
from trace_inspector.formats.scrapi_result_report import report_items
from trace_inspector.formats.scrapi_result_runs import conversation_items, run_items


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
    known = any(_shape_of(one) for one in _results(value, "")[:_LOOKED_AT])
    return _SURE if known else 0


def read(source: Source) -> Iterator[Item]:
    """Each result with its conversation, as far as it is told."""
    report = Report()
    suite_id = source.name.split(".", maxsplit=1)[0] or "result"
    results = _results(source.value, source.place)
    listed = isinstance(source.value, list)
    if listed or "results" in (source.value if isinstance(source.value, dict) else {}):
        owner = source.value if listed else Fields(_object(source.value), source.place).get("results")
        results = report.bounded_list(owner, source.place if listed else f"{source.place}/results")
    for one in results:
        source.tick()
        shape = _shape_of(one) or _SHAPES[-1]
        yield from shape.read(one, suite_id, report)
    yield from report.drain()


def _results(value: Json, place: str) -> list[Fields]:
    if isinstance(value, list):
        return objects_in(value, place)
    fields = Fields(_object(value), place)
    return fields.objects("results") if "results" in fields.value else [fields]


def _object(value: Json) -> dict[str, Json]:
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
