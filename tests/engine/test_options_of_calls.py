"""A criterion about calls whose options nobody understands is not judged, and one sentence says why."""

from __future__ import annotations

import pytest

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.values.values import JsonObject
from trace_inspector.engine.scoring.call_options import parameters_of
from trace_inspector.engine.scoring.call_orders import MatchType
from trace_inspector.engine.scoring.metric import CannotJudge

KNOWN = "match_type is EXACT, IN_ORDER or ANY_ORDER, all else is true or false"


def calls(options: JsonObject) -> Criterion:
    return Criterion("tool_trajectory_avg_score", 1.0, options)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"match_type": "SOMETIMES"}, "match_type 'SOMETIMES' is not understood"),
        ({"matchType": 7}, "matchType 7 is not understood"),
        ({"ignore_args": "perhaps"}, "ignore_args 'perhaps' is not understood"),
    ],
)
def test_an_option_that_is_not_understood_is_named_with_what_could_stand_there(options: JsonObject, why: str) -> None:
    with pytest.raises(CannotJudge) as caught:
        parameters_of(calls(options))
    assert str(caught.value) == f"tool_trajectory_avg_score: {why}; {KNOWN}"


def test_options_are_understood_in_any_spelling() -> None:
    assert parameters_of(calls({"matchType": " any-order "})).match_type is MatchType.ANY_ORDER
    assert parameters_of(calls({"something else": 1})).match_type is MatchType.EXACT
