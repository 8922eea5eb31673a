"""What SCRAPI's tools report of their tests: `scrapi-result`, in the shapes that its scripts write."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from trace_inspector.core.finding import error
from trace_inspector.core.rows.contents import Item
from trace_inspector.formats.common.fields import Fields, Report
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.recogniser import Condition
from trace_inspector.formats.scrapi.recognisers import OBSERVED, REPORTED, RUNS, as_object, listed_results
from trace_inspector.formats.scrapi.result_report import report_items
from trace_inspector.formats.scrapi.result_runs import conversation_items, run_items


@dataclass(frozen=True, slots=True)
class _Shape:
    """One way in which a result is written: what tells it, and how it is read."""

    tells: Condition
    read: Callable[[Fields, str, Report], Iterator[Item]]


_SHAPES = (
    _Shape(RUNS, run_items),
    _Shape(OBSERVED, conversation_items),
    _Shape(REPORTED, report_items),
)


def read(source: Source) -> Iterator[Item]:
    """Each result with its conversation, as far as it is told."""
    report = Report()
    suite_id = source.stem or "result"
    listed, place = listed_results(source.value, source.place)
    found = report.bounded_list(listed, place) if listed is not None else [Fields(as_object(source.value), place)]
    for one in found:
        source.tick()
        shape = _shape_of(one)
        if shape is None:
            message = "This is no result of a kind that is known here, as others in this file are; it is left out."
            report.add(error("not-recognised", message, one.place))
        else:
            yield from shape.read(one, suite_id, report)
    yield from report.drain()


def _shape_of(fields: Fields) -> _Shape | None:
    return next((shape for shape in _SHAPES if shape.tells(fields)), None)


IMPLEMENTATION = Implementation(read=read)
