"""Documents of one format in a list (lines, elements, YAML documents), or one document in a JSON string."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from trace_inspector.core.finding import Finding, error, info
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.values.values import Json
from trace_inspector.formats.common.fields import Report
from trace_inspector.formats.common.format import Format, Source
from trace_inspector.formats.common.span_attributes import from_text

_LOOKED_AT = 20


def wrapped(value: Json, surest: Callable[[Json], Format | None]) -> Format | None:
    """The format of documents in a list or a string, where its reader can begin anywhere; else None."""
    if isinstance(value, str):
        listed_format = surest(from_text(value))
        return (
            listed_format.read_by(_in_a_text(listed_format))
            if listed_format is not None and listed_format.anywhere
            else None
        )
    if not isinstance(value, list):
        return None
    formats = [listed_format for item in value[:_LOOKED_AT] if (listed_format := surest(item)) is not None]
    if not formats or not formats[0].anywhere or any(listed_format is not formats[0] for listed_format in formats):
        return None
    return formats[0].read_by(_one_by_one(formats[0]))


def _in_a_text(listed_format: Format) -> Callable[[Source], Iterator[Item]]:
    def read(source: Source) -> Iterator[Item]:
        yield info("encoded-json", "The whole file is one JSON string that contains JSON; that inner JSON is shown.")
        yield from listed_format.read(replace(source, value=from_text(source.value)))

    return read


def _one_by_one(listed_format: Format) -> Callable[[Source], Iterator[Item]]:
    def read(source: Source) -> Iterator[Item]:
        report = Report()
        for index, value in enumerate(source.value if isinstance(source.value, list) else []):
            source.tick()
            place = f"{source.place}/{index}"
            if not listed_format.recognise(value):
                name = listed_format.name
                message = f"This document is not of the format {name}, unlike others in this file; it is left out."
                report.add(error("not-recognised", message, place))
                continue
            for item in listed_format.read(replace(source, value=value, place=place)):
                if isinstance(item, Finding):
                    report.add(item)
                else:
                    yield item
        yield from report.drain()

    return read
