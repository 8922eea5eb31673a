"""Typed attribute values of OpenTelemetry as plain JSON."""

from __future__ import annotations

import base64

from trace_inspector.core.values.values import Json, JsonObject

_VALUE_KINDS = (
    "stringValue", "intValue", "doubleValue", "boolValue", "arrayValue", "kvlistValue", "bytesValue",
    "string_value", "int_value", "double_value", "bool_value", "array_value", "kvlist_value", "bytes_value",
)  # fmt: skip
_MAX_DEPTH = 50
_BASE64_CHARS = (12, 24)  # of the eight bytes of a span's id, and the sixteen of a trace's
ERROR_CODES = frozenset({2, "2", "STATUS_CODE_ERROR", "ERROR"})
_MOST_NANOS = 1 << 64


def decode(item: JsonObject, place: str) -> tuple[Json, str]:
    """The value of one attribute, and its pointer."""
    value = item.get("value")
    if isinstance(value, dict):
        words = value.get("stringValue")
        if isinstance(words, str):  # nearly all of them
            return words, f"{place}/value/stringValue"
        for kind in _VALUE_KINDS:
            if kind in value:
                return any_value(value), f"{place}/value/{kind}"
    return value, f"{place}/value"


def any_value(value: Json, depth: int = 0) -> Json:
    """An AnyValue as plain JSON: integers in text become numbers, lists and maps are unwrapped."""
    if not isinstance(value, dict) or depth > _MAX_DEPTH:
        return value
    kind = next((name for name in _VALUE_KINDS if name in value), "")
    inner = value.get(kind)
    match kind.partition("_")[0].removesuffix("Value"):
        case "int" if isinstance(inner, str):
            return int(inner) if inner.removeprefix("-").isdecimal() and len(inner) < 40 else inner
        case "array":
            return [any_value(item, depth + 1) for item in _listed(inner)]
        case "kvlist":
            return {
                str(item.get("key")): any_value(item.get("value"), depth + 1)
                for item in _listed(inner)
                if isinstance(item, dict)
            }
        case "":
            return None
    return inner


def _listed(inner: Json) -> list[Json]:
    values = inner.get("values") if isinstance(inner, dict) else None
    return values if isinstance(values, list) else []


def hexadecimal(value: str) -> str:
    """An id in hexadecimal digits, as people and other programs write it, also where the file has it in base64."""
    return _from_base64(value) if value[-1:] == "=" and len(value) in _BASE64_CHARS else value


def _from_base64(value: str) -> str:
    try:
        return base64.b64decode(value, validate=True).hex()
    except ValueError:
        return value


def start_and_duration(start: int | None, end: int | None) -> tuple[float | None, float | None]:
    """Start and duration in seconds."""
    if start is None:
        return None, None
    return start / 1e9, (end - start) / 1e9 if end is not None and end >= start else None


def nanos(value: object) -> int | None:
    """Nanoseconds since 1970, written as text or as a number; 0 is "not recorded"."""
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        return None
    try:
        count = int(value)
    except (ValueError, OverflowError):
        return None
    return count if 0 < count < _MOST_NANOS else None
