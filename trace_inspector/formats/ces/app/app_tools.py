"""The tools of a CES app as declarations: name, description and parameters, of code too, which is never run."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator

from trace_inspector.core.values.values import Absent, Json, JsonObject
from trace_inspector.formats.ces.app.app_parts import TOOLSETS, Part, Parts, looked_up
from trace_inspector.formats.ces.common.recognisers import TOOL_KINDS, TOOLS
from trace_inspector.formats.common.fields import Fields

_MOST_CODE_CHARS = 1 << 18
_TYPES = {"int": "INTEGER", "float": "NUMBER", "bool": "BOOLEAN", "str": "STRING", "list": "ARRAY", "dict": "OBJECT"}


def declared(agent: Fields, parts: Parts) -> tuple[Json, ...]:
    """The tools that an agent is given, those of its toolsets behind them; what is not in the app by name alone."""
    named = parts.by_name(TOOLS)
    tools: list[Json] = []
    for name in names_in(agent, "tools"):
        tool = looked_up(named, name)
        tools.append(name if tool is None else declaration(tool, parts))
    sets = parts.by_name(TOOLSETS)
    for entry in agent.objects("toolsets"):
        reference = entry.text("toolset") or ""
        toolset = looked_up(sets, reference)
        title = toolset.title if toolset else reference.rpartition("/")[2]
        tools += [f"{title}/{tool}" for tool in names_in(entry, "tool_ids")] or [title]
    return tuple(tools)


def names_in(fields: Fields, name: str) -> list[str]:
    """The texts in a list."""
    value = fields.get(name)
    return [text for text in value if isinstance(text, str)] if isinstance(value, list) else []


def declaration(tool: Part, parts: Parts) -> JsonObject:
    """One tool as a function is declared to a model."""
    kind = next((kind for kind in TOOL_KINDS if tool.fields.object(kind)), "")
    made = tool.fields.object(kind) if kind else None
    stated: JsonObject = {"name": tool.title}
    description: Json | Absent = (made.text("description") if made else None) or tool.fields.text("description")
    parameters = made.get(TOOL_KINDS[kind]) if made and TOOL_KINDS[kind] else None
    if made and kind == "python_function":
        code = _of_code(parts.text(made.text("python_code")), made.text("name") or tool.title)
        description = description or code.get("description")
        parameters = code.get("parameters")
    if isinstance(description, str):
        stated["description"] = description
    if isinstance(parameters, dict):
        stated["parameters"] = parameters
    return stated


def _of_code(code: str, name: str) -> JsonObject:
    """A declaration from the signature of a function; empty for code that is too long or broken."""
    if not code or len(code) > _MOST_CODE_CHARS:
        return {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    functions = [
        definition for definition in tree.body if isinstance(definition, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    function = next(
        (definition for definition in functions if definition.name == name), functions[0] if functions else None
    )
    if function is None:
        return {}
    declaration: JsonObject = {"parameters": _parameters(function.args)}
    words = ast.get_docstring(function)
    if words:
        declaration["description"] = words
    return declaration


def _parameters(args: ast.arguments) -> JsonObject:
    given = [*args.posonlyargs, *args.args]
    needed = [*given[: len(given) - len(args.defaults)]]
    needed += [
        parameter for parameter, default in zip(args.kwonlyargs, args.kw_defaults, strict=True) if default is None
    ]
    properties: JsonObject = {parameter.arg: dict(_annotation(parameter)) for parameter in (*given, *args.kwonlyargs)}
    required: list[Json] = [parameter.arg for parameter in needed]
    return {"type": "OBJECT", "properties": properties, "required": required}


def _annotation(parameter: ast.arg) -> Iterator[tuple[str, Json]]:
    match parameter.annotation:
        case ast.Name(id=name) | ast.Subscript(value=ast.Name(id=name)) if name.lower() in _TYPES:
            yield "type", _TYPES[name.lower()]
