"""Whole cases by google-adk's rules: from a session or an eval set beside a golden to the result file, and back."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

from tests.engine.adk_vectors import ScriptedJudge
from tests.peers.adk_invocations import alike, camel_cased, invocation
from tests.peers.adk_replies import replies, rubrics
from tests.peers.adk_sessions import session
from tests.peers.inside.plain import plain_invocation, plain_result
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.engine.running.planning import Choices
from trace_inspector.flows.opening.open_file import open_file
from trace_inspector.flows.runs.criteria_files import read_criteria
from trace_inspector.flows.runs.evaluate_files import Request, evaluate, open_given, sides
from trace_inspector.formats.adk.eval_set.eval_set_writer import write
from trace_inspector.formats.adk.result import eval_result as adk_eval_result
from trace_inspector.formats.adk.result.eval_result_run import write_run
from trace_inspector.formats.writing.run_context import Judged


def converted(raw: Json) -> Json:
    """The conversation of the eval set that we write of a session."""
    (case,) = json.loads(write(open_file(saved("session.json", raw)).contents).text)["eval_cases"]
    return [plain_invocation(one) for one in case["conversation"]]


def saved(name: str, value: Json) -> Path:
    """A file of the run, which has one at a time."""
    path = Path(os.environ["TRACE_INSPECTOR_DATA"]) / name
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def whole_case(rng: random.Random) -> Json:
    """A golden, what happened, criteria, and what a judge says when it is asked."""
    made: JsonObject = {"criteria": _criteria(rng), "replies": replies(rng)}
    if rng.random() < 0.5:
        held = session(rng)
        events = held["events"] if isinstance(held, dict) else []
        assert isinstance(events, list)
        ids = {one.get("invocation_id", one.get("invocationId")) for one in events if isinstance(one, dict)}
        made["session"] = held
        wanted = [invocation(rng) for _turn in ids]
    else:
        actual = [invocation(rng) for _turn in range(rng.choice((1, 1, 2, 3)))]
        wanted = [alike(rng, one) for one in actual]
        made["actual"] = camel_cased(rng, [_with_rubrics(rng, one, "a") for one in actual])
    if rng.random() < 0.05:
        wanted.append(invocation(rng))
    case: JsonObject = {"eval_id": "c", "conversation": [_with_rubrics(rng, one, "g") for one in wanted]}
    if rng.random() < 0.3:
        case["rubrics"] = rubrics(rng, "c")
    made["golden"] = {"eval_set_id": "set", "eval_cases": [camel_cased(rng, case)]}
    return made


def _with_rubrics(rng: random.Random, made: JsonObject, prefix: str) -> JsonObject:
    return {**made, "rubrics": rubrics(rng, prefix)} if rng.random() < 0.2 else made


def _criteria(rng: random.Random) -> JsonObject:
    judged: JsonObject = {"threshold": 0.5, "judge_model_options": {"judge_model": "m", "num_samples": 1}}
    every: JsonObject = {
        "tool_trajectory_avg_score": rng.choice((1.0, 0.5)),
        "response_match_score": rng.choice((0.8, 0.0)),
        "final_response_match_v2": judged,
        "rubric_based_final_response_quality_v1": judged,
        "rubric_based_tool_use_quality_v1": judged,
        "hallucinations_v1": judged,
        "nobody_knows_v1": 0.5,
    }
    names = [name for name in every if rng.random() < 0.4]
    rng.shuffle(names)
    return {name: every[name] for name in names} or {"response_match_score": 0.8}


def our_result(case: Json) -> str:
    """The result file that we write of a case."""
    assert isinstance(case, dict)
    recorded = case.get("session")
    if recorded is None:
        actual: JsonObject = {"eval_id": "c", "conversation": case["actual"]}
        traces = saved("traces.json", {"eval_set_id": "set", "eval_cases": [actual]})
    else:
        traces = saved("traces.json", recorded)
    golden = saved("golden.json", case["golden"])
    criteria = read_criteria(saved("criteria.json", {"criteria": case["criteria"]}))
    said = case["replies"]
    judge = ScriptedJudge([*said] if isinstance(said, list) else [], cycles=True)
    request = Request(
        tuple(open_given([traces])),
        tuple(open_given([golden])),
        criteria,
        choices=Choices(rules="adk", pair_by="order"),
        judge=judge,
    )
    run = evaluate(request)
    recorded_ones, goldens = sides(request)
    return write_run(
        run,
        Judged(
            {(one.path, one.case.place, one.case.id): one.case for one in goldens},
            {(one.path, one.trace.place, one.trace.id): one.trace for one in recorded_ones},
        ),
    )


def evaluated(case: Json) -> Json:
    """The verdicts of that file, in short."""
    found: Json = plain_result(json.loads(our_result(case)))
    return found


def written(case: Json) -> Json:
    """The text of that file."""
    return our_result(case)


def read_again(text: Json) -> Json:
    """Our reading of a result file that google-adk wrote, told by the file that we write of it."""
    path = Path(os.environ["TRACE_INSPECTOR_DATA"]) / "result.json"
    path.write_text(str(text), encoding="utf-8")
    found: Json = plain_result(json.loads(adk_eval_result.write(open_file(path).contents).text))
    return found


def stops_the_run(_case: Json, theirs: Json, ours: Json) -> bool:
    """Where google-adk gives up the whole run, no metric that compares says anything here."""
    if not isinstance(theirs, dict) or not isinstance(ours, list) or "error" not in theirs:
        return False
    metrics = [metric for one in ours if isinstance(one, dict) for metric in _listed(one["overall"])]
    return all(isinstance(metric, dict) and metric["status"] in (3, 4) for metric in metrics)


def _listed(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
