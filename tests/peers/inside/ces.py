"""CES's client: what its types read in a file, told by the rules that CES documents, without a word of ours."""

from __future__ import annotations

import json
from typing import Any

from google.cloud import ces_v1beta
from google.protobuf import json_format

from tests.peers.inside.ces_values import (
    answer,
    by_score,
    call,
    chunks,
    compose,
    counts,
    duration,
    plain,
    short,
    single,
    status,
    target,
    thresholds,
    together,
)
from tests.peers.inside.serving import Refused, serve


def message(kind: str, value: Any, *, strict: bool = False) -> Any:
    made = getattr(ces_v1beta, kind).pb(getattr(ces_v1beta, kind)())
    json_format.Parse(json.dumps(value), made, ignore_unknown_fields=not strict)
    return made


def told(case: Any) -> Any:
    """What a file says, from the message that it makes."""
    try:
        made = message(case["kind"], case["value"])
    except json_format.ParseError as problem:
        raise Refused(str(problem)) from problem
    return TOLD[case["kind"]](json_format.MessageToDict(made, preserving_proto_field_name=True))


def valid(case: Any) -> Any:
    """Whether the client takes a file as it is."""
    try:
        message(case["kind"], case["value"], strict=True)
    except json_format.ParseError as problem:
        return {"error": str(problem)[:400]}
    return {"takes": True}


def result(one: Any) -> Any:
    """A result: its own verdict, and what its parts come to."""
    limits = one.get("evaluation_metrics_thresholds", {})
    scenario = one.get("scenario_result")
    if scenario is not None:
        parts, turns = scenario_parts(scenario, limits), []
        derived = of_parts(parts, scenario)
        told = {**scenario_told(scenario), "metrics": parts}
    else:
        golden = one.get("golden_result", {})
        turns = [replay(turn, limits) for turn in golden.get("turn_replay_results", [])]
        judged = criteria(golden)
        derived = compose([*(turn["status"] for turn in turns), *judged.values()])
        told = {"turns": turns, "metrics": judged}
    return {
        "status": stated_status(one) or derived,
        "thresholds": thresholds(limits),
        **told,
    }


def stated_status(one: Any) -> str:
    """How it ended when it did not complete, else the outcome; "" where neither is said."""
    state = {"ERROR": "ERROR", "CANCELLED": "NOT_EVALUATED", "QUEUED": "PENDING", "RUNNING": "PENDING"}
    said = status(one, "evaluation_status")
    if one.get("execution_state") in state:
        return state[one["execution_state"]]
    if failure(one) and said == "NOT_EVALUATED":
        return "ERROR"
    return "" if one.get("evaluation_status", "OUTCOME_UNSPECIFIED") in ("OUTCOME_UNSPECIFIED", 0) else said


def failure(one: Any) -> bool:
    """An error that says anything."""
    return bool(one.get("error_info")) or any(one.get("error", {}).values())


def replay(turn: Any, limits: Any) -> Any:
    """A replayed turn with its metrics, and the verdict that follows from them."""
    entries = turn.get("expectation_outcome", [])
    metrics: dict[str, Any] = {}
    if "overall_tool_invocation_result" in turn:
        metrics["invocation"] = status(turn["overall_tool_invocation_result"])
    if judged := [status(one["tool_invocation_result"]) for one in entries if "tool_invocation_result" in one]:
        metrics["parameters"] = together(judged)
    if "semantic_similarity_result" in turn:
        metrics["similarity"] = status(turn["semantic_similarity_result"])
    if "hallucination_result" in turn:
        metrics["hallucination"] = informing(by_score(turn["hallucination_result"]), counts(limits, "golden"))
    if extra := [status(one) for one in entries if "expectation" not in one and observed([one])["calls"]]:
        allowed = thresholds(limits).get("extra calls") == "ALLOW"
        said = compose(extra)
        metrics["extra calls"] = ("PASSED" if allowed else "FAILED") if said == "NOT_EVALUATED" else said
    if entries:
        metrics["expectations"] = together(map(status, entries))
    return {
        "status": "ERROR" if turn.get("error_info") else compose(metrics.values()),
        "metrics": metrics,
        "scores": [
            single(turn.get("semantic_similarity_result", {}).get("score")),
            single(turn.get("overall_tool_invocation_result", {}).get("tool_invocation_score")),
            single(turn.get("tool_ordered_invocation_score")),
            single(turn.get("hallucination_result", {}).get("score")),
        ],
        "parameters": [
            single(one["tool_invocation_result"].get("parameter_correctness_score"))
            for one in entries
            if "tool_invocation_result" in one
        ],
        "outcomes": [status(one) for one in entries],
        "unexpected": ["expectation" not in one and "observed_payload" not in one for one in entries],
        "latency": duration(turn.get("turn_latency")),
        "spans": untold(turn),
        **observed(entries),
    }


