"""What Vertex AI's evaluation service replies, read as google-adk 2.13 reads it."""

from __future__ import annotations

import json
import math

from msgspec import Struct

from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import RubricVerdict
from trace_inspector.engine.scoring.metric import Reply

EXPLANATION, ERROR = "explanation", "error"


class ServiceResult(Struct, frozen=True):
    """A score, where there is one, with rubrics and problem."""

    score: float | None = None
    rubrics: tuple[RubricVerdict, ...] = ()
    problem: str = ""


def read_result(reply: Reply) -> ServiceResult:
    """The result in a reply; a failed call is an error of the service."""
    if reply.failure:
        return _failed(reply.failure)
    try:
        value: Json = json.loads(reply.text)
    except ValueError:
        return _failed("the reply is not JSON")
    result = _result(value)
    if result is None:
        return _failed("the reply holds no result")
    rubrics = [_rubric(index, verdict) for index, verdict in enumerate(_list(result.get("rubricVerdicts")))]
    explanation = result.get("explanation")
    if explanation:
        rubrics.append(RubricVerdict(EXPLANATION, None, str(explanation)))
    problem = _problem(result.get("error"))
    if problem:
        rubrics.append(RubricVerdict(ERROR, None, problem))
    return ServiceResult(_number(result.get("score")), tuple(rubrics), problem)


def _failed(problem: str) -> ServiceResult:
    return ServiceResult(None, (RubricVerdict(ERROR, None, problem),), problem)


def _result(value: Json) -> JsonObject | None:
    """The one result: of a metric of the service, or of a prompt of ours."""
    reply = value if isinstance(value, dict) else {}
    listed = [reply.get("pointwiseMetricResult"), *_list(reply.get("metricResults"))]
    return next((result for result in listed if isinstance(result, dict)), None)


def _rubric(index: int, verdict: Json) -> RubricVerdict:
    fields = verdict if isinstance(verdict, dict) else {}
    rubric = _object(fields.get("evaluatedRubric"))
    description = _object(_object(rubric.get("content")).get("property")).get("description")
    name = description or rubric.get("rubricId") or f"rubric_{index}"
    # The service leaves “verdict” out where a rubric is not met.
    return RubricVerdict(str(name), 1.0 if fields.get("verdict") else 0.0, str(fields.get("reasoning") or ""))


def _problem(error: Json) -> str:
    if isinstance(error, dict):
        return one_line(str(error.get("message") or "the service reports an error"), 200) if error else ""
    return one_line(str(error), 200) if error else ""


def _object(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _number(value: Json) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        return None
    return float(value)
