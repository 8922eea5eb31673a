"""Words as ROUGE counts them, in many scripts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.tables import each
from trace_inspector.engine.metrics.adk.response_match import rouge_1, words


@each(
    ("text", "expected"),
    [
        ("The cats' running shoes", ["the", "cat", "run", "shoe"]),
        ("don't 1,000", ["don", "t", "1", "000"]),
        ("runs run", ["run", "run"]),
        ("caf\u00e9 cafe\u0301", ["caf\u00e9", "caf\u00e9"]),
        ("\ufb01ne \uff21\uff22\uff23", ["fine", "abc"]),
        ("今日は晴れ", list("今日は晴れ")),
        ("서울 시", ["서", "울", "시"]),
        ("ok\u00ad\u200dok 😀", ["ok", "ok"]),
        ("", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_thai_marks_stay_with_their_letter() -> None:
    assert words("ที่นี่") == ["ที่", "นี่"]


@given(st.text(max_size=60), st.text(max_size=60))
def test_the_score_is_a_share_and_does_not_depend_on_the_side(left: str, right: str) -> None:
    score = rouge_1(left, right).score
    assert 0.0 <= score <= 1.0
    assert score == rouge_1(right, left).score


@given(st.text(max_size=60))
def test_a_text_with_words_matches_itself(text: str) -> None:
    assert rouge_1(text, text).score == (1.0 if words(text) else 0.0)
