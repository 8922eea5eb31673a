"""rouge-score, alone and behind google-adk's splitting of other scripts, and the stemmer of both."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from google.adk.evaluation.final_response_match_v1 import _UnicodeAwareTokenizer
from nltk.stem.porter import PorterStemmer
from rouge_score.rouge_scorer import RougeScorer

from tests.peers.inside.serving import serve

_STEMMER = PorterStemmer()
_STEMMER.stem = lru_cache(maxsize=1 << 20)(_STEMMER.stem)  # the same stemmer; it is slow, and words come again


def scorer(kind: str, *, stemmed: bool, any_script: bool = False) -> RougeScorer:
    made = RougeScorer([kind], use_stemmer=stemmed, tokenizer=_UnicodeAwareTokenizer(stemmed) if any_script else None)
    splitting = made._tokenizer._default_tokenizer if any_script else made._tokenizer
    if stemmed:
        splitting._stemmer = _STEMMER
    return made


_SCORERS = {
    "google-adk": scorer("rouge1", stemmed=True, any_script=True),
    "rouge_1": scorer("rouge1", stemmed=False),
    "rouge_1 stemmed": scorer("rouge1", stemmed=True),
    "rouge_l_sum": scorer("rougeLsum", stemmed=False),
    "rouge_l_sum stemmed": scorer("rougeLsum", stemmed=True),
}


def scored(case: Any) -> Any:
    """The F measure of each kind for one pair of texts."""
    reference, answer = case
    return {
        name: float(found.fmeasure)
        for name, one in _SCORERS.items()
        for found in one.score(reference, answer).values()
    }


def stemmed(case: Any) -> Any:
    """Words with their stems."""
    return {word: _STEMMER.stem(word) for word in case}


if __name__ == "__main__":
    serve({"score": scored, "stem": stemmed})
