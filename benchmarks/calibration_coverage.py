"""How often the intervals of corrected pass rates hold the truth, and whether promises of escalation are kept.

Every cell of the design is simulated with outputs of which the truth is known: labels on 30, 100, 200 and 400 of a
thousand, failures 5, 20 and 50 %, a judge with sensitivity and specificity from 0.6 to 0.95. A cell has 1,000 trials,
and 4,000 more where these came out under 95.5 %; all count. Trials that are refused (a judge that seems hardly better
than chance) count neither way, and how many there were is told; a contradiction counts as a failure. `--quick` has a
tenth of the trials. Cases of several outputs, which take longest to make, have 500 trials a cell.
"""

from __future__ import annotations

import itertools
import math
import random
import statistics
import sys
from bisect import bisect
from collections.abc import Callable, Iterator
from functools import cache, lru_cache

from msgspec import Struct

from trace_inspector.engine.calibration import corrected_rate
from trace_inspector.engine.calibration.corrected_rate import corrected_rates
from trace_inspector.engine.calibration.counts import Clusters, Counts, counted
from trace_inspector.engine.calibration.escalation import escalation
from trace_inspector.engine.calibration.estimate import Estimate, beta_quantile, exact_interval

OUTPUTS = 1_000
LABELS = (30, 100, 200, 400)
FAILING = (0.05, 0.2, 0.5)
RIGHT = (0.6, 0.7, 0.8, 0.9, 0.95)
SHIFTED_TO = 0.5  # failures among labelled outputs that are of another population
CLUSTER = 5  # outputs of a case, all of one mind
_SCALE = 0.1 if "--quick" in sys.argv else 1.0
TRIALS = round(1_000 * _SCALE)
MORE = round(4_000 * _SCALE)
LOOK_AGAIN = 0.955
_EACH = (Counts(tp=1), Counts(fp=1), Counts(fn=1), Counts(tn=1), Counts(other_failed=1), Counts(other_passed=1))


class Cell(Struct, frozen=True):
    """One kind of situation."""

    labels: int
    failing: float
    sensitivity: float
    specificity: float


class Tally(Struct):
    """What came of the trials of a cell for one estimate."""

    held: int = 0
    failed: int = 0
    refused: int = 0
    width: float = 0.0

    def add(self, found: Estimate, truth: float) -> None:
        """Count one interval."""
        if found.low is None or found.high is None:
            contradicted = "not like the others" in found.reason
            self.failed += contradicted
            self.refused += not contradicted
            return
        self.held += found.low <= truth <= found.high
        self.failed += not found.low <= truth <= found.high
        self.width += found.high - found.low

    @property
    def share(self) -> float:
        """How often the interval held the truth."""
        return self.held / max(1, self.held + self.failed)


@cache
def _cumulated(number: int, share: float) -> list[float]:
    return list(
        itertools.accumulate(math.comb(number, k) * share**k * (1 - share) ** (number - k) for k in range(number + 1))
    )


def binomial(rng: random.Random, number: int, share: float) -> int:
    """How many of a number."""
    return min(number, bisect(_cumulated(number, share), rng.random()))


