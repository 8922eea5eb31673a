"""`bleu`: figures that sacreBLEU 2.6 gives for the same sentences, computed once and written down."""

from __future__ import annotations

import pytest

from tests.engine.builders import case, judged, trace, turn
from tests.helpers.tables import each
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.engine.metrics.local.bleu import bleu, tokens
from trace_inspector.engine.scoring.metric import CannotJudge


@each(
    ("answer", "reference", "score"),
    [
        ("the cat is on the mat", "the cat sat on the mat", 0.3799178428257963),
        ("Take line 7.", "Take line 7 to Pier 4.", 0.3018153515504547),
        ("1,000 cats - 3.5!", "1,000 cats, 3.5", 0.23643540225079385),
        ("no", "yes", 0.0),
        ("", "x", 0.0),
        ("the same words", "the same words", 1.0),
    ],
)
def test_scores_are_those_of_sacrebleu(answer: str, reference: str, score: float) -> None:
    assert bleu(reference, answer) == pytest.approx(score, abs=1e-12)


@each(
    ("text", "expected"),
    [
        ("Hi, it's 3.5 of 1,000.", ["Hi", ",", "it's", "3.5", "of", "1,000", "."]),
        ("10-12 (x) &amp; e-mail", ["10", "-", "12", "(", "x", ")", "&", "e-mail"]),
        ("a\nb foo-\nbar", ["a", "b", "foobar"]),
    ],
)
def test_marks_stand_alone_except_in_numbers(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


def test_the_last_answers_are_compared() -> None:
    golden = case("c", turn("q", "ignored"), turn("q", "the cat sat on the mat"))
    observed = trace("t", turn("q", "other"), turn("q", "the cat is on the mat"))
    (metric,) = judged(golden, observed, "bleu", 0.5).metrics
    assert metric.score == pytest.approx(0.37991784)
    assert metric.status is Status.FAILED


def test_texts_beyond_the_limit_are_refused() -> None:
    with pytest.raises(CannotJudge):
        bleu("a " * 200_000, "a b")
