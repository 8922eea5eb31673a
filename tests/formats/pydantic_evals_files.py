"""A data set of pydantic-evals and the report of a run of it, made by hand."""

from __future__ import annotations

from trace_inspector.core.values.values import Json, JsonObject


def dataset() -> JsonObject:
    """Three cases with evaluators in each of their spellings, and some for all cases."""
    judge: JsonObject = {"LLMJudge": {"rubric": "It is polite.", "include_input": True}}
    return {
        "name": "parking",
        "cases": [
            {"name": "one", "inputs": {"question": "Where may I park?", "now": None}, "metadata": {"level": "easy"},
             "expected_output": "At Pier 4.", "evaluators": [{"Equals": "At Pier 4."}, judge]},
            {"name": None, "inputs": {"from": "A", "to": "B"}, "expected_output": {"way": 1},
             "evaluators": [{"name": "GEval", "arguments": {"criteria": "It is short."}}]},
            {"name": "one", "inputs": "When?", "expected_output": None, "evaluators": []},
        ],
        "evaluators": ["EqualsExpected", {"Contains": {"value": "Pier", "case_sensitive": False}},
                       {"Contains": "Pier"}, {"MaxDuration": 5.0}],
        "report_evaluators": [],
    }  # fmt: skip


def _found(name: str, evaluator: str, value: Json, arguments: Json = None, reason: str | None = None) -> JsonObject:
    source: JsonObject = {"name": evaluator, "arguments": arguments}
    return {"name": name, "value": value, "reason": reason, "source": source, "evaluator_version": None}


def report() -> JsonObject:
    """A case that passed, one that ran twice and failed once, one whose task broke."""
    case: JsonObject = {
        "name": "one", "inputs": {"question": "Where may I park?"}, "metadata": {"level": "easy"},
        "expected_output": "At Pier 4.", "output": "At Pier 4.", "attributes": {"seed": 3},
        "metrics": {"input_tokens": 40, "output_tokens": 8, "requests": 2},
        "scores": {"length": _found("length", "Len", 10.0)},
        "labels": {"kind": _found("kind", "Len", "words")},
        "assertions": {
            "EqualsExpected": _found("EqualsExpected", "EqualsExpected", value=True),
            "Contains": _found("Contains", "Contains", value=False, arguments=["Pier"], reason="It is elsewhere."),
        },
        "task_duration": 0.5, "total_duration": 0.75, "source_case_name": None, "trace_id": "t1", "span_id": "s1",
        "evaluator_failures": [],
    }  # fmt: skip
    broken: JsonObject = {"name": "Bad", "error_message": "ValueError: no", "error_stacktrace": "", "source": None}
    again: JsonObject = {
        "source_case_name": "two", "inputs": "When?", "expected_output": None, "output": {"hour": 10},
        "metrics": {}, "attributes": {}, "scores": {}, "labels": {}, "assertions": {}, "evaluator_failures": [],
    }  # fmt: skip
    failed: JsonObject = {
        "name": "three", "inputs": "Boom", "metadata": None, "expected_output": None,
        "error_message": "RuntimeError: boom", "error_stacktrace": "", "source_case_name": None,
    }  # fmt: skip
    return {
        "name": "first try",
        "dataset_name": "parking",
        "cases": [
            case,
            {**again, "name": "two [1/2]", "evaluator_failures": [broken]},
            {
                **again,
                "name": "two [2/2]",
                "assertions": {"Text": _found("Text", "IsInstance", value=True)},
            },
        ],
        "failures": [failed],
        "analyses": [],
        "report_evaluator_failures": [],
        "experiment_metadata": None,
        "trace_id": None,
        "span_id": None,
    }
