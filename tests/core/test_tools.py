from __future__ import annotations

from tests.helpers.tables import each
from trace_inspector.core.trace.tools import tool_names
from trace_inspector.core.values.values import Json


@each(
    ("tools", "names"),
    [
        ([{"function_declarations": [{"name": "a"}]}, {"functionDeclarations": [{"name": "b"}]}], "ab"),
        ([{"type": "function", "function": {"name": "a"}}, {"name": "b", "input_schema": {}}, "c"], "abc"),
        ([{"google_search": {}}, {"function": 3}, {"name": 4}, None, 5, [], {"function_declarations": [7]}], ""),
        ([], ""),
    ],
)
def test_names_however_tools_are_declared(tools: list[Json], names: str) -> None:
    assert tool_names(tools) == tuple(names)
