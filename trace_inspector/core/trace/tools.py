"""The tools that an agent or a model had at hand, by name, however they were declared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from trace_inspector.core.values.values import Json, JsonObject

_SCHEMAS = (
    "parameters", "parameters_json_schema", "parametersJsonSchema", "input_schema", "inputSchema",
)  # fmt: skip
_LISTS = ("function_declarations", "functionDeclarations")


def tool_names(tools: Iterable[Json]) -> tuple[str, ...]:
    """The names in their order: of Gemini's lists of functions, of chat completions' functions, of plain tools."""
    return tuple(name for tool in tools for name in _names(tool))


def declared_arguments(tools: Iterable[Json]) -> dict[str, Json]:
    """The schema of each tool's arguments by the tool's name; null where none is declared."""
    schemas: dict[str, Json] = {}
    for tool in tools:
        for name, declaration in _declarations(tool):
            schemas[name] = next((declaration[key] for key in _SCHEMAS if key in declaration), None)
    return schemas


def _names(tool: Json) -> Iterator[str]:
    return (name for name, _declaration in _declarations(tool))


def _declarations(tool: Json) -> Iterator[tuple[str, JsonObject]]:
    if isinstance(tool, str):
        yield tool, {}
    elif isinstance(tool, dict):
        listed = next((each for key in _LISTS if isinstance(each := tool.get(key), list)), None)
        for each in [tool.get("function", tool)] if listed is None else listed:
            if isinstance(each, dict) and isinstance(name := each.get("name"), str):
                yield name, each
