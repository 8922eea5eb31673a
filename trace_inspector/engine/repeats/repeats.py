"""Cases that ran several times: how often they pass, which turns fail, and whether agent or judge varies."""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from msgspec import Struct

from trace_inspector.core.verdict.figures import is_summable
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, RunVerdict, Status, TurnVerdict
from trace_inspector.engine.metrics import METRICS
from trace_inspector.engine.pairing.files_of_one_name import (
    SameNames,
    cases_in_several_files,
    golden_file,
    same_name_goldens,
    trace_file,
)
from trace_inspector.engine.repeats.significance import passes_always, passes_at_least_once
from trace_inspector.engine.scoring.metric import metric_for

DECIDED = (Status.PASSED, Status.FAILED)
# Suite, case, candidate, persona, file of the golden, file of the trace where that makes it another case.
Key: TypeAlias = tuple[str, str, str, str, str, str]
_SHOWN_K = (1, 2, 3, 5, 10)
_Votes: TypeAlias = tuple[float, ...]
_Place: TypeAlias = tuple[bool, int]  # whether it is an extra turn, and its index
_Item: TypeAlias = tuple[_Place, str]  # a turn, and one of its rubrics
_WHOLE_CASE: _Place = (False, -1)


class RepeatedTurn(Struct, frozen=True):
    """How often a turn failed, of the repeats that decided it. `number` is from 1; extra turns are in no golden."""

    number: int
    extra: bool
    failed: int
    decided: int

    @property
    def name(self) -> str:
        """What people call it."""
        return f"{'extra turn' if self.extra else 'turn'} {self.number}"


class Spread(Struct, frozen=True):
    """The variation of one metric's scores, as standard deviations.

    `judge` is that of several votes on the same answer; None without such votes. `agent` is the spread between
    repeats less the judge's part; None where fewer than two repeats have a score. Where a judge decides by single
    votes the two cannot be separated: then `combined` is the spread of both, `agent` None.
    """

    metric: str
    repeats: int
    agent: float | None
    judge: float | None
    combined: float | None = None
    votes: bool = False  # whether votes are known
    informs: bool = False  # it decided nothing in any repeat

    @property
    def varies(self) -> bool:
        """Whether the scores are not the same in all repeats."""
        return bool(self.agent or self.judge or self.combined)


class Repeats(Struct, frozen=True):
    """One case with all its repeats. Undecided ones say nothing about the agent and do not count."""

    key: Key
    verdicts: tuple[CaseVerdict, ...]

    @property
    def name(self) -> str:
        """What people call the case."""
        return name_of(self.key)

    @property
    def decided(self) -> int:
        """How many repeats passed or failed."""
        return sum(verdict.status in DECIDED for verdict in self.verdicts)

    @property
    def passed(self) -> int:
        """How many passed."""
        return sum(verdict.status is Status.PASSED for verdict in self.verdicts)

    @property
    def is_flaky(self) -> bool:
        """Whether some passed and some failed."""
        return 0 < self.passed < self.decided

    @property
    def fails(self) -> bool:
        """Whether any repeat failed."""
        return self.passed < self.decided


class PassRates(Struct, frozen=True):
    """pass@k and pass^k, each the mean over the cases that were decided at least k times."""

    k: int
    at_least_once: float
    always: float
    cases: int


def name_of(key: Key) -> str:
    """A case by its id, with candidate, persona and files where the key has them."""
    _suite, case, *more = key
    beside = ", ".join(detail for detail in more if detail)
    return f"{case} ({beside})" if beside else case


def by_case(
    verdicts: Iterable[CaseVerdict], goldens: SameNames, traces: SameNames
) -> dict[Key, tuple[CaseVerdict, ...]]:
    """The verdicts of each case, in order. Files are compared for equal names only, as they may be moved."""
    verdicts_by_case: dict[Key, list[CaseVerdict]] = defaultdict(list)
    for verdict in verdicts:
        files = golden_file(verdict, goldens), trace_file(verdict, traces)
        verdicts_by_case[verdict.suite_id, verdict.case_id, verdict.candidate, verdict.persona, *files].append(
            verdict
        )
    return {key: tuple(own) for key, own in verdicts_by_case.items()}


