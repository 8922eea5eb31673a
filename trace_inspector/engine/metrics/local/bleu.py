"""`bleu`: how many runs of one to four words the last answer shares with the golden's, as sacreBLEU counts them."""

from __future__ import annotations

import math
import re
from collections import Counter

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.engine.scoring.metric import CannotJudge, Judged, Method, Subject
from trace_inspector.engine.vertex.whole_conversation import answers, scored

_LONGEST = 4
_MOST_WORDS = 200_000
_MARKUP = {"&quot;": '"', "&amp;": "&", "&lt;": "<", "&gt;": ">"}
# The tokens of mteval 13a: marks stand alone, but points and commas within numbers.
_APART = (
    (re.compile(r"([{-~\[-` -&(-+:-@/])"), r" \1 "),
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
)


def tokens(text: str) -> list[str]:
    """The words and marks of a text."""
    line = text.strip().replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for markup, char in _MARKUP.items():
        line = line.replace(markup, char)
    line = f" {line} "
    for pattern, apart in _APART:
        line = pattern.sub(apart, line)
    return line.split()


def bleu(reference: str, answer: str) -> float:
    """BLEU of one sentence from 0 to 1: up to four words, exponential smoothing, effective order."""
    expected, given = tokens(reference), tokens(answer)
    if len(expected) + len(given) > _MOST_WORDS:
        raise CannotJudge(f"the texts are too long for this metric: {len(expected):,} and {len(given):,} words")
    logs: list[float] = []
    smoothing, is_any = 1.0, False
    for length in range(1, min(_LONGEST, len(given)) + 1):
        total = len(given) - length + 1
        shared = (_runs(given, length) & _runs(expected, length)).total()
        is_any = is_any or shared > 0
        if not shared:
            smoothing *= 2
        logs.append(math.log(shared / total if shared else 1 / (smoothing * total)))
    if not is_any:
        return 0.0
    shorter = 1.0 if len(given) >= len(expected) else math.exp(1 - len(expected) / len(given))
    return shorter * math.exp(sum(logs) / len(logs))


def _runs(words: list[str], length: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[start : start + length]) for start in range(len(words) - length + 1))


def _judge(subject: Subject, criterion: Criterion) -> Judged:
    reference, answer = answers(subject)
    return scored(subject, criterion, bleu(reference, answer), "" if answer else "the answer is empty")


METHOD = Method(_judge)
