"""The queue of what people are asked: which outputs, drawn by a seed, in an order that gives no verdict away."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.review.label import Label
from trace_inspector.core.review.label_sets import current
from trace_inspector.core.verdict.verdict import Status


class Candidate(Struct, frozen=True):
    """A question that could be asked: the label to be, and what a judge made of the same, which nobody is shown."""

    label: Label
    status: Status = Status.NOT_EVALUATED
    score: float | None = None
    threshold: float | None = None
    votes: tuple[float | None, ...] = ()
    grounded: bool | None = None  # whether local_grounding finds every sentence of the turn supported
    tags: tuple[str, ...] = ()  # that people gave the output before, whatever they were asked


def asked_again(
    candidates: Iterable[Candidate], answered: Container[tuple[str, str]], share: float, seed: int
) -> Iterator[Candidate]:
    """All that nobody answered, and of what is answered a share. `answered` are subjects and questions.

    Who draws another share by the same seed is asked the same and more, or a part of it.
    """
    for candidate in candidates:
        if _key(candidate.label) not in answered or _lot(seed, "again", candidate.label) < _share_lot(share):
            yield candidate


def drawn(candidates: Iterable[Candidate], count: int, seed: int, by: str = "") -> list[Label]:
    """At most so many of them, each output and question once; the same seed draws the same, whatever their order.

    `by` is one of BY: equally many of each stratum, or those that stand out most; "" is any.
    """
    once = {_key(candidate.label): candidate for candidate in reversed([*candidates])}
    shuffled = sorted(once.values(), key=lambda candidate: _lot(seed, "draw", candidate.label))
    chosen = BY[by](shuffled)[:count] if by else shuffled[:count]
    # A second lot: in the order of the first, those of a small stratum would come last.
    return sorted((candidate.label for candidate in chosen), key=lambda label: _lot(seed, "order", label))


def tagged(candidates: Iterable[Candidate], labels: Iterable[Label]) -> Iterator[Candidate]:
    """The candidates with the tags that labels of any question give their outputs."""
    tags: dict[str, dict[str, None]] = {}
    for label in current(labels).values():
        tags.setdefault(label.subject, {}).update(dict.fromkeys(label.tags))
    for candidate in candidates:
        yield replace(candidate, tags=(*tags.get(candidate.label.subject, ()),))


def _key(label: Label) -> tuple[str, str]:
    return label.subject, label.question


def _lot(seed: int, what: str, label: Label) -> bytes:
    """A number for each question that looks random, and does not depend on what else there is."""
    return hashlib.sha256(f"{what} {seed} {label.subject} {label.question}".encode("utf-8", "surrogatepass")).digest()


def _share_lot(share: float) -> bytes:
    """The lot below which that share of all lots is; above all of them for 1."""
    return b"\xff" * 33 if share >= 1 else int(share * 2**64).to_bytes(8, "big")


_Choice: TypeAlias = Callable[[Sequence[Candidate]], Sequence[Candidate]]


def _strata(stratum_of: Callable[[Candidate], str]) -> _Choice:
    def in_turn(candidates: Sequence[Candidate]) -> Sequence[Candidate]:
        """The first of each stratum, then the second of each."""
        seen = Counter[str]()
        ranked = []
        for candidate in candidates:
            stratum = stratum_of(candidate)
            ranked.append((seen[stratum], stratum, candidate))
            seen[stratum] += 1
        return [candidate for _nth, _stratum, candidate in sorted(ranked, key=lambda entry: entry[:2])]

    return in_turn


def _conversation(label: Label) -> str:
    """The case, or the conversation itself where it is of none: those without a case are not one case."""
    return f"case {label.case}" if label.case else f"trace {label.file}#{label.trace}"


def _by_tag(candidates: Sequence[Candidate]) -> Sequence[Candidate]:
    """Equally many of each tag; what has several counts for the rarest of them, and what has none is a kind too."""
    counts = Counter(tag for candidate in candidates for tag in candidate.tags)
    rarest = _strata(lambda candidate: min(candidate.tags, key=lambda tag: (counts[tag], tag), default=""))
    return rarest(candidates)


def _least(rank_of: Callable[[Candidate], float | None]) -> _Choice:
    def least_first(candidates: Sequence[Candidate]) -> Sequence[Candidate]:
        """Those that have a rank, the lowest first."""
        ranked = [(rank, candidate) for candidate in candidates if (rank := rank_of(candidate)) is not None]
        return [candidate for _rank, candidate in sorted(ranked, key=lambda entry: entry[0])]

    return least_first


def _agreement(candidate: Candidate) -> float | None:
    """The share of the votes that are like most of them; None where all are."""
    votes = Counter(vote for vote in candidate.votes if vote is not None)
    return max(votes.values()) / votes.total() if len(votes) > 1 else None


def _distance(candidate: Candidate) -> float | None:
    if candidate.score is None or candidate.threshold is None:
        return None
    return abs(candidate.score - candidate.threshold)


def _contradicted(candidate: Candidate) -> float | None:
    """0 where the judge and local_grounding disagree."""
    passed = {Status.PASSED: True, Status.FAILED: False}.get(candidate.status)
    return 0.0 if passed is not None and candidate.grounded is not None and passed is not candidate.grounded else None


BY: Mapping[str, _Choice] = {
    "verdict": _strata(lambda candidate: candidate.status.value),
    "case": _strata(lambda candidate: _conversation(candidate.label)),
    "tag": _by_tag,
    "votes": _least(_agreement),
    "threshold": _least(_distance),
    "grounding": _least(_contradicted),
}
