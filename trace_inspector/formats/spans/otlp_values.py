"""OpenTelemetry's attribute values, which say of each what kind it is, as plain JSON."""

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
    """An AnyValue as plain JSON: integers given as text become numbers, lists and maps are unwrapped."""
    if not isinstance(value, dict) or depth > _MAX_DEPTH:
        return value
    kind = next((known for known in _VALUE_KINDS if known in value), "")
    held = value.get(kind)
    match kind.partition("_")[0].removesuffix("Value"):
        case "int" if isinstance(held, str):
            return int(held) if held.removeprefix("-").isdecimal() and len(held) < 40 else held
        case "array":
            return [any_value(item, depth + 1) for item in _listed(held)]
        case "kvlist":
            return {
                str(item.get("key")): any_value(item.get("value"), depth + 1)
                for item in _listed(held)
                if isinstance(item, dict)
            }
        case "":
            return None
    return held


def _listed(held: Json) -> list[Json]:
    values = held.get("values") if isinstance(held, dict) else None
    return values if isinstance(values, list) else []
