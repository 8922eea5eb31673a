"""Typed attribute values of OpenTelemetry as plain JSON."""

from __future__ import annotations

from trace_inspector.core.values.values import Json, JsonObject

_VALUE_KINDS = (
    "stringValue", "intValue", "doubleValue", "boolValue", "arrayValue", "kvlistValue", "bytesValue",
    "string_value", "int_value", "double_value", "bool_value", "array_value", "kvlist_value", "bytes_value",
)  # fmt: skip
_MAX_DEPTH = 50


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
