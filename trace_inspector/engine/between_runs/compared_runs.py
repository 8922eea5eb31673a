"""What became of each case from one run to the next, and of each criterion over those that can be compared."""

from __future__ import annotations

import enum
import math
import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from trace_inspector.core.verdict import CaseVerdict, Status
from trace_inspector.engine.between_runs.chance import Interval, mean_interval, sign_test
from trace_inspector.engine.ces.run_method import why_not_alike
from trace_inspector.engine.reports.report import words

_DECIDED = (Status.PASSED, Status.FAILED)
Key = tuple[str, str, str, str]  # suite, case, candidate, persona


class Change(enum.Enum):
    """What became of a case."""

    REGRESSED = "regressed"
    IMPROVED = "improved"
    UNCHANGED = "unchanged"
    NEW = "new"
    GONE = "gone"
    NOT_COMPARABLE = "not comparable"


@dataclass(frozen=True, slots=True)
class ComparedCase:
    """One case in both runs, each with all its repeats. `why` says what kept it from being compared."""

    key: Key
    change: Change
    base: tuple[CaseVerdict, ...] = ()
    new: tuple[CaseVerdict, ...] = ()
    why: str = ""

    @property
    def name(self) -> str:
        """What people call it."""
        _suite, case, *more = self.key
        beside = ", ".join(one for one in more if one)
        return f"{case} ({beside})" if beside else case


@dataclass(frozen=True, slots=True)
class ComparedCriterion:
    """One criterion over the cases that both runs scored. `interval` is of the change of the mean."""

    metric: str
    cases: int
    base: float
    new: float
    interval: Interval | None = None

    @property
    def change(self) -> float:
        """How much the mean changed."""
        return self.new - self.base


@dataclass(frozen=True, slots=True)
class ComparedRuns:
    """Two runs case by case."""

    cases: tuple[ComparedCase, ...]
    criteria: tuple[ComparedCriterion, ...] = ()

    @property
    def counts(self) -> Counter[Change]:
        """How many cases fared how."""
        return Counter(case.change for case in self.cases)

    @property
    def is_comparable(self) -> bool:
        """Whether any case could be held against its earlier self."""
        counts = self.counts
        return bool(counts[Change.REGRESSED] + counts[Change.IMPROVED] + counts[Change.UNCHANGED])

    @property
    def chance(self) -> float | None:
        """How likely so uneven a change is by chance; None where nothing changed."""
        counts = self.counts
        changed = counts[Change.IMPROVED] + counts[Change.REGRESSED]
        return sign_test(counts[Change.IMPROVED], counts[Change.REGRESSED]) if changed else None


def compare_runs(base: Sequence[CaseVerdict], new: Sequence[CaseVerdict]) -> ComparedRuns:
    """Each case of either run, those of the first in their order."""
    before, after = _by_key(base), _by_key(new)
    cases = tuple(_case(key, before.get(key, ()), after.get(key, ())) for key in {**before, **after})
    return ComparedRuns(cases, tuple(_criteria(cases)))


def pass_share(verdicts: Sequence[CaseVerdict]) -> float | None:
    """The share of repeats that passed, of those that passed or failed; None where there are none."""
    decided = [verdict for verdict in verdicts if verdict.status in _DECIDED]
    return sum(verdict.status is Status.PASSED for verdict in decided) / len(decided) if decided else None


def _by_key(verdicts: Sequence[CaseVerdict]) -> dict[Key, tuple[CaseVerdict, ...]]:
    found: dict[Key, tuple[CaseVerdict, ...]] = {}
    for verdict in verdicts:
        key = (verdict.suite_id, verdict.case_id, verdict.candidate, verdict.persona)
        found[key] = (*found.get(key, ()), verdict)
    return found


def _case(key: Key, base: tuple[CaseVerdict, ...], new: tuple[CaseVerdict, ...]) -> ComparedCase:
    if not base or not new:
        return ComparedCase(key, Change.GONE if base else Change.NEW, base, new)
    before, after = pass_share(base), pass_share(new)
    if before is None or after is None:
        side = "the base run" if before is None else "the new run"
        status = (base if before is None else new)[0].status
        return ComparedCase(key, Change.NOT_COMPARABLE, base, new, f"in {side} it is {words(status)}")
    why = _apart(base, new)
    if why:
        return ComparedCase(key, Change.NOT_COMPARABLE, base, new, why)
    change = Change.UNCHANGED if before == after else Change.IMPROVED if after > before else Change.REGRESSED
    return ComparedCase(key, change, base, new)


def _apart(base: Sequence[CaseVerdict], new: Sequence[CaseVerdict]) -> str:
    """What was not the same, so that the verdicts say different things: how it was replayed, criteria, thresholds."""
    replayed = next((why for one in base for other in new if (why := why_not_alike(one, other))), "")
    if replayed:
        return replayed
    before, after = _decisive(base), _decisive(new)
    alone = sorted(before.keys() ^ after.keys())
    if alone:
        side = "base" if alone[0] in before else "new"
        return f"other criteria: {alone[0]} only in the {side} run" + (
            f" and {len(alone) - 1} more" if alone[1:] else ""
        )
    other = next((name for name in before if before[name] != after[name]), None)
    if other is not None:
        return f"another threshold of {other}: {_number(before[other])} and {_number(after[other])}"
    return ""


def _decisive(verdicts: Sequence[CaseVerdict]) -> dict[str, float | None]:
    """The criteria that decided something, with their thresholds."""
    return {
        metric.metric: metric.threshold
        for verdict in verdicts
        for metric in verdict.metrics
        if metric.status in _DECIDED
    }


def _number(threshold: float | None) -> str:
    return "none" if threshold is None else f"{threshold:g}"


def _criteria(cases: Sequence[ComparedCase]) -> Iterator[ComparedCriterion]:
    """Means over the cases that have a score in both runs, each case counting once whatever its repeats."""
    names = dict.fromkeys(metric.metric for case in cases for verdict in case.base for metric in verdict.metrics)
    for name in names:
        pairs = [
            (before, after)
            for case in cases
            if case.change not in (Change.NEW, Change.GONE, Change.NOT_COMPARABLE)
            and (before := _mean(case.base, name)) is not None
            and (after := _mean(case.new, name)) is not None
        ]
        if pairs:
            yield ComparedCriterion(
                name,
                len(pairs),
                statistics.fmean(before for before, _after in pairs),
                statistics.fmean(after for _before, after in pairs),
                mean_interval([after - before for before, after in pairs]),
            )


def _mean(verdicts: Sequence[CaseVerdict], name: str) -> float | None:
    scores = [
        metric.score
        for verdict in verdicts
        for metric in verdict.metrics
        if metric.metric == name and metric.status is not Status.NOT_EVALUATED
        if metric.score is not None and math.isfinite(metric.score)
    ]
    return statistics.fmean(scores) if scores else None
