"""Files of DeepEval: a test run, goldens of one turn and of several, in JSON and as a table, and the cache."""

from __future__ import annotations

import csv
import io
import json

from trace_inspector.core.values.values import Json, JsonObject

_AT = "2026-05-01T10:00:0{}.000000Z"


def metric(name: str = "Relevancy", *, success: bool | None = True, **more: Json) -> JsonObject:
    """What a metric decided."""
    return {"name": name, "threshold": 0.5, "success": success, "score": 0.75, "reason": "To the point.", **more}


def span(name: str, at: int, **more: Json) -> JsonObject:
    """A span of a second, below the agent unless it says otherwise."""
    times: JsonObject = {"startTime": _AT.format(at), "endTime": _AT.format(at + 1)}
    return {"uuid": name, "name": name, "status": "SUCCESS", "parentUuid": "guide", **times, **more}


def trace() -> JsonObject:
    """The spans of a case: an agent, two replies of a model, a call between them that failed, a retrieval."""
    return {
        "uuid": "t1",
        "startTime": _AT.format(0),
        "endTime": _AT.format(6),
        "baseSpans": [span("parse", 5)],
        "agentSpans": [span("guide", 0, parentUuid="gone", type="agent", availableTools=["find"])],
        "llmSpans": [
            span("answer", 4, type="llm", model="small", inputTokenCount=30, outputTokenCount=5),
            span("decide", 1, type="llm", model="small", inputTokenCount=20, outputTokenCount=4),
        ],
        "retrieverSpans": [span("look up", 3, type="retriever", embedder="e1", retrievalContext=["Pier 4 is open."])],
        "toolSpans": [
            span("find", 2, type="tool", status="ERRORED", error="no map", input={"what": "garage"}, output=None)
        ],
    }


def case(name: str = "parking") -> JsonObject:
    """A case with calls, what was retrieved, and three metrics."""
    call: JsonObject = {
        "name": "find", "reasoning": "The map knows.", "inputParameters": {"what": "garage"}, "output": ["Pier 4"],
    }  # fmt: skip
    return {
        "name": name,
        "input": "Where may I park?",
        "actualOutput": "At Pier 4.",
        "expectedOutput": "Pier 4",
        "context": ["Pier 4 is a garage."],
        "retrievalContext": ["Pier 4 is open."],
        "toolsCalled": [call],
        "expectedTools": [{"name": "find", "inputParameters": {"what": "garage"}}],
        "success": False,
        "metricsData": [
            metric(evaluationModel="judge", evaluationCost=0.25, verboseLogs="Steps: …"),
            metric("Bias", success=False, score=0.75, flaky=True),
            metric("Safety", success=None, score=None, error="no key"),
        ],
        "runDuration": 2.5,
        "completionTime": 1.5,
        "tags": ["city"],
        "metadata": {"city": "Lima"},
        "order": 0,
    }


def traced() -> JsonObject:
    """A case whose calls are only in its spans."""
    return {"name": "traced", "input": "And now?", "actualOutput": "No map.", "success": True, "trace": trace()}


def conversation() -> JsonObject:
    """A case of two turns."""
    turns: list[Json] = [
        {"role": "user", "content": "A table, please.", "order": 0},
        {"role": "assistant", "content": "For how many?", "order": 1, "retrievalContext": ["Tables seat four."]},
        {"role": "user", "content": "Two.", "order": 2, "userId": "u1"},
        {"role": "assistant", "content": "Booked.", "order": 3,
         "toolsCalled": [{"name": "book", "inputParameters": {"n": 2}, "output": {"error": "full"}}]},
    ]  # fmt: skip
    return {
        "name": "table",
        "turns": turns,
        "scenario": "Somebody wants a table.",
        "expectedOutcome": "A table is booked.",
        "userDescription": "In a hurry.",
        "success": True,
        "metricsData": [metric("Completeness")],
    }


def run() -> JsonObject:
    """The run that is kept as the latest."""
    return {"testRunData": bare(), "testRunLink": "https://example.com/run/1"}


def bare() -> JsonObject:
    """The same as exports have it, with the name of a case taken twice."""
    return {
        "testCases": [case(), case(), traced()],
        "conversationalTestCases": [conversation()],
        "metricsScores": [{"metric": "Relevancy", "scores": [0.75, 0.75], "passes": 2, "fails": 0, "errors": 0}],
        "testPassed": 2,
        "testFailed": 2,
        "runDuration": 9.5,
        "testFile": "test_parking.py",
        "hyperparameters": {"model": "small"},
    }


def goldens() -> list[Json]:
    """Goldens of one turn: one that was answered, one that was not."""
    return [
        {"input": "Where may I park?", "actual_output": "At Pier 4.", "expected_output": "Pier 4",
         "context": ["Pier 4 is a garage.", "It is open."], "retrieval_context": ["Pier 4 is open."],
         "tools_called": [{"name": "find", "input_parameters": {"what": "garage"}}],
         "expected_tools": [{"name": "find", "input_parameters": {"what": "garage"}}],
         "name": "parking", "comments": "by ann", "source_file": None},
        {"input": "Two seats?", "actual_output": None, "expected_output": "Booked.", "context": None,
         "additional_metadata": {"level": 2}},
    ]  # fmt: skip


def scenarios() -> list[Json]:
    """Goldens of several turns: a scenario, a script, and a script as JSON in a text."""
    turns: list[Json] = [
        {"role": "user", "content": "A table, please.", "retrieval_context": ["Menu"]},
        {"role": "assistant", "content": "Booked."},
    ]
    head: JsonObject = {"scenario": "Somebody wants a table.", "expected_outcome": "A table is booked."}
    return [
        {**head, "user_description": "In a hurry.", "context": ["Open"]},
        {**head, "turns": turns, "name": "script"},
        {**head, "turns": json.dumps(turns), "user_description": "In a hurry."},
    ]


def table() -> str:
    """Goldens as a table: texts of a list stand with bars between, calls as JSON."""
    made = io.StringIO()
    writer = csv.writer(made)
    writer.writerow(["input", "actual_output", "expected_output", "retrieval_context", "context", "expected_tools"])
    call = json.dumps([{"name": "find", "input_parameters": {"what": "garage"}}])
    writer.writerow(["Where may I park?", "", "Pier 4", "", "Pier 4 is a garage.|It is open.", call])
    return made.getvalue()


def cache() -> JsonObject:
    """The cache: its keys are cases, and one that is none."""
    key = json.dumps({"input": "Where may I park?", "actual_output": "At Pier 4.", "expected_output": "Pier 4"})
    held: JsonObject = {
        "cached_metrics_data": [
            {"metric_data": metric(), "metric_configuration": {"threshold": 0.5, "evaluation_model": "judge"}}
        ],
        "hyperparameters": "",
    }
    return {"test_cases_lookup_map": {key: held, "no case": held}}
