"""`evaluate` from the outside: which turns and cases belong together, and what is said when they do not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.eval_sets import call, case, turn, write_criteria, write_eval_set
from trace_inspector.cli import main
from trace_inspector.core.values.values import JsonObject


def evaluate(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, dict[str, Any]]:
    """The exit code and the printed run."""
    code = main(["evaluate", *(str(argument) for argument in arguments), "--json"])
    return code, json.loads(capsys.readouterr().out)


def scores(run: dict[str, Any], at: int = 0) -> dict[str, tuple[float | None, str]]:
    """The case's metrics by name."""
    return {metric["name"]: (metric["score"], metric["status"]) for metric in run["cases"][at]["metrics"]}


TEN = [turn(f"question {number}", f"answer {number}", [call("ask", n=number)]) for number in range(10)]


def test_one_right_turn_of_ten_is_a_tenth_and_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    golden = write_eval_set(tmp_path / "golden.json", case("long", *TEN))
    trace = write_eval_set(tmp_path / "run.json", case("run", TEN[0]), set_id="run")
    code, run = evaluate(capsys, trace, "--golden", golden)
    assert code == 1
    assert scores(run)["tool_trajectory_avg_score"] == (0.1, "FAILED")
    assert scores(run)["response_match_score"] == (0.1, "FAILED")
    assert run["cases"][0]["missing_turns"] == list(range(1, 10))
    assert len(run["cases"][0]["turns"]) == 10


def test_an_extra_first_turn_does_not_shift_the_rest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expected = turn("find parking", "Two lots.", [call("search", q="parking")], "turn-1")
    golden = write_eval_set(tmp_path / "golden.json", case("one", expected))
    trace = write_eval_set(
        tmp_path / "run.json",
        case("one", turn("hello", "Hi.", [], "turn-1"), {**expected, "invocation_id": "turn-2"}),
    )
    code, run = evaluate(capsys, trace, "--golden", golden)
    assert code == 1
    assert scores(run)["tool_trajectory_avg_score"] == (1.0, "PASSED")
    assert run["cases"][0]["extra_turns"] == [0]
    assert [(one["index"], one["golden_index"], one["status"]) for one in run["cases"][0]["turns"]] == [
        (0, None, "FAILED"),
        (1, 0, "PASSED"),
    ]
    code, run = evaluate(capsys, trace, "--golden", golden, "--extra-turns", "allow")
    assert code == 0
    assert run["cases"][0]["status"] == "PASSED"


def test_an_extra_turn_has_no_score_against_the_golden_and_counts_elsewhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    golden = write_eval_set(tmp_path / "golden.json", case("one", turn("a", "x", [])))
    trace = write_eval_set(tmp_path / "run.json", case("one", turn("a", "x", []), turn("b", "y", [call("f")])))
    _code, run = evaluate(capsys, trace, "--golden", golden)
    extra = run["cases"][0]["turns"][1]
    assert "tool_trajectory_avg_score" not in [metric["name"] for metric in extra["metrics"]]
    assert scores(run)["tool_call_count_v1"] == (0.5, "INFORMATIONAL")


