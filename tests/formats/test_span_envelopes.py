"""The envelopes of Jaeger and OTLP in all their spellings, their values and their times."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.formats.span_files import Made, agent, jaeger, model, opened, otlp, says, user
from tests.helpers.tables import each
from trace_inspector.core.trace.trace import answer_text, user_text
from trace_inspector.core.values.values import Json
from trace_inspector.formats.spans.otlp_values import any_value

TURN = [agent("a", None, "guide"), model("m", "a", 1, asked=[user("q")], said=says("ok"))]


def _first_trace(value: Json) -> Json:
    assert isinstance(value, dict)
    assert isinstance(value["data"], list)
    return value["data"][0]


@each(
    ("shape", "place"),
    [
        (lambda value: value, "/data/0/spans/0"),
        (_first_trace, "/spans/0"),
        (lambda value: [_first_trace(value)], "/0/spans/0"),
        (lambda value: {"data": _first_trace(value)}, "/data/spans/0"),
        (lambda value: [value, {"data": []}], "/0/data/0/spans/0"),
    ],
)
def test_jaegers_envelopes(shape: Callable[[Json], Json], place: str) -> None:
    contents = opened(shape(jaeger(*TURN)))
    assert (contents.format, contents.traces[0].turns[0].place) == ("jaeger", place)
    assert contents.findings == ()


def _renamed(value: Json, names: dict[str, str]) -> Json:
    if isinstance(value, dict):
        return {names.get(key, key): _renamed(item, names) for key, item in value.items()}
    return [_renamed(item, names) for item in value] if isinstance(value, list) else value


@each(
    "shape",
    [
        lambda value: value,
        lambda value: [value, {"resourceSpans": []}],
        lambda value: {"trace": value},
        lambda value: _renamed(value, {"resourceSpans": "batches", "scopeSpans": "instrumentationLibrarySpans"}),
        lambda value: _renamed(
            value,
            {
                "resourceSpans": "resource_spans", "scopeSpans": "scope_spans", "traceId": "trace_id",
                "spanId": "span_id", "parentSpanId": "parent_span_id", "startTimeUnixNano": "start_time_unix_nano",
                "endTimeUnixNano": "end_time_unix_nano", "stringValue": "string_value",
            },
        ),
    ],
)  # fmt: skip
def test_otlps_envelopes(shape: Callable[[Json], Json]) -> None:
    contents = opened(shape(otlp(*TURN)))
    (turn,) = contents.traces[0].turns
    assert (contents.format, user_text(turn), answer_text(turn), turn.start_s is None) == ("otlp", "q", "ok", False)
    assert contents.findings == ()


@pytest.mark.parametrize("code", [2, "2", "STATUS_CODE_ERROR"])
def test_a_status_by_number_or_name(code: Json) -> None:
    value = _renamed(otlp(Made("s", "GET /", failed="broken")), {})
    text = json.dumps(value).replace('"code": 2', f'"code": {json.dumps(code)}')
    assert opened(json.loads(text)).traces[0].spans[0].error == "broken"


@each(
    ("value", "plain"),
    [
        ({"stringValue": "x"}, "x"),
        ({"intValue": "-12"}, -12),
        ({"intValue": 12}, 12),
        ({"intValue": "many"}, "many"),
        ({"doubleValue": 0.5}, 0.5),
        ({"boolValue": False}, False),
        ({"bytesValue": "AAE="}, "AAE="),
        ({"arrayValue": {"values": [{"intValue": "1"}, {"stringValue": "b"}]}}, [1, "b"]),
        ({"arrayValue": {}}, []),
        ({"kvlistValue": {"values": [{"key": "k", "value": {"boolValue": True}}]}}, {"k": True}),
        ({"int_value": "3"}, 3),
        ({}, None),
        ("bare", "bare"),
    ],
)
def test_every_kind_of_attribute_value(value: Json, plain: Json) -> None:
    assert any_value(value) == plain


@each("nanos", ["0", 0, None, "", "soon", 10**30, -5, True, [1]])
def test_a_time_that_is_none(nanos: Json) -> None:
    value = json.loads(json.dumps(otlp(Made("s", "GET /", at=None))))
    span = value["resourceSpans"][0]["scopeSpans"][0]["spans"][0]
    span["startTimeUnixNano"] = span["endTimeUnixNano"] = nanos
    (read,) = opened(value).traces[0].spans
    assert (read.start_s, read.duration_s) == (None, None)


@each("micros", [None, "soon", 10**30, True, [1], float("nan")])
def test_a_jaeger_time_that_is_none(micros: Json) -> None:
    value = json.loads(json.dumps(jaeger(Made("s", "GET /"))))
    value["data"][0]["spans"][0]["startTime"] = micros
    assert opened(value).traces[0].spans[0].start_s is None
