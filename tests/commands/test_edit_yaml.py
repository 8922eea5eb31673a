from __future__ import annotations

import json
from pathlib import Path

import pytest

from trace_inspector import cli

TEXT = """\
# cases
eval_set_id: basics  # a name
eval_cases:
- eval_id: one
  conversation:
  - invocation_id: i1
    user_content: {parts: [{text: Hi}], role: user}
    final_response:
      parts:
      - text: |
          Hello
          there
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "x.yaml"
    path.write_text(TEXT)
    return path


def test_yaml_holds_what_json_of_the_same_values_holds(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["inspect", str(file), "--json"]) == 0
    (document,) = json.loads(capsys.readouterr().out)["documents"]
    assert document["format"] == "adk-eval-set"
    (turn,) = document["cases"][0]["turns"]
    assert (turn["user"], turn["final_response"]) == ("Hi", "Hello\nthere\n")


def test_findings_of_yaml_have_line_and_column(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(TEXT.replace("eval_id: one", "eval_id: 7") + "eval_set_id: again\n")
    cli.main(["validate", str(file)])
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith(f"{file}:4:12: ") for line in lines)
    assert any(line.startswith(f"{file}:13:1: warning duplicate-key") for line in lines)


def test_broken_yaml_is_read_up_to_the_fault(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(TEXT + "a: b: c\n")
    assert cli.main(["validate", str(file)]) == 1
    assert f"{file}:13:5: error yaml-syntax" in capsys.readouterr().out


def test_edits_of_yaml_print_their_lines_and_move_no_other_byte(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edits = (
        "--set",
        '/eval_set_id="other"',
        "--insert",
        "/eval_cases/0/tags=[1]",
        "--remove",
        "/eval_cases/0/eval_id",
    )
    assert cli.main(["edit", str(file), *edits]) == 0
    assert capsys.readouterr().out.splitlines()[:2] == [
        "2: - eval_set_id: basics  # a name",
        '2: + eval_set_id: "other"  # a name',
    ]
    expected = TEXT.replace("basics", '"other"').replace("eval_id: one\n  ", "") + "  tags: [1]\n"
    assert file.read_text() == expected


def test_a_refused_edit_leaves_the_file_alone(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["edit", str(file), "--set", "/eval_set_id=a: b"]) == 2
    assert "no longer be valid YAML" in capsys.readouterr().err
    assert file.read_text() == TEXT