def drawn(rng: random.Random, cell: Cell, *, labelled_failing: float | None = None) -> Clusters:
    """Labels on a random draw of the outputs, or on outputs with another share of failures."""
    failing = binomial(rng, cell.labels, cell.failing if labelled_failing is None else labelled_failing)
    tp = binomial(rng, failing, cell.sensitivity)
    fp = binomial(rng, cell.labels - failing, 1 - cell.specificity)
    others = OUTPUTS if labelled_failing is not None else OUTPUTS - cell.labels
    says = cell.failing * cell.sensitivity + (1 - cell.failing) * (1 - cell.specificity)
    failed = sum(binomial(rng, 100, says) for _ in range(others // 100)) + binomial(rng, others % 100, says)
    cells = (tp, fp, failing - tp, cell.labels - failing - fp, failed, others - failed)
    return dict(zip(_EACH, cells, strict=True))


def clustered(rng: random.Random, cell: Cell) -> Clusters:
    """Cases whose outputs people, and mostly the judge, say the same of; all of a case are labelled or none."""
    outputs = []
    for case in range(OUTPUTS // CLUSTER):
        people = rng.random() < cell.failing
        alike = rng.random() < 0.5
        verdict = rng.random()
        for _ in range(CLUSTER):
            chance = verdict if alike else rng.random()
            judge = chance < cell.sensitivity if people else chance >= cell.specificity
            outputs.append((str(case), judge, people if case * CLUSTER < cell.labels else None))
    return counted(outputs)


def cells() -> Iterator[Cell]:
    """All of them."""
    for labels, failing, sensitivity, specificity in itertools.product(LABELS, FAILING, RIGHT, RIGHT):
        yield Cell(labels, failing, sensitivity, specificity)


def measured(
    cell: Cell, make: Callable[[random.Random], Clusters], trials: tuple[int, ...], *, elsewhere: bool
) -> dict[str, Tally]:
    """The trials of a cell."""
    rng = random.Random(repr((cell, elsewhere)))
    tallies = {"Rogan–Gladen": Tally()} if elsewhere else {"Rogan–Gladen": Tally(), "PPI": Tally()}
    for number in trials:
        for _ in range(number):
            found = corrected_rates(make(rng), labels_elsewhere=elsewhere)
            for name, tally in tallies.items():
                tally.add(found.ppi if name == "PPI" else found.rogan_gladen, 1 - cell.failing)
        if all(tally.share >= LOOK_AGAIN for tally in tallies.values()):
            break
    return tallies


def report(
    title: str,
    chosen: list[Cell],
    make: Callable[[random.Random, Cell], Clusters],
    *,
    elsewhere: bool = False,
    trials: tuple[int, ...] = (TRIALS, MORE),
) -> None:
    """A line for each number of labels and each estimate: the worst cell, and the mean width."""
    by_labels: dict[tuple[int, str], list[tuple[float, Cell, Tally]]] = {}
    for cell in chosen:
        found = measured(cell, lambda rng, cell=cell: make(rng, cell), trials, elsewhere=elsewhere)  # type: ignore[misc]
        for name, tally in found.items():
            by_labels.setdefault((cell.labels, name), []).append((tally.share, cell, tally))
    for (labels, name), rows in sorted(by_labels.items()):
        share, cell, _tally = min(rows, key=lambda row: row[0])
        under = sum(row[0] < 0.94 for row in rows)
        width = statistics.fmean(tally.width / max(1, tally.held + tally.failed) for _share, _cell, tally in rows)
        refused = sum(tally.refused for _share, _cell, tally in rows)
        tried = sum(tally.refused + tally.held + tally.failed for _share, _cell, tally in rows)
        print(
            f"{title:<22} {labels:>4} {name:<13} {len(rows):>3} cells  worst {share:7.2%} "
            f"(failing {cell.failing:.0%}, {cell.sensitivity}, {cell.specificity})  under 94 %: {under}  "
            f"mean {statistics.fmean(row[0] for row in rows):7.2%}  width {width:.3f}  refused {refused / tried:.1%}",
            flush=True,
        )


class Votes(Struct, frozen=True):
    """A judge that is asked several times: on a share of hard outputs its votes are split, on others it is right."""

    votes: int
    hard: float  # the share of hard outputs
    evenness: float  # of the votes on a hard one: 2 is anything, 20 is about half and half
    easy: float = 0.98  # how often a vote on an easy one is right


def voted(rng: random.Random, number: int, judge: Votes) -> list[tuple[float, bool]]:
    """Outputs as the share of votes for the majority, and whether the majority is right."""
    outputs = []
    for _ in range(number):
        chance = rng.betavariate(judge.evenness, judge.evenness) if rng.random() < judge.hard else judge.easy
        right = sum(rng.random() < chance for _ in range(judge.votes))
        outputs.append((max(right, judge.votes - right) / judge.votes, right * 2 > judge.votes))
    return outputs


def surest(judge: Votes, promised: float) -> tuple[float, float, float]:
    """Of outputs on which all votes agree: their share, how often they are right, and how many labels show that.

    Votes are given alike, so that nothing tells more of an output than how many agree: where these are right less
    often than promised no threshold, by whatever score, can keep the promise. The labels are those of a normal
    approximation, and endless where the promise is not kept.
    """
    spread, number = judge.evenness, judge.votes
    hard = math.exp(
        math.lgamma(spread + number)
        + math.lgamma(2 * spread)
        - math.lgamma(spread)
        - math.lgamma(2 * spread + number)
    )
    right = judge.hard * hard + (1 - judge.hard) * judge.easy**number
    wrong = judge.hard * hard + (1 - judge.hard) * (1 - judge.easy) ** number
    share, correct = right + wrong, right / (right + wrong)
    excess = correct - promised
    return share, correct, 1.645**2 * correct * (1 - correct) / excess**2 if excess > 0 else math.inf


def at_random(outputs: list[tuple[float, bool]], labels: int, promised: float) -> int:
    """How many labels give the same guarantee where outputs are drawn at random.

    So many that what is left errs rarely enough: with 95 % the promised share of the whole list is as people say.
    For the promise that `escalation` makes, of what the judge decides, there is no such number short of all where the
    judge is right less often than promised: a random draw leaves it as good as it was.
    """
    errors = sum(not right for _score, right in outputs[:labels])
    most = beta_quantile(0.95, errors + 1, labels - errors)
    left = len(outputs) if most <= 1 - promised else int(len(outputs) * (1 - promised) / most)
    return max(labels, len(outputs) - left)


def report_escalation() -> None:
    """How often the promise was kept, and the labels beside those of a random draw."""
    for judge, promised, labels in (
        (Votes(9, 0.25, 8), 0.95, 200),
        (Votes(9, 0.35, 20), 0.95, 200),
        (Votes(9, 0.25, 20), 0.95, 200),
        (Votes(5, 0.25, 8), 0.9, 100),
        (Votes(5, 0.25, 2), 0.95, 150),
        (Votes(5, 0.4, 2), 0.9, 150),
    ):
        rng = random.Random(repr((judge, promised)))
        kept, decides, ours, theirs, accuracy = 0, 0, [], [], []
        for _ in range(TRIALS):
            outputs = voted(rng, OUTPUTS, judge)
            found = escalation(outputs[:labels], [score for score, _right in outputs], promised)
            own = [right for score, right in outputs if found.threshold is not None and score >= found.threshold]
            kept += not own or statistics.fmean(own) >= promised
            decides += bool(own)
            queued = [score for score, _right in outputs[labels:] if not own or score < (found.threshold or 0)]
            ours.append(labels + len(queued))
            theirs.append(at_random(outputs, labels, promised))
            accuracy.append(statistics.fmean(right for _score, right in outputs))
        people = statistics.fmean(ours)
        share, correct, needed = surest(judge, promised)
        print(
            f"escalation: {judge}, right {statistics.fmean(accuracy):.1%}, promised {promised:.0%}, {labels} labels: "
            f"kept in {kept / TRIALS:.1%}, decides something in {decides / TRIALS:.1%} of {TRIALS} trials; "
            f"people see {people:.0f} of {OUTPUTS}; at random {OUTPUTS} for the same of what the judge decides "
            f"({people / OUTPUTS:.2f}), {statistics.fmean(theirs):.0f} for the same of the whole list "
            f"({people / statistics.fmean(theirs):.2f}); all votes agree on {share:.0%}, "
            f"which are right in {correct:.2%}: {needed:,.0f} labels of these show the promise",
            flush=True,
        )


def main() -> None:
    """Print all of it."""
    # The same shares come again and again.
    vars(corrected_rate)["exact_interval"] = lru_cache(maxsize=1 << 20)(exact_interval)
    report_escalation()
    report("labels of the same", list(cells()), drawn)
    report(
        "labels elsewhere",
        list(cells()),
        lambda rng, cell: drawn(rng, cell, labelled_failing=SHIFTED_TO),
        elsewhere=True,
    )
    few = [cell for cell in cells() if {cell.sensitivity, cell.specificity} <= {0.7, 0.9} and cell.labels > 30]
    report(f"cases of {CLUSTER} outputs", few, clustered, trials=(TRIALS // 2,))


if __name__ == "__main__":
    main()
