"""Drops what a judge said about sentences with a secret: it may quote parts of the secret, which no search finds."""

from __future__ import annotations

import re
from collections.abc import Set

from msgspec.structs import replace

from trace_inspector.core.trace.trace import Trace, Turn
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Sentence, TurnVerdict

# What quotes a sentence, with the label that it may have there.
_BEFORE_QUOTE = re.compile(r"(?:; [a-z]{1,20})?: “")


def without_quotes_of_secrets(
    shown: CaseVerdict, judged: CaseVerdict, before: Trace | None, after: Trace | None, changed: Set[str]
) -> CaseVerdict:
    """A redacted verdict without reasons and excerpts that were derived from redacted text.

    `before` and `after` are its trace, `changed` the places of all values in which something was redacted.
    """
    was, now = _by_index(before), _by_index(after)
    turns = tuple(
        _turn(turn, old, was.get(old.index), now.get(old.index), changed)
        for turn, old in zip(shown.turns, judged.turns, strict=True)
    )
    return replace(shown, turns=turns) if turns != shown.turns else shown


def _by_index(trace: Trace | None) -> dict[int | None, Turn]:
    return {turn.index: turn for turn in trace.turns} if trace else {}


def _turn(
    shown: TurnVerdict, judged: TurnVerdict, before: Turn | None, after: Turn | None, changed: Set[str]
) -> TurnVerdict:
    is_whole = before is not None and after is not None and before.final_response == after.final_response
    metrics = tuple(
        _metric(metric, old, is_whole=is_whole, changed=changed)
        for metric, old in zip(shown.metrics, judged.metrics, strict=True)
    )
    return replace(shown, metrics=metrics)


def _metric(shown: MetricVerdict, judged: MetricVerdict, *, is_whole: bool, changed: Set[str]) -> MetricVerdict:
    """Redaction in the answer shifts the positions of its sentences, so only the figures remain then."""
    if not judged.sentences:
        return shown
    if not is_whole:
        return replace(shown, sentences=(), reason=_BEFORE_QUOTE.split(shown.reason, maxsplit=1)[0])
    sentences = tuple(
        _without_words(sentence) if old.place in changed else sentence
        for sentence, old in zip(shown.sentences, judged.sentences, strict=True)
    )
    return replace(shown, sentences=sentences)


def _without_words(sentence: Sentence) -> Sentence:
    return replace(sentence, reason="", excerpt="")
