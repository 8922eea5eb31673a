"""Figures in words: none is rounded to what it is not."""

from __future__ import annotations

import pytest

from tests.helpers.tables import each
from trace_inspector.core.verdict.figures import percent
from trace_inspector.engine.run_comparison.as_text import number_text


@pytest.mark.parametrize(
    ("value", "said"),
    [(999.4, "999"), (999.7, "1,000"), (1000.0, "1,000"), (0.01234, "0.0123"), (-999.9, "-1,000")],
)
def test_figures_around_a_thousand(value: float, said: str) -> None:
    assert number_text(value) == said


@each(
    ("share", "digits", "said"),
    [
        (1.0, 0, "100 %"),
        (199 / 200, 0, ">99 %"),
        (0.99999, 1, ">99.9 %"),
        (0.5, 1, "50.0 %"),
        (1 / 1000, 0, "<1 %"),
        (1e-9, 1, "<0.1 %"),
        (0.0, 1, "0.0 %"),
    ],
)
def test_nearly_all_is_not_all_and_hardly_any_not_none(share: float, digits: int, said: str) -> None:
    assert percent(share, digits) == said