def repeats_of(run: RunVerdict) -> tuple[Repeats, ...]:
    """The cases with several traces; goldens in two files are two, even with the same name."""
    verdicts = run.cases
    alike = same_name_goldens(verdicts)
    apart = cases_in_several_files(verdicts) if run.files_apart else {}
    files: dict[str, list[CaseVerdict]] = defaultdict(list)
    for verdict in verdicts:
        files[verdict.golden_path].append(verdict)
    cases = (case for listed in files.values() for case in by_case(listed, alike, apart).items())
    return tuple(Repeats(key, own) for key, own in cases if len(own) > 1)


def pass_rates(repeats: Sequence[Repeats]) -> tuple[PassRates, ...]:
    """pass@k and pass^k for a few k and for as many as any case has repeats.

    Of n decided repeats c passed. Both are unbiased: the share of all choices of k repeats out of n in which at least
    one passed, pass@k = 1 − C(n−c, k) / C(n, k), or all passed, pass^k = C(c, k) / C(n, k). (1 − (1 − c/n)^k and
    (c/n)^k are not: they are too low and too high.)
    """
    most = max((case.decided for case in repeats), default=0)
    return tuple(rates for k in sorted({*_SHOWN_K, most} - {0}) if (rates := pass_rate(repeats, k)))


def pass_rate(repeats: Iterable[Repeats], k: int) -> PassRates | None:
    """The same for one k; None where no case was decided so often."""
    enough = [(case.decided, case.passed) for case in repeats if case.decided >= k]
    if not enough:
        return None
    return PassRates(
        k,
        statistics.fmean(passes_at_least_once(runs, passed, k) for runs, passed in enough),
        statistics.fmean(passes_always(runs, passed, k) for runs, passed in enough),
        len(enough),
    )


class Flips(Struct, frozen=True):
    """Votes on answers with more than one vote, and how many differ from the majority."""

    votes: int
    flipped: int


def flips(verdicts: Iterable[CaseVerdict]) -> Flips:
    """How often a judge contradicts itself in these verdicts."""
    votes = flipped = 0
    for verdict in verdicts:
        for name in dict.fromkeys(metric.metric for metric in verdict.metrics):
            for _item, own in _voted(verdict, name):
                if len(own) > 1:
                    votes += len(own)
                    flipped += len(own) - max(map(own.count, own))
    return Flips(votes, flipped)


def repeated_turns(repeats: Repeats) -> tuple[RepeatedTurn, ...]:
    """How often each turn failed; golden turns first, then those that no golden has."""
    failed: dict[tuple[bool, int], list[bool]] = defaultdict(list)
    for verdict in repeats.verdicts:
        for place, turn in enumerate(verdict.turns):
            if turn.status in DECIDED:
                failed[_place(turn, place)].append(turn.status is Status.FAILED)
    return tuple(
        RepeatedTurn(index + 1, extra, sum(outcomes), len(outcomes))
        for (extra, index), outcomes in sorted(failed.items())
    )


def _place(turn: TurnVerdict, place: int) -> _Place:
    """The identity of a turn among repeats: its golden turn, or its index where it has none."""
    if turn.golden_index is not None:
        return False, turn.golden_index
    number = place if turn.index is None else turn.index
    return bool(turn.reason), number


def worst_first(repeats: Iterable[Repeats]) -> list[Repeats]:
    """Flaky cases, then those that always fail, then all others, each in their order."""
    return sorted(repeats, key=lambda case: (not case.is_flaky, not case.fails))


