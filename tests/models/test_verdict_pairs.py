"""Why a reported and a recomputed verdict do not agree."""

from __future__ import annotations

from tests.helpers.tables import each
from trace_inspector.core.verdict.verdict import MetricVerdict, Overruled, RubricVerdict, Status
from trace_inspector.models.details.verdict_pairs import conflict, pairs_of

PASSED, FAILED, NOTHING = Status.PASSED, Status.FAILED, Status.NOT_EVALUATED


def rubrics(*names: str) -> tuple[RubricVerdict, ...]:
    return tuple(RubricVerdict(name, 1.0) for name in names)


@each(
    ("reported", "recomputed", "cause"),
    [
        (MetricVerdict("m", 1.0, PASSED, 0.8), MetricVerdict("m", 1.001, PASSED, 0.9), ""),
        (MetricVerdict("m", 1.0, Status.INFORMATIONAL), MetricVerdict("m", 2.0, Status.INFORMATIONAL), ""),
        (
            MetricVerdict("m", 0.85, PASSED, 0.8),
            MetricVerdict("m", 0.85, FAILED, 0.9),
            "this run needs 0.90",
        ),
        (MetricVerdict("m", None, NOTHING), MetricVerdict("m", 0.5, FAILED, 0.8), "The file holds no score"),
        (
            MetricVerdict("m", 0.5, FAILED, 0.8),
            MetricVerdict("m", None, NOTHING, reason="no judge"),
            "could not be recomputed here: no judge.",
        ),
        (
            MetricVerdict("m", 1.0, PASSED, 0.8, rubrics=rubrics("a")),
            MetricVerdict("m", 0.5, FAILED, 0.8, rubrics=rubrics("a", "b")),
            "scored with 1 rubric, this run with 2 rubrics",
        ),
        (
            MetricVerdict("m", 1.0, PASSED, 0.8, rubrics=rubrics("a")),
            MetricVerdict("m", 0.5, FAILED, 0.8, rubrics=rubrics("b")),
            "this run with 1 rubric, not the same ones",
        ),
        (
            MetricVerdict("m", 1.0, PASSED, 0.8, rubrics=(RubricVerdict("Is polite", 1.0, text="Is polite"),)),
            MetricVerdict("m", 0.5, FAILED, 0.8, rubrics=(RubricVerdict("rubric 1", 0.0, text="is polite"),)),
            "A judge decides this",
        ),
        (
            MetricVerdict("m", 1.0, PASSED, 0.8),
            MetricVerdict("m", 0.0, FAILED, 0.8, votes=(0.0, 1.0)),
            "A judge decides this",
        ),
        (
            MetricVerdict("m", 1.0, PASSED, 0.8),
            MetricVerdict("m", 0.0, FAILED, 0.8, reason="a differs."),
            "a differs.",
        ),
        (MetricVerdict("m", 1.0, PASSED, 0.8), MetricVerdict("m", 0.0, FAILED, 0.8), "does not say how its score"),
        (
            MetricVerdict("m", 0.0, PASSED, 0.8),
            MetricVerdict("m", 0.0, FAILED, 0.8),
            "does not follow",
        ),
        (
            MetricVerdict("m", 0.0, FAILED, 0.8),
            MetricVerdict("m", 0.0, PASSED, 0.8, overruled=Overruled(FAILED)),
            "a person overruled",
        ),
    ],
)
def test_a_conflict_names_the_likeliest_cause(reported: MetricVerdict, recomputed: MetricVerdict, cause: str) -> None:
    told = conflict(reported, recomputed)
    assert cause in told
    assert bool(told) is bool(cause)


def test_each_verdict_stands_once_and_in_order() -> None:
    reported = [MetricVerdict("b", 1.0, PASSED), MetricVerdict("a", 1.0, PASSED), MetricVerdict("b", 0.5, FAILED)]
    pairs = pairs_of(reported, [MetricVerdict("a", 1.0, PASSED), MetricVerdict("c", 1.0, PASSED)])
    assert [(pair.metric, pair.reported is not None, pair.recomputed is not None) for pair in pairs] == [
        ("a", True, True),
        ("c", False, True),
        ("b", True, False),
        ("b", True, False),
    ]
