"""Arguments of a call held against the schema that its tool declares: JSON Schema, and Gemini's dialect of it.

Schemas come out of traces: patterns in them are not run, references lead nowhere outside, and depth is bounded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from trace_inspector.core.pointer import join, resolve
from trace_inspector.core.summary import compact
from trace_inspector.core.values import ABSENT, Absent, Json, JsonObject

_MOST_DEPTH = 30
_MOST_PROBLEMS = 20
_KINDS: Mapping[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "number": (int, float),
    "integer": int,
    "boolean": bool,
    "null": type(None),
}


@dataclass(frozen=True, slots=True)
class Misfit:
    """What is wrong with a value, in words; the pointer leads on from the arguments."""

    pointer: str
    sentence: str


def misfits(args: Json | Absent, schema: Json) -> list[Misfit]:
    """Everything in the arguments that the schema does not allow, up to a bound."""
    if not isinstance(schema, dict):
        return []
    stated: Json = {} if isinstance(args, Absent) or args is None else args
    found = []
    for misfit in _value(stated, schema, "", schema, 0):
        found.append(misfit)
        if len(found) == _MOST_PROBLEMS:
            break
    return found


def _value(value: Json, schema: JsonObject, pointer: str, root: JsonObject, depth: int) -> Iterator[Misfit]:
    schema = _resolved(schema, root)
    if depth > _MOST_DEPTH or (value is None and schema.get("nullable") is True):
        return
    options = schema.get("anyOf", schema.get("any_of"))
    if isinstance(options, list):
        readings = [list(_value(value, one, pointer, root, depth + 1)) for one in options if isinstance(one, dict)]
        if readings and all(readings):
            yield min(readings, key=len)[0]
        return
    kinds = _kinds(schema)
    if kinds and not any(_is_a(value, kind) for kind in kinds):
        yield Misfit(pointer, f"should be {' or '.join(kinds)}, not {compact(value, 40)}")
        return
    allowed = schema.get("enum")
    if isinstance(allowed, list) and allowed and value not in allowed:
        shown = ", ".join(compact(one, 40) for one in allowed[:8])
        yield Misfit(pointer, f"is {compact(value, 40)}; the tool takes {shown}")
    if isinstance(value, dict):
        yield from _object(value, schema, pointer, root, depth)
    elif isinstance(value, list) and isinstance(items := schema.get("items"), dict):
        for at, item in enumerate(value):
            yield from _value(item, items, join(pointer, at), root, depth + 1)


def _object(value: JsonObject, schema: JsonObject, pointer: str, root: JsonObject, depth: int) -> Iterator[Misfit]:
    properties = schema.get("properties")
    known = properties if isinstance(properties, dict) else {}
    required = schema.get("required")
    for name in required if isinstance(required, list) else []:
        if isinstance(name, str) and name not in value:
            yield Misfit(join(pointer, name), "is missing, and the tool needs it")
    extra = schema.get("additionalProperties", schema.get("additional_properties"))
    is_closed = extra is False or (extra is None and bool(known))
    for name, held in value.items():
        inner = known.get(name, extra if isinstance(extra, dict) else None)
        if isinstance(inner, dict):
            yield from _value(held, inner, join(pointer, name), root, depth + 1)
        elif is_closed and name not in known:
            yield Misfit(join(pointer, name), "is no argument that the tool declares")


def _resolved(schema: JsonObject, root: JsonObject) -> JsonObject:
    """What a reference inside the same schema leads to; one that leads elsewhere says nothing."""
    for _ in range(_MOST_DEPTH):
        reference = schema.get("$ref", schema.get("ref"))
        if not isinstance(reference, str):
            return schema
        found = resolve(root, reference[1:]) if reference.startswith("#/") else ABSENT
        if not isinstance(found, dict):
            return {}
        schema = found
    return {}


def _kinds(schema: JsonObject) -> list[str]:
    stated = schema.get("type")
    names = stated if isinstance(stated, list) else [stated]
    return [name.lower() for name in names if isinstance(name, str) and name.lower() in _KINDS]


def _is_a(value: Json, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    if kind == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, _KINDS[kind])
