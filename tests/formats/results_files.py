"""A results folder as the document that is made of it: the manifest with rows of its tables."""

from __future__ import annotations

from trace_inspector.core.values.values import JsonObject

_CASE: JsonObject = {
    "run": "run-1",
    "case_id": "tour_1",
    "suite": "tours",
    "trace_id": "s-1",
    "attempt": 1,
    "trace_file": "traces/session.json",
}
RESULTS: JsonObject = {
    "trace_inspector_results": 1,
    "run": "run-1",
    "complete": True,
    "status": "FAILED",
    "verdicts": [
        {**_CASE, "about": "case", "status": "FAILED", "golden_file": "tours.evalset.json", "place": ""},
        {**_CASE, "about": "case", "criterion": "match", "status": "FAILED", "score": 0.25, "threshold": 0.5},
        {**_CASE, "about": "turn", "turn": 1, "golden_turn": 1, "status": "FAILED"},
        {
            **_CASE,
            "about": "turn",
            "turn": 1,
            "golden_turn": 1,
            "criterion": "match",
            "status": "FAILED",
            "score": 0.25,
            "threshold": 0.5,
            "reason": "half of the words differ",
            "metric_version": 2,
        },
        {**_CASE, "about": "turn", "golden_turn": 2, "status": "FAILED", "reason": "the trace has no such turn"},
    ],
    "turns": [
        {**_CASE, "turn": 1, "user_text": "Two seats?", "answer": "Booked.", "agent": "guide", "seconds": 1.5},
    ],
}
