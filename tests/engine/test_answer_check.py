"""`answer_check`: what promptfoo's asserts compute, computed of the last answer."""

from __future__ import annotations

import pytest

from tests.engine.builders import judged, trace, turn
from tests.helpers.tables import each
from trace_inspector.core.errors import UsageError
from trace_inspector.core.trace.criteria import Criteria, Criterion
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.engine.criteria.criteria import check
from trace_inspector.engine.metrics import METRICS

_EQUAL: JsonObject = {"type": "equals", "value": {"a": 1, "b": [1]}}
_ANSWER = 'Take line 7 to Pier 4: {"line": 7}'


@each(
    ("kind", "value", "holds"),
    [
        ("equals", _ANSWER, True),
        ("equals", "Take line 7", False),
        ("contains", "Pier 4", True),
        ("contains", "pier 4", False),
        ("icontains", "pier 4", True),
        ("contains-all", ["line", "Pier"], True),
        ("contains-all", "line, Quay", False),
        ("contains-any", "Quay, Pier", True),
        ("contains-any", ["Quay"], False),
        ("icontains-all", "LINE, pier", True),
        ("icontains-any", ["QUAY", "PIER"], True),
        ("starts-with", "Take", True),
        ("starts-with", "take", False),
        ("regex", r"Pier \d", True),
        ("regex", r"^Pier", False),
        ("is-json", None, False),
        ("contains-json", None, True),
        ("word-count", 8, True),
        ("word-count", "7", False),
        ("word-count", {"min": 2, "max": 8}, True),
        ("word-count", {"max": 2}, False),
        ("levenshtein", _ANSWER[:-3], True),
        ("levenshtein", "Take", False),
    ],
)
def test_a_check_holds_or_does_not_and_its_negation_the_other_way_round(kind: str, value: Json, holds: bool) -> None:
    recorded = trace("t", turn("q", "first"), turn("q", _ANSWER))
    for negated in (False, True):
        options: JsonObject = {"type": f"not-{kind}" if negated else kind, "value": value}
        (metric,) = judged(None, recorded, "answer_check", 1.0, options).metrics
        assert metric.score == float(holds is not negated)
        assert metric.status is (Status.PASSED if holds is not negated else Status.FAILED)
        assert bool(metric.reason) is (metric.status is Status.FAILED)


def test_answers_that_are_json_are_compared_as_json() -> None:
    recorded = trace("t", turn("q", '{"b": [1], "a": 2}'))
    checks: dict[str, Json] = {"equals": {"a": 2, "b": [1]}, "is-json": None, "contains-json": None}
    for kind, value in checks.items():
        (metric,) = judged(None, recorded, "answer_check", 1.0, {"type": kind, "value": value}).metrics
        assert metric.score == 1.0, kind
    (metric,) = judged(None, trace("t", turn("q", '{"a": 1.0, "b": [true]}')), "answer_check", 1.0, _EQUAL).metrics
    assert metric.score == 0.0  # as in JavaScript, true is not 1


@each("options", [{}, {"type": "javascript", "value": "true"}, {"type": "regex", "value": "("}, {"type": 3}])
def test_what_cannot_be_checked_is_refused(options: JsonObject) -> None:
    with pytest.raises(UsageError):
        check(Criteria((Criterion("answer_check:a", 1.0, options),)), METRICS)


def test_a_pattern_that_takes_too_long_decides_nothing() -> None:
    recorded = trace("t", turn("q", "a" * 5_000 + "b"))
    (metric,) = judged(None, recorded, "answer_check", 1.0, {"type": "regex", "value": "(a|aa)+$"}).metrics
    assert metric.status is Status.NOT_EVALUATED
    assert "too long" in metric.reason
