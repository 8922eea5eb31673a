"""`rebase` on goldens of CES and of Vertex AI: what differs is taken in, and no other line changes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.helpers.rebase_suite import suite
from trace_inspector.cli import main
from trace_inspector.core.trace.trace import answer_text, calls_of
from trace_inspector.flows.opening.open_file import open_file

CASES = 20


def facts(path: Path) -> list[object]:
    """What the goldens of a file expect."""
    return [
        [([(call.name, call.args) for call in calls_of(turn)], answer_text(turn)) for turn in case.turns]
        for suite_read in open_file(path).contents.suites
        for case in suite_read.cases
    ]


@pytest.mark.parametrize(
    ("format_name", "name"), [("ces-evaluation", "trips.evaluation.json"), ("vertex-item", "items.json")]
)
def test_goldens_of_other_formats(tmp_path: Path, format_name: str, name: str) -> None:
    made = suite(tmp_path, CASES)
    golden, path, out = tmp_path / name, tmp_path / "decisions.json", tmp_path / "out"
    assert main(["convert", str(made.base), "--to", format_name, "-o", str(golden), "--allow-loss"]) == 0
    before = golden.read_bytes()
    rebase = ["rebase", str(golden), "--base", str(made.base), "--new", str(made.new)]
    assert main([*rebase, "--propose", str(path)]) == 1
    value = json.loads(path.read_text("utf-8"))
    assert sum(row["count"] > CASES // 2 for row in value["rows"]) == 6
    for row in value["rows"]:
        row["decision"] = "accept" if row["count"] > CASES // 2 else "reject"
    path.write_text(json.dumps(value), "utf-8")
    assert main([*rebase, "--decisions", str(path), "-o", str(out)]) == 0
    assert golden.read_bytes() == before
    expected = json.loads(made.expected.read_text("utf-8"))
    for case in expected["eval_cases"]:
        case.pop("traceInspector", None)
        part = case["conversation"][0]["final_response"]["parts"][0]
        part["text"] = part["text"].replace("Have a good time!", "Have fun!")  # nobody edited these by hand
    made.expected.write_text(json.dumps(expected), "utf-8")
    assert facts(out / name) == facts(made.expected)
    assert main([*rebase[:1], str(out / name), *rebase[2:], "--decisions", str(path), "-o", str(tmp_path / "2")]) == 0
    assert (tmp_path / "2" / name).read_bytes() == (out / name).read_bytes()
