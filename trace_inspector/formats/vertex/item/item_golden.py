"""One evaluation item as a golden that people change: its request, and the other members of the item."""

from __future__ import annotations

from msgspec.structs import replace

from trace_inspector.core.errors import EditError
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.values.pointer import index_of
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.common.fields import Fields, Report, fields_of
from trace_inspector.formats.extension.reader import Beside, beside
from trace_inspector.formats.vertex.common.recognisers import kind_of_item
from trace_inspector.formats.vertex.common.request import EvaluationRequest, request_of
from trace_inspector.formats.vertex.item.item_groups import Group, short, tags_of
from trace_inspector.formats.vertex.item.item_kinds import item_extras, payload_of, with_ours

_LISTED = "evaluation_items"


def cases_place(value: Json) -> str | None:
    """The list of items; None of a single one."""
    if isinstance(value, list):
        return ""
    fields = fields_of(value, "")
    return fields.pointer(_LISTED) if isinstance(fields.get(_LISTED), list) else None


def is_golden(raw: JsonObject) -> bool:
    """Whether an entry of a list is a request; results stand beside them."""
    return request_in(raw) is not None


def request_in(raw: JsonObject) -> str | None:
    """Where the request of an entry stands: "" where it is the whole entry, None where there is none."""
    fields = Fields(raw, "")
    kind = kind_of_item(fields)
    if kind == "item" and fields.object("evaluation_request") is not None:
        return fields.pointer("evaluation_request")
    return "" if kind == "request" else None


def golden(raw: JsonObject, place: str, suite_id: str) -> Case:
    """The case of an entry. One without a name is called by the file and its number in it."""
    report = Report()
    entry = Fields(raw, place)
    if request_in(raw) is None:
        raise EditError("This item holds no request, so nothing is expected in it. Change the item of its request.")
    name, _, payload = payload_of(entry, report)
    number = index_of(place.rpartition("/")[2])
    alone = suite_id if number is None else f"{suite_id} {number + 1}"
    case_id = short(name) or entry.text("display_name") or alone
    request = request_of(payload or entry, case_id, suite_id, report)
    extras = item_extras(entry, payload or entry)
    group = Group(case_id, request=payload, tags=tags_of(entry), extras=extras, item=with_ours(entry))
    return with_item(group, request, report)


def with_item(group: Group, request: EvaluationRequest, report: Report) -> Case:
    """The case, with the title, matchers and notes of its item."""
    ours = beside(group.item, report) if group.item is not None else Beside()
    stated = group.item.text("display_name") if group.item is not None else None
    title = stated if stated and stated != request.case.id else ""
    return replace(
        request.case,
        title=title,
        matchers=ours.matchers,
        notes=ours.notes,
        overrules=ours.overrules,
        tags=group.tags,
        extras=(*(extra for extra in group.extras if not title or extra.value != title), *request.case.extras),
        place=case_place(group, request),
    )


def case_place(group: Group, request: EvaluationRequest) -> str:
    """A case is its item, where it has one: what people say of it stands there."""
    return group.item.place if group.item is not None else request.case.place
