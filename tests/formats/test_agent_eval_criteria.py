"""agent-eval's metric files as criteria, and its summaries as reported scores."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.formats import agent_eval_files as files
from tests.helpers.tables import each
from trace_inspector.cli import main
from trace_inspector.core.rows.contents import Contents, collect
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.engine.metrics import metric_named
from trace_inspector.flows.opening.open_file import open_file
from trace_inspector.formats.agent_eval import format as agent_eval
from trace_inspector.formats.agent_eval import summary as agent_eval_summary
from trace_inspector.formats.common.format import Source

FORM = '\n\nReply with one JSON object: {{"score": NUMBER, "explanation": TEXT}}, the number from '


def criteria(value: Json) -> dict[str, Criterion]:
    """The criteria of a metric file by name."""
    found = collect("agent-eval", agent_eval.read(Source(value, "metrics.json"))).criteria
    assert found is not None
    return {one.metric: one for one in found.items}


def of(metric: dict[str, Any]) -> tuple[Criterion, set[str]]:
    """The one criterion of a file, and the codes of its findings."""
    contents = collect("agent-eval", agent_eval.read(Source({"metrics": {"m": metric}})))
    assert contents.criteria is not None
    (found,) = contents.criteria.items
    return found, {finding.code for finding in contents.findings}


def test_templates_are_prompts_around_values_of_ours() -> None:
    found = criteria(files.metrics())
    assert list(found) == [
        "judge_prompt:trajectory_accuracy",
        "state_fidelity",
        "general_quality_v1",
        "agent_eval_token_usage",
    ]
    own = found["judge_prompt:trajectory_accuracy"]
    assert own.options == {
        "prompt": 'Was the way {calls} right for {user}? Use {{"braces"}} freely. '
        "Expected: calls {golden_calls}" + FORM + "0 to 5.",
        "field": "score",
        "range": [0.0, 5.0],
    }
    assert (own.threshold, own.place) == (None, "/metrics/trajectory_accuracy")
    metric = metric_named(own.metric)
    assert metric is not None
    assert metric.check is not None
    metric.check(own)  # raises for a prompt that cannot be asked


def test_what_cannot_be_judged_here_is_named_and_not_imitated() -> None:
    contents = collect("agent-eval", agent_eval.read(Source(files.metrics())))
    assert {finding.code: finding.pointer for finding in contents.findings} == {
        "for-agents": "/metrics/trajectory_accuracy/agents",
        "unknown-placeholder": "/metrics/state_fidelity/dataset_mapping",
        "managed-metric": "/metrics/quality",
    }
    assert contents.holds == {"criteria": 4}


@each(
    ("column", "value"),
    [
        ("request", "user"),
        ("user_inputs", "user"),
        ("response", "answer"),
        ("final_response", "answer"),
        ("extracted_data:tool_interactions", "calls"),
        ("extracted_data:system_instruction", "instructions"),
        ("extracted_data:tool_declarations", "tools"),
        ("extracted_data:conversation_history", "history"),
        ("reference_data:reference_tool_interactions", "golden_calls"),
        ("reference_data:reference_response", "golden_answer"),
    ],
)
def test_each_column_stands_for_a_value(column: str, value: str) -> None:
    found, _codes = of({"template": '{it} "score"', "dataset_mapping": {"it": {"source_column": column}}})
    assert found.options["prompt"] == f'{{{value}}} "score"'


@each(
    ("stated", "wanted"),
    [
        ({"min": 1, "max": 5}, [1.0, 5.0]),
        ([0, 10], [0.0, 10.0]),
        ({"min": 5, "max": 1}, [0.0, 1.0]),
        ({"min": "a"}, [0.0, 1.0]),
        ("0-5", [0.0, 1.0]),
        (None, [0.0, 1.0]),
    ],
)
def test_the_range_of_the_scores(stated: Json, wanted: list[float]) -> None:
    found, _codes = of({"template": "{response}", "score_range": stated})
    assert found.options["range"] == wanted


@each(
    ("metric", "name", "codes"),
    [
        ({"metric_type": "llm"}, "m", {"no-template"}),
        ({"template": "{x}"}, "m", {"unknown-placeholder"}),
        (
            {"template": "{x}", "dataset_mapping": {"x": {"source_column": "extracted_data:own"}}},
            "m",
            {"unknown-placeholder"},
        ),
        ({"template": "{x}", "dataset_mapping": {"x": 3}}, "m", {"unknown-placeholder", "wrong-type"}),
        (
            {"template": "{x}", "dataset_mapping": {"x": {"template": "{own}", "source_columns": ["own"]}}},
            "m",
            {"unknown-placeholder"},
        ),
        ({"template": "{response}", "agents": []}, "judge_prompt:m", set()),
        ({"template": "{response}", "dataset_mapping": []}, "judge_prompt:m", {"wrong-type"}),
        ({"template": "{response}", "score_range": [5, 1]}, "judge_prompt:m", {"no-range"}),
        ({"is_managed": True}, "m", {"managed-metric"}),
    ],
)
def test_odd_metrics(metric: dict[str, Any], name: str, codes: set[str]) -> None:
    found, said = of(metric)
    assert (found.metric, said) == (name, codes)


def test_a_run_is_judged_by_a_metric_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "rows.json").write_text(json.dumps([files.live()]), encoding="utf-8")
    (tmp_path / "metrics.json").write_text(json.dumps(files.metrics()), encoding="utf-8")
    arguments = [str(tmp_path / "rows.json"), "--criteria", str(tmp_path / "metrics.json"), "--json"]
    assert main(["evaluate", *arguments]) == 3
    said = {one["name"]: one["reason"] for one in json.loads(capsys.readouterr().out)["cases"][0]["metrics"]}
    assert said["judge_prompt:trajectory_accuracy"].startswith("no judge")
    assert "state_fidelity" in said["state_fidelity"]
    assert "general_quality_v1" in said["general_quality_v1"]


def test_each_prompt_of_a_file_gets_its_own_replies(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = {name: {"template": f"{name}: {{response}}", "score_range": [0, 5]} for name in ("one", "two")}
    replies = [
        {"metric": f"judge_prompt:{name}", "case": "rome", "turn": turn, "sample": sample, "reply": reply}
        for name, reply in (("one", '{"score": 4}'), ("two", '{"score": 1}'))
        for turn in range(2)
        for sample in range(5)
    ]
    (tmp_path / "rows.json").write_text(json.dumps([files.live(reference_data={})]), encoding="utf-8")
    (tmp_path / "metrics.json").write_text(json.dumps({"metrics": asked}), encoding="utf-8")
    (tmp_path / "replies.json").write_text(json.dumps({"version": 1, "replies": replies}), encoding="utf-8")
    judge = f"recorded:{tmp_path / 'replies.json'}"
    arguments = [str(tmp_path / "rows.json"), "--criteria", str(tmp_path / "metrics.json"), "--judge", judge]
    assert main(["evaluate", *arguments, "--json"]) == 3  # scores without a threshold decide nothing
    case = json.loads(capsys.readouterr().out)["cases"][0]
    told = {one["name"]: (one["score"], one["status"]) for one in case["metrics"]}
    assert told["judge_prompt:one"] == (4.0, "INFORMATIONAL")
    assert told["judge_prompt:two"] == (1.0, "INFORMATIONAL")


def summary(value: Json) -> Contents:
    """What a summary holds."""
    return collect("agent-eval-summary", agent_eval_summary.read(Source(value)))


def test_a_summary_is_reported_question_by_question() -> None:
    contents = summary(files.summary())
    assert [(trace.case_id, trace.turns) for trace in contents.traces] == [("rome", ()), ("hello", ())]
    assert {extra.name: extra.value for extra in contents.traces[0].extras} == {
        "runs": 2,
        "level": "easy",
        "experiment_id": "e7",
        "run_type": "baseline",
        "test_description": "first",
        "interaction_datetime": "2025-10-09T10:00:00",
        "overall_summary": files.summary()["overall_summary"],
    }
    assert [[(one.metric, one.score, one.status) for one in verdict.metrics] for verdict in contents.reported] == [
        [
            ("agent_eval_token_usage", None, Status.INFORMATIONAL),
            ("trajectory_accuracy", 4.0, Status.INFORMATIONAL),
        ],
        [("trajectory_accuracy", 2.0, Status.INFORMATIONAL), ("broken", None, Status.ERROR)],
    ]
    assert contents.reported[0].metrics[0].figures == (("total_tokens", 6320.0), ("llm_calls", 5.0))
    assert contents.holds == {"averages": 2}
    assert contents.findings == ()


def test_an_average_that_the_questions_do_not_bear_out_is_told() -> None:
    value = files.summary()
    value["overall_summary"]["llm_based_metrics"]["trajectory_accuracy"]["average"] = 4.5
    (found,) = summary(value).findings
    assert (found.code, found.pointer) == (
        "summary-differs",
        "/overall_summary/llm_based_metrics/trajectory_accuracy",
    )
    assert "says 4.5 on average; the questions here give 3" in found.message


@each("odd", [None, 3, "x", [], [1], {"a": 1}, {"a": {"score": "x"}}])
@each("key", ["question_id", "deterministic_metrics", "llm_metrics", "runs"])
def test_odd_values_of_a_question_cost_no_other(key: str, odd: Json) -> None:
    value = files.summary()
    value["per_question_summary"][0][key] = odd
    contents = summary(value)
    assert [trace.case_id for trace in contents.traces][1] == "hello"
    assert contents.reported[1].metrics[0].score == 2.0


def test_the_first_tables_name_scores_otherwise_and_have_spans_alone(tmp_path: Path) -> None:
    row = files.live()
    del row["final_session_state"]
    older = {key.replace("adk_score.", "score."): value for key, value in row.items()}
    path = tmp_path / "run.csv"
    path.write_text(files.table(older))
    contents = open_file(path).contents
    assert contents.format == "agent-eval"
    (verdict,) = contents.reported
    assert ("tool_trajectory_avg_score", 0.5) in [(metric.metric, metric.score) for metric in verdict.metrics]
    assert not [extra.name for extra in contents.traces[0].extras if extra.name.startswith("score.")]
    assert contents.traces[0].turns[0].spans
