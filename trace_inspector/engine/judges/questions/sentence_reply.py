"""Replies about the sentences of a text, read by ADK 2.13's rules, and where those sentences stand in it."""

from __future__ import annotations

import re
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class Checked:
    """What a reply says of one sentence. A label it does not know is None and does not count."""

    text: str
    support: SentenceSupport | None
    rationale: str
    supporting: str
    contradicting: str


def tagged(reply: str) -> list[str]:
    """The sentences that a reply marks, empty ones too."""
    return _TAGGED.findall(reply)


def checked(reply: str) -> list[Checked]:
    """What a reply says of sentences, block by block; what is no whole block is not read."""
    found = []
    for match in _BLOCK.finditer(reply.strip()):
        text, label, rationale, supporting, contradicting = (group.strip() for group in match.groups())
        found.append(
            Checked(text, _SUPPORTS.get(label.lower()), rationale, _excerpt(supporting), _excerpt(contradicting))
        )
    return found


def read_places(reply: str) -> list[tuple[int, int]]:
    """Where the sentences stand that `tagged` reads, else the labels that `checked` reads."""
    split = [match.span(1) for match in _TAGGED.finditer(reply)]
    return split or [match.span(2) for match in _BLOCK.finditer(reply)]


def share(found: Sequence[Checked]) -> float | None:
    """The exact mean of what counts; None when nothing does."""
    counted = [_SCORES[one.support] for one in found if one.support is not None]
    return statistics.mean(counted) if counted else None


def located(found: Sequence[Checked], answer: str) -> tuple[Sentence, ...]:
    """Each sentence where it stands in the answer, however the judge spaced it; the others are left out."""
    squeezed = [(char, at) for at, char in enumerate(answer) if not char.isspace()]
    text = "".join(char for char, _at in squeezed)
    sentences, after = [], 0
    for one in found:
        wanted = "".join(one.text.split())
        if one.support is None or not wanted:
            continue
        start = text.find(wanted, after)
        start = start if start >= 0 else text.find(wanted)
        if start < 0:
            continue
        after = start + len(wanted)
        excerpt = one.supporting or one.contradicting
        sentences.append(
            Sentence(squeezed[start][1], squeezed[after - 1][1] + 1, one.support, one.rationale, excerpt, "the judge")
        )
    return tuple(sorted(sentences, key=lambda sentence: sentence.start))


def has_markers(text: str) -> bool:
    """Whether a judged text itself contains what a reply is read by."""
    return bool(_MARKERS.search(text))


def _excerpt(text: str) -> str:
    return "" if text.lower() == "null" else text
