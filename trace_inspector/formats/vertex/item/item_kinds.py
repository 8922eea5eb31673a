"""What an object of Vertex AI is: an evaluation item, a bare request or a bare result; and its other members."""

from __future__ import annotations

from msgspec.structs import replace

from trace_inspector.core.finding import error, warning
from trace_inspector.core.values.extra import Extra
from trace_inspector.formats.common.fields import Fields, Report
from trace_inspector.formats.extension.key import KEY
from trace_inspector.formats.vertex.common.content import (
    beyond,
    check_required,
    check_word,
    error_details,
    given,
    report_stored,
    status_text,
)
from trace_inspector.formats.vertex.common.recognisers import kind_of_item

_PAYLOADS = ("evaluation_request", "evaluation_response", "gcs_uri", "harbor_task")
_TYPE_OF = {"evaluation_request": "REQUEST", "evaluation_response": "RESULT", "harbor_task": "HARBOR_TASK"}
_REQUIRED: dict[str, tuple[str, ...]] = {
    "request": (),
    "result": ("evaluation_request", "evaluation_run", "request", "metric"),
}
_TYPES = frozenset({"EVALUATION_ITEM_TYPE_UNSPECIFIED", *_TYPE_OF.values()})


def with_ours(entry: Fields) -> Fields:
    """The item with our own key, which stands in its metadata but describes the item."""
    metadata = entry.mapping("metadata") or {}
    return Fields({**entry.value, KEY: metadata[KEY]}, entry.place) if KEY in metadata else entry


def item_extras(entry: Fields, payload: Fields) -> tuple[Extra, ...]:
    """The members of an item besides its content, without our own key."""
    if entry is payload:
        return ()
    extras = (*beyond(entry, "error", KEY, *_PAYLOADS), *error_details(entry))
    return tuple(extra for extra in map(_without_ours, extras) if extra is not None)


def _without_ours(extra: Extra) -> Extra | None:
    if extra.name != "metadata" or not isinstance(extra.value, dict):
        return extra
    others = {key: value for key, value in extra.value.items() if key != KEY}
    return replace(extra, value=others) if others else None


def payload_of(entry: Fields, report: Report) -> tuple[str, str, Fields | None]:
    """The name of an item, "request" or "result", and what it holds; of bare ones they themselves."""
    kind = kind_of_item(entry)
    if kind in ("request", "result"):
        return "", kind, entry
    payloads = [name for name in _PAYLOADS if given(entry.get(name))]
    if len(payloads) > 1:
        named = " and ".join(f"“{entry.key(name)}”" for name in payloads)
        message = f"An item may hold only one of {named}; Vertex AI rejects it."
        report.add(error("several-of-a-union", message, entry.pointer(payloads[1])))
    failed = status_text(entry)
    if failed:
        report.add(warning("item-failed", f"Vertex AI reports of this item: {failed}", entry.pointer("error")))
    check_required(entry, "This item", ("display_name", "evaluation_item_type"), report)
    check_word(entry, "evaluation_item_type", _TYPES, report)
    stated = entry.text("evaluation_item_type")
    payload = next((name for name in payloads if name in _TYPE_OF), None)
    if payload and stated in _TYPE_OF.values() and stated != _TYPE_OF[payload]:
        message = f"The type is {stated}, and the item contains “{entry.key(payload)}”; the content is shown."
        report.add(warning("type-differs", message, entry.pointer("evaluation_item_type")))
    report_stored(entry, report)
    name = entry.text("name") or ""
    for key, what in (("evaluation_request", "request"), ("evaluation_response", "result")):
        content = entry.object(key)
        if content is not None:
            check_required(content, f"This {what}", _REQUIRED[what], report)
            return name, what, content
    if not entry.text("gcs_uri"):
        what = "a task for a harness" if payload == "harbor_task" else "neither a request nor a result"
        report.add(
            warning(
                "nothing-to-show", f"This item contains {what}, which is shown only in the Raw view.", entry.place
            )
        )
    return name, "", None
