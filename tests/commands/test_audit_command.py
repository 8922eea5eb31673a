"""The command `audit` from the outside: a folder of results, and which of them contradict themselves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from trace_inspector.cli import main
from trace_inspector.core.values.values import Json, JsonObject


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
    assert last.startswith("3 of 4 reported verdicts contradict their own details; ")
    assert main(["audit", str(tmp_path / "a-fits.json")]) == 0
    assert capsys.readouterr().out == "0 of 1 reported verdicts contradict their own details\n"


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


def changed(path: Path, key: str, value: Json) -> None:
    """The same file with another value on its case."""
    written = json.loads(path.read_text())
    written["eval_case_results"][0][key] = value
    path.write_text(json.dumps(written))


def test_a_judge_that_crashed_in_google_adk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It writes “not evaluated” and no score beside a pass, and says no more."""
    result(tmp_path / "r.json", "one", 1, 1)
    passed: JsonObject = {
        "metric_name": "response_match_score", "threshold": 0.8, "score": 1.0, "eval_status": 1,
    }  # fmt: skip
    crashed: JsonObject = {
        "metric_name": "final_response_match_v2", "threshold": 0.5, "score": None, "eval_status": 3,
    }  # fmt: skip
    changed(tmp_path / "r.json", "overall_eval_metric_results", [passed, crashed])
    assert main(["audit", str(tmp_path)]) == 1
    assert "decided-nothing: The verdict is passed, and final_response_match_v2 decided nothing" in (
        capsys.readouterr().out
    )


def test_turns_of_the_session_that_nobody_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result(tmp_path / "r.json", "one", 1, 1)
    events: list[Json] = [
        {
            "id": f"{author}{at}", "author": author, "invocation_id": f"i{at}", "timestamp": at + 1.0,
            "content": {"role": "user", "parts": [{"text": f"question {at}"}]},
        }
        for at in range(3)
        for author in ("user", "guide")
    ]  # fmt: skip
    changed(tmp_path / "r.json", "session_details", {"id": "x", "app_name": "a", "user_id": "u", "events": events})
    assert main(["audit", str(tmp_path)]) == 1
    assert "turns-unchecked: The verdict is passed, and 1 of 3 turns were checked." in capsys.readouterr().out


def test_our_own_report_of_a_judge_that_failed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    conversation: list[Json] = [turn("question 0")]
    golden = tmp_path / "g.json"
    golden.write_text(
        json.dumps({"eval_set_id": "s", "eval_cases": [{"eval_id": "c", "conversation": conversation}]})
    )
    criteria = {"criteria": {"response_match_score": 0.5, "final_response_match_v2": 0.5}}
    (tmp_path / "c.json").write_text(json.dumps(criteria))
    (tmp_path / "j.json").write_text(json.dumps({"version": 1, "replies": []}))
    asked = ["--criteria", str(tmp_path / "c.json"), "--judge", f"recorded:{tmp_path / 'j.json'}"]
    report = str(tmp_path / "r.json")
    assert main(["evaluate", str(golden), "--golden", str(golden), *asked, "--report", f"adk={report}"]) == 3
    capsys.readouterr()
    assert main(["audit", report]) == 1
    assert "judge-failed: The verdict is passed, and the judge failed at final_response_match_v2." in (
        capsys.readouterr().out
    )


@pytest.mark.corpus
def test_a_case_of_google_adk_passes_by_its_mean(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", str(corpus / "adk-evalset-result")]) == 0
    assert capsys.readouterr().out == "0 of 4 reported verdicts contradict their own details\n"


def test_what_cannot_be_audited(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "set.json").write_text('{"eval_set_id": "s", "eval_cases": []}')
    assert main(["audit", str(tmp_path / "set.json")]) == 3
    assert "These files report no verdicts" in capsys.readouterr().out
    assert main(["audit", str(tmp_path / "none.json")]) == 2
    assert "none.json" in capsys.readouterr().err


@pytest.mark.corpus
def test_files_of_others(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = corpus / "ces-scrapi-result"
    assert main(["audit", str(folder)]) == 1
    assert capsys.readouterr().out.endswith(
        "2 of 6 reported verdicts contradict their own details; nothing-to-assess 2\n"
    )
