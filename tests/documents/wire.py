"""Protobuf for tests: OTLP's JSON written as bytes, by the field numbers of opentelemetry-proto."""

from __future__ import annotations

import base64
import hashlib
import struct
from collections.abc import Callable
from typing import TypeAlias

from trace_inspector.core.values.values import Json

Writer: TypeAlias = Callable[[int, Json], bytes]


def varint(number: int) -> bytes:
    """A number in groups of seven bits."""
    number &= (1 << 64) - 1
    written = bytearray()
    while number > 0x7F:
        written.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes((*written, number))


def field(number: int, wire: int, payload: bytes) -> bytes:
    """A field of any type."""
    return varint(number << 3 | wire) + payload


def sized(number: int, payload: bytes) -> bytes:
    """A field with a length: a text, bytes or a message."""
    return field(number, 2, varint(len(payload)) + payload)


def four_bytes(*messages: bytes) -> bytes:
    """Messages as the collector's file exporter sets them one after the other."""
    return b"".join(len(message).to_bytes(4, "big") + message for message in messages)


def delimited(*messages: bytes) -> bytes:
    """Messages as protobuf's own libraries set them one after the other."""
    return b"".join(varint(len(message)) + message for message in messages)


def hexed(value: Json) -> Json:
    """The same OTLP with real ids in the place of short names."""
    if isinstance(value, list):
        return [hexed(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: hashlib.md5(item.encode()).hexdigest()[: _ID_DIGITS[key]]
        if key in _ID_DIGITS and isinstance(item, str) and item
        else hexed(item)
        for key, item in value.items()
    }


_ID_DIGITS = {"traceId": 32, "spanId": 16, "parentSpanId": 16}


def _text(number: int, value: Json) -> bytes:
    return sized(number, str(value).encode("utf-8", "surrogateescape"))


def _id(number: int, value: Json) -> bytes:
    return sized(number, bytes.fromhex(str(value)))


def _bytes(number: int, value: Json) -> bytes:
    return sized(number, base64.b64decode(str(value)))


def _whole(number: int, value: Json) -> bytes:
    return field(number, 0, varint(int(str(value))))


def _truth(number: int, value: Json) -> bytes:
    return field(number, 0, varint(value is True))


def _double(number: int, value: Json) -> bytes:
    return field(number, 1, struct.pack("<d", float(str(value))))


def _fixed_64(number: int, value: Json) -> bytes:
    return field(number, 1, int(str(value)).to_bytes(8, "little"))


def _fixed_32(number: int, value: Json) -> bytes:
    return field(number, 5, int(str(value)).to_bytes(4, "little"))


def _message(name: str) -> Writer:
    return lambda number, value: sized(number, message(name, value))


def message(name: str, value: Json) -> bytes:
    """One message of the table below; lists become fields that come several times."""
    assert isinstance(value, dict)
    written = []
    for key, held in value.items():
        number, write = _NUMBERS[name][key]
        written += [write(number, item) for item in (held if isinstance(held, list) else [held])]
    return b"".join(written)


def traces(value: Json) -> bytes:
    """The message of an OTLP envelope."""
    return message("traces" if isinstance(value, dict) and "resourceSpans" in value else "logs", value)


_ATTRIBUTES = _message("attribute")
_NUMBERS: dict[str, dict[str, tuple[int, Writer]]] = {
    "traces": {"resourceSpans": (1, _message("resource spans"))},
    "resource spans": {
        "resource": (1, _message("resource")),
        "scopeSpans": (2, _message("scope spans")),
        "schemaUrl": (3, _text),
        "instrumentationLibrarySpans": (1000, _message("scope spans")),
    },
    "scope spans": {"scope": (1, _message("scope")), "spans": (2, _message("span")), "schemaUrl": (3, _text)},
    "logs": {"resourceLogs": (1, _message("resource logs"))},
    "resource logs": {"resource": (1, _message("resource")), "scopeLogs": (2, _message("scope logs"))},
    "scope logs": {"scope": (1, _message("scope")), "logRecords": (2, _message("log record"))},
    "resource": {
        "attributes": (1, _ATTRIBUTES),
        "droppedAttributesCount": (2, _whole),
        "entityRefs": (3, _message("entity")),
    },
    "entity": {"schemaUrl": (1, _text), "type": (2, _text), "idKeys": (3, _text), "descriptionKeys": (4, _text)},
    "scope": {"name": (1, _text), "version": (2, _text), "attributes": (3, _ATTRIBUTES)},
    "span": {
        "traceId": (1, _id),
        "spanId": (2, _id),
        "traceState": (3, _text),
        "parentSpanId": (4, _id),
        "name": (5, _text),
        "kind": (6, _whole),
        "startTimeUnixNano": (7, _fixed_64),
        "endTimeUnixNano": (8, _fixed_64),
        "attributes": (9, _ATTRIBUTES),
        "droppedAttributesCount": (10, _whole),
        "events": (11, _message("event")),
        "droppedEventsCount": (12, _whole),
        "links": (13, _message("link")),
        "droppedLinksCount": (14, _whole),
        "status": (15, _message("status")),
        "flags": (16, _fixed_32),
    },
    "event": {"timeUnixNano": (1, _fixed_64), "name": (2, _text), "attributes": (3, _ATTRIBUTES)},
    "link": {"traceId": (1, _id), "spanId": (2, _id), "traceState": (3, _text), "attributes": (4, _ATTRIBUTES)},
    "status": {"message": (2, _text), "code": (3, _whole)},
    "log record": {
        "timeUnixNano": (1, _fixed_64),
        "severityNumber": (2, _whole),
        "severityText": (3, _text),
        "body": (5, _message("value")),
        "attributes": (6, _ATTRIBUTES),
        "flags": (8, _fixed_32),
        "traceId": (9, _id),
        "spanId": (10, _id),
        "observedTimeUnixNano": (11, _fixed_64),
        "eventName": (12, _text),
    },
    "attribute": {"key": (1, _text), "value": (2, _message("value"))},
    "value": {
        "stringValue": (1, _text),
        "boolValue": (2, _truth),
        "intValue": (3, _whole),
        "doubleValue": (4, _double),
        "arrayValue": (5, _message("list")),
        "kvlistValue": (6, _message("map")),
        "bytesValue": (7, _bytes),
    },
    "list": {"values": (1, _message("value"))},
    "map": {"values": (1, _ATTRIBUTES)},
}
