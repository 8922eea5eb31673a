"""Opening files: recognised, placed, streamed; folders as what may be JSON inside."""

from __future__ import annotations

import gc
import hashlib
import json
from pathlib import Path

import pytest

from tests.formats.span_files import agent, jaeger, model, otlp, says, user
from trace_inspector.core.errors import ReadError, Stopped
from trace_inspector.core.finding import Finding, Severity
from trace_inspector.core.golden.golden import Suite
from trace_inspector.core.rows.contents import Holds
from trace_inspector.core.trace.trace import Trace, Turn
from trace_inspector.core.values.values import Json
from trace_inspector.flows.opening.open_file import BytesRead, Recognised, open_file, stream_file

SPANS = [agent("a", None, "guide"), model("m", "a", 1, asked=[user("q")], said=says("ok"))]


def put(path: Path, value: Json) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=1), encoding="utf-8")
    return path


def test_findings_have_line_and_column(tmp_path: Path) -> None:
    path = tmp_path / "set.json"
    path.write_text(
        '{"eval_set_id": "s",\n "eval_cases": [\n  {"eval_id": "a", "conversation": [\n   {"mood": 1}]}]}'
    )
    findings = open_file(path).contents.findings
    assert [(finding.code, finding.line, finding.column) for finding in findings] == [
        ("unknown-key", 4, 13),
        ("missing-field", 4, 4),
    ]


def test_findings_of_the_syntax_come_along(tmp_path: Path) -> None:
    path = tmp_path / "set.json"
    path.write_text('{"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "conversation": []},]}')
    opened = open_file(path)
    assert len(opened.contents.suites[0].cases) == 1
    assert [finding.line for finding in opened.contents.findings] == [1]
    assert opened.contents.findings[0].code == opened.document.findings[0].code


@pytest.mark.parametrize(
    ("value", "described"),
    [
        ({"a": 1}, "data with “a”, in none"),
        (dict.fromkeys("abcdef", 1), "data with “a”, “b”, “c”, “d” and 2 more, in none"),
        ({"k" * 5000: 1}, "data with “kkkk"),
        ({}, "an empty object"),
        ([], "an empty list"),
        ([1, 2], "a list of 2 items, in none"),
        ([{"a": 1}], "a list of 1 item with “a”"),
        ("text", "a single text"),
        (3, "a single value"),
        (None, "a single value"),
    ],
)
def test_an_unrecognised_file_says_in_one_sentence_what_it_holds(tmp_path: Path, value: Json, described: str) -> None:
    contents = open_file(put(tmp_path / "x.json", value)).contents
    assert contents.format == ""
    assert [(finding.severity, finding.code) for finding in contents.findings] == [(Severity.ERROR, "not-recognised")]
    sentence = contents.findings[0].message
    assert sentence.startswith(f"This is {described}")
    assert sentence.endswith("; “trace-inspector formats” and Help list what is read.")
    assert len(sentence) < 250
    assert (contents.findings[0].line, contents.findings[0].column) == (1, 1)


@pytest.mark.parametrize(
    "value",
    [{"eval_set_id": "s", "eval_cases": []}, {"resourceSpans": []}, {"criteria": {}}, {"data": [], "errors": None}],
)
def test_an_empty_file_of_a_known_format_says_so(tmp_path: Path, value: Json) -> None:
    contents = open_file(put(tmp_path / "x.json", value)).contents
    assert contents.format
    assert "nothing-inside" in [finding.code for finding in contents.findings]


def test_json_lines_are_a_list_of_envelopes(tmp_path: Path) -> None:
    path = tmp_path / "export.json"
    path.write_text("".join(json.dumps(otlp(span)) + "\n" for span in SPANS))
    contents = open_file(path).contents
    assert (contents.format, len(contents.traces), len(contents.traces[0].turns)) == ("otlp", 1, 1)
    assert contents.traces[0].turns[0].place == "/0/resourceSpans/0/scopeSpans/0/spans/0"


def test_a_stream_says_the_same_in_order(tmp_path: Path) -> None:
    path = put(tmp_path / "t.json", jaeger(*SPANS))
    items = list(stream_file(path))
    assert [type(item) for item in items] == [Recognised, Trace, Turn, BytesRead]
    data = path.read_bytes()
    assert items[-1] == BytesRead(hashlib.sha256(data).hexdigest(), size_bytes=len(data))
    assert items[0] == Recognised("jaeger")
    whole = open_file(path).contents
    assert items[2] == whole.traces[0].turns[0]


def test_a_stream_ends_with_placed_findings(tmp_path: Path) -> None:
    path = put(tmp_path / "s.json", {"evalSetId": "s", "evalCases": [], "criteria": 1})
    items = list(stream_file(path))
    assert [type(item) for item in items[:2]] == [Recognised, Suite]
    findings = [item for item in items[2:] if isinstance(item, Finding)]
    assert [(finding.code, finding.line) for finding in findings] == [
        ("unknown-key", 4),
        ("other-spelling", 2),
        ("nothing-inside", 1),
    ]


def test_a_stream_looks_for_duplicate_keys_last(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    last = '{"response_match_score": 0.8, "final_response_match_v2": 0.5}'
    path.write_text(f'{{"criteria": {{"tool_trajectory_avg_score": 1}},\n "criteria": {last}}}')
    items = list(stream_file(path))
    assert Holds("criteria", 2) in items
    found = [item for item in items if isinstance(item, Finding)]
    assert [(finding.code, finding.line) for finding in found] == [("duplicate-key", 2)]
    assert items[-1] == found[0]
    assert open_file(path).contents.findings == tuple(found)


def test_a_stream_names_what_is_held(tmp_path: Path) -> None:
    path = put(tmp_path / "c.json", {"criteria": {"m": 1}})
    assert Holds("criteria", 1) in list(stream_file(path))


def test_a_missing_file_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="no such file"):
        open_file(tmp_path / "gone.json")


def test_reading_stops_where_it_is_told(tmp_path: Path) -> None:
    path = put(tmp_path / "t.json", jaeger(*SPANS))

    def stop() -> None:
        raise Stopped

    with pytest.raises(Stopped):
        open_file(path, stop)
    assert gc.isenabled()
