"""Arguments of a call checked against the schema that its tool declares: JSON Schema, and Gemini's dialect of it.

Schemas come out of traces: patterns in them are not run, references lead nowhere outside, and depth is bounded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from msgspec import Struct

from trace_inspector.core.trace.summary import compact
from trace_inspector.core.values.pointer import join, resolve
from trace_inspector.core.values.values import ABSENT, Absent, Json, JsonObject

_MOST_DEPTH = 30
_MOST_PROBLEMS = 20
_MOST_STEPS = 20_000  # alternatives of alternatives would double with each level
_MOST_OFFERED = 60
_KINDS: Mapping[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "number": (int, float),
    "integer": int,
    "boolean": bool,
    "null": type(None),
}


class ArgumentProblem(Struct, frozen=True):
    """What is wrong with a value, in words; the pointer leads on from the arguments."""

    pointer: str
    sentence: str


class _Whole(Struct):
    """The schema into which references lead, and how much more of it may be looked at."""

    schema: JsonObject
    steps_left: int = _MOST_STEPS

    def goes_on(self) -> bool:
        """One step more, while there are any."""
        self.steps_left -= 1
        return self.steps_left >= 0


def argument_problems(args: Json | Absent, schema: Json) -> list[ArgumentProblem]:
    """Everything in the arguments that the schema does not allow, up to a bound."""
    if not isinstance(schema, dict):
        return []
    stated: Json = {} if isinstance(args, Absent) or args is None else args
    problems = []
    for misfit in _value(stated, schema, "", _Whole(schema), 0):
        problems.append(misfit)
        if len(problems) == _MOST_PROBLEMS:
            break
    return problems


def missing_arguments(args: Json | Absent, schema: Json) -> list[str]:
    """The arguments that a tool requires and that are not there."""
    stated = args if isinstance(args, dict) else {}
    required = schema.get("required") if isinstance(schema, dict) else None
    names = required if isinstance(required, list) else []
    return list(dict.fromkeys(name for name in names if isinstance(name, str) and name not in stated))


def allowed_values(schema: Json, name: str) -> list[Json]:
    """The few values that an argument may have, where the schema names them; none where it may have any."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    declared = properties.get(name) if isinstance(properties, dict) else None
    if not isinstance(schema, dict) or not isinstance(declared, dict):
        return []
    values = list(islice(_named_values(declared, _Whole(schema)), _MOST_OFFERED))
    return values if any(value is not None for value in values) else []


def _named_values(schema: JsonObject, whole: _Whole) -> Iterator[Json]:
    queue: list[Json] = [schema]
    while queue and whole.goes_on():
        subschema = queue.pop()
        if not isinstance(subschema, dict):
            continue
        subschema = _resolved(subschema, whole.schema)
        values, options, kinds = (
            subschema.get("enum"),
            subschema.get("anyOf", subschema.get("any_of")),
            _kinds(subschema),
        )
        if isinstance(values, list) and values:
            yield from values
        elif "boolean" in kinds:
            yield from (True, False)
        elif isinstance(options, list):
            queue.extend(reversed(options))
        if subschema.get("nullable") is True or "null" in kinds:
            yield None


def _value(value: Json, schema: JsonObject, pointer: str, whole: _Whole, depth: int) -> Iterator[ArgumentProblem]:
    schema = _resolved(schema, whole.schema)
    if depth > _MOST_DEPTH or not whole.goes_on() or (value is None and schema.get("nullable") is True):
        return
    options = schema.get("anyOf", schema.get("any_of"))
    if isinstance(options, list):
        readings = [
            list(_value(value, option, pointer, whole, depth + 1)) for option in options if isinstance(option, dict)
        ]
        if readings and all(readings):
            yield min(readings, key=len)[0]
        return
    kinds = _kinds(schema)
    if kinds and not any(_is_a(value, kind) for kind in kinds):
        yield ArgumentProblem(pointer, f"should be {' or '.join(kinds)}, not {compact(value, 40)}")
        return
    allowed = schema.get("enum")
    if isinstance(allowed, list) and allowed and value not in allowed:
        shown = ", ".join(compact(option, 40) for option in allowed[:8])
        yield ArgumentProblem(pointer, f"is {compact(value, 40)}; the tool takes {shown}")
    if isinstance(value, dict):
        yield from _object(value, schema, pointer, whole, depth)
    elif isinstance(value, list) and isinstance(items := schema.get("items"), dict):
        for index, item in enumerate(value):
            yield from _value(item, items, join(pointer, index), whole, depth + 1)


def _object(
    value: JsonObject, schema: JsonObject, pointer: str, whole: _Whole, depth: int
) -> Iterator[ArgumentProblem]:
    properties = schema.get("properties")
    declared = properties if isinstance(properties, dict) else {}
    required = schema.get("required")
    for name in required if isinstance(required, list) else []:
        if isinstance(name, str) and name not in value:
            yield ArgumentProblem(join(pointer, name), "is missing, and the tool needs it")
    extra = schema.get("additionalProperties", schema.get("additional_properties"))
    is_closed = extra is False or (extra is None and bool(declared))
    for name, item in value.items():
        inner = declared.get(name, extra if isinstance(extra, dict) else None)
        if isinstance(inner, dict):
            yield from _value(item, inner, join(pointer, name), whole, depth + 1)
        elif is_closed and name not in declared:
            yield ArgumentProblem(join(pointer, name), "is no argument that the tool declares")


def _resolved(schema: JsonObject, root: JsonObject) -> JsonObject:
    """What a reference inside the same schema leads to; one that leads elsewhere says nothing."""
    for _ in range(_MOST_DEPTH):
        reference = schema.get("$ref", schema.get("ref"))
        if not isinstance(reference, str):
            return schema
        target = resolve(root, reference[1:]) if reference.startswith("#/") else ABSENT
        if not isinstance(target, dict):
            return {}
        schema = target
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
