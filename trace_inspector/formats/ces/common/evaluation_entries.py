"""The resources of one kind in a file of CES: one alone, a list, lines, or the service's reply with a list."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from trace_inspector.core.finding import error, info
from trace_inspector.core.values.values import Json
from trace_inspector.formats.common.fields import Fields, Report, camel, objects_in
from trace_inspector.formats.common.format import Source

_LOOKED_AT = 20
_PAGED = ("next_page_token", "unreachable")


def least_sure(value: Json, listed: str, score: Callable[[Fields], int]) -> int:
    """How sure it is that all of a file are of one kind, which `score` says of each."""
    if isinstance(value, list):
        return min((score(one) for one in objects_in(value[:_LOOKED_AT], "")), default=0)
    if not isinstance(value, dict):
        return 0
    fields = Fields(value, "")
    held = fields.get(listed)
    if not isinstance(held, list):
        return score(fields)
    return min((score(one) for one in objects_in(held[:_LOOKED_AT], "")), default=score(fields))


def entries_in(
    source: Source, listed: str, score: Callable[[Fields], int], name: str, report: Report
) -> Iterator[Fields]:
    """Each of them; what is of another kind is left out, with a finding."""
    if isinstance(source.value, list):
        found = report.bounded_list(source.value, source.place)
    else:
        whole = Fields(source.value if isinstance(source.value, dict) else {}, source.place)
        if score(whole) or not isinstance(whole.get(listed), list):
            yield whole
            return
        _report_page(whole, listed, report)
        found = report.bounded(whole, listed)
    for fields in found:
        if score(fields):
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
