"""The resources of one kind in a file of CES: one alone, a list, lines, or the service's reply with a list."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from trace_inspector.core.finding import error, info
from trace_inspector.core.golden.golden import Suite
from trace_inspector.core.rows.contents import Holds, Item
from trace_inspector.formats.common.fields import Fields, Report, fields_of, spellings
from trace_inspector.formats.common.format import Source
from trace_inspector.formats.common.recogniser import Listed

_PAGED = ("next_page_token", "unreachable")


def entries_in(source: Source, kind: Listed, name: str, report: Report) -> Iterator[Fields]:
    """Each document of a kind that a file holds; what is of another is left out, with a finding."""
    if isinstance(source.value, list):
        entries = report.bounded_list(source.value, source.place)
    else:
        whole = fields_of(source.value, source.place)
        if kind.rules(whole) or not isinstance(whole.get(kind.name), list):
            yield whole
            return
        _report_page(whole, kind.name, report)
        entries = report.bounded(whole, kind.name)
    for fields in entries:
        if kind.rules(fields):
            yield fields
        else:
            message = f"This document is not of the format {name}, unlike others in this file; it is left out."
            report.add(error("not-recognised", message, fields.place))


def suites_of(
    source: Source, kind: Listed, name: str, what: str, suite_of: Callable[[Fields, Source, Report], Suite]
) -> Iterator[Item]:
    """Each document of a kind that a file holds, read as a suite, and how many there are of what."""
    report = Report()
    count = 0
    for fields in entries_in(source, kind, name, report):
        source.tick()
        count += 1
        yield suite_of(fields, source, report)
    yield Holds(what, count)
    yield from report.drain()


def _report_page(whole: Fields, listed: str, report: Report) -> None:
    """Report further pages, and unknown keys beside the list."""
    if whole.text("next_page_token"):
        message = (
            "This is one page of a list; the service has more entries, and the file has the token for the next page."
        )
        report.add(info("more-pages", message, whole.pointer("next_page_token")))
    keys = spellings(listed, *_PAGED)
    for key in (key for key in whole.value if key not in keys):
        message = f"“{key}” is beside the list and was not read; put it into a file of its own to open it."
        report.add(error("not-recognised", message, Fields(whole.value, whole.place).pointer(key)))
