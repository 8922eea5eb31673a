"""Acceptance 12: A → ADK → A and A → Vertex → A restore the original through the reserved key."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.formats import agent_eval_files, ces_golden_files, vertex_files
from tests.formats.adk_files import WRITABLE
from trace_inspector.cli import main
from trace_inspector.core.values.difference import same
from trace_inspector.core.values.json_numbers import parse_exactly

FILES = {
    **WRITABLE,
    "vertex-item": json.dumps(vertex_files.full_list()),
    "ces-evaluation": json.dumps(ces_golden_files.full_golden()),
    "agent-eval": json.dumps([agent_eval_files.simulated()]),
}
# What is called like the file, and not by anything in it, is called otherwise when it comes back.
TARGETS = [name for name in WRITABLE if name != "adk-eval-config"] + ["vertex-item"]
PAIRS = [(a, b) for a in FILES for b in TARGETS if a != b and (a in WRITABLE or b in ("vertex-item", "adk-eval-set"))]


@pytest.mark.parametrize(("origin", "target"), PAIRS)
def test_it_restores_the_original(
    origin: str, target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, there, back = (str(tmp_path / name) for name in ("a.json", "b.json", "c.json"))
    Path(path).write_text(FILES[origin], encoding="utf-8")
    assert main(["convert", path, "--to", target, "-o", there]) == 0
    said = capsys.readouterr().out
    assert "gone:" not in said
    assert "note: kept-beside" in said
    assert main(["convert", there, "--to", origin, "-o", back]) == 0
    assert "gone:" not in capsys.readouterr().out
    assert same(parse_exactly(Path(back).read_bytes()), parse_exactly(FILES[origin]))


def test_nothing_of_ours_stands_on_an_invocation(tmp_path: Path) -> None:
    for origin, text in WRITABLE.items():
        path, out = tmp_path / f"{origin}.json", tmp_path / "out.json"
        path.write_text(text, encoding="utf-8")
        if origin == "adk-eval-set":
            continue
        assert main(["convert", str(path), "--to", "adk-eval-set", "-o", str(out)]) == 0
        for case in json.loads(out.read_text(encoding="utf-8"))["eval_cases"]:
            assert all("traceInspector" not in invocation for invocation in case.get("conversation", []))


def test_removed_on_request(tmp_path: Path) -> None:
    path, there = tmp_path / "a.json", tmp_path / "b.json"
    path.write_text(json.dumps(json.loads(WRITABLE["adk-session"])), encoding="utf-8")
    assert main(["convert", str(path), "--to", "adk-eval-set", "-o", str(there)]) == 0
    assert main(["edit", str(there), "--remove", "/eval_cases/0/traceInspector"]) == 0
    assert "traceInspector" not in there.read_text(encoding="utf-8")
