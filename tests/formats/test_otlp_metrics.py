"""OTLP files of metrics: recognised, counted, and no trace made of them."""

from __future__ import annotations

import json

import pytest

from tests.formats.span_files import agent, opened, otlp
from trace_inspector.core.values.values import Json
from trace_inspector.formats import recognise

METRICS: Json = {"resourceMetrics": [{"scopeMetrics": [{"metrics": [{"name": "a"}, {"name": "b"}]}]}]}
SNAKE: Json = {"resource_metrics": [{"scope_metrics": [{"metrics": [{"name": "a"}, {"name": "b"}]}]}]}


@pytest.mark.parametrize("value", [METRICS, SNAKE])
def test_metrics_are_held_and_counted(value: Json) -> None:
    known = recognise(value)
    assert known is not None
    assert known.name == "otlp"
    contents = opened(value)
    assert (contents.holds, contents.traces, contents.findings) == ({"metrics": 2}, (), ())


def test_metrics_beside_spans_take_nothing_from_them() -> None:
    contents = opened([otlp(agent("a", None, "g")), json.loads(json.dumps(METRICS))])
    assert (contents.holds, contents.traces[0].span_count) == ({"metrics": 2}, 1)
