"""Results of a judge, and labels on them: what the tests of `calibrate` compare."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from trace_inspector.cli import main

PASS, FAIL = "pass", "fail"
Line = dict[str, Any]


def result_of(path: Path, outputs: Iterable[tuple[str, str, str]], **more: object) -> Path:
    """A result file of (case, words of the answer, what the judge says), with a judged criterion on each turn."""
    cases = []
    for case, answer, verdict in outputs:
        score = 1.0 if verdict == PASS else 0.0
        metric = {
            "metricName": "final_response_match_v2",
            "threshold": 0.5,
            "score": score,
            "evalStatus": 1 if verdict == PASS else 2,
            **more,
        }
        invocation = {
            "invocationId": f"{case}-1",
            "userContent": {"role": "user", "parts": [{"text": "Where is my order?"}]},
            "finalResponse": {"role": "model", "parts": [{"text": answer}]},
        }
        cases.append(
            {
                "evalSetFile": "orders.evalset.json",
                "evalSetId": "orders",
                "evalId": case,
                "finalEvalStatus": metric["evalStatus"],
                "evalMetricResults": [],
                "overallEvalMetricResults": [metric],
                "evalMetricResultPerInvocation": [
                    {
                        "actualInvocation": invocation,
                        "expectedInvocation": invocation,
                        "evalMetricResults": [metric],
                    }
                ],
                "sessionId": f"session {case}",
            }
        )
    written = {
        "evalSetResultId": "orders_1",
        "evalSetResultName": "orders_1",
        "evalSetId": "orders",
        "evalCaseResults": cases,
        "creationTimestamp": 1.0,
    }
    path.write_text(json.dumps(written), "utf-8")
    return path


def queue_of(result: Path, *words: str) -> list[Line]:
    """A line for every output of a result, in the order of the cases."""
    out = result.with_suffix(".queue.jsonl")
    question = [] if "--question" in words else ["--question", "final_response_match_v2"]
    assert main(["labels", "sample", str(result), "--n", "100000", *question, *words, "-o", str(out)]) == 0
    lines = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    return sorted(lines, key=lambda line: str(line["case"]))


def labels_of(path: Path, lines: Iterable[Line]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


def answered(queue: Iterable[Line], values: Iterable[object], **more: object) -> list[Line]:
    return [{**line, "value": value, "rater": "Ana", **more} for line, value in zip(queue, values, strict=False)]


# tp 3, fp 1, fn 2, tn 6
JUDGE = [FAIL] * 4 + [PASS] * 8
PEOPLE = [FAIL] * 3 + [PASS] + [FAIL] * 2 + [PASS] * 6


def twelve_outputs(path: Path) -> Path:
    """A result of JUDGE on twelve outputs, each of a case of its own."""
    return result_of(path, [(f"case-{index:02}", f"Answer {index}.", each) for index, each in enumerate(JUDGE)])


def told(capsys: pytest.CaptureFixture[str], *words: object, code: int = 0) -> dict[str, Any]:
    assert main(["calibrate", *map(str, words), "--json"]) == code
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def only(capsys: pytest.CaptureFixture[str], *words: object, code: int = 0) -> dict[str, Any]:
    (question,) = told(capsys, *words, code=code)["questions"]
    assert isinstance(question, dict)
    return question
