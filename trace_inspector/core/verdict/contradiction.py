"""Contradictions within a reported verdict: found by the audit, shown wherever the verdict is."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

SHORT: Mapping[str, str] = {
    "passed-with-failure": "a part failed",
    "scores-pass-but-fail": "all scores pass",
    "derived-differs": "parts differ",
    "nothing-checked": "nothing checked",
    "turns-unchecked": "turns unchecked",
    "crash-hidden": "a metric broke",
    "judge-failed": "judge failed",
    "decided-nothing": "no score",
    "error-hidden": "an error stated",
    "score-against-threshold": "threshold differs",
    "score-out-of-range": "score out of range",
    "score-undecided": "a score, undecided",
    "no-score": "no score",
    "thresholds-differ": "two thresholds",
    "rubrics-against-score": "rubrics differ",
    "extra-call-against-setting": "extra call",
    "outcome-without-completion": "did not complete",
    "score-not-mean": "not the mean",
    "metric-against-parts": "parts differ",
    "turn-against-parts": "parts differ",
    "nothing-to-assess": "nothing to assess",
    "task-against-terms": "terms differ",
    "more": "more of it",
}


class Contradiction(Struct, frozen=True):
    """One thing that does not fit: a code for programs, a sentence for people, and what it is about."""

    code: str
    sentence: str
    turn: int | None = None  # counted from 0; None for the whole
    metric: str = ""
    place: str = ""  # in the file, where it is a single part

    @property
    def short(self) -> str:
        """The same in two or three words, for a row."""
        return SHORT.get(self.code, self.code)
