"""Tables of JSON results, as simply as the tests of calculations need them."""

from __future__ import annotations

import json
from collections.abc import Iterator

from trace_inspector.core.values.values import Json
from trace_inspector.engine.grounding.evidence.evidence import Origin, Source
from trace_inspector.engine.grounding.tables.record import Field, Record, Table
from trace_inspector.engine.grounding.tables.text_tables import tables_in_text

SOURCE = Source(Origin.RESULT, "tool result", "/events/0")


def tables_of_result(
    value: Json, name: str = "", source: Source = SOURCE, *, is_complete: bool = True
) -> list[Table]:
    """The tables of one result: lists of objects, objects of objects, one object, lines of text."""
    if isinstance(value, str):
        return tables_in_text(source, value)
    if isinstance(value, list):
        if value and all(isinstance(item, str) for item in value):
            return tables_in_text(source, "\n".join(str(item) for item in value))
        records = tuple(Record(tuple(_fields(item))) for item in value if isinstance(item, dict))
        return [Table(source, name, records, is_complete)] if records else []
    if not isinstance(value, dict):
        return []
    if len(value) > 1 and all(isinstance(item, dict) for item in value.values()):
        named = [(key, item) for key, item in value.items() if isinstance(item, dict)]
        records = tuple(Record((_field("id", key), *_fields(item))) for key, item in named)
        return [Table(source, name, records, is_complete)]
    lists = {key: item for key, item in value.items() if isinstance(item, list) and item}
    tables: list[Table] = []
    for key, item in lists.items():
        total = next((value[word] for word in ("total", "total_count", "count") if word in value), None)
        more = bool(value.get("has_more") or value.get("next_page") or value.get("truncated"))
        whole = not more and (not isinstance(total, int) or total == len(item))
        tables.extend(tables_of_result(item, key, source, is_complete=whole))
    scalars = tuple(_fields({key: item for key, item in value.items() if not isinstance(item, list)}))
    if scalars:
        tables.append(Table(source, name, (Record(scalars),), is_complete and not lists))
    return tables


def _fields(value: dict[str, Json]) -> Iterator[Field]:
    for key, item in value.items():
        if isinstance(item, dict):
            yield from _fields(item)
        elif isinstance(item, list):
            yield _field(key, json.dumps(item, ensure_ascii=False))
        else:
            yield Field(key, item, f"{key}: {item}")


def _field(key: str, text: str) -> Field:
    return Field(key, text, f"{key}: {text}")
