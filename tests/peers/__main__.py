"""Compares with every peer: `python -m tests.peers --python PATH [--seed SEED] [--only NAME…] [--case INDEX]`."""

from __future__ import annotations

import argparse
import json
import os
import secrets
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from tests.peers import adk, agreement, ces, ces_matching, rouge, vertex, vertex_sdk
from tests.peers.comparison import Answered, Comparison, Outcome, compare
from tests.peers.peer import PROJECT, Peer, PeerFailed
from tests.peers.shrinking import shrunk

COMPARISONS: tuple[Comparison, ...] = (
    *adk.COMPARISONS,
    *rouge.COMPARISONS,
    *ces.COMPARISONS,
    *ces_matching.COMPARISONS,
    *vertex.COMPARISONS,
    *vertex_sdk.COMPARISONS,
    *agreement.COMPARISONS,
)
SEED_VARIABLE = "TRACE_INSPECTOR_PEERS_SEED"
_SHOWN = 5  # disagreements of a comparison that are shown in full


def main(argv: Sequence[str] | None = None) -> int:
    """0 when both sides agree on every case but the differences that are named, 1 when not, 2 without the peer."""
    options = _parser().parse_args(argv)
    chosen = [one for one in COMPARISONS if not options.only or any(name in one.name for name in options.only)]
    seed = options.seed or os.environ.get(SEED_VARIABLE) or secrets.token_hex(4)
    missing = [python for one in chosen if not Path(python := _python(one, options)).exists()]
    if missing or not chosen:
        problem = "nothing has that name" if not chosen else f"there is no {missing[0]}; “make test-peers” makes it"
        print(f"test-peers: {problem}.", file=sys.stderr)
        return 2
    print(f"seed {seed} (the same cases again: --seed {seed} or {SEED_VARIABLE}={seed})", flush=True)
    started = time.monotonic()
    disagreements = 0
    with ExitStack() as stack:
        os.environ["TRACE_INSPECTOR_DATA"] = stack.enter_context(tempfile.TemporaryDirectory())
        peers: dict[str, Peer] = {}
        for comparison in chosen:
            if comparison.peer not in peers:
                peers[comparison.peer] = stack.enter_context(
                    Peer(_python(comparison, options), f"tests.peers.inside.{comparison.peer}")
                )
            try:
                disagreements += _compared(comparison, peers[comparison.peer], seed, options)
            except PeerFailed as problem:
                print(f"test-peers: {comparison.name}: {problem}", file=sys.stderr)
                return 2
    print(f"{disagreements} disagreements in {time.monotonic() - started:.0f} s")
    return 1 if disagreements else 0


def _python(comparison: Comparison, options: argparse.Namespace) -> str:
    """The Python that has the peer: its own environment stands beside that of the others."""
    python = str(options.python)
    if not comparison.environment:
        return python
    beside = Path(python).parent.parent
    return str(beside.with_name(f"{beside.name}-{comparison.environment}") / "bin" / "python")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.peers", description=__doc__)
    parser.add_argument("--python", default=str(PROJECT / ".venv-peers/bin/python"), help="the peers' Python")
    parser.add_argument("--seed", help=f"makes the same cases again; also {SEED_VARIABLE}")
    parser.add_argument("--only", action="append", metavar="NAME", help="comparisons with this in their name")
    parser.add_argument("--case", type=int, metavar="INDEX", help="one case alone")
    parser.add_argument("--scale", type=float, default=1.0, help="so many times the cases of a whole run")
    parser.add_argument("--no-shrink", action="store_true", help="show cases as they were made")
    return parser


def _compared(comparison: Comparison, peer: Peer, seed: str, options: argparse.Namespace) -> int:
    started = time.monotonic()
    most = max(1, round(comparison.cases * options.scale))
    indices = range(most) if options.case is None else [options.case]
    outcome = compare(comparison, peer, seed, indices)
    print(_line(comparison, outcome, time.monotonic() - started), flush=True)
    for known in comparison.known:
        if outcome.known[known.name]:
            print(f"    {outcome.known[known.name]} × {known.name}: {known.reason}")
    for answered in outcome.disagreements[:_SHOWN]:
        smallest = answered if options.no_shrink else shrunk(comparison, peer, answered)
        _show(smallest)
    return len(outcome.disagreements)


def _line(comparison: Comparison, outcome: Outcome, took_s: float) -> str:
    return (
        f"{comparison.name}: {outcome.cases} cases, {len(outcome.disagreements)} disagreements, "
        f"{outcome.known.total()} named differences, {outcome.errors} errors, {outcome.refused} refused, "
        f"{took_s:.1f} s"
    )


def _show(answered: Answered) -> None:
    for name, value in (("theirs", answered.theirs), ("ours", answered.ours), ("case", answered.case)):
        print(f"    {name}: {json.dumps(value, ensure_ascii=False)}")
    print(f"    (--case {answered.index})\n", flush=True)


if __name__ == "__main__":
    sys.exit(main())
