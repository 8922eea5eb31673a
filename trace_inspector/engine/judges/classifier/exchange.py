"""What a classifier is asked about one sentence, and what it answers, as texts that can be kept like replies."""

from __future__ import annotations

import json
from typing import Final

from msgspec import Struct
from msgspec.structs import asdict

from trace_inspector.core.values.values import Json, JsonObject

_MOST_REPLY_CHARS: Final = 20_000  # ours have some hundred; a recorded one is anybody's
_MOST_MARKED: Final = 8


class SentenceQuestion(Struct, frozen=True):
    """A sentence, what the answer says before it, the user's words, and the evidence that was chosen for it."""

    evidence: str
    question: str
    before: str
    sentence: str

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """Its values by name."""
        return tuple(asdict(self).items())

    @property
    def as_text(self) -> str:
        """The question as it is sent and kept."""
        return json.dumps(dict(self.fields), ensure_ascii=False)


class Classified(Struct, frozen=True):
    """The answer: for a pair the probability that the sentence is supported, for spans that its worst token is not.

    `threshold` is that of the folder. `marked` are the characters of the sentence that count as unsupported.
    With `too_long` the sentence does not fit into a window, and nothing is known.
    """

    probability: float
    threshold: float
    by_token: bool = False
    marked: tuple[tuple[int, int], ...] = ()
    windows: int = 1
    too_long: bool = False

    @property
    def is_supported(self) -> bool:
        """Whether it says that the sentence is supported."""
        return self.probability <= self.threshold if self.by_token else self.probability >= self.threshold

    @property
    def as_text(self) -> str:
        """The answer as it is kept."""
        return json.dumps(asdict(self))


def read_question(text: str) -> SentenceQuestion:
    """A question from its text."""
    value: dict[str, str] = json.loads(text)
    return SentenceQuestion(**value)


def read_answer(text: str) -> Classified | None:
    """An answer from its text; None for any other text, which a file of recorded replies may hold."""
    if len(text) > _MOST_REPLY_CHARS:
        return None
    try:
        value: Json = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    probability, threshold, windows = (
        _share(value.get("probability")),
        _share(value.get("threshold")),
        value.get("windows"),
    )
    if probability is None or threshold is None or not isinstance(windows, int):
        return None
    by_token, too_long = value.get("by_token") is True, value.get("too_long") is True
    return Classified(probability, threshold, by_token, _marked(value), windows, too_long)


def _share(value: Json) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= 1 else None


def _marked(value: JsonObject) -> tuple[tuple[int, int], ...]:
    listed = value.get("marked")
    pairs = [pair for pair in listed if isinstance(pair, list)] if isinstance(listed, list) else []
    return tuple(
        (start, end)
        for start, end in ([*pair, None, None][:2] for pair in pairs[:_MOST_MARKED])
        if isinstance(start, int) and isinstance(end, int) and 0 <= start < end
    )
