"""What is compared with a peer, and what came of it: every case is made of a seed, and can be made again alone."""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from msgspec import Struct, field
from msgspec.structs import replace

from trace_inspector.core.values.values import Json


def _itself(value: Json) -> Json:
    return value


class Answers(Protocol):
    """Whoever is asked in batches. Asking and fetching are two steps, so that both sides work at once."""

    def ask(self, job: str, cases: Sequence[Json]) -> None:
        """Send a batch."""

    def answers(self) -> list[Json]:
        """The answers to the batch, in its order."""


class KnownDifference(Struct, frozen=True):
    """A difference that is meant, with the reason. `covers` says whether a case, their answer and ours are one."""

    name: str
    reason: str
    covers: Callable[[Json, Json, Json], bool]


class Comparison(Struct, frozen=True):
    """One function of a peer beside ours.

    An answer `{"error": …}` equals any other error. `{"refused": …}` is no answer: the peer does not read such files.
    """

    name: str
    peer: str  # the module of `tests.peers.inside` that answers
    job: str  # what it is asked to do
    cases: int  # in a whole run
    make: Callable[[random.Random], Json]
    ours: Callable[[Json], Json]
    known: tuple[KnownDifference, ...] = ()
    batch: int = 100
    sent: Callable[[Json], Json] = _itself  # what the peer is told of a case, such as a file that we made of it
    heard: Callable[[Json], Json] = (
        _itself  # what is compared of its answer, such as our reading of a file that it made
    )
    environment: str = ""  # whose Python answers, where the peer does not stand with the others
    within: float = 0.0  # how far apart two figures may be that count as equal

    def case(self, seed: str, index: int) -> Json:
        """One case of a run."""
        return self.make(random.Random(f"{seed}/{self.name}/{index}"))


class Answered(Struct, frozen=True):
    """One case with both answers."""

    case: Json
    theirs: Json
    ours: Json
    index: int = -1
    within: float = 0.0

    @property
    def agrees(self) -> bool:
        """Whether both say the same, to the last bit unless figures may be a little apart."""
        if says(self.theirs, "refused") or (says(self.theirs, "error") and says(self.ours, "error")):
            return True
        if self.within:
            return close(self.theirs, self.ours, self.within)
        return spelled(self.theirs) == spelled(self.ours)


class Outcome(Struct):
    """What came of one comparison."""

    cases: int = 0
    errors: int = 0  # that the peer raised
    refused: int = 0  # a generator that makes many of them is a poor one
    known: Counter[str] = field(default_factory=Counter)
    disagreements: list[Answered] = field(default_factory=list)


def compare(comparison: Comparison, peer: Answers, seed: str, indices: Sequence[int]) -> Outcome:
    """Ask both sides about every case."""
    outcome = Outcome()
    cases = [(index, comparison.case(seed, index)) for index in indices]
    for first in range(0, len(cases), comparison.batch):
        batch = cases[first : first + comparison.batch]
        for (index, _case), answered in zip(
            batch, ask_both(comparison, peer, [case for _index, case in batch]), strict=True
        ):
            outcome.cases += 1
            outcome.errors += says(answered.theirs, "error")
            outcome.refused += says(answered.theirs, "refused")
            if answered.agrees:
                continue
            known = known_difference(comparison, answered)
            if known is None:
                outcome.disagreements.append(replace(answered, index=index))
            else:
                outcome.known[known.name] += 1
    return outcome


def ask_both(comparison: Comparison, peer: Answers, cases: Sequence[Json]) -> Iterator[Answered]:
    """Both answers to each case of one batch."""
    peer.ask(comparison.job, [comparison.sent(case) for case in cases])
    ours = [_our_answer(comparison, case) for case in cases]
    for case, theirs, own in zip(cases, peer.answers(), ours, strict=True):
        is_answer = not says(theirs, "error") and not says(theirs, "refused")
        heard = comparison.heard(theirs) if is_answer else theirs
        yield Answered(case, heard, own, within=comparison.within)


def _our_answer(comparison: Comparison, case: Json) -> Json:
    answer: Json
    try:
        answer = json.loads(json.dumps(comparison.ours(case)))
    except Exception as problem:  # which is no `error`, for nothing of ours may raise
        answer = {"crashed": f"{type(problem).__name__}: {problem}"}
    return answer


def known_difference(comparison: Comparison, answered: Answered) -> KnownDifference | None:
    """The named difference that this is, None when it is none of them."""
    return next(
        (known for known in comparison.known if known.covers(answered.case, answered.theirs, answered.ours)), None
    )


def says(answer: Json, key: str) -> bool:
    """Whether an answer is of that kind: "error", "refused" or, of ours, "crashed"."""
    return isinstance(answer, dict) and key in answer


def spelled(value: Json) -> str:
    """A text that only equal values share: 1 is not 1.0, and not a number equals itself."""
    return json.dumps(value, sort_keys=True)


def close(left: Json, right: Json, within: float) -> bool:
    """Whether two values are alike but for figures that are so little apart."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(close(left[name], right[name], within) for name in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(close(*both, within) for both in zip(left, right, strict=True))
    if isinstance(left, int | float) and isinstance(right, int | float):
        return math.isclose(left, right, rel_tol=within, abs_tol=within)
    return spelled(left) == spelled(right)
