"""What became of each case from one run to the next."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeAlias

from msgspec import Struct

from trace_inspector.core.verdict.verdict import CaseVerdict, Status
from trace_inspector.engine.ces.run_method import why_not_alike
from trace_inspector.engine.pairing.files_of_one_name import (
    SameNames,
    cases_in_several_files,
    same_name_goldens,
    trace_file,
)
from trace_inspector.engine.repeats.repeats import Key, by_case
from trace_inspector.engine.repeats.significance import sign_test
from trace_inspector.engine.reports.report import words
from trace_inspector.engine.run_comparison.compared_case import (
    BASELINE,
    CANDIDATE,
    Change,
    ComparedCase,
    decided,
    decisive,
    pass_share,
    passes,
)
from trace_inspector.engine.run_comparison.compared_criteria import ComparedCriterion, compared_criteria
from trace_inspector.engine.run_comparison.metric_versions import why_other_version

_UNDECIDED = (Status.INFORMATIONAL, Status.ERROR, Status.PENDING, Status.NOT_EVALUATED, Status.SKIPPED)
_IN_BOTH = frozenset({Change.REGRESSED, Change.IMPROVED, Change.UNCHANGED})
WhyApart: TypeAlias = Callable[[CaseVerdict, CaseVerdict], str]


class ComparedRuns(Struct, frozen=True):
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
        return bool(self.in_both)

    @property
    def in_both(self) -> tuple[ComparedCase, ...]:
        """The cases that both runs decided."""
        return tuple(case for case in self.cases if case.change in _IN_BOTH)

    @property
    def shares(self) -> tuple[float, float] | None:
        """How many of those passed before and after, each case counting once whatever its repeats; None for none."""
        pairs = [(pass_share(case.base) or 0.0, pass_share(case.new) or 0.0) for case in self.in_both]
        if not pairs:
            return None
        return statistics.fmean(before for before, _after in pairs), statistics.fmean(
            after for _before, after in pairs
        )

    @property
    def chance(self) -> float | None:
        """How likely so uneven a change of cases is by chance; None where nothing changed."""
        counts = self.counts
        changed = counts[Change.IMPROVED] + counts[Change.REGRESSED]
        return float(sign_test(counts[Change.IMPROVED], counts[Change.REGRESSED])) if changed else None


def _nothing(_base: CaseVerdict, _new: CaseVerdict) -> str:
    return ""


def compare_runs(
    base: Sequence[CaseVerdict],
    new: Sequence[CaseVerdict],
    why_apart: WhyApart = _nothing,
    *,
    files_apart: bool = False,
) -> ComparedRuns:
    """Each case of either run, those of the first in their order. `why_apart` knows more than verdicts tell.

    `files_apart`: traces of a case in several files are not its repeats; each is compared with that of its file.
    """
    alike = same_name_goldens(base, new)
    several = _with_a_file_in_both(base, new) if files_apart else {}
    before, after = by_case(base, alike, several), by_case(new, alike, several)
    cases = tuple(_case(key, before.get(key, ()), after.get(key, ()), why_apart) for key in {**before, **after})
    return ComparedRuns(cases, tuple(compared_criteria(cases)))


def _with_a_file_in_both(base: Sequence[CaseVerdict], new: Sequence[CaseVerdict]) -> SameNames:
    """The cases in several files of which both runs have some: any others could not be compared by file."""
    several = cases_in_several_files(base, new)
    before, after = (
        {(verdict.suite_id, verdict.case_id, trace_file(verdict, several)) for verdict in run} for run in (base, new)
    )
    both = {(suite, case) for suite, case, _file in before & after}
    return {name: count for name, count in several.items() if name in both}


def _case(key: Key, base: tuple[CaseVerdict, ...], new: tuple[CaseVerdict, ...], why_apart: WhyApart) -> ComparedCase:
    if not base or not new:
        return ComparedCase(key, Change.GONE if base else Change.NEW, base, new)
    apart = _apart(base, new, why_apart)
    undecided = [
        (side, _worst(verdicts)) for side, verdicts in ((BASELINE, base), (CANDIDATE, new)) if not decided(verdicts)
    ]
    if undecided:
        why = _why_undecided(undecided) or apart
        alone = f"{_in([side for side, _ in undecided])} nothing passes or fails; only scores are compared"
        return ComparedCase(key, Change.NOT_COMPARABLE, base, new, why or alone, has_scores=not why)
    why = apart or _other_criteria(base, new)
    if why:
        return ComparedCase(key, Change.NOT_COMPARABLE, base, new, why)
    change = _change(base, new)
    why = _undecided(base, new) if change is Change.NOT_COMPARABLE else ""
    return ComparedCase(key, change, base, new, why, has_scores=True)


def _worst(verdicts: Sequence[CaseVerdict]) -> Status:
    """One status for repeats that nobody decided; where any of them has scores these can be compared."""
    seen = {verdict.status for verdict in verdicts}
    return next(status for status in _UNDECIDED if status in seen)


def _why_undecided(sides: Sequence[tuple[str, Status]]) -> str:
    """What came between, in either run; "" where there was nothing to decide."""
    silent = [(side, status) for side, status in sides if status is not Status.INFORMATIONAL]
    sides_by_status = {status: [side for side, own in silent if own is status] for _side, status in silent}
    return ", ".join(f"{_in(named)} it is {words(status)}" for status, named in sides_by_status.items())


def _in(sides: Sequence[str]) -> str:
    return "in " + " and ".join(f"the {side}" for side in sides)


def _change(base: Sequence[CaseVerdict], new: Sequence[CaseVerdict]) -> Change:
    """What became of a case, whatever became of the repeats that nobody decided."""
    (lowest, highest), (low, high) = _how_many_pass(base), _how_many_pass(new)
    if low > highest:
        return Change.IMPROVED
    if high < lowest:
        return Change.REGRESSED
    return Change.UNCHANGED if lowest == highest == low == high else Change.NOT_COMPARABLE


def _how_many_pass(verdicts: Sequence[CaseVerdict]) -> tuple[Fraction, Fraction]:
    """The least and the greatest share that may have passed, as every repeat that was not decided may have."""
    passed, undecided = passes(verdicts), len(verdicts) - decided(verdicts)
    return Fraction(passed, len(verdicts)), Fraction(passed + undecided, len(verdicts))


def _undecided(base: Sequence[CaseVerdict], new: Sequence[CaseVerdict]) -> str:
    """How many repeats nobody decided, on which it depends what became of the case."""
    sentences = [
        f"{len(verdicts) - decided(verdicts)} of {len(verdicts)} repeats of the {side}"
        for side, verdicts in ((BASELINE, base), (CANDIDATE, new))
        if decided(verdicts) < len(verdicts)
    ]
    return f"not decided: {' and '.join(sentences)}"


def _apart(base: Sequence[CaseVerdict], new: Sequence[CaseVerdict], why_apart: WhyApart) -> str:
    """What was not the same, so that verdicts say different things: how it was replayed, the golden, the judge."""
    for tells in (why_not_alike, why_apart):
        reason = next((why for first in base for other in new if (why := tells(first, other))), "")
        if reason:
            return reason
    return ""


def _other_criteria(base: Sequence[CaseVerdict], new: Sequence[CaseVerdict]) -> str:
    """Which criterion, which version of it, or which threshold, decided in one run alone."""
    before, after = decisive(base), decisive(new)
    alone = sorted(before.keys() ^ after.keys())
    if alone:
        side = BASELINE if alone[0] in before else CANDIDATE
        return f"other criteria: {alone[0]} only in the {side}" + (f" and {len(alone) - 1} more" if alone[1:] else "")
    version = why_other_version(base, new, before)
    if version:
        return version
    other = next((name for name in before if not _same_threshold(before[name], after[name])), None)
    if other is not None:
        return f"different thresholds of {other}: {_number(before[other])} and {_number(after[other])}"
    return ""


def _same_threshold(first: float | None, other: float | None) -> bool:
    """Whether two thresholds are one, also where they were added up of others."""
    return first == other or (first is not None and other is not None and math.isclose(first, other))


def _number(threshold: float | None) -> str:
    return "none" if threshold is None else f"{threshold:g}"
