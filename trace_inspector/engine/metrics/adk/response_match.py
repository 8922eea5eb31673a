"""`response_match_score`: ROUGE-1 between the answer and the golden answer, with ADK 2.13's numbers."""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import lru_cache

from msgspec.structs import replace

from trace_inspector.core.alignment.words import ascii_words
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.parts import text_of
from trace_inspector.core.trace.trace import Turn
from trace_inspector.engine.scoring.metric import Judged, Method, Subject
from trace_inspector.engine.scoring.porter import stem
from trace_inspector.engine.scoring.scoring import NO_COUNTERPART, TurnScore, compare_turns

# Scripts written without spaces: here each character is a word of its own.
_ALONE = ((0x4E00, 0x9FFF), (0x3040, 0x30FF), (0xAC00, 0xD7AF))
# Here every letter begins a word and combining marks stay with it.
_SYLLABLES = ((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF))
_STEMMED_FROM = 4
# Words are remembered with their stems, but no megabytes of letters that look like one.
_LONGEST_KEPT = 64
_SHORT = 1_000


def words(text: str) -> list[str]:
    """The words of a text as ADK's ROUGE counts them, in any script."""
    if text.isascii():  # the same as character by character, and ten times faster
        split_words = ascii_words(text)
    else:
        split_words = "".join(map(_spaced, unicodedata.normalize("NFKC", text).lower())).split()
    kept = len(text) <= _SHORT or max(map(len, split_words), default=0) <= _LONGEST_KEPT
    return list(map(_counted if kept else _counted.__wrapped__, split_words))


@lru_cache(maxsize=65_536)
def _counted(word: str) -> str:
    return stem(word) if len(word) >= _STEMMED_FROM and word.isascii() else word


@lru_cache(maxsize=16_384)
def _spaced(char: str) -> str:
    code = ord(char)
    if _within(code, _ALONE):
        return f" {char} "
    mark = unicodedata.category(char).startswith("M")
    if _within(code, _SYLLABLES):
        return char if mark else f" {char}"
    return char if mark or char.isalnum() else " "


def _within(code: int, blocks: tuple[tuple[int, int], ...]) -> bool:
    return code >= 0x0E00 and any(first <= code <= last for first, last in blocks)


def rouge_1(reference: str, candidate: str) -> TurnScore:
    """The F measure of shared words; two empty texts score 0.0, as in ADK."""
    expected, candidate_words = words(reference), words(candidate)
    given = Counter(candidate_words).get
    # Not min(): this is where most of the time goes, and a call costs as much as all the rest.
    shared = sum([count if count < (other := given(word, 0)) else other for word, count in Counter(expected).items()])
    precision = shared / len(candidate_words) if candidate_words else 0.0
    recall = shared / len(expected) if expected else 0.0
    score = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return TurnScore(
        score,
        f"{shared} of the golden answer’s {len(expected)} words are among the {len(candidate_words)} words of the "
        "answer",
    )


def _judge(subject: Subject, criterion: Criterion) -> Judged:
    return compare_turns(subject, criterion, unstated=_unstated, compare=_compare, missing=_missing)


def _unstated(golden: Turn) -> str:
    return "the golden has no answer" if golden.final_response is None else ""


def _compare(golden: Turn, observed: Turn) -> TurnScore:
    reference, candidate = text_of(golden.final_response or ()), text_of(observed.final_response or ())
    score = rouge_1(reference, candidate)
    if candidate:
        return score
    reason = "the turn has no answer" if reference else "both answers are empty, which ROUGE scores 0"
    return replace(score, reason=reason)


def _missing(_golden: Turn) -> TurnScore:
    return TurnScore(0.0, NO_COUNTERPART)


METHOD = Method(_judge)
