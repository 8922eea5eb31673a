"""The sample files: written by their generator, and in the forms they claim to be in."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from trace_inspector.resources import folder

SAMPLES = folder("samples")
GENERATOR = Path(__file__).resolve().parents[2] / "packaging" / "make_samples.py"
WRITTEN = ["judge-replies.json", "retail.evalset.json", "run-0405.json", "run-0412.json", "test_config.json"]


def load(name: str) -> Any:
    return json.loads((SAMPLES / name).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("samples")
    subprocess.run([sys.executable, str(GENERATOR), str(target)], check=True, timeout=50)
    return target


def test_the_generator_writes_all_of_them(generated: Path) -> None:
    assert sorted(path.name for path in generated.iterdir()) == WRITTEN
    assert sorted(path.name for path in SAMPLES.iterdir()) == sorted([*WRITTEN, "README.md"])


@pytest.mark.parametrize("name", WRITTEN)
def test_a_file_is_what_the_generator_writes(generated: Path, name: str) -> None:
    assert (SAMPLES / name).read_bytes() == (generated / name).read_bytes()


def test_the_readme_names_every_case_and_file() -> None:
    text = (SAMPLES / "README.md").read_text(encoding="utf-8")
    cases = [case["eval_id"] for case in load("retail.evalset.json")["eval_cases"]]
    assert [word for word in [*cases, "seattle_tea_001", *WRITTEN] if f"`{word}`" not in text] == []


def test_both_forms_of_expected_calls_are_used() -> None:
    turns = [turn for case in load("retail.evalset.json")["eval_cases"] for turn in case["conversation"]]
    forms = [tuple(turn["intermediate_data"]) for turn in turns]
    assert set(forms) == {("invocation_events",), ("tool_uses", "tool_responses")}


def test_no_rubric_id_is_given_twice_to_a_turn() -> None:
    criteria = load("test_config.json")["criteria"]["rubric_based_final_response_quality_v1"]
    for case in load("retail.evalset.json")["eval_cases"]:
        for turn in case["conversation"]:
            rubrics = [*criteria["rubrics"], *case.get("rubrics", []), *turn.get("rubrics", [])]
            ids = [rubric["rubric_id"] for rubric in rubrics]
            assert len(ids) == len(set(ids))


def test_spans_lie_inside_their_parents() -> None:
    for trace in load("run-0412.json")["data"]:
        times = {span["spanID"]: (span["startTime"], span["startTime"] + span["duration"]) for span in trace["spans"]}
        assert len(times) == len(trace["spans"])
        for span in trace["spans"]:
            for reference in span["references"]:
                first, last = times[reference["spanID"]]
                start, end = times[span["spanID"]]
                assert first <= start <= end <= last, span["operationName"]


def test_ids_in_the_otlp_file_have_their_length_and_parents_exist() -> None:
    spans = load("run-0405.json")["resourceSpans"][0]["scopeSpans"][0]["spans"]
    ids = {span["spanId"] for span in spans}
    assert len(ids) == len(spans)
    for span in spans:
        assert len(bytes.fromhex(span["traceId"])) == 16
        assert len(bytes.fromhex(span["spanId"])) == 8
        assert span.get("parentSpanId") is None or span["parentSpanId"] in ids


def replies(case: str, turn: int) -> list[str]:
    return [
        reply["reply"]
        for reply in load("judge-replies.json")["replies"]
        if (reply["case"], reply["turn"]) == (case, turn)
    ]


def test_two_of_three_judges_see_the_planted_claim() -> None:
    verdicts = [reply.count("Verdict: no") for reply in replies("seattle_coffee_001", 1)]
    assert verdicts == [1, 0, 1]
    others = [reply["reply"] for reply in load("judge-replies.json")["replies"] if "Verdict: no" in reply["reply"]]
    assert len(others) == 2


def test_exactly_one_reply_is_malformed() -> None:
    rows = [reply["reply"].splitlines() for reply in load("judge-replies.json")["replies"]]
    counts = [[sum(row.startswith(key) for row in reply) for key in ("Property: ", "Rationale: ")] for reply in rows]
    assert [stated - given for stated, given in counts if stated != given] == [1]
    assert sum("Rationale: " in row for row in replies("seattle_coffee_002", 1)[2].splitlines()) == 1


def test_every_turn_of_every_case_has_three_replies() -> None:
    expected = {
        (case["eval_id"], turn)
        for case in load("retail.evalset.json")["eval_cases"]
        for turn in range(len(case["conversation"]))
    }
    by_turn: dict[tuple[str, int], list[int]] = {}
    for reply in load("judge-replies.json")["replies"]:
        by_turn.setdefault((reply["case"], reply["turn"]), []).append(reply["sample"])
    assert set(map(tuple, by_turn.values())) == {(0, 1, 2)}
    assert set(by_turn) == {*expected, ("portland_books_001", 2)}
