"""The command `audit` from the outside: a folder of results, and which of them contradict themselves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from trace_inspector.cli import main
from trace_inspector.core.values import Json, JsonObject


def turn(text: str) -> JsonObject:
    return {"user_content": {"parts": [{"text": text}]}, "final_response": {"parts": [{"text": "Yes."}]}}


def result(path: Path, name: str, status: int, *turns: int, score: float = 1.0, needs: float = 0.8) -> None:
    """A result file of ADK, 1 passed and 2 failed, with the status of each turn that was checked."""
    metric: JsonObject = {"metric_name": "response_match_score", "threshold": needs, "score": score}
    each: list[Json] = [
        {
            "actual_invocation": turn(f"question {at}"),
            "expected_invocation": turn(f"question {at}"),
            "eval_metric_results": [metric | {"eval_status": checked}],
        }
        for at, checked in enumerate(turns)
    ]
    overall = metric | {"eval_status": max(turns, default=3)}
    case: JsonObject = {
        "eval_set_id": "s", "eval_id": name, "final_eval_status": status, "session_id": name,
        "overall_eval_metric_results": [overall], "eval_metric_result_per_invocation": each,
    }  # fmt: skip
    path.write_text(json.dumps({"eval_set_result_id": path.stem, "eval_set_id": "s", "eval_case_results": [case]}))


def test_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result(tmp_path / "a-fits.json", "fits", 1, 1)
    result(tmp_path / "b-hides.json", "hides", 1, 1, 2, score=0.1)
    result(tmp_path / "c-red.json", "red", 2, 1)
    result(tmp_path / "d-low.json", "low", 1, 1, score=0.1)
    (tmp_path / "notes.txt").write_text("nothing")
    assert main(["audit", str(tmp_path)]) == 1
    *lines, last = capsys.readouterr().out.splitlines()
    told = {tuple(line.removeprefix(f"{tmp_path}/").split(": ", 3)[:3]) for line in lines}
    assert {
        ("b-hides.json", "hides", "passed-with-failure"),
        ("c-red.json", "red", "scores-pass-but-fail"),
        ("d-low.json", "low", "score-against-threshold"),
    } <= told
    assert not any(name == "a-fits.json" for name, *_more in told)
    assert last.startswith("3 of 4 reported verdicts contradict their parts; ")
    assert main(["audit", str(tmp_path / "a-fits.json")]) == 0
    assert capsys.readouterr().out == "0 of 1 reported verdicts contradict their parts\n"


def test_a_golden_beside_tells_of_turns_that_nobody_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result(tmp_path / "short.json", "short", 1, 1)
    assert main(["audit", str(tmp_path)]) == 0
    conversation: list[Json] = [turn("question 0"), turn("question 1")]
    golden = {"eval_set_id": "s", "eval_cases": [{"eval_id": "short", "conversation": conversation}]}
    (tmp_path / "golden.json").write_text(json.dumps(golden))
    capsys.readouterr()
    assert main(["audit", str(tmp_path)]) == 1
    assert "turns-unchecked: The verdict is passed, and 1 of 2 turns were checked." in capsys.readouterr().out


def test_for_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result(tmp_path / "red.json", "red", 2, 1)
    assert main(["audit", str(tmp_path), "--json"]) == 1
    (verdict,) = json.loads(capsys.readouterr().out)["verdicts"]
    assert (verdict["case"], verdict["status"]) == ("red", "FAILED")
    assert [one["code"] for one in verdict["contradictions"]] == ["scores-pass-but-fail"]


def test_what_cannot_be_audited(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "set.json").write_text('{"eval_set_id": "s", "eval_cases": []}')
    assert main(["audit", str(tmp_path / "set.json")]) == 3
    assert "No verdict is reported" in capsys.readouterr().out
    assert main(["audit", str(tmp_path / "none.json")]) == 2
    assert "none.json" in capsys.readouterr().err


@pytest.mark.corpus
def test_files_of_others(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = corpus / "ces-scrapi-result"
    assert main(["audit", str(folder)]) == 1
    assert capsys.readouterr().out.endswith("2 of 6 reported verdicts contradict their parts; nothing-to-assess 2\n")