def test_a_metric_without_golden_is_not_green(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trace = write_eval_set(tmp_path / "run.json", case("one", turn("a", "x", [])))
    code, run = evaluate(capsys, trace)
    assert code == 3
    assert scores(run)["tool_trajectory_avg_score"] == (None, "NOT_EVALUATED")
    assert run["run"]["unpaired_traces"] == ["one"]


def test_one_golden_and_one_trace_are_no_pair_for_that_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    golden = write_eval_set(tmp_path / "golden.json", case("weather", turn("rain today?", "No.", [])))
    trace = write_eval_set(tmp_path / "run.json", case("run", turn("sell my car", "Done.", [])), set_id="run")
    code, run = evaluate(capsys, trace, "--golden", golden)
    assert code == 3
    assert [(one["id"], one["trace"]) for one in run["cases"]] == [("weather", None), ("run", "run")]
    assert run["run"]["pairings"] == []


def test_same_case_id_in_another_suite_is_another_case(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = write_eval_set(tmp_path / "a.json", case("c1", turn("rain today?", "No.", [])), set_id="weather")
    second = write_eval_set(tmp_path / "b.json", case("c1", turn("sell my car", "Done.", [])), set_id="cars")
    trace = write_eval_set(tmp_path / "run.json", case("c1", turn("sell my car", "Done.", [])), set_id="cars")
    _code, run = evaluate(capsys, trace, "--golden", first, second)
    assert [(one["suite"], one["trace"]) for one in run["run"]["pairings"]] == [("cars", "c1")]


def test_several_traces_of_a_case_are_repeats(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    golden = write_eval_set(tmp_path / "golden.json", case("one", turn("a", "x", [])))
    runs = [
        write_eval_set(tmp_path / f"run{number}.json", case(f"r{number}", turn("a", "x", [])), set_id=f"run{number}")
        for number in (1, 2)
    ]
    code, run = evaluate(capsys, *runs, "--golden", golden)
    assert code == 0
    assert [(one["id"], one["trace"]) for one in run["cases"]] == [("one", "r1"), ("one", "r2")]


def test_two_cases_that_fit_equally_well_are_not_guessed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    golden = write_eval_set(tmp_path / "golden.json", case("a", turn("hi", "x", [])), case("b", turn("hi", "y", [])))
    trace = write_eval_set(tmp_path / "run.json", case("r", turn("hi", "x", [])), set_id="run")
    code, run = evaluate(capsys, trace, "--golden", golden)
    assert code == 3
    assert run["run"]["unpaired_traces"] == ["r"]
    code, run = evaluate(capsys, trace, "--golden", golden, "--pair", "b=r", "--case", "b")
    assert run["run"]["pairings"][0]["case"] == "b"
    assert code == 1


@pytest.mark.parametrize(("by", "paired"), [("auto", True), ("text", True), ("id", False), ("order", True)])
def test_pair_by(by: str, paired: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    golden = write_eval_set(tmp_path / "golden.json", case("one", turn("a", "x", [])))
    trace = write_eval_set(tmp_path / "run.json", case("r", turn("a", "x", [])), set_id="run")
    _code, run = evaluate(capsys, trace, "--golden", golden, "--pair-by", by)
    assert bool(run["run"]["pairings"]) is paired


def test_session_ids_pair(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    golden = write_eval_set(tmp_path / "golden.json", case("one", turn("a", "x", []), session="s-77"))
    trace = write_eval_set(tmp_path / "run.json", case("r", turn("b", "x", []), session="s-77"), set_id="run")
    _code, run = evaluate(capsys, trace, "--golden", golden)
    assert run["run"]["pairings"][0]["how"] == "by session id"


@pytest.mark.parametrize("wrong", ["one", "one=nobody", "nobody=r"])
def test_a_wrong_pair_is_refused(wrong: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    golden = write_eval_set(tmp_path / "golden.json", case("one", turn("a", "x", [])))
    trace = write_eval_set(tmp_path / "run.json", case("r", turn("a", "x", [])), set_id="run")
    assert main(["evaluate", str(trace), "--golden", str(golden), "--pair", wrong]) == 2
    assert "--pair" in capsys.readouterr().err


def test_what_the_golden_does_not_state_is_not_expected(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    golden = write_eval_set(tmp_path / "golden.json", case("one", turn("a")))
    trace = write_eval_set(tmp_path / "run.json", case("one", turn("a", "x", [call("f")])))
    code, run = evaluate(capsys, trace, "--golden", golden)
    assert code == 3
    assert scores(run)["response_match_score"] == (None, "NOT_EVALUATED")
    assert "the golden has no answer" in run["cases"][0]["metrics"][1]["reason"]
    golden = write_eval_set(tmp_path / "golden.json", case("one", turn("a", None, [])))
    code, run = evaluate(capsys, trace, "--golden", golden)
    assert code == 1, "an empty list means no calls"
    assert scores(run)["tool_trajectory_avg_score"] == (0.0, "FAILED")


def test_a_missing_turn_counts_only_where_its_reference_is_stated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    golden = write_eval_set(tmp_path / "golden.json", case("one", turn("a", "x", []), turn("b", None, [])))
    trace = write_eval_set(tmp_path / "run.json", case("one", turn("a", "x", [])))
    _code, run = evaluate(capsys, trace, "--golden", golden)
    assert scores(run)["response_match_score"] == (1.0, "PASSED")
    assert scores(run)["tool_trajectory_avg_score"] == (0.5, "FAILED")
    assert run["cases"][0]["status"] == "FAILED"


def test_adk_rules_pair_by_position_and_refuse_other_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    golden = write_eval_set(tmp_path / "golden.json", case("one", turn("a", "x", [])))
    trace = write_eval_set(tmp_path / "run.json", case("one", turn("b", "x", []), turn("a", "x", [])))
    code, run = evaluate(capsys, trace, "--golden", golden, "--rules", "adk")
    assert code == 3
    assert run["cases"][0]["status"] == "NOT_EVALUATED"
    assert scores(run)["tool_trajectory_avg_score"] == (None, "NOT_EVALUATED")
    assert "1 turns and the trace has 2" in run["cases"][0]["metrics"][0]["reason"]
    same = write_eval_set(tmp_path / "same.json", case("one", turn("entirely other words", "x", [])))
    code, run = evaluate(capsys, same, "--golden", golden, "--rules", "adk")
    assert code == 0
    assert list(scores(run)) == [
        "tool_trajectory_avg_score",
        "response_match_score",
        "tool_call_count_v1",
        "inference_call_count_v1",
        "token_usage_v1",
        "invocation_duration_v1",
    ]


def test_by_adk_rules_silence_is_empty(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    golden = write_eval_set(tmp_path / "golden.json", case("one", turn("a")))
    trace = write_eval_set(tmp_path / "run.json", case("one", turn("a", "x", [call("f")])))
    _code, run = evaluate(capsys, trace, "--golden", golden, "--rules", "adk")
    assert scores(run)["tool_trajectory_avg_score"] == (0.0, "FAILED")
    assert scores(run)["response_match_score"] == (0.0, "FAILED")


def test_nothing_is_missing_or_extra_against_a_scenario(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scenario: JsonObject = {
        "eval_id": "one",
        "conversation_scenario": {"starting_prompt": "a", "conversation_plan": "p"},
    }
    golden = write_eval_set(tmp_path / "golden.json", scenario)
    trace = write_eval_set(tmp_path / "run.json", case("one", turn("a", "x", [call("f")]), turn("b", "y", [])))
    criteria = write_criteria(tmp_path / "c.json", tool_trajectory_avg_score=1.0)
    code, run = evaluate(capsys, trace, "--golden", golden, "--criteria", criteria)
    assert code == 3
    assert run["cases"][0]["status"] == "NOT_EVALUATED"
    assert run["cases"][0]["extra_turns"] == []
    assert run["cases"][0]["missing_turns"] == []
