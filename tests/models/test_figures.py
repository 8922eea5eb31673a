from __future__ import annotations

import math

from tests.helpers.tables import each
from trace_inspector.models.base.figures import count_text, score_text, seconds_text


@each(
    ("seconds", "text"),
    [
        (None, ""),
        (math.nan, ""),
        (math.inf, ""),
        (0.0, "0 s"),
        (0.0003, "300 µs"),
        (0.002, "2.0 ms"),
        (0.0394, "39 ms"),
        (0.0996, "0.1 s"),
        (0.84, "0.8 s"),
        (99.94, "99.9 s"),
        (99.96, "100 s"),
        (599.4, "599 s"),
        (605, "10 min 5 s"),
        (36_000, "10 h 0 min"),
        (200_000.0, "2 d"),
        (2.5e11, "7,922 years"),
        (-2, "\N{MINUS SIGN}2.0 s"),
    ],
)
def test_seconds(seconds: float | None, text: str) -> None:
    assert seconds_text(seconds) == text


@each(
    ("count", "text"),
    [
        (None, ""),
        (0, "0"),
        (999, "999"),
        (1000, "1.0 k"),
        (35_720, "35.7 k"),
        (120_000, "120 k"),
        (2_500_000, "2.5 M"),
    ],
)
def test_counts(count: int | None, text: str) -> None:
    assert count_text(count) == text


@each(
    ("score", "text"), [(None, "–"), (math.nan, "–"), (1.0, "1.00"), (0.999, "0.99"), (0.5, "0.50"), (-1.0, "-1.00")]
)
def test_scores_never_look_better_than_they_are(score: float | None, text: str) -> None:
    assert score_text(score) == text
