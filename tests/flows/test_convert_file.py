"""Converting: the same bytes in the own format, a new file in another, and nothing lost silently."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.formats.span_files import agent, jaeger, model, says, user
from trace_inspector.core.errors import ReadError, UsageError
from trace_inspector.core.values.values import Json
from trace_inspector.flows.opening.convert_file import convert_files, save_converted
from trace_inspector.flows.opening.open_file import open_file
from trace_inspector.formats.writing import reserved_key_conversion

SPANS = [agent("a", None, "guide"), model("m", "a", 1, asked=[user("q")], said=says("ok"))]


def put(path: Path, value: Json) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def eval_set(case_id: str) -> Json:
    turn: Json = {"user_content": {"parts": [{"text": "q"}]}}
    return {"eval_set_id": "s", "eval_cases": [{"eval_id": case_id, "conversation": [turn]}]}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('\ufeff{"eval_set_id" :"s",\r\n\t"eval_cases": [], "x": 1.0}\r\n', "adk-eval-set"),
        ('{"resourceSpans": [ ]}', "otlp"),
        ('{"criteria": {"m": 0.50}}', "adk-eval-config"),
    ],
)
def test_the_own_format_keeps_every_byte(tmp_path: Path, text: str, name: str) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(text.encode())
    converted = convert_files([path], name)
    assert (converted.data, converted.losses) == (text.encode(), ())


def test_a_trace_becomes_an_eval_set(tmp_path: Path) -> None:
    converted = convert_files([put(tmp_path / "t.json", jaeger(*SPANS))], "adk-eval-set")
    assert [loss.code for loss in converted.gone] == ["spans-lost"]
    out = tmp_path / "out.json"
    save_converted(converted, out)
    (suite,) = open_file(out).contents.suites
    assert [case.id for case in suite.cases] == ["t1"]


def test_several_files_become_one(tmp_path: Path) -> None:
    paths = [
        put(tmp_path / "a.json", eval_set("c")),
        put(tmp_path / "b.json", eval_set("c")),
        put(tmp_path / "t.json", jaeger(*SPANS)),
    ]
    converted = convert_files(paths, "adk-eval-set")
    value = json.loads(converted.data)
    assert [case["eval_id"] for case in value["eval_cases"]] == ["c", "c (2)", "t1"]
    assert {loss.code for loss in converted.losses} == {"renamed-case", "spans-lost", "kept-beside"}


def test_what_cannot_be_written_is_named(tmp_path: Path) -> None:
    path = put(tmp_path / "s.json", eval_set("c"))
    with pytest.raises(UsageError, match="can be read but not written; formats that can be written: adk-eval-set"):
        convert_files([path], "jaeger")
    with pytest.raises(UsageError, match="no format “nonsense”"):
        convert_files([path], "nonsense")


def test_a_file_nobody_knows_is_not_converted(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=r"x\.json: This is data with “a”, in none of the formats"):
        convert_files([put(tmp_path / "x.json", {"a": 1})], "adk-eval-set")


def test_what_no_reader_takes_is_gone_for_good(tmp_path: Path) -> None:
    path = put(tmp_path / "set.json", eval_set("c"))
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("{", '{"creation_timestamp": 1, "creation_timestamp": 2, ', 1), encoding="utf-8")
    made = convert_files([path], "adk-session")
    assert [loss.message for loss in made.gone] == [
        "Part of set.json could not be read (“duplicate-key”); “trace-inspector validate” shows where."
    ]
    assert convert_files([path], "adk-eval-set").gone == ()  # its own bytes


def test_items_that_were_not_read_are_gone_where_nothing_goes_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    value: Json = {
        "id": "s",
        "appName": "a",
        "userId": "u",
        "events": [{"author": "user", "content": {"parts": []}}, 3],
    }
    path = put(tmp_path / "session.json", value)
    assert convert_files([path], "adk-eval-set").gone == ()
    monkeypatch.setattr(reserved_key_conversion, "MAX_LEFT_CHARS", 0)
    gone = convert_files([path], "adk-eval-set").gone
    assert "List items that should be objects" in " ".join(loss.message for loss in gone)
