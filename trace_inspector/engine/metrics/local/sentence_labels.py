"""The labels of the sentences of an answer in one number and in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from trace_inspector.core.verdict.verdict import Sentence, SentenceSupport

_GOOD: Final = frozenset({SentenceSupport.SUPPORTED, SentenceSupport.NOT_APPLICABLE})
_FLAGS: Final = (SentenceSupport.UNSUPPORTED, SentenceSupport.CONTRADICTORY, SentenceSupport.DISPUTED)
_SHOWN_CHARS: Final = 120


def share_of_good(labels: Iterable[SentenceSupport]) -> float | None:
    """The share of good sentences among those of which something can be told; None when there are none."""
    told = [label for label in labels if label is not SentenceSupport.CANNOT_TELL]
    return sum(label in _GOOD for label in told) / len(told) if told else None


def counts_and_first(answer: str, sentences: Sequence[Sentence]) -> str:
    """The counts, and the first sentence that is flagged, with its label where the counts name several."""
    labels = [sentence.support for sentence in sentences]
    first = next((sentence for sentence in sentences if sentence.support in _FLAGS), None)
    if first is None:
        return counts(labels)
    words = " ".join(answer[first.start : first.end].split())
    shown = words if len(words) <= _SHOWN_CHARS else words[: _SHOWN_CHARS - 1] + "…"
    label = f"; {first.support.value}" if set(labels) - _GOOD - {first.support} else ""
    return f"{counts(labels)}{label}: “{shown}”"


def counts(labels: Sequence[SentenceSupport]) -> str:
    """How many sentences were flagged as what, and of how many nothing can be told."""
    whole, unknown = len(labels), labels.count(SentenceSupport.CANNOT_TELL)
    sentences = "sentence" if whole == 1 else "sentences"
    if unknown == whole:
        return f"{unknown} of {whole} {sentences} cannot be told"
    flags = [(labels.count(flag), flag.value) for flag in _FLAGS if flag in labels]
    (count, label), *others = flags or [(0, SentenceSupport.UNSUPPORTED.value)]
    parts = [f"{count} of {whole} {sentences} {label}", *(f"{more} {other}" for more, other in others)]
    return ", ".join([*parts, f"{unknown} cannot be told"] if unknown else parts)
