"""Replies about the sentences of a text, read by ADK 2.13's rules, and the positions of these sentences."""

from __future__ import annotations

import re
import statistics
from collections.abc import Sequence

from msgspec import Struct

from trace_inspector.core.verdict.verdict import Sentence, SentenceSupport

_TAGGED = re.compile(r"<sentence>(.*?)</sentence>", re.DOTALL)
_BLOCK = re.compile(
    r"sentence:(.*?)\nlabel:(.*?)\nrationale:(.*?)\nsupporting_excerpt:(.*?)\ncontradicting_excerpt:(.*?)(?=\nsentence:|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_SCORES = {
    SentenceSupport.SUPPORTED: 1.0,
    SentenceSupport.NOT_APPLICABLE: 1.0,
    SentenceSupport.UNSUPPORTED: 0.0,
    SentenceSupport.CONTRADICTORY: 0.0,
    SentenceSupport.DISPUTED: 0.0,
}
_SUPPORTS = {support.value: support for support in _SCORES}
_MARKERS = re.compile(r"</?sentence>|^\s*(?:sentence|label|rationale):", re.IGNORECASE | re.MULTILINE)


class Checked(Struct, frozen=True):
    """A reply's judgement of one sentence. An unknown label is None and does not count."""

    text: str
    support: SentenceSupport | None
    rationale: str
    supporting: str
    contradicting: str


def tagged(reply: str) -> list[str]:
    """The sentences that a reply marks, empty ones too."""
    return _TAGGED.findall(reply)


def checked(reply: str) -> list[Checked]:
    """The judgements in a reply, block by block; incomplete blocks are not read."""
    sentences = []
    for match in _BLOCK.finditer(reply.strip()):
        text, label, rationale, supporting, contradicting = (group.strip() for group in match.groups())
        sentences.append(
            Checked(text, _SUPPORTS.get(label.lower()), rationale, _excerpt(supporting), _excerpt(contradicting))
        )
    return sentences


def read_places(reply: str) -> list[tuple[int, int]]:
    """The spans of the sentences that `tagged` reads, else of the labels that `checked` reads."""
    split = [match.span(1) for match in _TAGGED.finditer(reply)]
    return split or [match.span(2) for match in _BLOCK.finditer(reply)]


def share(sentences: Sequence[Checked]) -> float | None:
    """The exact mean of what counts; None when nothing does."""
    counted = [_SCORES[sentence.support] for sentence in sentences if sentence.support is not None]
    return statistics.mean(counted) if counted else None


def located(checked_sentences: Sequence[Checked], answer: str) -> tuple[Sentence, ...]:
    """The sentences with their positions in the answer, ignoring white space; those not found are omitted."""
    squeezed = [(char, index) for index, char in enumerate(answer) if not char.isspace()]
    text = "".join(char for char, _index in squeezed)
    sentences, after = [], 0
    for checked_sentence in checked_sentences:
        squeezed_sentence = "".join(checked_sentence.text.split())
        if checked_sentence.support is None or not squeezed_sentence:
            continue
        start = text.find(squeezed_sentence, after)
        start = start if start >= 0 else text.find(squeezed_sentence)
        if start < 0:
            continue
        after = start + len(squeezed_sentence)
        excerpt = checked_sentence.supporting or checked_sentence.contradicting
        sentences.append(
            Sentence(
                squeezed[start][1],
                squeezed[after - 1][1] + 1,
                checked_sentence.support,
                checked_sentence.rationale,
                excerpt,
                "the judge",
            )
        )
    return tuple(sorted(sentences, key=lambda sentence: sentence.start))


def has_markers(text: str) -> bool:
    """Whether a judged text itself contains what a reply is read by."""
    return bool(_MARKERS.search(text))


def _excerpt(text: str) -> str:
    return "" if text.lower() == "null" else text