def observed(entries: Any) -> Any:
    """What the agent did, in order."""
    calls, answers, words, transfers = [], [], [], []
    for entry in entries:
        if "observed_tool_call" in entry:
            seen = entry["observed_tool_call"]
            both = "tool_call" in seen or "tool_response" in seen  # as a scenario has them
            calls += [call(one) for one in [seen.get("tool_call") if both else seen] if one is not None]
            answers += [answer(seen["tool_response"])] if "tool_response" in seen else []
        if "observed_tool_response" in entry:
            answers.append(answer(entry["observed_tool_response"]))
        if "observed_agent_transfer" in entry:
            transfers.append(target(entry["observed_agent_transfer"]))
        if "observed_agent_response" in entry:
            inner = chunks(entry["observed_agent_response"])
            calls += inner["calls"]
            answers += inner["answers"]
            words += inner["words"]
            transfers += inner["transfers"]
    return {"calls": calls, "answers": answers, "words": words, "transfers": transfers}


def untold(owner: Any) -> int:
    """Timed work that is no tool's call: those may stand in two lists, and are one all the same."""
    return sum(one.get("type_") != "TOOL" for one in owner.get("span_latencies", []))


def informing(found: str, decides: bool) -> str:
    return found if decides or found == "NOT_EVALUATED" else "INFORMATIONAL"


def criteria(owner: Any) -> Any:
    judged = [status(one) for one in owner.get("evaluation_expectation_results", [])]
    return {"criteria": together(judged)} if judged else {}


def scenario_parts(scenario: Any, limits: Any) -> Any:
    """The metrics of a simulated conversation."""
    metrics: dict[str, Any] = {}
    entries = scenario.get("expectation_outcomes", [])
    if entries:
        metrics["expectations"] = together(map(status, entries))
    if "all_expectations_satisfied" in scenario:
        metrics["expectations"] = "PASSED" if scenario["all_expectations_satisfied"] else "FAILED"
    goal = scenario.get("user_goal_satisfaction_result")
    if goal is not None:
        is_met = goal.get("score") in (0, 1) and scenario.get("task_completed") is True
        metrics["goal"] = "PASSED" if is_met else "NOT_EVALUATED"
    judged = [by_score(one) for one in scenario.get("hallucination_result", [])]
    if judged:
        metrics["hallucination"] = informing(together(judged), counts(limits, "scenario"))
    if scenario.get("rubric_outcomes"):
        metrics["rubrics"] = "INFORMATIONAL"
    if "task_completed" in scenario:
        metrics["task"] = "PASSED" if scenario["task_completed"] else "FAILED"
    elif "task_completion_result" in scenario:
        metrics["task"] = by_score(scenario["task_completion_result"])
    return metrics | criteria(scenario)


