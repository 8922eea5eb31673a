"""What does not fit in a verdict that somebody reported: found by the audit, shown wherever the verdict is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

SHORT: Mapping[str, str] = {
    "passed-with-failure": "passed, yet a part failed",
    "scores-pass-but-fail": "scores pass, verdict fails",
    "derived-differs": "parts say otherwise",
    "nothing-checked": "nothing checked",
    "turns-unchecked": "not all turns checked",
    "crash-hidden": "a metric broke",
    "judge-failed": "judge failed",
    "error-hidden": "passed, yet an error",
    "score-against-threshold": "score against threshold",
    "metric-against-parts": "metric against its parts",
    "turn-against-parts": "turn against its parts",
    "nothing-to-assess": "failed with nothing to assess",
    "task-against-terms": "task against its terms",
    "more": "more contradictions",
}


@dataclass(frozen=True, slots=True)
class Contradiction:
    """One thing that does not fit: a code for programs, a sentence for people, and what it is about."""

    code: str
    sentence: str
    turn: int | None = None  # counted from 0; None for the whole
    metric: str = ""

    @property
    def short(self) -> str:
        """The same in two or three words, for a row."""
        return SHORT.get(self.code, self.code)
