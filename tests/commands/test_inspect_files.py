"""`inspect`: the exact shape for programs, lines for people, and 2 only for what cannot be read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.formats import ces_result_files as ces
from tests.formats.span_files import Made, agent, jaeger, model, says, tool, user, wants
from trace_inspector.cli import main
from trace_inspector.core.values.values import Json, JsonObject

SPANS = [
    agent("a", None, "guide"),
    model(
        "m1", "a", 1, asked=[user("Where?")], said=[wants("look", q="it")],
        usage={"prompt_token_count": 5, "candidates_token_count": 2, "thoughts_token_count": 1},
    ),
    tool("x", "a", 5, "look", {"q": "it"}, {"found": 1}, call_id="adk-1"),
    model("m2", "a", 20, said=says("There.")),
    Made("h", "GET /"),
]  # fmt: skip


def put(path: Path, value: Json) -> str:
    path.write_text(json.dumps(value), encoding="utf-8")
    return str(path)


def inspected(capsys: pytest.CaptureFixture[str], *files: str) -> list[JsonObject]:
    assert main(["inspect", "--json", *files]) == 0
    value = json.loads(capsys.readouterr().out)
    assert list(value) == ["documents"]
    documents: list[JsonObject] = value["documents"]
    return documents


def test_a_trace_for_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = put(tmp_path / "t.json", jaeger(*SPANS))
    assert inspected(capsys, path) == [
        {
            "path": path,
            "format": "jaeger",
            "holds": {},
            "cases": [],
            "traces": [
                {
                    "id": "t1",
                    "agents": ["guide"],
                    "spans": 5,
                    "turns": [
                        {
                            "index": 0,
                            "id": "e-1",
                            "user": "Where?",
                            "final_response": "There.",
                            "events": 3,
                            "tool_calls": [
                                {"name": "look", "args": {"q": "it"}, "id": "adk-1", "result": {"found": 1}}
                            ],
                            "start_s": 1_770_000_000.0,
                            "duration_s": 0.9,
                            "tokens": {"input": 5, "output": 3, "total": 8, "cached": None, "thoughts": 1},
                        }
                    ],
                }
            ],
            "findings": [],
        }
    ]


def test_cases_criteria_and_findings_for_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    turn: JsonObject = {"user_content": {"parts": [{"text": "q"}]}, "mood": 1}
    scenario: JsonObject = {"starting_prompt": "a", "conversation_plan": "b"}
    cases: list[Json] = [
        {"eval_id": "c1", "conversation": [turn]},
        {"eval_id": "c2", "conversation_scenario": scenario},
    ]
    first, second = inspected(
        capsys,
        put(tmp_path / "s.json", {"eval_set_id": "s", "eval_cases": cases}),
        put(tmp_path / "test_config.json", {"criteria": {"a": 1, "b": 2}}),
    )
    assert second["holds"] == {"criteria": 2}
    listed = first["cases"]
    assert isinstance(listed, list)
    assert [(case["id"], case["turns"] == []) for case in listed if isinstance(case, dict)] == [
        ("c1", False),
        ("c2", True),
    ]
    assert isinstance(listed[0], dict)
    assert listed[0]["turns"] == [
        {
            "index": 0, "id": None, "user": "q", "final_response": None, "events": 0, "tool_calls": [],
            "start_s": None, "duration_s": None,
            "tokens": {"input": None, "output": None, "total": None, "cached": None, "thoughts": None},
        }
    ]  # fmt: skip
    (finding,) = first["findings"] if isinstance(first["findings"], list) else []
    assert isinstance(finding, dict)
    assert list(finding) == ["severity", "code", "message", "pointer", "line", "column"]
    assert (finding["severity"], finding["pointer"], finding["line"]) == (
        "warning",
        "/eval_cases/0/conversation/0/mood",
        1,
    )


def test_numbers_that_json_does_not_have_are_null(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "s.json"
    path.write_text(
        '{"eval_set_id": "s", "eval_cases": [{"eval_id": "c", "conversation": [{"user_content": {},'
        ' "intermediate_data": {"tool_uses": [{"name": "f", "args": {"x": 1e999, "y": [NaN]}}]}}]}]}'
    )
    (document,) = inspected(capsys, str(path))
    assert '"args": {"x": null, "y": [null]}' in json.dumps(document)


def test_lines_for_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = put(tmp_path / "t.json", jaeger(*SPANS))
    assert main(["inspect", path]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{path}: jaeger",
        "  trace t1: 1 turn, 5 spans",
        "    1. “Where?”",
        '       look(q="it")',
        "       → “There.”",
    ]


def test_nothing_from_a_trace_commands_a_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spans = [agent("a", None, "g"), model("m", "a", 1, asked=[user("\x1b[2Jboo")], said=says("a\nb\rc"))]
    assert main(["inspect", put(tmp_path / "t.json", jaeger(*spans))]) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\r" not in out


def test_a_file_that_cannot_be_read_does_not_hide_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = put(tmp_path / "t.json", jaeger(*SPANS))
    assert main(["inspect", "--json", str(tmp_path / "gone.json"), good]) == 2
    captured = capsys.readouterr()
    assert len(json.loads(captured.out)["documents"]) == 1
    assert "gone.json" in captured.err
    assert captured.err.count("\n") == 1


def test_findings_are_no_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", put(tmp_path / "x.json", {"unknown": 1})]) == 0
    assert "error not-recognised" in capsys.readouterr().out


def test_a_result_is_shown_with_what_it_names_in_other_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    step: Json = {"userInput": {"text": "Do you have Emma?"}}
    golden: JsonObject = {"name": ces.EVALUATION, "displayName": "Order", "golden": {"turns": [{"steps": [step]}]}}
    (tmp_path / "talks").mkdir()
    result = put(tmp_path / "result.json", ces.result())
    put(tmp_path / "talks" / "talk.json", ces.conversation())
    talks, evaluation = str(tmp_path / "talks"), put(tmp_path / "golden.json", golden)
    put(tmp_path / "talks" / "broken.json", "no document of any kind")

    def told(document: Any) -> tuple[list[str], list[str]]:
        said = [turn["user"] for trace in document["traces"] for turn in trace["turns"]]
        return [case["id"] for case in document["cases"]], said

    alone = told(inspected(capsys, result)[0])
    assert alone == (["order-a-book"], [""])
    documents = inspected(capsys, result, talks, evaluation)
    assert told(documents[0]) == ([], ["Do you have Emma?"])
    shown = {Path(str(one["path"])).stem: told(one) for one in documents}
    assert shown["talk"] == ([], ["Do you have Emma?"])
    assert shown["golden"] == (["order-a-book"], [])
    assert main(["inspect", talks, result]) == 0
    assert "1. “Do you have Emma?”" in capsys.readouterr().out.partition("result.json")[2]
