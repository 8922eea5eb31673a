"""Two runs by criteria of one name and other options: said, not hidden, and no regression."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from trace_inspector.cli import main
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.flows.runs.store_run import list_runs

CALLS = "tool_trajectory_avg_score"


def turn(question: str, *tools: str, answer: str = "Yes.") -> JsonObject:
    calls: list[Json] = [{"name": name, "args": {}} for name in tools]
    return {
        "user_content": {"parts": [{"text": question}]},
        "final_response": {"parts": [{"text": answer}]},
        "intermediate_data": {"tool_uses": calls},
    }


def suite(path: Path, **cases: list[JsonObject]) -> str:
    listed = [{"eval_id": name, "conversation": turns} for name, turns in cases.items()]
    path.write_text(json.dumps({"eval_set_id": "s", "eval_cases": listed}))
    return str(path)


@pytest.fixture
def sides(tmp_path: Path) -> tuple[str, str]:
    golden = suite(tmp_path / "golden.json", plain=[turn("One?", "f", "g")], longer=[turn("Two?", "f")])
    trace = suite(
        tmp_path / "trace.json", plain=[turn("One?", "g", "f")], longer=[turn("Two?", "f"), turn("And whales?")]
    )
    return golden, trace


def run(tmp_path: Path, sides: tuple[str, str], criteria: JsonObject, *options: str) -> tuple[str, str]:
    """A kept run by its id, and the file of its results."""
    given, report = tmp_path / "criteria.json", tmp_path / f"report{len(list(tmp_path.iterdir()))}.json"
    given.write_text(json.dumps({"criteria": criteria}))
    main(["evaluate", sides[1], "--golden", sides[0], "--criteria", str(given), f"--report=adk={report}", *options])
    return list_runs().lines[0].id, str(report)


@pytest.mark.parametrize("which", [0, 1], ids=["kept", "files"])
def test_another_match_type_is_no_regression(
    which: int, tmp_path: Path, sides: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    any_order, exact = (
        run(tmp_path, sides, {CALLS: {"threshold": 1.0, "match_type": name}})[which]
        for name in ("ANY_ORDER", "EXACT")
    )
    capsys.readouterr()
    assert main(["compare-runs", any_order, exact]) == 3
    assert capsys.readouterr().out.splitlines()[:2] == [
        f"not comparable: plain (another {CALLS}: match_type ANY_ORDER and EXACT)",
        f"not comparable: longer (another {CALLS}: match_type ANY_ORDER and EXACT)",
    ]
    assert main(["compare-runs", exact, exact]) == 0
    capsys.readouterr()


def test_extra_turns_that_fail_in_one_run_alone(
    tmp_path: Path, sides: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    criteria: JsonObject = {CALLS: {"threshold": 1.0, "match_type": "ANY_ORDER"}}
    allowed, fail = (run(tmp_path, sides, criteria, "--extra-turns", wish)[0] for wish in ("allow", "fail"))
    capsys.readouterr()
    assert main(["compare-runs", allowed, fail]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0] == ("not comparable: longer (extra turns are allowed in the baseline and fail in the candidate)")
    assert out[-1].startswith("0 regressed, 0 improved, 1 unchanged")
    assert main(["compare-runs", fail, fail]) == 0
    assert "extra turns" not in capsys.readouterr().out
