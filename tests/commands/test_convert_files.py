"""`convert`: losses first, nothing written over them unless allowed; and the list of formats."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.formats.span_files import agent, jaeger, model, says, user
from trace_inspector.cli import main
from trace_inspector.core.values.values import Json
from trace_inspector.formats import FORMATS

SPANS = [agent("a", None, "guide"), model("m", "a", 1, asked=[user("q")], said=says("ok"))]


def put(path: Path, value: Json) -> str:
    path.write_text(json.dumps(value), encoding="utf-8")
    return str(path)


def test_what_would_be_gone_needs_a_word(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = put(tmp_path / "t.json", jaeger(*SPANS)), tmp_path / "out.json"
    assert main(["convert", path, "--to", "adk-eval-set", "-o", str(out)]) == 1
    captured = capsys.readouterr()
    assert captured.out.startswith("gone: spans-lost 2 spans have no place in an eval set")
    assert "--allow-loss" in captured.err
    assert not out.exists()
    assert main(["convert", path, "--to", "adk-eval-set", "-o", str(out), "--allow-loss"]) == 0
    assert capsys.readouterr().out.startswith("gone: spans-lost")
    assert json.loads(out.read_text())["eval_cases"][0]["eval_id"] == "t1"


def test_the_own_format_is_copied(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = put(tmp_path / "t.json", jaeger(*SPANS)), tmp_path / "out.json"
    assert main(["convert", path, "--to", "jaeger", "-o", str(out)]) == 0
    assert out.read_bytes() == Path(path).read_bytes()
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("target", ["otlp", "nonsense"])
def test_a_format_that_is_not_written(tmp_path: Path, capsys: pytest.CaptureFixture[str], target: str) -> None:
    path, out = put(tmp_path / "t.json", jaeger(*SPANS)), tmp_path / "out.json"
    assert main(["convert", path, "--to", target, "-o", str(out)]) == 2
    assert "adk-eval-set" in capsys.readouterr().err
    assert not out.exists()


def test_a_place_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = put(tmp_path / "t.json", jaeger(*SPANS))
    assert main(["convert", path, "--to", "jaeger", "-o", str(tmp_path / "no" / "out.json")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_the_list_of_formats(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["formats", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["formats"]
    assert [entry["name"] for entry in listed] == [known.name for known in FORMATS]
    does = {entry["name"]: (entry["reads"], entry["writes"], entry["edits"]) for entry in listed}
    assert does["adk-eval-set"] == (True, True, True)
    assert does["jaeger"] == (True, False, False)
    assert main(["formats"]) == 0
    first = capsys.readouterr().out.splitlines()[0].split()
    assert " ".join(first).startswith("adk-eval-set ADK eval set; read, written, edited;")
