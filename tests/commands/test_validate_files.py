"""`validate`: one line a finding, and an exit code that means something."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from trace_inspector.cli import main
from trace_inspector.core.values.values import Json


def put(path: Path, value: Json) -> str:
    path.write_text(json.dumps(value), encoding="utf-8")
    return str(path)


def eval_set(**more: Json) -> Json:
    turn: Json = {"user_content": {"parts": []}, **more}
    return {"eval_set_id": "s", "eval_cases": [{"eval_id": "c", "conversation": [turn]}]}


def test_nothing_to_say(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", put(tmp_path / "s.json", eval_set())]) == 0
    assert capsys.readouterr().out == ""


def test_a_warning_is_a_line_and_no_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = put(tmp_path / "s.json", eval_set(mood=1))
    assert main(["validate", path]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    column = Path(path).read_text().index("1}") + 1
    assert line.startswith(f"{path}:1:{column}: warning unknown-key google-adk 2.13 rejects “mood”")


def test_an_error_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = put(tmp_path / "a.json", eval_set()), put(tmp_path / "b.json", eval_set(duration="long"))
    assert main(["validate", good, bad]) == 1
    column = Path(bad).read_text().index('"long"') + 1
    assert f"{bad}:1:{column}: error wrong-type" in capsys.readouterr().out


def test_lines_stand_in_the_files_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "s.json"
    path.write_text(
        '{"eval_set_id": "s", "eval_cases": [\n{"eval_id": "c"},\n{"eval_id": "c", "conversation": []}],\n"x": 1}'
    )
    assert main(["validate", str(path)]) == 1
    lines = [line.removeprefix(f"{path}:").split(" ")[2] for line in capsys.readouterr().out.splitlines()]
    assert lines == ["script-or-scenario", "duplicate-id", "unknown-key"]


def test_an_unreadable_file_is_2_whatever_else_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = put(tmp_path / "b.json", eval_set(duration="long"))
    assert main(["validate", str(tmp_path / "gone.json"), bad]) == 2
    captured = capsys.readouterr()
    assert ("error wrong-type" in captured.out, "gone.json" in captured.err) == (True, True)


def test_a_file_name_with_a_line_break_stays_on_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = put(tmp_path / "a\nb.json", eval_set(mood=1))
    assert main(["validate", path]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1