def of_parts(metrics: Any, scenario: Any) -> str:
    """All but the completed task, which follows from the others; a goal that nobody decides leaves it open."""
    found = compose(said for name, said in metrics.items() if name != "task")
    goal = scenario.get("user_goal_satisfaction_result", {}).get("score")
    is_open = metrics.get("goal") == "NOT_EVALUATED" and goal in (0, 1)
    return "NOT_EVALUATED" if found == "PASSED" and is_open else found


def scenario_told(scenario: Any) -> Any:
    entries = scenario.get("expectation_outcomes", [])
    return {
        "task": scenario.get("task", ""),
        "facts": [[fact.get("name", ""), fact.get("value", "")] for fact in scenario.get("user_facts", [])],
        "rubrics": [[one.get("rubric", ""), single(one.get("score"))] for one in scenario.get("rubric_outcomes", [])],
        "hallucination": [single(one.get("score")) for one in scenario.get("hallucination_result", [])],
        "goal": single(scenario.get("user_goal_satisfaction_result", {}).get("score")),
        "outcomes": [status(one) for one in entries],
        "spans": untold(scenario),
        **observed(entries),
    }


def evaluation(one: Any) -> Any:
    """A golden or a scenario."""
    found = {
        "id": one.get("name", "").rpartition("/")[2] or one.get("display_name") or "made",
        "tags": one.get("tags", []),
        "thresholds": thresholds(one.get("evaluation_metrics_threshold_override", {})),
        "switches": switches(one.get("evaluation_metrics_config_override", {})),
    }
    if "scenario" in one:
        return found | scenario_golden(one["scenario"])
    golden = one.get("golden", {})
    return found | {
        "turns": [golden_turn(turn) for turn in golden.get("turns", [])],
        "criteria": golden.get("evaluation_expectations", []),
    }


def switches(config: Any) -> Any:
    """A message that is there and not true is off; one that is not there says nothing."""
    golden, scenario = config.get("golden_metrics_config", {}), config.get("scenario_metrics_config", {})
    stated = {
        "similarity": (golden, "semantic_similarity_metrics_config", "enable_semantic_similarity_metrics"),
        "invocation": (golden, "tool_correctness_metrics_config", "enable_tool_correctness_metrics"),
        "parameters": (golden, "step_tool_correctness_metrics_config", "enable_tool_correctness_metrics"),
        "goal": (scenario, "user_goal_met_metrics_config", "enable_user_goal_met_metrics"),
        "expectations": (scenario, "expectations_met_metrics_config", "enable_expectations_met_metrics"),
    }
    return {name: owner[member].get(key, False) for name, (owner, member, key) in stated.items() if member in owner}


CONDITIONS = {
    "tool_call": "call", "tool_response": "result", "agent_response": "answer", "agent_transfer": "transfer",
    "updated_variables": "variables", "mock_tool_response": "mock", "no_tool_calls": "no calls",
}  # fmt: skip


def golden_turn(turn: Any) -> Any:
    steps = turn.get("steps", [])
    expected = [step["expectation"] for step in steps if "expectation" in step]
    inputs = [step["user_input"] for step in steps if "user_input" in step]
    override = {"turn_level_metrics_thresholds": turn.get("turn_level_metrics_thresholds_override", {})}
    limits = {"golden_evaluation_metrics_thresholds": override}
    words = [chunks(one["agent_response"]) for one in expected if "agent_response" in one]
    return {
        "said": [one["text"] for one in inputs if "text" in one],
        "expects": [
            [kind, one.get("note", ""), skipped(one), comparison(one), *expectation_limits(one)]
            for one in expected
            for key, kind in CONDITIONS.items()
            if key in one
        ],
        "calls": [call(one["tool_call"]) for one in expected if "tool_call" in one]
        + [made for told in words for made in told["calls"]],
        "thresholds": thresholds(limits),
        "hallucination": known_word(turn.get("hallucination_metric_behavior_override", "")),
        "state": [plain(one["updated_variables"]) for one in expected if "updated_variables" in one],
        "media": sum("image" in one or "blob" in one or "audio" in one for one in inputs),
    }


