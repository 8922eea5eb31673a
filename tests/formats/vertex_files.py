"""Evaluation files of Vertex AI, made for tests: items as the service writes them, and dumps of the SDK."""

from __future__ import annotations

import json

from trace_inspector.core.values.values import Json, JsonObject

ITEMS = "projects/p/locations/l/evaluationItems"
RUN = "projects/p/locations/l/evaluationRuns/r1"


def said(text: str, role: str = "model") -> JsonObject:
    """A Content of one text."""
    return {"role": role, "parts": [{"text": text}]}


def rubric(rubric_id: str, text: str, **others: Json) -> JsonObject:
    """One rubric."""
    return {"rubricId": rubric_id, "content": {"property": {"description": text}}, **others}


def agent_data() -> JsonObject:
    """A conversation of two agents, with a call and its answer."""
    call: JsonObject = {"functionCall": {"id": "c1", "name": "look_up", "args": {"seat": 2}}}
    answer: JsonObject = {"functionResponse": {"id": "c1", "name": "look_up", "response": {"output": "free"}}}
    events: list[Json] = [
        {"author": "user", "content": said("Is seat 2 free?", "user"), "eventTime": "2026-01-02T03:04:05Z"},
        {
            "author": "clerk",
            "content": {"role": "model", "parts": [call]},
            "activeTools": [{"functionDeclarations": [{"name": "look_up"}]}, {"googleSearch": {}}],
        },
        {"author": "clerk", "content": {"role": "tool", "parts": [answer]}, "stateDelta": {"seat": 2}},
        {"author": "clerk", "content": said("Seat 2 is free."), "eventTime": "2026-01-02T03:04:07.500Z"},
    ]
    return {
        "agents": {
            "desk": {"agentId": "desk", "agentType": "RouterAgent", "subAgents": ["clerk"]},
            "clerk": {"agentId": "clerk", "instruction": "Be brief.", "tools": [{"codeExecution": {}}]},
        },
        "turns": [{"turnIndex": 0, "turnId": "t0", "events": events}],
    }


def request(**others: Json) -> JsonObject:
    """A request with two candidates, an expected answer and two groups of rubrics."""
    return {
        "prompt": {"text": "Is seat 2 free?"},
        "goldenResponse": {"candidate": "golden", "text": "Yes, seat 2 is free."},
        "rubrics": {
            "tone": {"groupId": "g1", "displayName": "Tone", "rubrics": [rubric("a", "Is polite.")]},
            "facts": {"groupId": "g2", "rubrics": [rubric("b", "Names the seat.", type="FACT", importance="HIGH")]},
        },
        "candidateResponses": [
            {"candidate": "small", "text": "Yes.", "events": [said("Let me see.")]},
            {"candidate": "large", "agentData": agent_data()},
        ],
        **others,
    }


def verdict(candidate: str, score: float | None = None, **others: Json) -> JsonObject:
    """What one metric says of one candidate."""
    scored: JsonObject = {} if score is None else {"score": score}
    return {"candidate": candidate, "metric": "general_quality_v1", **scored, **others}


def result(*results: JsonObject, **others: Json) -> JsonObject:
    """A bare result of one metric."""
    return {
        "evaluationRequest": f"{ITEMS}/q1",
        "evaluationRun": RUN,
        "request": request(),
        "metric": "general_quality_v1",
        "candidateResults": [*results],
        **others,
    }


def item(payload: str, held: Json, name: str = "q1", **others: Json) -> JsonObject:
    """An item that holds a request, a result or a place in Cloud Storage."""
    kinds = {"evaluationRequest": "REQUEST", "evaluationResponse": "RESULT"}
    return {
        "name": f"{ITEMS}/{name}",
        "displayName": f"The {name}",
        "evaluationItemType": kinds.get(payload, "REQUEST"),
        payload: held,
        **others,
    }


def full_list() -> JsonObject:
    """A page of the service's list: a request, and two results of it."""
    explanation: list[Json] = [
        {"sentence": "Seat 2 is free.", "label": "supported", "rationale": "The tool says so."},
        {"sentence": "It has a window.", "label": "unsupported", "rationale": "Nobody says so."},
    ]
    rubrics: list[Json] = [
        {"evaluatedRubric": rubric("a", "Is polite."), "verdict": True, "reasoning": "It is."},
        {"evaluatedRubric": rubric("b", "Names the seat.")},
    ]
    return {
        "evaluationItems": [
            item("evaluationRequest", request(), labels={"team": "seats"}),
            item("evaluationResponse", result(verdict("small", 0.5, rubricVerdicts=rubrics), verdict("large")), "e1"),
            item(
                "evaluationResponse",
                result(verdict("large", 4, metric="hallucination_v1", explanation=json.dumps(explanation))),
                "e2",
            ),
        ],
        "nextPageToken": "more",
    }


