"""How often `explain` finds a seeded fault, and how often it names a cause where outcomes are shuffled.

`python -m benchmarks.explain_causes [--trials 1000] [--seed 29]`; with --large how long many long runs take, and how
many causes are named of one seeded fault.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from random import Random

from msgspec.structs import replace

from tests.helpers.many_runs import FAULTS, HAND_OFF, Made, attempt, faulty_runs, is_told, usual_run
from trace_inspector.core.values.values import JsonObject
from trace_inspector.engine.braid.attempts import Attempt
from trace_inspector.engine.braid.findings import explain

TOP = 3
SIZES = ((10, 10), (20, 20), (12, 28))
LARGE = ((50, 8), (500, 17))  # runs, and how many times a dozen calls each makes
_FAULTY = 0.9  # of the failing runs have the fault, and as many of the passing ones have not


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


def long_runs(fault: str, count: int, blocks: int, seed: int) -> list[Attempt]:
    """Runs that do what a usual run does several times, under other names each time; the fault is in one of these."""
    random = Random(f"{seed} large {fault}")
    attempts: list[Attempt] = []
    for number in range(count):
        failed = number < count // 2
        is_faulty = number % (count // 2) < round(count // 2 * (_FAULTY if failed else 1 - _FAULTY))
        made: Made = []
        for block in range(blocks):
            usual = usual_run(random)
            part = FAULTS[fault].make(usual, random) if is_faulty and block == blocks // 3 else usual
            made += [_renamed(name, args, block) for name, args in part]
        attempts.append(attempt(made, failed, f"run-{number}"))
    return attempts


def _renamed(name: str, args: JsonObject, block: int) -> tuple[str, JsonObject]:
    if name == HAND_OFF:
        return name, {"agent": f"{args['agent']}_{block}"}
    return f"{name}_{block}", args


def large(seed: int) -> None:
    """Print how long it takes, in processor time, and what is named."""
    for count, blocks in LARGE:
        for fault in FAULTS:
            attempts = long_runs(fault, count, blocks, seed)
            steps = sum(len(attempt.steps) for attempt in attempts) / count
            started_s = time.process_time()
            explanation = explain(attempts)
            took_s = time.process_time() - started_s
            beside = sum(bool(finding.goes_with) for finding in explanation.findings)
            counts = f"{len(explanation.named)} named, {beside} go with it"
            print(f"{count} runs of {steps:.0f} steps, {fault:<16} {took_s:.1f} s, {counts}", flush=True)


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=29)
    parser.add_argument("--large", action="store_true")
    options = parser.parse_args()
    if options.large:
        large(options.seed)
        return
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
