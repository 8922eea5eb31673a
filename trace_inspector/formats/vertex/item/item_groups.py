"""A file's evaluation items, put together by the request that they are about."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field
from msgspec.structs import replace

from trace_inspector.core.finding import info, warning
from trace_inspector.core.values.extra import Extra
from trace_inspector.formats.common.fields import Fields, Report
from trace_inspector.formats.common.format import Source
from trace_inspector.formats.common.schema import check
from trace_inspector.formats.vertex.common.content import beyond
from trace_inspector.formats.vertex.common.schemas import ITEM, REQUEST, RESULT
from trace_inspector.formats.vertex.item.item_kinds import item_extras, payload_of, with_ours

LABEL = ": "  # between the name and the value of a label, where it is a tag
_OF_A_RESULT = ("candidate_results", "request")


class Result(Struct, frozen=True):
    """One result, and what it and its item state besides the scores."""

    fields: Fields
    extras: tuple[Extra, ...] = ()


class Group(Struct):
    """What a file holds of one request, by one evaluation run."""

    case_id: str
    run: str = ""
    request: Fields | None = None
    results: list[Result] = field(default_factory=list)
    item: Fields | None = None
    tags: tuple[str, ...] = ()
    extras: tuple[Extra, ...] = ()  # of the item of the request


def groups_in(source: Source, stem: str, report: Report) -> Iterator[Group]:
    """Requests and results, put together by the request's name and the evaluation run."""
    requests: dict[str, Group] = {}
    judged: dict[tuple[str, str], Group] = {}
    again: list[Group] = []
    entries = list(_entries(source, report))
    for index, entry in enumerate(entries):
        source.tick()
        alone = stem if len(entries) == 1 else f"{stem} {index + 1}"
        name, kind, payload = payload_of(entry, report)
        if payload is not entry:
            check(entry, ITEM, report)
        if payload is None:
            continue
        check(payload, REQUEST if kind == "request" else RESULT, report)
        tags = tags_of(entry)
        if kind == "request":
            case_id = short(name) or entry.text("display_name") or alone
            extras = item_extras(entry, payload)
            group = Group(case_id, request=payload, tags=tags, extras=extras, item=with_ours(entry))
            if requests.setdefault(group.case_id, group) is not group:
                message = f"“{group.case_id}” is in this file more than once; the first one is used as the case."
                report.add(warning("duplicate-id", message, payload.place))
                again.append(group)
            continue
        case_id = short(payload.text("evaluation_request") or "") or alone
        run = payload.text("evaluation_run") or ""
        group = judged.setdefault((case_id, run), Group(case_id, run, tags=tags))
        extras = (*item_extras(entry, payload), *beyond(payload, *_OF_A_RESULT))
        group.results.append(Result(payload, extras))
    judged_ids = {case_id for case_id, _ in judged}
    yield from (group for case_id, group in requests.items() if case_id not in judged_ids)
    yield from again
    for (case_id, _), group in judged.items():
        requested = requests.get(case_id) or Group(case_id, request=_request_in(group.results), tags=group.tags)
        yield replace(
            group, request=requested.request, item=requested.item, tags=requested.tags, extras=requested.extras
        )


def tags_of(item: Fields) -> tuple[str, ...]:
    """The labels of an item."""
    return tuple(f"{name}{LABEL}{value}" for name, value in (item.mapping("labels") or {}).items())


def short(name: str) -> str:
    """The last part of a resource name."""
    return name.rpartition("/")[2]


def _entries(source: Source, report: Report) -> Iterator[Fields]:
    listed = source.value if isinstance(source.value, list) else None
    whole = source.value if isinstance(source.value, dict) else {}
    for fields in [Fields(whole, source.place)] if listed is None else report.bounded_list(listed, source.place):
        if fields.key("evaluation_items") is None:
            yield fields
            continue
        yield from report.bounded(fields, "evaluation_items")
        if fields.text("next_page_token"):
            message = (
                "This is one page of a list; the service has more items, and the file has the token for the next "
                "page."
            )
            report.add(info("more-pages", message, fields.pointer("next_page_token")))


def _request_in(results: list[Result]) -> Fields | None:
    return next((request for result in results if (request := result.fields.object("request")) is not None), None)
