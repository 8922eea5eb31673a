"""Measures the suite's bite: `python -m tests.faults [--seed SEED] [--count N] [--only ROOM] [--result FILE]`."""

from __future__ import annotations

import argparse
import json
import random
import secrets
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from threading import Lock

from tests.faults.choosing import Suite
from tests.faults.drawing import Fault, draw, room_of, rooms
from tests.faults.scratch import Scratch
from tests.faults.trials import End, Trial, Trials

PROJECT = Path(__file__).resolve().parents[2]
DEMANDED = 0.85  # of all faults


def main(argv: Sequence[str] | None = None) -> int:
    """0 when enough faults were noticed, 1 when not, 2 when nothing could be tried."""
    options = _parser().parse_args(argv)
    seed = options.seed or secrets.token_hex(4)
    print(f"seed {seed} (the same faults again: --seed {seed})", flush=True)
    faults = [
        one
        for one in draw(PROJECT, seed, options.count)
        if options.only in {None, room_of(one.path)} and (options.fault or "") in one.name
    ]
    if not faults:
        print(f"faults: none was drawn there; rooms are {', '.join(rooms(PROJECT))}.", file=sys.stderr)
        return 2
    if options.list:
        print("\n".join(f"{one.kind:<9} {one.name}" for one in faults))
        return 0
    known = _known(options.result, again=options.again)
    started = time.monotonic()
    left = [one for one in faults if one.name not in known]
    random.Random(seed).shuffle(left)  # a run that is stopped has tried some of every room
    trials = [known[one.name] for one in faults if one.name in known] + _tried(left, options)
    print(_summary([(fault, end) for fault, end in trials]))
    print(f"{len(left)} faults tried in {time.monotonic() - started:.0f} s")
    return 0 if sum(end is not End.SURVIVED for _fault, end in trials) >= DEMANDED * len(trials) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--seed", help="draws the same faults again")
    parser.add_argument("--count", type=int, default=120, help="how many faults are drawn over all rooms")
    parser.add_argument("--jobs", type=int, default=2, help="copies of the project that are tried at once")
    parser.add_argument("--only", metavar="ROOM", help="those of one room alone")
    parser.add_argument("--fault", metavar="TEXT", help="those alone in whose place or description this stands")
    parser.add_argument("--part", choices=("all", "quick", "slow"), default="all", help="by these tests alone")
    parser.add_argument("--list", action="store_true", help="print the faults and try none")
    parser.add_argument("--result", type=Path, metavar="FILE", help="gets a line for each; those in it are done")
    parser.add_argument("--again", action="store_true", help="try those again that survived by the file of results")
    return parser


def _known(result: Path | None, *, again: bool) -> dict[str, tuple[Fault, End]]:
    """What the file of results says; of a fault that was tried twice the last."""
    if result is None or not result.exists():
        return {}
    known = {}
    for line in result.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        known[entry["name"]] = (Fault(**entry["fault"]), End(entry["end"]))
    return {name: one for name, one in known.items() if not (again and one[1] is End.SURVIVED)}


def _tried(faults: Sequence[Fault], options: argparse.Namespace) -> list[tuple[Fault, End]]:
    if not faults:
        return []
    lock = Lock()
    suite = Suite(PROJECT)
    sound: set[str] = set()
    free: SimpleQueue[Trials] = SimpleQueue()

    def one(fault: Fault) -> tuple[Fault, End]:
        trials = free.get()
        try:
            trial = trials.of(fault)
        finally:
            free.put(trials)
        with lock:
            _tell(trial, options.result)
        return fault, trial.end

    with tempfile.TemporaryDirectory(prefix="faults-") as folder, ThreadPoolExecutor(options.jobs) as pool:
        copies = [Scratch(PROJECT, Path(folder) / str(number), options.part) for number in range(options.jobs)]
        for scratch in copies:
            free.put(Trials(scratch, suite, sound))
        try:
            return list(pool.map(one, faults))
        except BaseException:  # Ctrl+C too: what runs would be waited for
            pool.shutdown(wait=False, cancel_futures=True)
            for scratch in copies:
                scratch.stop()
            raise


def _tell(trial: Trial, result: Path | None) -> None:
    fault = trial.fault
    print(f"{trial.end:<16} {fault.kind:<9} {fault.name}", flush=True)
    if trial.by or trial.why:
        print(f"{'':<16} by {trial.by or 'all tests'}: {trial.why}", flush=True)
    if trial.unfinished:
        print(f"{'':<16} not all of {trial.unfinished} were run", flush=True)
    if trial.broken:
        print(f"{'':<16} fails without any fault: {', '.join(trial.broken)}", flush=True)
    if result is not None:
        with result.open("a", encoding="utf-8") as file:
            file.write(json.dumps(trial.as_json(), ensure_ascii=False) + "\n")


def _summary(trials: Sequence[tuple[Fault, End]]) -> str:
    lines = ["| room | faults | caught by its tests | caught elsewhere | survived |", "|---|---|---|---|---|"]
    names = sorted({room_of(fault.path) for fault, _end in trials})
    for name in [*names, "all"]:
        ends = [end for fault, end in trials if name in {"all", room_of(fault.path)}]
        lines.append(f"| {name} | {len(ends)} | " + " | ".join(str(ends.count(end)) for end in End) + " |")
    caught = sum(end is not End.SURVIVED for _fault, end in trials)
    lines.append(f"{caught} of {len(trials)} caught: {caught / len(trials):.0%} ({DEMANDED:.0%} are demanded)")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
