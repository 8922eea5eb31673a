"""Our ROUGE beside the package rouge-score, to the last bit, with texts made at random from one seed."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from itertools import islice

import pytest
from nltk.stem.porter import PorterStemmer
from rouge_score.rouge_scorer import RougeScorer
from rouge_score.tokenizers import DefaultTokenizer

from tests.helpers.campaigns import is_long
from tests.helpers.rouge_texts import EDGES, Texts, affixed_words
from trace_inspector.engine.metrics.adk.response_match import rouge_1 as adk_rouge_1
from trace_inspector.engine.scoring.porter import stem
from trace_inspector.engine.vertex.answers import rouge_1, rouge_l_sum

PAIRS = 2_000 if is_long() else 500
WORDS = 20_000 if is_long() else 5_000
EVERY = 31 if is_long() else 127  # of more than 700,000, so that all beginnings and endings occur
SEED = 20_261_124

ALONE = (range(0x4E00, 0xA000), range(0x3040, 0x3100), range(0xAC00, 0xD7B0))
SYLLABLES = (range(0x0E00, 0x0F00), range(0x1000, 0x10A0), range(0x1780, 0x1800))


class AnyScript:
    """What google-adk 2.13 puts before rouge-score's own splitting: other scripts keep their words."""

    def __init__(self) -> None:
        self._ascii = DefaultTokenizer(use_stemmer=True)

    def tokenize(self, text: str) -> list[str]:
        spaced = "".join(self._spaced(char) for char in unicodedata.normalize("NFKC", text).lower())
        return [
            token for word in spaced.split() for token in (self._ascii.tokenize(word) if word.isascii() else [word])
        ]

    @staticmethod
    def _spaced(char: str) -> str:
        mark = unicodedata.category(char).startswith("M")
        if any(ord(char) in block for block in ALONE):
            return f" {char} "
        if any(ord(char) in block for block in SYLLABLES):
            return char if mark else f" {char}"
        return char if mark or char.isalnum() else " "


def ours_for_adk(reference: str, answer: str) -> float:
    return adk_rouge_1(reference, answer).score


def stemmed_l_sum(reference: str, answer: str) -> float:
    return rouge_l_sum(reference, answer, stemmed=True)


def stemmed_1(reference: str, answer: str) -> float:
    return rouge_1(reference, answer, stemmed=True)


@lru_cache(maxsize=1)
def pairs() -> list[tuple[str, str]]:
    texts = Texts(random.Random(SEED))
    return [texts.pair() for _pair in range(PAIRS)]


@pytest.mark.parametrize(
    ("ours", "scorer", "kind"),
    [
        pytest.param(ours_for_adk, RougeScorer(["rouge1"], tokenizer=AnyScript()), "rouge1", id="google-adk"),
        pytest.param(rouge_1, RougeScorer(["rouge1"]), "rouge1", id="rouge_1"),
        pytest.param(stemmed_1, RougeScorer(["rouge1"], use_stemmer=True), "rouge1", id="rouge_1-stemmed"),
        pytest.param(rouge_l_sum, RougeScorer(["rougeLsum"]), "rougeLsum", id="rouge_l_sum"),
        pytest.param(
            stemmed_l_sum, RougeScorer(["rougeLsum"], use_stemmer=True), "rougeLsum", id="rouge_l_sum-stemmed"
        ),
    ],
)
def test_scores_are_those_of_rouge_score(ours: Callable[[str, str], float], scorer: RougeScorer, kind: str) -> None:
    wrong = [
        (reference, answer, found, expected)
        for reference, answer in pairs()
        if (found := ours(reference, answer)) != (expected := scorer.score(reference, answer)[kind].fmeasure)
    ]
    assert wrong[:3] == []


def test_the_texts_are_worth_comparing() -> None:
    scores = [ours_for_adk(reference, answer) for reference, answer in pairs()]
    between = [score for score in scores if 0.0 < score < 1.0]
    assert len(between) > PAIRS / 2
    assert len(set(between)) > PAIRS / 10


def test_stems_are_those_of_the_stemmer_of_rouge_score() -> None:
    stemmer = PorterStemmer()
    words = [*EDGES, *islice(affixed_words(), 0, WORDS * EVERY, EVERY)]
    wrong = [(word, stem(word), expected) for word in words if stem(word) != (expected := stemmer.stem(word))]
    assert wrong[:10] == []
    assert len(set(words)) > WORDS * 0.8
