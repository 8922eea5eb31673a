"""Shares of failure modes with their intervals, and modes that rose or fell."""

from __future__ import annotations

import pytest

from trace_inspector.core.review.codebook import Codebook
from trace_inspector.core.review.failure_modes import Reading, reading
from trace_inspector.core.review.label import Answer, Label, Level
from trace_inspector.engine.calibration.estimate import EXACT, KORN_GRAUBARD
from trace_inspector.engine.failure_modes import words
from trace_inspector.engine.failure_modes.rates import changes, rates


def read(*tagged: tuple[str, int], of: int, of_case: int = 1) -> Reading:
    """So many outputs with each tag, of so many; several of one case."""
    tags = [tag for tag, count in tagged for _ in range(count)]
    labels = [
        Label(
            f"{number:064x}", Level.TURN, "overall", Answer.FAIL if tag else Answer.PASS, tags=(tag,) if tag else (),
            case=f"case {number // of_case}", at=f"{number:04d}",
        )
        for number, tag in enumerate([*tags, *[""] * (of - len(tags))])
    ]  # fmt: skip
    return reading(labels, Codebook())


def test_a_share_has_the_exact_interval() -> None:
    (rate,) = rates(read(("a", 3), of=20))
    # R: binom.test(3, 20)$conf.int
    assert (rate.share.value, rate.share.low, rate.share.high) == pytest.approx((0.15, 0.03207094, 0.37892683))
    assert rate.share.method == EXACT


def test_outputs_of_one_case_are_alike_and_the_interval_knows() -> None:
    (alone,), (together,) = rates(read(("a", 12), of=40)), rates(read(("a", 12), of=40, of_case=4))
    assert together.share.method == KORN_GRAUBARD
    assert together.share.value == alone.share.value
    assert together.share.low < alone.share.low  # type: ignore[operator]
    assert together.share.high > alone.share.high  # type: ignore[operator]


def test_modes_that_rose_or_fell_come_first() -> None:
    found = changes(read(("a", 40), ("b", 5), of=100), read(("a", 5), ("c", 30), ("b", 6), of=100))
    assert [(change.name, words.verdict(change)) for change in found] == [("a", "fell"), ("c", "rose"), ("b", "")]
    fell = found[0].difference
    assert fell.value == pytest.approx(-0.35)
    assert -0.5 < fell.low < -0.35 < fell.high < -0.2  # type: ignore[operator]
    assert words.points(fell) == "−35"
    assert words.points_interval(found[2].difference) == "−6 to +8"


def test_nothing_labelled_is_no_difference() -> None:
    (change,) = changes(read(of=0), read(("a", 1), of=9))
    assert change.difference.value is None
    assert words.points(change.difference) == "–"
    assert words.verdict(change) == ""


@pytest.mark.parametrize(
    ("tags", "sentence"),
    [
        ((), "No failure has a mode yet."),
        ((("a", 1),), "The last failure brought a new mode: read on."),
        ((("a", 2),), "The last 1 failure brought nothing new: read on until the last 20 do not."),
        ((("a", 1), ("b", 21)), "The last 20 brought nothing new."),
    ],
)
def test_saturation_is_a_sentence(tags: tuple[tuple[str, int], ...], sentence: str) -> None:
    assert words.saturation(read(*tags, of=40)) == sentence
