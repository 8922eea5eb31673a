"""One rich file of every ADK format, made up here: what a conversion has to carry along."""

from __future__ import annotations

import json

from tests.formats.session_files import call, event, result, said, session
from trace_inspector.core.values.values import Json

# Texts, not values: the spelling of numbers and the order of keys are part of what must come back.
EVAL_SET = """{
  "eval_set_id": "tours", "creation_timestamp": 1.50, "own": {"x": [1, 1.0, -0]},
  "eval_cases": [
    {"eval_id": "a", "traceInspector": {"version": 1, "notes": {"/eval_id": "First."}}, "tags": ["vip"],
     "conversation": [{
       "invocation_id": "i1",
       "user_content": {"role": "user", "parts": [{"text": "Two seats?"}]},
       "intermediate_data": {"tool_uses": [{"id": "c1", "name": "book", "args":
         {"n": 9007199254740993, "far": 1e400, "price": 0.10, "zero": -0, "one": 1.0, "six": 6}}],
         "intermediate_responses": [["guide", [{"text": "One moment."}]]]},
       "final_response": {"parts": [{"text": "Booked."}], "role": "model"}},
      {"user_content": {"parts": [{"text": "Thanks"}]}, "own": null}],
     "session_input": {"user_id": "u", "app_name": "tours", "state": {}, "free": 1}},
    {"evalId": "b", "conversationScenario": {"startingPrompt": "Hi", "conversationPlan": "Ask."}}
  ]
}"""
SESSION = json.dumps(
    session(
        event("user", said("Two seats?")),
        event(
            "guide",
            call("book", n=1),
            at=2.25,
            usageMetadata={"promptTokenCount": 3, "trafficType": "ON_DEMAND"},
            longRunningToolIds=[],
            branch="guide.sub",
        ),
        event("guide", result("book", {"ok": True}), at=3.0, actions={"stateDelta": {"k": None}, "escalate": True}),
        event("guide", said("Booked."), at=4.5, finishReason="STOP"),
        event("user", said("Thanks"), at=6.0, invocation="e-2"),
        event("guide", said("Bye."), at=7.0, invocation="e-2"),
    )
)
RESULT = """{
  "eval_set_result_id": "r", "eval_set_result_name": "r", "eval_set_id": "tours", "creation_timestamp": 5.0,
  "eval_case_results": [
    {"eval_set_file": "tours", "eval_id": "a", "final_eval_status": 2, "eval_set_id": "tours", "session_id": "s1",
     "overall_eval_metric_results": [{"metric_name": "m", "threshold": 0.50, "score": null, "eval_status": 3}],
     "eval_metric_results": [],
     "eval_metric_result_per_invocation": [{
       "actual_invocation": {"invocation_id": "i1", "user_content": {"parts": [{"text": "Two seats?"}]},
         "final_response": {"parts": [{"text": "Sold out."}], "role": "model"}},
       "expected_invocation": {"invocation_id": "i1", "user_content": {"parts": [{"text": "Two seats?"}]},
         "final_response": {"parts": [{"text": "Booked."}], "role": "model"}},
       "eval_metric_results": [{"metric_name": "m", "threshold": 0.50, "score": null, "eval_status": 3}]}],
     "user_id": null, "session_details": null},
    {"eval_id": "b", "final_eval_status": "PASSED", "session_id": "", "overall_eval_metric_results": [],
     "eval_metric_result_per_invocation": [{"actual_invocation": {"user_content": {"parts": [{"text": "Hi"}]}}}]}
  ]
}"""
CONFIG = '{"criteria": {"response_match_score": 0.80, "own": {"threshold": 1, "free": {"x": null}}}, "other": []}'
WRITABLE = {
    "adk-eval-set": EVAL_SET,
    "adk-session": SESSION,
    "adk-eval-result": RESULT,
    "adk-eval-config": CONFIG,
}


def encoded(text: str) -> Json:
    """A file that is one JSON text holding JSON, as google-adk wrote its results before 1.22."""
    return json.dumps(text)
