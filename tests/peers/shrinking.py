"""Makes a case that disagrees smaller, while it goes on to disagree."""

from __future__ import annotations

from collections.abc import Iterator

from tests.peers.comparison import Answered, Answers, Comparison, ask_both, known_difference, says
from trace_inspector.core.values.values import Json

MOST_STEPS = 200
_AT_ONCE = 400  # smaller cases that are tried in one step


def shrunk(comparison: Comparison, peer: Answers, answered: Answered) -> Answered:
    """The smallest case on the way that still shows a difference that nobody named."""
    for _step in range(MOST_STEPS):
        candidates = [case for case, _number in zip(smaller(answered.case), range(_AT_ONCE), strict=False)]
        found = _first_that_disagrees(comparison, peer, candidates, _kind(answered))
        if found is None:
            break
        answered = Answered(found.case, found.theirs, found.ours, answered.index)
    return answered


def _first_that_disagrees(
    comparison: Comparison, peer: Answers, candidates: list[Json], kind: tuple[str, str]
) -> Answered | None:
    for first in range(0, len(candidates), comparison.batch):
        for answered in list(ask_both(comparison, peer, candidates[first : first + comparison.batch])):
            is_alike = not answered.agrees and _kind(answered) == kind
            if is_alike and known_difference(comparison, answered) is None:
                return answered
    return None


def _kind(answered: Answered) -> tuple[str, str]:
    """What went wrong on each side, "" where nothing did: a case that lacks what it needs is another one."""
    return _problem(answered.theirs, "error"), _problem(answered.ours, "crashed")


def _problem(answer: Json, key: str) -> str:
    return str(answer[key]).partition(":")[0] if isinstance(answer, dict) and says(answer, key) else ""


def smaller(value: Json) -> Iterator[Json]:
    """The same with one thing less: an item, a key, half of a text; the largest things first."""
    if isinstance(value, list):
        yield from (value[:at] + value[at + 1 :] for at in range(len(value)))
        for at, item in enumerate(value):
            yield from ([*value[:at], less, *value[at + 1 :]] for less in smaller(item))
    elif isinstance(value, dict):
        yield from ({key: item for key, item in value.items() if key != gone} for gone in value)
        for name, item in value.items():
            yield from ({**value, name: less} for less in smaller(item))
    elif isinstance(value, str) and value:
        yield from (value[: len(value) // 2], value[len(value) // 2 :]) if len(value) > 1 else ("",)
