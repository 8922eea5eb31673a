"""A museum guide in Vertex AI's evaluation: one question, two candidates, and what two metrics say of them."""

from __future__ import annotations

from samples.story import Json, JsonObject

_ITEMS = "projects/example/locations/europe-west1/evaluationItems"
_RUN = "projects/example/locations/europe-west1/evaluationRuns/0412"
_QUESTION = "Is the glass hall open on Monday, and what does it cost?"


def items() -> JsonObject:
    """A page of the service's list: the request, and a result of each metric."""
    told, fair = (
        _rubric("says-closed", "Says that the hall is closed on Monday.", "HIGH"),
        _rubric("price", "Names the price."),
    )
    quality: list[Json] = [
        _scored("guide-small", 0.5, _verdict(told, holds=True), _verdict(fair, holds=False)),
        _scored("guide-large", 1.0, _verdict(told, holds=True), _verdict(fair, holds=True)),
    ]
    match: list[Json] = [_scored("guide-small", 0.0), _scored("guide-large", 1.0)]
    return {
        "evaluationItems": [
            _item("glass-hall", "REQUEST", evaluationRequest=_request(told, fair), labels={"team": "guides"}),
            _item(
                "glass-hall-quality", "RESULT", evaluationResponse=_result("general_quality_v1", quality, told, fair)
            ),
            _item(
                "glass-hall-match", "RESULT", evaluationResponse=_result("final_response_match_v2", match, told, fair)
            ),
        ]
    }


def _request(*rubrics: JsonObject) -> JsonObject:
    call: JsonObject = {
        "functionCall": {"id": "c1", "name": "opening_hours", "args": {"hall": "glass", "day": "Monday"}}
    }
    hours: JsonObject = {"functionResponse": {"id": "c1", "name": "opening_hours", "response": {"output": "closed"}}}
    events: list[Json] = [
        _event("user", {"text": _QUESTION}, 0),
        _event("guide", call, 1),
        _event("guide", hours, 2, role="tool"),
        _event("guide", {"text": "The glass hall is closed on Monday. On other days it costs 9 euros."}, 4),
    ]
    agent: JsonObject = {"agentId": "guide", "instruction": "Answer from the tools.", "tools": []}
    return {
        "prompt": {"text": _QUESTION},
        "goldenResponse": {"candidate": "golden", "text": "It is closed on Monday; on other days it costs 9 euros."},
        "rubrics": {"facts": {"groupId": "facts", "displayName": "Facts", "rubrics": [*rubrics]}},
        "candidateResponses": [
            {"candidate": "guide-small", "text": "The glass hall is closed on Monday."},
            {
                "candidate": "guide-large",
                "agentData": {
                    "agents": {"guide": agent},
                    "turns": [{"turnIndex": 0, "turnId": "t0", "events": events}],
                },
            },
        ],
    }


def _result(metric: str, candidates: list[Json], *rubrics: JsonObject) -> JsonObject:
    return {
        "evaluationRequest": f"{_ITEMS}/glass-hall",
        "evaluationRun": _RUN,
        "request": _request(*rubrics),
        "metric": metric,
        "candidateResults": [{**one, "metric": metric} for one in candidates if isinstance(one, dict)],
    }


def _item(name: str, kind: str, **payload: Json) -> JsonObject:
    return {"name": f"{_ITEMS}/{name}", "displayName": name, "evaluationItemType": kind, **payload}


def _scored(candidate: str, score: float, *verdicts: Json) -> JsonObject:
    return {"candidate": candidate, "score": score, **({"rubricVerdicts": [*verdicts]} if verdicts else {})}


def _verdict(rubric: JsonObject, *, holds: bool) -> JsonObject:
    reasoning = "The answer says so." if holds else "The answer names no price."
    return {"evaluatedRubric": rubric, "reasoning": reasoning, **({"verdict": True} if holds else {})}


def _rubric(rubric_id: str, text: str, importance: str = "MEDIUM") -> JsonObject:
    return {"rubricId": rubric_id, "content": {"property": {"description": text}}, "importance": importance}


def _event(author: str, part: JsonObject, at_s: int, *, role: str = "") -> JsonObject:
    content: JsonObject = {"role": role or ("user" if author == "user" else "model"), "parts": [part]}
    return {"author": author, "content": content, "eventTime": f"2026-04-12T11:00:{at_s:02d}Z"}
