"""Which outputs the judge decides, and which a person: a threshold that keeps a promised agreement.

The promise: of the outputs that the judge decides, at least that share is as people would say, and this fails in at
most one of twenty calibrations. The threshold is found by fixed-sequence testing (Learn then Test, as in “Trust or
Escalate”): from the surest outputs downwards, each threshold is kept as long as its labelled outputs exclude, by an
exact binomial test, that the judge errs more often than promised. Conformal risk control alone would keep it on
average only, that is in about half of all cases.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.engine.calibration.estimate import beta_quantile

FAILS_AT_MOST = 0.05  # how often the promise may be broken
_LEVELS = 50  # thresholds that are tried: more would not make the queue noticeably shorter


class Escalation(Struct, frozen=True):
    """The judge decides what is at least as sure as `threshold`; None where it decides nothing."""

    promised: float
    threshold: float | None
    decided: int  # how many outputs the judge decides
    queued: int  # how many are left to people
    labelled: int  # how many of the decided have a label
    errors: int  # how many of these the judge has wrong
    reason: str = ""


def escalation(sure: Iterable[tuple[float, bool]], all_outputs: Iterable[float], promised: float) -> Escalation:
    """The lowest threshold that keeps the promise.

    `sure` has for each labelled output how sure the judge was and whether it was right; they are a random draw from
    all outputs, of which `all_outputs` says how sure it was. What is not a number is not sure at all.
    """
    if not 0 < promised < 1:
        return Escalation(promised, None, 0, 0, 0, 0, "an agreement is promised as a share between 0 and 1")
    right, wrong, outputs = Counter[float](), Counter[float](), Counter(map(_finite, all_outputs))
    for score, is_right in sure:
        (right if is_right else wrong)[_finite(score)] += 1
    total = outputs.total()
    needed = math.ceil(math.log(FAILS_AT_MOST) / math.log(promised))
    kept = Escalation(
        promised, None, 0, total, 0, 0, f"at least {needed} labels without an error are needed for this promise"
    )
    labelled = errors = decided = 0
    for step in _steps(right + wrong, outputs, needed):
        labelled += sum(right[score] + wrong[score] for score in step)
        errors += sum(wrong[score] for score in step)
        decided += sum(outputs[score] for score in step)
        if labelled < needed:
            continue  # no outcome could show anything yet, whatever was labelled: it is not a test
        if not _shown(errors, labelled, promised):
            return kept if kept.decided else replace(kept, reason="even where it is surest the judge errs too often")
        kept = Escalation(promised, step[-1], decided, total - decided, labelled, errors)
    return kept


def _shown(errors: int, labelled: int, promised: float) -> bool:
    """Whether so few errors exclude a greater share than promised (one-sided, Clopper and Pearson)."""
    if errors >= labelled:
        return False
    return beta_quantile(1 - FAILS_AT_MOST, errors + 1, labelled - errors) <= 1 - promised


def _steps(labels: Counter[float], outputs: Counter[float], needed: int) -> Iterator[list[float]]:
    """The scores from the highest down, in steps: each alone, or of many so many that all have as many labels."""
    ordered = sorted((score for score in labels | outputs if score > -math.inf), reverse=True)
    least = 0 if len(ordered) <= _LEVELS else max(1, (labels.total() - needed) // _LEVELS)
    step: list[float] = []
    since = 0
    for score in ordered:
        step.append(score)
        since += labels[score]
        if since >= least:
            yield step
            step, since = [], 0
    if step:
        yield step


def _finite(score: float) -> float:
    return score if math.isfinite(score) else -math.inf
