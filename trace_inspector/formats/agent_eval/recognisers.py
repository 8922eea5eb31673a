"""Recognises agent-eval's files: rows, golden questions, metrics."""

from __future__ import annotations

from trace_inspector.core.values.values import Json
from trace_inspector.formats.agent_eval.cells import name_in
from trace_inspector.formats.common.fields import Fields
from trace_inspector.formats.common.recogniser import (
    LOOKED_AT,
    All,
    AnyKey,
    Either,
    Has,
    Holds,
    Not,
    OneObject,
    Surest,
    Within,
    an_object,
    first,
)

RESULTS = "eval_results"
SCORE = "adk_score."  # scores of a row begin with it
OLDER_SCORE = "score."  # the same in the first tables
SCORES = (SCORE, OLDER_SCORE)
LISTS = ("golden_questions", "questions")
INPUTS = "user_inputs"

_OWN_LIST, _OTHER_LIST = LISTS
_OWN_NAME = Has(_OWN_LIST)
_IN_OTHER = Not(Holds(_OWN_LIST, list))
_ASKS = Has(INPUTS)
_OF_A_METRIC = AnyKey("metric_type", "template", "dataset_mapping", "is_managed", "managed_metric_name")
_OF_A_ROW = Has("session_trace", "extracted_data", "final_session_state", "trace_summary", "latency_data", RESULTS)


def _has_metrics(fields: Fields) -> bool:
    """All members are objects with a template, a mapping or a managed metric's name."""
    return bool(fields.value) and all(
        isinstance(metric, dict) and _OF_A_METRIC(Fields(metric, "")) for metric in fields.value.values()
    )


# An object with `golden_questions`, or with `questions` that have ids and inputs.
questions = OneObject(
    (90, Either(first(_OWN_LIST, _ASKS), All(_IN_OTHER, first(_OTHER_LIST, _ASKS)))),
    (60, Either(first(_OWN_LIST, an_object), All(_OWN_NAME, _IN_OTHER, first(_OTHER_LIST, an_object)))),
    (50, All(_OWN_NAME, Either(Holds(_OWN_LIST, list), Holds(_OTHER_LIST, list)))),
)
metrics = OneObject((85, Within("metrics", _has_metrics)))


def rows(value: Json) -> int:
    """A row, or a list that begins with rows."""
    looked_at = value[:LOOKED_AT] if isinstance(value, list) else [value]
    return 92 if looked_at and all(isinstance(row, dict) and _is_row(Fields(row, "")) for row in looked_at) else 0


def _is_row(row: Fields) -> bool:
    if not name_in(row, "question_id"):
        return False
    return _OF_A_ROW(row) or any(key.startswith(SCORES) for key in row.value)


data = Surest(rows, questions, metrics)
