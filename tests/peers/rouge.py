"""rouge-score beside our ROUGE, and its stemmer beside ours."""

from __future__ import annotations

import random
from functools import lru_cache

from tests.helpers.rouge_texts import Texts, affixed_words
from tests.peers.comparison import Comparison
from trace_inspector.core.values.values import Json
from trace_inspector.engine.metrics.adk.response_match import rouge_1 as adk_rouge_1
from trace_inspector.engine.scoring.porter import stem
from trace_inspector.engine.vertex.answers import rouge_1, rouge_l_sum

_WORDS = 300  # of one case


@lru_cache(maxsize=1)
def _all_words() -> tuple[str, ...]:
    return tuple(affixed_words())


def _pair(rng: random.Random) -> Json:
    return [*Texts(rng).pair()]


def _words(rng: random.Random) -> Json:
    texts = Texts(rng)
    return [*rng.sample(_all_words(), _WORDS - 50), *(texts.word() for _word in range(50))]


def _scored(case: Json) -> Json:
    assert isinstance(case, list)
    reference, answer = (str(text) for text in case)
    return {
        "google-adk": adk_rouge_1(reference, answer).score,
        "rouge_1": rouge_1(reference, answer),
        "rouge_1 stemmed": rouge_1(reference, answer, stemmed=True),
        "rouge_l_sum": rouge_l_sum(reference, answer),
        "rouge_l_sum stemmed": rouge_l_sum(reference, answer, stemmed=True),
    }


def _stemmed(case: Json) -> Json:
    assert isinstance(case, list)
    return {str(word): stem(str(word)) for word in case}


COMPARISONS = (
    Comparison("rouge-texts", "rouge", "score", 100_000, _pair, _scored, batch=1_000),
    Comparison("rouge-stems", "rouge", "stem", 300, _words, _stemmed),
)
