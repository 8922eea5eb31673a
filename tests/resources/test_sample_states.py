"""What the samples show: each case in exactly the state that the story means it to be in."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from trace_inspector.cli import main
from trace_inspector.resources import folder

SAMPLES = folder("samples")
PLANTED = "There are 40 covered spots within two blocks."
JUDGED = "rubric_based_final_response_quality_v1"

LATER = {
    "seattle_coffee_001": "FAILED",
    "seattle_coffee_002": "PASSED",
    "seattle_tea_001": "NOT_EVALUATED",
    "tacoma_bakery_001": "PASSED",
    "eugene_bikes_001": "PASSED",
    "portland_books_001": "FAILED",
    "yakima_wine_002": "FAILED",
    "boise_gym_001": "PASSED",
    "olympia_deli_001": "PASSED",
    "spokane_florist_001": "PASSED",
    "freiburg_cafe_001": "PASSED",
}
EARLIER = {
    "eugene_bikes_001": "PASSED",
    "seattle_coffee_001": "FAILED",
    "seattle_coffee_002": "FAILED",
    "yakima_wine_002": "PASSED",
    "boise_gym_001": "PASSED",
}


class Outcome:
    """One evaluation through the command line: its JSON, and the ADK report with the sentences."""

    def __init__(self, run: str, target: Path, *judge: str) -> None:
        report = target / f"{run}-{len(judge)}.json"
        golden = str(SAMPLES / "retail.evalset.json")
        printed = io.StringIO()
        with redirect_stdout(printed):
            self.status = main(
                ["evaluate", str(SAMPLES / run), "--golden", golden, "--json", "--report", f"adk={report}", *judge]
            )
        self.cases: dict[str, Any] = {case["id"]: case for case in json.loads(printed.getvalue())["cases"]}
        self.report = json.loads(report.read_text(encoding="utf-8"))

    def statuses(self) -> dict[str, str]:
        return {name: case["status"] for name, case in self.cases.items()}

    def metric(self, case: str, name: str, turn: int | None = None) -> Any:
        verdicts = self.cases[case]["metrics"] if turn is None else self.cases[case]["turns"][turn]["metrics"]
        return next(verdict for verdict in verdicts if verdict["name"] == name)

    def sentences(self, label: str) -> list[tuple[str, int, str]]:
        """Case, turn and words of every sentence with that label."""
        found = []
        for case in self.report["eval_case_results"]:
            turns = case["traceInspector"]["turns"]
            invocations = [row["actual_invocation"] for row in case["eval_metric_result_per_invocation"]]
            for index, turn in enumerate(turn for turn in turns if turn["index"] is not None):
                parts = invocations[index]["final_response"]["parts"]
                answer = "\n".join(part["text"] for part in parts if not part.get("thought"))
                for metric in turn["metrics"]:
                    for sentence in metric.get("sentences", []):
                        if sentence["label"] == label:
                            words = answer[sentence["start"] : sentence["end"]]
                            found.append((case["eval_id"], index, words))
        return found


@pytest.fixture(scope="module")
def later(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    judge = f"recorded:{SAMPLES / 'judge-replies.json'}"
    return Outcome("run-0412.json", tmp_path_factory.mktemp("later"), "--judge", judge)


@pytest.fixture(scope="module")
def unjudged(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    return Outcome("run-0412.json", tmp_path_factory.mktemp("unjudged"))


@pytest.fixture(scope="module")
def earlier(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    judge = f"recorded:{SAMPLES / 'judge-replies.json'}"
    return Outcome("run-0405.json", tmp_path_factory.mktemp("earlier"), "--judge", judge)


def test_each_case_of_the_later_run_is_in_its_state(later: Outcome) -> None:
    assert later.statuses() == LATER
    assert later.status == 1


def test_without_a_judge_the_states_are_the_same_and_the_rubrics_say_why(unjudged: Outcome) -> None:
    assert unjudged.statuses() == LATER
    assert unjudged.status == 1
    assert unjudged.metric("eugene_bikes_001", JUDGED)["status"] == "NOT_EVALUATED"
    assert unjudged.cases["eugene_bikes_001"]["hides"] != []
    assert unjudged.sentences("unsupported") == [("seattle_coffee_001", 1, PLANTED)]


def test_each_case_of_the_earlier_run_is_in_its_state(earlier: Outcome) -> None:
    assert {name: status for name, status in earlier.statuses().items() if name in EARLIER} == EARLIER
    others = {status for name, status in earlier.statuses().items() if name not in EARLIER}
    assert others == {"NOT_EVALUATED"}
    assert earlier.metric("seattle_coffee_001", "tool_trajectory_avg_score")["status"] == "PASSED"
    assert earlier.metric("seattle_coffee_002", "tool_trajectory_avg_score", 1)["status"] == "FAILED"
    assert earlier.sentences("unsupported") == [("seattle_coffee_001", 1, PLANTED)]


def test_the_failing_turn_names_the_call_that_differs(later: Outcome) -> None:
    calls = later.metric("seattle_coffee_001", "tool_trajectory_avg_score", 1)
    assert (calls["score"], calls["status"]) == (0.0, "FAILED")
    for words in ("search_places", "parking lots", "800", "500", "get_walk_score", "search_web"):
        assert words in calls["reason"]
    for turn in (0, 2):
        assert later.metric("seattle_coffee_001", "tool_trajectory_avg_score", turn)["status"] == "PASSED"


def test_only_the_planted_claim_is_unsupported(later: Outcome) -> None:
    assert later.sentences("unsupported") == [("seattle_coffee_001", 1, PLANTED)]
    assert later.sentences("contradictory") == []
    assert len(later.sentences("supported")) > 30


def test_one_rubric_fails_by_two_of_three_votes(later: Outcome) -> None:
    rubrics = later.metric("seattle_coffee_001", JUDGED, 1)
    assert (round(rubrics["score"], 4), rubrics["status"]) == (0.6667, "FAILED")
    others = [
        later.metric(case, JUDGED)["score"] for case in LATER if case not in {"seattle_coffee_001", "seattle_tea_001"}
    ]
    assert others == [1.0] * 9


def test_missing_and_extra_turns_are_named(later: Outcome) -> None:
    named = {
        name: (case["missing_turns"], case["extra_turns"])
        for name, case in later.cases.items()
        if (case["missing_turns"] or case["extra_turns"]) and name != "seattle_tea_001"
    }
    assert named == {"yakima_wine_002": ([2], []), "portland_books_001": ([], [2])}


def test_answers_match_well_enough_but_are_not_copied(later: Outcome) -> None:
    scores = [
        later.metric(case, "response_match_score", turn["index"])["score"]
        for case, verdict in later.cases.items()
        for turn in verdict["turns"]
        if turn["index"] is not None and turn["golden_index"] is not None
    ]
    assert all(0.5 <= score < 1.0 for score in scores)


def test_what_the_later_run_holds(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", str(SAMPLES / "run-0412.json"), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)["documents"][0]
    traces = {trace["id"]: trace for trace in document["traces"]}
    assert document["format"] == "jaeger"
    assert set(traces) == set(LATER)
    assert traces["tacoma_bakery_001"]["agents"] == ["root_agent", "IntakeAgent", "MarketResearchAgent"]
    transfers = [
        call["args"]["agent_name"]
        for turn in traces["tacoma_bakery_001"]["turns"]
        for call in turn["tool_calls"]
        if call["name"] == "transfer_to_agent"
    ]
    assert transfers == ["IntakeAgent", "MarketResearchAgent", "IntakeAgent", "MarketResearchAgent"]
    rents = traces["spokane_florist_001"]["turns"][1]["tool_calls"][0]
    assert "error" in rents["result"]
    assert traces["olympia_deli_001"]["turns"][0]["tokens"]["thoughts"] > 0


def test_what_the_earlier_run_and_the_goldens_hold(capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(SAMPLES / name) for name in ("run-0405.json", "retail.evalset.json", "test_config.json")]
    assert main(["inspect", *files, "--json"]) == 0
    run, goldens, criteria = json.loads(capsys.readouterr().out)["documents"]
    assert (run["format"], goldens["format"], criteria["format"]) == ("otlp", "adk-eval-set", "adk-eval-config")
    assert {trace["id"] for trace in run["traces"]} == set(EARLIER)
    assert {case["id"] for case in goldens["cases"]} == set(LATER) - {"seattle_tea_001"}
    assert [finding["code"] for finding in goldens["findings"]] == []
    assert criteria["holds"] == {"criteria": 3}
