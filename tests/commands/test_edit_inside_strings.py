"""`edit` and `validate` on files that hold JSON in strings."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.formats.test_adk_eval_result_reader import case, invocation, results, row
from trace_inspector.cli import main
from trace_inspector.core.values.values import Json


def result_file(folder: Path) -> Path:
    """As google-adk wrote results before 1.22: the whole file one JSON text."""
    pair: Json = [{"metric_name": "tool_trajectory_avg_score", "threshold": 1.0}, {"score": 0.5, "eval_status": 2}]
    judged = case(row(0, invocation(0, "golden – é")), eval_metric_results=[pair], overall_eval_metric_results=[])
    judged["final_eval_status"] = "failed"
    path = folder / "app_set_1756222394.evalset_result.json"
    text = json.dumps(results(judged), ensure_ascii=False, separators=(",", ":"))
    path.write_text(json.dumps(text, indent=2), encoding="utf-8")
    return path


def test_a_doubly_encoded_result_with_pairs_and_words_opens(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = result_file(tmp_path)
    assert main(["inspect", str(path), "--json"]) == 0
    (document,) = json.loads(capsys.readouterr().out)["documents"]
    assert document["format"] == "adk-eval-result"
    assert [len(trace["turns"]) for trace in document["traces"]] == [1]
    assert [found["id"] for found in document["cases"]] == ["c1"]
    places = {found["code"]: (found["pointer"], found["line"], found["column"]) for found in document["findings"]}
    column = path.read_text().index(r"\"failed\"") + 1
    assert places["other-dialect"] == ("/eval_case_results/0/final_eval_status", 1, column)


def test_a_doubly_encoded_result_is_edited_in_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = result_file(tmp_path)
    before = path.read_bytes()
    pointer = (
        "/eval_case_results/0/eval_metric_result_per_invocation/0/expected_invocation/final_response/parts/0/text"
    )
    assert main(["edit", str(path), "--set", f'{pointer}="goldener – ü"']) == 0
    old, new = capsys.readouterr().out.splitlines()
    assert path.read_bytes() == before.replace(rb"golden \u2013 \u00e9", rb"goldener \u2013 \u00fc")
    assert r"golden \u2013 \u00e9" in old
    assert r"goldener \u2013 \u00fc" in new
    assert (old[:5], new[:5]) == ("1: - ", "1: + ")
    assert max(len(old), len(new)) < 300
    assert re.search(r" of \d+ characters, from character \d+\)$", new)
    assert main(["edit", str(path), "--set", f'{pointer}="golden – é"']) == 0
    assert path.read_bytes() == before


def test_edits_reach_inside_strings_of_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "spans.jsonl"
    path.write_text('{"a": 1}\n{"args": "{\\"n\\": [1, 2]}", "b": 0.10}\n')
    arguments = ["--set", "/1/args/n/0=1.0", "--insert", "/1/args/m=null", "--remove", "/1/args/n/1"]
    assert main(["edit", str(path), *arguments]) == 0
    assert path.read_text() == '{"a": 1}\n{"args": "{\\"n\\": [1.0], \\"m\\": null}", "b": 0.10}\n'
    assert capsys.readouterr().out.splitlines() == [
        '2: - {"args": "{\\"n\\": [1, 2]}", "b": 0.10}',
        '2: + {"args": "{\\"n\\": [1.0], \\"m\\": null}", "b": 0.10}',
    ]


def test_the_whole_string_can_be_set_too(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('{"a": "{\\"b\\": 1}"}')
    assert main(["edit", str(path), "--set", '/a="{}"', "--insert", "/a/b=2"]) == 0
    assert path.read_text() == '{"a": "{\\"b\\": 2}"}'
    assert main(["edit", str(path), "--remove", "/a"]) == 0
    assert path.read_text() == "{}"


def test_what_is_wrong_inside_a_string_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.json"
    path.write_text('{"a": "{\\"b\\": 1}"}')
    assert main(["edit", str(path), "--set", "/a/b=1", "--remove", "/a/c/d"]) == 2
    error = capsys.readouterr().err
    assert "In the JSON that the text at “/a” holds: There is no value at “/c”." in error
    assert error.count("\n") == 1
    assert path.read_text() == '{"a": "{\\"b\\": 1}"}'


def test_strings_of_yaml_are_seen_through_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.yaml"
    path.write_text('a: \'{"b": [1, 2]}\'  # kept\nc: |\n  {"x": 1,\n   "y": 2}\n')
    assert main(["edit", str(path), "--set", "/a/b/0=1.0", "--remove", "/c/y"]) == 0
    assert path.read_text() == 'a: \'{"b": [1.0, 2]}\'  # kept\nc: |\n  {"x": 1}\n'
    assert capsys.readouterr().out.splitlines() == [
        "1: - a: '{\"b\": [1, 2]}'  # kept",
        "1: + a: '{\"b\": [1.0, 2]}'  # kept",
        '3: -   {"x": 1,',
        '3: +   {"x": 1}',
        '4: -    "y": 2}',
    ]
