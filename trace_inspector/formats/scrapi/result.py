"""What SCRAPI's tools report of their tests: `scrapi-result`, in the shapes that its scripts write."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from trace_inspector.core.finding import error
from trace_inspector.core.rows.contents import Item
from trace_inspector.formats.common.fields import Fields, Report
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.recogniser import Condition
from trace_inspector.formats.scrapi.recognisers import OBSERVED, REPORTED, RUNS, as_object, listed_results
from trace_inspector.formats.scrapi.result_report import report_items
from trace_inspector.formats.scrapi.result_runs import conversation_items, run_items


class _ResultKind(Struct, frozen=True):
    """One way in which a result is written: how it is recognised, and how it is read."""

    matches: Condition
    read: Callable[[Fields, str, Report], Iterator[Item]]


_KINDS = (
    _ResultKind(RUNS, run_items),
    _ResultKind(OBSERVED, conversation_items),
    _ResultKind(REPORTED, report_items),
)


def read(source: Source) -> Iterator[Item]:
    """Each result with its conversation, as far as it is recorded."""
    report = Report()
    suite_id = source.stem or "result"
    listed, place = listed_results(source.value, source.place)
    results = report.bounded_list(listed, place) if listed is not None else [Fields(as_object(source.value), place)]
    for result in results:
        source.tick()
        kind = _kind_of(result)
        if kind is None:
            message = "This is not a result of a known kind, unlike others in this file; it is left out."
            report.add(error("not-recognised", message, result.place))
        else:
            yield from kind.read(result, suite_id, report)
    yield from report.drain()


def _kind_of(result: Fields) -> _ResultKind | None:
    return next((kind for kind in _KINDS if kind.matches(result)), None)


IMPLEMENTATION = Implementation(read=read)