def eval_case(case_id: str = "seat", **others: Json) -> JsonObject:
    """A case of the SDK with one response."""
    return {
        "eval_case_id": case_id,
        "prompt": said("Is seat 2 free?", "user"),
        "responses": [{"response": said("Seat 2 is free.")}],
        "reference": {"response": said("Yes, seat 2 is free.")},
        **others,
    }


def dataset(*cases: JsonObject, **others: Json) -> JsonObject:
    """A dataset of the SDK."""
    return {"eval_cases": [*(cases or (eval_case(), eval_case("told", agent_data=agent_data())))], **others}


def scored(**scores: Json) -> JsonObject:
    """Metric results by name: a score, or the whole result."""
    results: JsonObject = {
        name: score if isinstance(score, dict) else {"metric_name": name, "score": score, "explanation": "Because."}
        for name, score in scores.items()
    }
    return {"response_index": 0, "metric_results": results}


def eval_result(**others: Json) -> JsonObject:
    """A result of the SDK over the dataset."""
    failed: JsonObject = {"metric_name": "depth", "score": None, "error_message": "The judge is away."}
    return {
        "eval_case_results": [
            {"eval_case_index": 1, "response_candidate_results": [scored(tone=1.0, depth=11)]},
            {"eval_case_index": 0, "response_candidate_results": [scored(tone=0.0, depth=failed)]},
        ],
        "summary_metrics": [{"metric_name": "tone", "num_cases_total": 2, "num_cases_valid": 2, "mean_score": 0.5}],
        "evaluation_dataset": [dataset()],
        "win_rates": None,
        **others,
    }


def tables() -> dict[str, list[Json]]:
    """One row of each table that the SDK knows; all say the same."""
    asked: list[JsonObject] = [
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "Good day."},
        {"role": "user", "content": "Is seat 2 free?"},
    ]
    call: JsonObject = {"id": "c1", "function": {"name": "look_up", "arguments": '{"seat": 2}'}}
    contents: list[Json] = [said("Hello", "user"), said("Good day."), said("Is seat 2 free?", "user")]
    called: JsonObject = {"role": "model", "parts": [{"functionCall": {"name": "look_up", "args": {"seat": 2}}}]}
    lines = [{"role": one["role"], "parts": [{"type": "text", "content": one["content"]}]} for one in asked]
    asks_tool: JsonObject = {"type": "tool_call", "id": "c1", "name": "look_up", "arguments": {"seat": 2}}
    return {
        "gemini": [
            {
                "request": {"contents": contents, "systemInstruction": said("Be brief.", "system")},
                "response": {"candidates": [{"content": called}]},
            }
        ],
        "chat": [
            {
                "request": {"messages": [{"role": "system", "content": "Be brief."}, *asked]},
                "response": {"choices": [{"message": {"role": "assistant", "content": None, "tool_calls": [call]}}]},
            }
        ],
        "observability": [
            {
                "format": "observability",
                "request": "\n".join(json.dumps(line) for line in lines),
                "response": json.dumps({"role": "model", "parts": [asks_tool]}),
                "system_instruction": json.dumps(
                    {"role": "system", "parts": [{"type": "text", "content": "Be brief."}]}
                ),
            }
        ],
        "flat": [
            {
                "prompt": "Is seat 2 free?",
                "history": contents[:2],
                "response": called,
                "instruction": "Be brief.",
            }
        ],
    }


def with_turns(*turns: JsonObject) -> JsonObject:
    """A request whose only candidate recorded some turns."""
    return {"candidateResponses": [{"candidate": "c", "agentData": agent_data() | {"turns": [*turns]}}]}


def turn(index: Json = 0, author: str = "clerk") -> JsonObject:
    """One turn with an answer."""
    return {"turnIndex": index, "events": [{"author": author, "content": said("Yes.")}]}


AGENT: JsonObject = {"agentId": "other", "subAgents": ["nobody"]}
