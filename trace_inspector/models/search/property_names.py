"""NAMES: the displayed names of the fields of typed objects, in display order."""

from __future__ import annotations

from trace_inspector.core.golden.golden import Case, Persona, Scenario, Session, Suite
from trace_inspector.core.golden.matcher import Matcher, Note
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.expectation import Expectation
from trace_inspector.core.trace.parts import Code, Media, Text, Thought, ToolCall, ToolResult, Transfer, Unknown
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.trace.trace import Agent, Event, Span, Trace, Turn, Usage

_PLACE = {"place": "Place"}

NAMES: dict[type, dict[str, str]] = {
    Suite: {"id": "Id", "name": "Name", "description": "Description", **_PLACE, "personas": "Persona"},
    Case: {
        "title": "Title",
        "id": "Id",
        "suite_id": "Eval set",
        "tags": "Tags",
        **_PLACE,
        "session": "Session at the start",
        "scenario": "Simulated user",
        "context": "Said before the first turn",
        "final_state": "State at the end",
        "final_state_place": "Place of that state",
        "rubrics": "Rubric",
        "expectations": "Expectation",
        "criteria": "Criterion",
        "matchers": "Matcher",
        "notes": "Note",
        "overrules": "Overruled by people",
    },
    Session: {"id": "Id", "app": "App", "user": "User", **_PLACE, "state": "State at the start"},
    Scenario: {
        "starting_prompt": "Starts with",
        "plan": "Plan",
        "max_turns": "Maximum turns",
        "goal": "Required outcome of the user's goal",
        "facts": "Known to the user",
        **_PLACE,
        "variables": "Known to the agent",
        "persona": "Persona",
    },
    Persona: {"id": "Id", "description": "Description", **_PLACE, "stated": "As written in the file"},
    Rubric: {
        "id": "Id",
        "text": "Property",
        "type": "Type",
        "group": "Group",
        "importance": "Importance",
        "description": "Description",
        **_PLACE,
    },
    Matcher: {
        "match": "Compares by",
        "text": "Text or pattern",
        "absolute": "May differ by",
        "relative": "May differ by a share of",
        **_PLACE,
    },
    Expectation: {
        "kind": "Expects",
        "text": "Property",
        "reference": "Reference",
        "compared_by": "Compares by",
        "note": "Note",
        "skipped": "Skipped",
        **_PLACE,
        "parts": "What is expected",
        "value": "Expected value",
        "criteria": "Criterion",
    },
    Note: {"text": "Text", **_PLACE},
    Trace: {
        "title": "Title",
        "id": "Id",
        "session_id": "Session",
        "app": "App",
        "user": "User",
        "case_id": "Case",
        "case_title": "Title of the case",
        "suite_id": "Eval set",
        "candidate": "Candidate",
        "persona": "Persona",
        "case_runs": "Runs of that case in this file",
        "span_count": "Spans",
        **_PLACE,
        "final_state": "State at the end",
    },
    Turn: {
        "id": "Id",
        "steps": "Steps are recorded as",
        "start_s": "Began",
        "duration_s": "Took",
        "model_duration_s": "Model calls took",
        "tool_duration_s": "Tool calls took",
        "final_author": "Answered by",
        **_PLACE,
        "rubrics": "Rubric",
        "expectations": "Expectation",
        "criteria": "Criterion",
    },
    Event: {
        "author": "Author",
        "role": "Role",
        "time_s": "Time",
        "duration_s": "Took",
        "model": "Model",
        "finish_reason": "Finished because",
        "partial": "Partial, more follows",
        "error": "Error",
        "active_tools": "Available tools",
        "id": "Event id",
        "span_id": "Span",
        **_PLACE,
        "usage": "Tokens, as reported",
        "state_delta": "Written to the session state",
        "grounding": "Grounding",
    },
    Usage: {
        "prompt": "Prompt",
        "tool_use_prompt": "Tool use prompt",
        "candidates": "Answer",
        "thoughts": "Thoughts",
        "cached": "From cache",
        "total": "Total, as reported",
    },
    Agent: {
        "name": "Name",
        "description": "Description",
        "instruction": "Instruction",
        "sub_agents": "Sub-agents",
        **_PLACE,
        "tools": "Tools",
    },
    Span: {
        "id": "Span id",
        "name": "Name",
        "kind": "Measures",
        "parent_id": "Parent",
        "start_s": "Began",
        "duration_s": "Took",
        "error": "Error",
        **_PLACE,
    },
    Text: {"text": "Text", **_PLACE},
    Thought: {"text": "Thought", **_PLACE},
    ToolCall: {
        "name": "Tool",
        "resource": "Full name",
        "agent": "Called by",
        "call_id": "Call id",
        "parent_id": "Parent call",
        **_PLACE,
        "args": "Arguments",
    },
    ToolResult: {"name": "Tool", "call_id": "Call id", "is_error": "Is an error", **_PLACE, "value": "Result"},
    Media: {"mime_type": "Type", "size_bytes": "Size in bytes", "uri": "Address, not fetched", **_PLACE},
    Code: {"text": "Code", "language": "Language", "is_result": "Output of the code", **_PLACE},
    Transfer: {"target": "Hands over to", **_PLACE},
    Unknown: {"kind": "Kind", **_PLACE, "raw": "As written in the file"},
    Criterion: {
        "metric": "Metric",
        "threshold": "Needs",
        "told_only": "Reported only, does not decide",
        **_PLACE,
        "options": "Options",
    },
}

# Fields that are objects, shown under a heading of their own.
CHAPTERS = frozenset(
    {
        (Case, "session"),
        (Case, "scenario"),
        (Case, "rubrics"),
        (Case, "matchers"),
        (Case, "expectations"),
        (Case, "criteria"),
        (Suite, "personas"),
        (Turn, "expectations"),
        (Turn, "criteria"),
        (Expectation, "criteria"),
        (Case, "notes"),
        (Scenario, "persona"),
        (Turn, "rubrics"),
        (Event, "usage"),
    }
)

# Fields that always exist and mean nothing when empty.
SILENT_EMPTY = frozenset({(Criterion, "options")})
