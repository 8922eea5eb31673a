"""Whatever stands in place of a value in ADK's files: they are read, and written again in every format."""

from __future__ import annotations

import json
from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from tests.formats.session_files import call, event, result, said, session
from tests.formats.test_adk_eval_result_reader import case, invocation, results, row
from tests.formats.test_adk_legacy import LOOK, turn
from tests.helpers.campaigns import examples
from tests.helpers.sound import assert_sound
from trace_inspector.core.rows.contents import collect
from trace_inspector.core.values.values import Json
from trace_inspector.formats import FORMATS
from trace_inspector.formats.common.format import Source

SESSION = session(
    event("user", said("q")),
    event(
        "bot",
        call("look"),
        result("look", {"r": 1}),
        at=2.0,
        usageMetadata={"promptTokenCount": 1},
        actions={"stateDelta": {"x": 1}, "transferToAgent": "sub"},
        longRunningToolIds=["c1"],
        groundingMetadata={"a": 1},
    ),
    event("bot", said("a"), at=3.0, errorCode="E"),
)
RUBRIC: Json = {"rubricId": "r", "rubricContent": {"textProperty": "Polite."}}
SAMPLES: tuple[Json, ...] = (
    SESSION,
    SESSION["events"],
    {"id": "s", "context": {}, "events": SESSION["events"], "past_events": [1]},
    results(
        case(row(0, invocation(0)), row(1), session_details=SESSION, traceInspector={"status": "ERROR"}),
        case(overall_eval_metric_results=None, eval_metric_results=[[{"metric_name": "m"}, {"eval_status": 2}]]),
    ),
    [turn(expected_tool_use=[LOOK], expected_intermediate_agent_responses=[{"author": "a", "text": "t"}])],
    [{"name": "n", "data": [turn()], "initial_session": {"state": {}}}],
    {"criteria": {"a": 1, "b": {"threshold": 1, "rubrics": [RUBRIC], "judgeModelOptions": {"own": 1}}}},
)
ODD: tuple[Json, ...] = (
    None, True, 0, -1, 1.5, float("inf"), float("nan"), 10**400, "", "x", "\ud800", [], {}, [[]], [None], [{}],
    {"": None}, {"parts": [None]}, {"parts": {}}, [1, 2],
)  # fmt: skip

Path = tuple[str | int, ...]


def places(value: Json, path: Path = ()) -> Iterator[Path]:
    """The way to every value in a value."""
    yield path
    if isinstance(value, dict):
        for key, item in value.items():
            yield from places(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from places(item, (*path, index))


def put(value: Json, path: Path, new: Json) -> Json:
    """The value with another one at a place."""
    if not path:
        return new
    head, *rest = path
    if isinstance(value, dict) and isinstance(head, str):
        return {**value, head: put(value[head], tuple(rest), new)}
    if isinstance(value, list) and isinstance(head, int):
        return [put(item, tuple(rest), new) if index == head else item for index, item in enumerate(value)]
    return value


@given(st.data())
@examples(100, 3000)
def test_any_value_in_any_place(data: st.DataObject) -> None:
    value = data.draw(st.sampled_from(SAMPLES))
    for _ in range(data.draw(st.integers(1, 3))):
        where = data.draw(st.sampled_from(list(places(value))))
        value = put(value, where, data.draw(st.sampled_from(ODD)))
    for known in FORMATS:
        if known.recognise(value) > 0:
            contents = collect(known.name, known.read(Source(value, "made.json")))
            assert_sound(contents)
            for target in FORMATS:
                if target.write is not None:
                    written = target.write(contents)
                    assert all(loss.message for loss in written.losses)
                    assert 0 <= target.recognise(json.loads(written.text)) <= 100
