"""Cutting at marks and words, and telling negations, as patterns would that try each word at each character."""

from __future__ import annotations

import random
import re

import pytest

from trace_inspector.engine.grounding.text.negation import is_negated
from trace_inspector.engine.grounding.text.words import Breaks, find_words, folded_set

_MARKS = r"[,;:](?=\s)|\s[-–—]\s|[。！]"
_WORDS = "and but mientras sowie perché но लेकिन"
_PIECES = (
    "and", "AND", "x_and", "and_", "sand", "Mientras", "M\u0130ENTRAS", "m\u0131entras", "\u017fowie", "PERCHÉ",
    "perch", "НО", "н\u1c82",
    "लेकिन", "ले", ", ", ",", ": ", " - ", " – ", "-", "。", "3", "\n", "été",
)  # fmt: skip


def _texts(count: int) -> list[str]:
    dice = random.Random(11)
    return [dice.choice(("", " ")).join(dice.choices(_PIECES, k=dice.randrange(1, 7))) for _ in range(count)]


@pytest.mark.parametrize("most", [None, 2])
def test_a_text_is_cut_where_a_pattern_with_all_the_words_would_cut_it(most: int | None) -> None:
    pattern = re.compile(_MARKS + r"|\b(?:" + "|".join(_WORDS.split()) + r")\b", re.IGNORECASE)
    breaks = Breaks(_MARKS, _WORDS)
    for text in _texts(4_000):
        assert list(breaks.pieces(text, most)) == pattern.split(text, maxsplit=most or 0), text
        assert [match.span() for match in breaks.places(text)] == [match.span() for match in pattern.finditer(text)]


@pytest.mark.parametrize(
    ("text", "negated"),
    [
        ("There are 0 seats left.", True),
        ("It costs 0.50 and takes 10 minutes at 10:00.", False),
        ("0% of them are late, 0, 1 and 2.0", False),
        ("Room A-0 is free.", False),
        ("It went through without any problems.", False),
        ("It went through Without problems, but 0 were kept.", True),
        ("Se hizo sin dificultad.", False),
        ("The mugs are OUT OF STOCK.", True),
        ("It isn’t open.", True),
    ],
)
def test_a_nought_by_itself_denies_and_what_went_without_a_problem_does_not(text: str, *, negated: bool) -> None:
    assert is_negated(text, folded_set(find_words(text))) is negated
