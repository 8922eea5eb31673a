"""Small files for SCRAPI, and small results of it, in every shape."""

from __future__ import annotations

from trace_inspector.core.values.values import Json, JsonObject


def goldens() -> JsonObject:
    """Two scripted conversations with everything that one may say."""
    return {
        "common_session_parameters": {"account": "7", "tier": "gold"},
        "common_expectations": ["Is polite"],
        "conversations": [
            {
                "conversation": "seat",
                "session_parameters": {"tier": "blue"},
                "turns": [
                    {"user": "<event>hello</event>", "agent": "Which seat?"},
                    {
                        "user": "Seat 2",
                        "agent": ["One moment.", "Seat 2 is yours."],
                        "tool_calls": [
                            {
                                "action": "book",
                                "args": {"seat": 2, "note": {"$matchType": "ignore", "$matchValue": ""}},
                                "output": {"ok": True},
                                "agent": "desk",
                            },
                            {"action": "transfer_to_agent", "args": {"agent": "clerk"}},
                        ],
                        "mocks": [{"tool": "book", "response": {"ok": True}}],
                        "aside": 1,
                    },
                ],
                "expectations": [
                    "Books seat 2",
                    "projects/p/locations/l/apps/a/evaluationExpectations/kind",
                    {"displayName": "short", "llmCriteria": {"prompt": "Is the answer short?"}},
                ],
                "tags": ["p0", 1],
            },
            {"conversation": "silence", "turns": [{"user": None, "agent": None}, {"user_event": "bye"}]},
        ],
    }


def turn_tests() -> JsonObject:
    """A test of one turn for each type of expectation."""
    expectations: list[Json] = [
        {"type": "contains", "value": "seat"},
        {"type": "equals", "value": "Seat 2 is yours."},
        {"type": "agent_transfer", "value": "clerk"},
        {"type": "tool_called", "value": "book"},
        {"type": "tool_input", "value": {"seat": 2}},
        {"type": "tool_output", "value": {"book": {}}},
        {"type": "smells_like", "value": "fish"},
    ]
    history: list[Json] = [{"user": "Hi"}, {"agent": "Hello", "name": "desk"}]
    return {
        "config": {"modality": "TEXT"},
        "conversations": [
            {
                "conversation": "one",
                "user": "Seat 2",
                "variables": {"first": True},
                "historical_contexts": history,
                "turn_count": 1,
                "expectations": expectations,
            },
            {"conversation": "none", "event": "start", "expectations": [{"type": "no_tools_called", "value": None}]},
        ],
    }


def simulations() -> JsonObject:
    """A simulated user with two goals."""
    return {
        "evals": [
            {
                "name": "two goals",
                "tags": ["p1"],
                "steps": [
                    {"goal": "Get a seat", "success_criteria": "A seat is booked", "max_turns": 4},
                    {"goal": "Leave", "response_guide": "Say bye.\n", "max_turns": 2},
                ],
                "expectations": ["Is polite"],
                "session_parameters": {"account": "7"},
            }
        ]
    }


def tool_tests() -> JsonObject:
    """A tool called by itself."""
    checks: list[Json] = [
        {"path": "$.result.ok", "operator": "equals", "value": True},
        {"path": "$.result.seat", "operator": "is_not_null"},
    ]
    return {
        "tests": [
            {
                "name": "books",
                "tool": "book",
                "args": {"seat": 2},
                "variables": {"account": "7"},
                "expectations": {"response": checks},
            }
        ]
    }


def reference() -> JsonObject:
    """A conversation for reference, with rules beside it."""
    return {
        "reference_id": "talk",
        "turns": [
            {"id": "hello", "event": "start", "expected_tool": "look_up", "expected_agent": "Which seat?"},
            {"id": "seat", "user": "Seat 2", "expected_agent": "Booked."},
        ],
        "quality_rules": {"forbidden_phrases": ["hang up"]},
    }


FILES: dict[str, JsonObject] = {
    "goldens": goldens(),
    "turn tests": turn_tests(),
    "simulations": simulations(),
    "tool tests": tool_tests(),
    "reference": reference(),
}


def runs() -> JsonObject:
    """Two runs of one golden; the second fails for nothing that is told."""
    scores: JsonObject = {
        "semantic_similarity": {"score": 4, "threshold": 2, "passed": True},
        "tool_outcomes": {"expected": 2, "matched": 1, "passed": True},
    }
    return {
        "eval_name": "seat",
        "runs": [
            {
                "run_id": "r1",
                "evaluation_status": "PASS",
                **scores,
                "hallucination_result": {"score": -1, "label": "Unknown", "passed": False},
            },
            {"run_id": "r2", "evaluation_status": "FAIL", **scores, "note": "odd"},
        ],
    }


def conversation() -> JsonObject:
    """One run, turn by turn."""
    call: JsonObject = {
        "tool_name": "book",
        "observed_args": {"seat": 3},
        "expected_args": {"seat": 2},
        "outcome": "FAIL",
    }
    extra: JsonObject = {"tool_name": "sing", "observed_args": {}}
    return {
        "golden_id": "seat",
        "run_id": "r1",
        "status": "FAIL",
        "turns": [
            {
                "turn": 1,
                "user_input": "Seat 2",
                "observed_agent_response": "Seat 3 is yours.",
                "expected_agent_response": "Seat 2 is yours.",
                "text_outcome": "PASS",
                "semantic_score": 3.0,
                "tool_calls": [call, extra],
                "tool_outcome": "FAIL",
            },
            {"turn": 2, "user_input": None, "observed_agent_response": "", "tool_calls": [], "tool_outcome": None},
        ],
    }


def combined() -> JsonObject:
    """The report that joins goldens, simulations and tool tests."""
    comparisons: list[Json] = [
        {"type": "text", "outcome": "PASS", "expected": "Booked.", "actual": "It is booked."},
        {
            "type": "tool_call",
            "outcome": 2,
            "expected": "book",
            "actual": "reserve",
            "expected_args": {"seat": 2},
            "actual_args": {"seat": 2},
            "tool_invocation_score": 0.5,
            "tool_invocation_explanation": "another tool",
        },
        {"type": "tool_call", "outcome": "FAIL", "expected": "pay", "actual": "(missed)", "actual_args": {}},
        {"type": "transfer", "outcome": "PASS", "expected": "clerk", "actual": "clerk"},
    ]
    judged: list[Json] = [{"expectation": "Is polite", "status": "Not Met", "justification": "It shouted."}]
    return {
        "wall_clock_s": 3.5,
        "results": [
            {
                "name": "seat",
                "passed": False,
                "session_id": "s1",
                "session_parameters": {"account": "7"},
                "duration_s": 1.5,
                "turns": [
                    {"index": 1, "user_input": "Seat 2", "semantic_score": 3, "comparisons": comparisons},
                ],
                "expectations": judged,
            },
            {"test_name": "books", "tool": "book", "status": "PASSED", "latency (ms)": 12, "errors": ""},
        ],
    }


RESULTS: dict[str, JsonObject] = {"runs": runs(), "conversation": conversation(), "report": combined()}
