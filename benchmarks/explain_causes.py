"""How often `explain` finds a seeded fault, and how often it names a cause where outcomes are shuffled.

`python -m benchmarks.explain_causes [--trials 1000] [--seed 29]`
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from random import Random

from msgspec.structs import replace

from tests.helpers.many_runs import FAULTS, faulty_runs, is_told
from trace_inspector.engine.braid.attempts import Attempt
from trace_inspector.engine.braid.findings import explain

TOP = 3
SIZES = ((10, 10), (20, 20), (12, 28))


def found(fault: str, trials: int, seed: int, failing: int, passing: int) -> tuple[int, int, int]:
    """In how many trials the fault is among the first three, the first, and named."""
    top = first = named = 0
    for trial in range(trials):
        attempts = faulty_runs(FAULTS[fault], Random(f"{seed} {fault} {trial}"), failing, passing)
        findings = explain(attempts).findings[:TOP]
        told = [is_told(finding, FAULTS[fault]) for finding in findings]
        top += any(told)
        first += bool(told) and told[0]
        named += any(is_it and finding.is_significant for is_it, finding in zip(told, findings, strict=True))
    return top, first, named


def falsely_named(trials: int, seed: int, failing: int, passing: int) -> int:
    """In how many trials a cause is named although chance dealt the outcomes, to runs half of which have a fault."""
    return sum(bool(explain(shuffled).named) for shuffled in _shuffled(trials, seed, failing, passing))


def _shuffled(trials: int, seed: int, failing: int, passing: int) -> Iterator[Sequence[Attempt]]:
    names = list(FAULTS)
    for trial in range(trials):
        random = Random(f"{seed} shuffled {trial}")
        attempts = faulty_runs(FAULTS[names[trial % len(names)]], random, failing, passing)
        outcomes = [attempt.failed for attempt in attempts]
        random.shuffle(outcomes)
        yield [replace(attempt, failed=failed) for attempt, failed in zip(attempts, outcomes, strict=True)]


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=29)
    options = parser.parse_args()
    trials = options.trials
    for failing, passing in SIZES:
        print(f"{failing} failing and {passing} passing runs, {trials} trials each")
        for fault in FAULTS:
            top, first, named = found(fault, trials, options.seed, failing, passing)
            shares = f"top {TOP}: {top / trials:.1%}  first: {first / trials:.1%}  named: {named / trials:.1%}"
            print(f"  {fault:<16} {shares}", flush=True)
        wrong = falsely_named(trials, options.seed, failing, passing)
        print(f"  outcomes shuffled: a cause is named in {wrong / trials:.1%}", flush=True)


if __name__ == "__main__":
    main()
