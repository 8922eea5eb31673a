"""Tags that are none stand beside others in a Jaeger span: these are read as if they stood alone."""

from __future__ import annotations

from tests.helpers.tables import each
from trace_inspector.core.rows.contents import collect
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.common.format import Source
from trace_inspector.formats.spans.jaeger import read

PROPER: list[Json] = [
    {"key": "gen_ai.operation.name", "value": "chat"},
    {"key": "error", "value": True},
    {"key": "error.message", "value": "too hot"},
]


def told(tags: Json) -> tuple[object, object]:
    """What a span in a run of an agent is taken for, and its error."""
    span: JsonObject = {"spanID": "m", "parentSpanID": "a", "operationName": "ask", "tags": tags}
    run: JsonObject = {"spanID": "a", "operationName": "invoke_agent guide", "tags": []}
    source = Source({"data": [{"traceID": "t", "spans": [run, span]}]})
    contents = collect("jaeger", list(read(source)))
    found = [each for trace in contents.traces for turn in trace.turns for each in turn.spans if each.id == "m"]
    return [(each.kind.value, each.error) for each in found], len(contents.traces)


@each(
    "odd", [None, "key", 3, [], ["key"], {}, {"value": 1}, {"key": None}, {"key": ["error"]}, {"key": {}}], ids=repr
)
def test_a_tag_that_is_none_changes_nothing(odd: Json) -> None:
    expected = told(PROPER)
    assert expected == ([("model", "too hot")], 1)
    assert told([odd, *PROPER]) == told([*PROPER, odd]) == expected


@each("tags", [None, {}, "key", 7, [], {"key": "error", "value": True}], ids=repr)
def test_no_tags_at_all(tags: Json) -> None:
    assert told(tags) == ([], 1)
