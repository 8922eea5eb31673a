"""Acceptance 11: a result encoded twice, with pairs of metrics and statuses in words, opens."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from trace_inspector.cli import main
from trace_inspector.core.values.values import JsonObject

TOLD: JsonObject = {"user_content": {"parts": [{"text": "Two seats?"}], "role": "user"}}
RESULT: JsonObject = {
    "eval_set_result_id": "r",
    "eval_set_id": "tours",
    "eval_case_results": [
        {
            "eval_id": "a",
            "final_eval_status": "FAILED",
            "session_id": "s1",
            "eval_metric_results": [
                [{"metric_name": "m", "threshold": 0.5}, {"score": 0.25, "eval_status": "FAILED"}],
            ],
            "overall_eval_metric_results": [],
            "eval_metric_result_per_invocation": [{"actual_invocation": TOLD, "expected_invocation": TOLD}],
        }
    ],
}


@pytest.mark.parametrize("times", [0, 1])
def test_it_opens_and_says_what_it_says(times: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = json.dumps(RESULT)
    path = tmp_path / "r.evalset_result.json"
    path.write_text(json.dumps(text) if times else text, encoding="utf-8")
    assert main(["inspect", str(path)]) == 0
    shown = capsys.readouterr().out
    assert "adk-eval-result" in shown
    assert "reported: 1 case, 1 failed" in shown
    assert "“Two seats?”" in shown
    assert main(["inspect", str(path), "--json"]) == 0
    (document,) = json.loads(capsys.readouterr().out)["documents"]
    assert len(document["cases"][0]["turns"]) == len(document["traces"][0]["turns"]) == 1
    assert not [finding for finding in document["findings"] if finding["code"] == "unknown-status"]
    codes = {finding["code"] for finding in document["findings"]}
    assert "other-dialect" in codes
    assert ("encoded-json" in codes) is bool(times)
    assert main(["convert", str(path), "--to", "adk-eval-result", "-o", str(tmp_path / "out.json")]) == 0
    assert (tmp_path / "out.json").read_bytes() == path.read_bytes()
