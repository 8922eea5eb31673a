"""Spans decoded as types: of any bytes exactly what the general reader makes of them, or nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.flows.test_large_files import _small_is_large, streamed, turn
from tests.formats.span_files import Made, jaeger, otlp
from tests.helpers.campaigns import examples
from tests.helpers.tables import each
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.values.values import Json
from trace_inspector.documents.large.records import RecordDecoder

__all__ = ["_small_is_large"]  # a fixture

SPANS = [span for at in range(12) for span in turn(at)]
SPANS[5].notes.append(("exception", {"exception.message": "no such article"}))
SPANS[8].failed = "refused"
TEXTS = {write.__name__: json.dumps(write(*SPANS), separators=(",", ":")) for write in (jaeger, otlp)}
TYPED = RecordDecoder.records


class Readings:
    """What typed and general reading make of a file, and how many spans or traces were typed."""

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.typed = 0
        self._path = path
        self._monkeypatch = monkeypatch

    def agree(self, text: bytes) -> Contents:
        self._path.write_bytes(text)
        self.typed = 0

        def counted(decoder: RecordDecoder[object], text: bytes, *, unique: bool) -> list[object] | None:
            records = TYPED(decoder, text, unique=unique)
            self.typed += len(records or ())
            return records

        self._monkeypatch.setattr(RecordDecoder, "records", counted)
        typed = streamed(self._path)
        self._monkeypatch.setattr(RecordDecoder, "records", lambda *_given, **_named: None)
        general = streamed(self._path)
        assert repr(typed) == repr(general)  # NaN and -0.0 too
        return typed


@pytest.fixture
def readings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Readings:
    return Readings(tmp_path / "t.json", monkeypatch)


@pytest.mark.parametrize("name", TEXTS)
def test_what_exporters_write_is_typed(name: str, readings: Readings) -> None:
    contents = readings.agree(TEXTS[name].encode())
    assert len(contents.traces[0].turns) == 12
    assert readings.typed == len(SPANS)


@pytest.mark.parametrize("write", [jaeger, otlp])
def test_traces_and_scopes_are_typed(write: Callable[..., Json], readings: Readings) -> None:
    key = "data" if write is jaeger else "resourceSpans"
    traces: list[Json] = []
    for at in range(12):
        made = write(*turn(at, trace=f"t{at}"))
        assert isinstance(made, dict)
        listed = made[key]
        assert isinstance(listed, list)
        traces.extend(listed)
    contents = readings.agree(json.dumps({key: traces}).encode())
    assert len(contents.traces) == 12
    assert readings.typed >= 11


# Instead of the time at which span h6 begins, which both formats write as these digits.
NUMBERS = (
    "0", "-0", "1.0", "1e3", "1e400", "-1e400", "NaN", "Infinity", "null", "true", '"7"', "1.", "01", "[]",
    "{}", "1" * 400, "1" * 4301, "123456789012345678901234567890", "0.1234567890123456789012345",
    "18446744073709551616",
)  # fmt: skip
# Instead of the name of the tool that span x6 ran.
WORDS = (
    '"\\u006cook"', '"\\ud800"', '"\\udc00x"', '"\\ud83d\\ude00"', '"a\tb"', '"\\x"', '"\xff"',
    '"\xed\xa0\x80"', '"é"', '"\\u0022"', '"\\""', '":a"', '"\\\\":1"', "1.0", "1", "12345678901234567890123",
    "-0.0", "null", "false", '["a"]', '{"b":1}', '"look","key":"gen_ai.tool.name"', '"look","value":"again"',
    '"look","more":1',
)  # fmt: skip


@pytest.mark.parametrize("name", TEXTS)
@each("number", NUMBERS)
def test_numbers_are_the_same(name: str, number: str, readings: Readings) -> None:
    digits = {"jaeger": '"startTime":1770000006000000', "otlp": '"startTimeUnixNano":"1770000006000000000"'}[name]
    assert digits in TEXTS[name]
    readings.agree(TEXTS[name].replace(digits, f"{digits.partition(':')[0]}:{number}").encode())


@pytest.mark.parametrize("name", TEXTS)
@each("word", WORDS)
def test_words_are_the_same(name: str, word: str, readings: Readings) -> None:
    before, own, after = TEXTS[name].rpartition('"look"')
    assert own
    readings.agree(
        before.encode() + word.encode("utf-8" if word.isascii() or "é" in word else "latin-1") + after.encode()
    )


# Behind the id of span h6, further members: known and unknown ones, twice, and of other kinds.
MEMBERS = (
    '"flags":1', '"flags":"1"', '"warnings":null', '"warnings":["w"]', '"parentSpanID":"a5"',
    '"parentSpanID":null', '"parentSpanId":"a5"', '"processID":"p1","processID":"p2"', '"tags":[]',
    '"status":{"code":2}', '"status":{"code":"STATUS_CODE_OK"}', '"status":{"code":2,"message":"m"}',
    '"status":{"code":1,"code":2}', '"references":null', '"logs":null', '"unknown":[[[[1]]]]',
    '"links":[{"traceId":"a","spanId":"b","attributes":[]}]', '"traceState":"a=b"', '"spanID":"h6"',
    '"name":null', '"span_id":"other"',
    '"attributes":[{"key":"error.type","value":{"arrayValue":{"values":[{"kvlistValue":{"values":[]}}]}}}]',
    '"events":[{"name":"n"}]',
    '"attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"chat"}},{"key":"n","value":{"intValue":"1"}}]',
    '"references":[{"refType":"FOLLOWS_FROM","spanID":"a5"},{"refType":"CHILD_OF","spanID":"a4"}]',
    '"references":[{"refType":"FOLLOWS_FROM","spanID":"a5"}]', '"tags":[{"key":"error","value":"true"}]',
    '"tags":[{"key":"error","value":0}]', '"tags":[{"value":1}]', '"tags":[{"key":"a","value":[1]}]',
)  # fmt: skip


@pytest.mark.parametrize("name", TEXTS)
@each("member", MEMBERS)
def test_members_are_the_same(name: str, member: str, readings: Readings) -> None:
    own = {"jaeger": '"spanID":"h6","operationName"', "otlp": '"spanId":"h6","parentSpanId"'}[name]
    assert own in TEXTS[name]
    first, _, second = own.partition(",")
    readings.agree(TEXTS[name].replace(own, f"{first},{member},{second}").encode())
    # And where nothing else has the member: what stands in its place is not there twice.
    key = member.partition(":")[0]
    readings.agree(TEXTS[name].replace(f"{key}:[]", member).replace(f"{key}:{{}}", member).encode())


PUT = (b"", b'"', b"\\", b",", b"{", b"}", b"]", b"0", b"\x00", b"\xff", b" ", b'"a":1,', b"//")


@settings(examples(25, 2_000), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), name=st.sampled_from(sorted(TEXTS)))
def test_bytes_put_anywhere_change_nothing_between_them(data: st.DataObject, name: str, readings: Readings) -> None:
    text = TEXTS[name].encode()
    start = data.draw(st.integers(600, len(text) - 1))
    put = data.draw(st.sampled_from(PUT))
    readings.agree(text[:start] + put + text[start + data.draw(st.integers(0, 3)) :])


def test_spans_without_what_others_have_are_read(readings: Readings) -> None:
    bare = [Made("b", "queue", None, None), Made("c", "queue", "b", 0)]
    contents = readings.agree(json.dumps(jaeger(*SPANS, *bare)).encode())
    assert readings.typed
    assert contents.traces[0].span_count == len(SPANS) + 2
