"""The resources of one kind in a file of CES: one alone, a list, lines, or the service's reply with a list."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.finding import error, info
from trace_inspector.formats.common.fields import Fields, Report, camel
from trace_inspector.formats.common.format import Source
from trace_inspector.formats.common.recogniser import Listed

_PAGED = ("next_page_token", "unreachable")


def entries_in(source: Source, kind: Listed, name: str, report: Report) -> Iterator[Fields]:
    """Each document of a kind that a file holds; what is of another is left out, with a finding."""
    if isinstance(source.value, list):
        found = report.bounded_list(source.value, source.place)
    else:
        whole = Fields(source.value if isinstance(source.value, dict) else {}, source.place)
        if kind.rules(whole) or not isinstance(whole.get(kind.name), list):
            yield whole
            return
        _report_page(whole, kind.name, report)
        found = report.bounded(whole, kind.name)
    for fields in found:
        if kind.rules(fields):
            yield fields
        else:
            message = f"This is no document of the format {name}, as others in this file are; it is left out."
            report.add(error("not-recognised", message, fields.place))


def _report_page(whole: Fields, listed: str, report: Report) -> None:
    """Say that there is more than this page, and what stands beside the list."""
    if whole.text("next_page_token"):
        message = "The service has more than these: this is one page of a list, and a token for the next."
        report.add(info("more-pages", message, whole.at("next_page_token")))
    known = {spelled for key in (listed, *_PAGED) for spelled in (key, camel(key))}
    for key in (key for key in whole.value if key not in known):
        message = f"“{key}” stands beside the list and is not read here; open it in a file of its own."
        report.add(error("not-recognised", message, Fields(whole.value, whole.place).at(key)))