def spreads(repeats: Repeats) -> tuple[Spread, ...]:
    """Each metric's spread of agent and judge, of those that have scores in several repeats.

    One-way analysis of variance for each item that was voted on (a turn, or a rubric of it): W is the variance of the
    votes within a repeat, pooled; B that of the repeats' means; with n votes a repeat (the harmonic mean) the judge
    alone makes W / n of B, so the agent's part is max(0, B − W / n). Both are averaged over the items.
    """
    names = dict.fromkeys(metric.metric for verdict in repeats.verdicts for metric in verdict.metrics)
    return tuple(spread for name in names if (spread := _spread(repeats, name)))


def _spread(repeats: Repeats, name: str) -> Spread | None:
    scores = [score for verdict in repeats.verdicts if (score := _score(verdict, name)) is not None]
    if len(scores) < 2:
        return None
    items: dict[_Item, list[_Votes]] = defaultdict(list)
    for verdict in repeats.verdicts:
        for item, votes in _voted(verdict, name):
            items[item].append(votes)
    within = [variance for votes in items.values() if (variance := _within(votes)) is not None]
    informs = _only_informs(repeats, name)
    if within:
        between = [variance for votes in items.values() if (variance := _between(votes)) is not None]
        return Spread(name, len(scores), _deviation(between), _deviation(within), votes=True, informs=informs)
    spread = statistics.stdev(scores)
    if items or _asks(name):
        return Spread(name, len(scores), None, None, spread, votes=bool(items), informs=informs)
    return Spread(name, len(scores), spread, None, informs=informs)


def _asks(name: str) -> bool:
    """Whether a judge gives these scores, so that its own spread is in them."""
    metric = metric_for(name, METRICS)
    return metric is not None and bool(metric.asks)


def _only_informs(repeats: Repeats, name: str) -> bool:
    return not any(
        metric.metric == name and metric.status in DECIDED
        for verdict in repeats.verdicts
        for metric in verdict.metrics
    )


def _deviation(variances: Sequence[float]) -> float | None:
    return math.sqrt(statistics.fmean(variances)) if variances else None


def _within(repeats: Sequence[_Votes]) -> float | None:
    """The variance of votes on the same thing, pooled over repeats."""
    freedom = sum(len(votes) - 1 for votes in repeats)
    squares = sum((vote - statistics.fmean(votes)) ** 2 for votes in repeats for vote in votes)
    return squares / freedom if freedom else None


def _between(repeats: Sequence[_Votes]) -> float | None:
    """The variance of the repeats' means, less the judge's part."""
    if len(repeats) < 2:
        return None
    spread = statistics.variance([statistics.fmean(votes) for votes in repeats])
    judge = (_within(repeats) or 0.0) / statistics.harmonic_mean([len(votes) for votes in repeats])
    return max(0.0, spread - judge)


def _voted(verdict: CaseVerdict, name: str) -> Iterator[tuple[_Item, _Votes]]:
    """The votes by turn, or by rubric of a turn; of the whole case only where its turns have none."""
    any_voted = False
    for place, turn in enumerate(verdict.turns):
        for metric in turn.metrics:
            if metric.metric == name:
                for rubric, votes in _votes(metric):
                    any_voted = True
                    yield (_place(turn, place), rubric), votes
    if not any_voted:
        for metric in verdict.metrics:
            if metric.metric == name:
                yield from (((_WHOLE_CASE, rubric), votes) for rubric, votes in _votes(metric))


def _votes(metric: MetricVerdict) -> Iterator[tuple[str, _Votes]]:
    each = [(rubric.rubric_id, rubric.votes) for rubric in metric.rubrics if rubric.votes] or [("", metric.votes)]
    for name, votes in each:
        read = tuple(vote for vote in votes if is_summable(vote))
        if read:
            yield name, read


def _score(verdict: CaseVerdict, name: str) -> float | None:
    for metric in verdict.metrics:
        if metric.metric == name and metric.status is not Status.NOT_EVALUATED:
            return metric.score if is_summable(metric.score) else None
    return None
