"""A new evaluation item for a list that is there, with what people say beside its calls."""

from __future__ import annotations

from trace_inspector.core.finding import Finding
from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.values.values import JsonObject
from trace_inspector.formats.vertex.item.item_losses import WrittenItem, losses_of
from trace_inspector.formats.vertex.item.item_matchers import with_matchers
from trace_inspector.formats.vertex.item.item_writer import item_json


def new_item(case: Case) -> tuple[JsonObject, tuple[Finding, ...]]:
    """One item of a case. Matchers of calls go along in its metadata; what has no place is told."""
    item = WrittenItem(case)
    raw, told = with_matchers(item, item_json(item, case.id))
    return raw, tuple(losses_of(Contents("", suites=(Suite("", cases=(case,)),)), [told]))