def known_word(word: Any) -> str:
    return word if isinstance(word, str) and not word.endswith("_UNSPECIFIED") else ""


def comparison(one: Any) -> str:
    return known_word(one.get("comparison_type", ""))


def skipped(one: Any) -> bool:
    return one.get("skip_evaluation", False) or one.get("no_tool_calls") is False


def expectation_limits(one: Any) -> Any:
    limit = one.get("expectation_level_metrics_thresholds_override", {})
    found = [single(limit.get("tool_invocation_parameter_correctness_threshold"))]
    for member, key in (
        ("agent_response_semantic_similarity_metrics_config_override", "enable_semantic_similarity_metrics"),
        ("agent_response_hallucination_metrics_config_override", "enable_hallucination_metrics"),
    ):
        found.append(one[member].get(key, False) if member in one else None)
    return found


def scenario_golden(scenario: Any) -> Any:
    expected = scenario.get("scenario_expectations", [])
    calls = [one["tool_expectation"] for one in expected if "tool_expectation" in one]
    return {
        "task": scenario.get("task", ""),
        "facts": [[fact.get("name", ""), fact.get("value", "")] for fact in scenario.get("user_facts", [])],
        "most": scenario.get("max_turns") or None,
        "rubrics": scenario.get("rubrics", []),
        "goal": known_word(scenario.get("user_goal_behavior", "")),
        "variables": plain(scenario["variable_overrides"]) if "variable_overrides" in scenario else None,
        "calls": [call(one.get("expected_tool_call", {})) for one in calls],
        "mocks": [answer(one["mock_tool_response"]) for one in calls if "mock_tool_response" in one],
        "answers": [chunks(one["agent_response"])["words"] for one in expected if "agent_response" in one],
        "criteria": scenario.get("evaluation_expectations", []),
    }


def conversation(one: Any) -> Any:
    return {"name": one.get("name"), "turns": [talk(turn) for turn in one.get("turns", [])]}


def talk(turn: Any) -> Any:
    """A turn by who spoke: what the agents did in order, and what stands in the user's messages."""
    sides: dict[bool, Any] = {True: [], False: []}
    for said in turn.get("messages", []):
        sides[said.get("role") == "user"].append(chunks(said))
    found = {
        name: [each for told in sides[False] for each in told[name]] for name in ("calls", "answers", "transfers")
    }
    asked = [each for told in sides[True] for name in ("calls", "answers", "transfers") for each in told[name]]
    words = sorted(word for told in sides[False] + sides[True] for word in told["words"])
    return {**found, "asked": len(asked), "words": words, "spans": spans(turn.get("root_span"))}


def spans(span: Any) -> int:
    return 0 if span is None else 1 + sum(map(spans, span.get("child_spans", [])))


def run(one: Any) -> Any:
    return {
        "name": one.get("display_name", ""),
        "personas": [
            [short(each.get("persona", "")), each.get("task_count")] for each in one.get("persona_run_configs", [])
        ],
        "failed": failure(one),
    }


def dataset(one: Any) -> Any:
    return {"name": one.get("display_name", ""), "evaluations": len(one.get("evaluations", []))}


def app(one: Any) -> Any:
    return {
        "name": one.get("display_name", ""),
        "description": one.get("description", ""),
        "personas": [
            one.get("name", "").rpartition("/")[2] or one.get("display_name", "")
            for one in one.get("evaluation_personas", [])
        ],
        "thresholds": thresholds(one.get("evaluation_metrics_thresholds", {})),
        "switches": switches(one.get("evaluation_settings", {}).get("metrics_config", {})),
    }


TOLD = {
    "EvaluationResult": result,
    "Evaluation": evaluation,
    "Conversation": conversation,
    "EvaluationRun": run,
    "EvaluationDataset": dataset,
    "App": app,
}


if __name__ == "__main__":
    serve({"tell": told, "valid": valid})
