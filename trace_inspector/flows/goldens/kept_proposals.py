"""Matchers that coding agents propose: made from runs, kept in the store, and given to a person who decides."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.rows.codec import from_json, to_json
from trace_inspector.core.trace.trace import Trace, calls_of
from trace_inspector.core.values.canonical_json import canonical_json
from trace_inspector.documents.saving.real_path import real_path
from trace_inspector.engine.goldens.matcher_proposals import Proposal, proposed, turn_pairs
from trace_inspector.settings import data_folder, ready_data_folder
from trace_inspector.store import proposals as rows
from trace_inspector.store.database import database


class _Kept(Struct, frozen=True):
    """A row: the proposal, and the call that it is about as it was then."""

    proposal: Proposal
    call: str


def from_runs(case: Case, traces: Sequence[Trace], passed: int) -> tuple[Proposal, ...]:
    """Matchers for what differs between a golden and runs of it, also a single one."""
    runs = [turn_pairs(case, trace) for trace in traces]
    told = f"{len(traces)} {'run' if len(traces) == 1 else 'runs'}, of which {passed} passed"
    return tuple(
        replace(proposal, because=f"{proposal.because} ({told})") for proposal in proposed(case, runs, least=1)
    )


def keep(golden: Path, case: Case, found: Sequence[Proposal]) -> int:
    """Keep proposals for a golden. Returns how many are new; SaveError when they cannot be kept."""
    lines = [json.dumps(to_json(_Kept(proposal, _call(case, proposal)))) for proposal in found]
    with database(ready_data_folder()) as store:
        return rows.keep(store, _name(golden), case.id, lines, time.time())


def kept(golden: Path, case: Case) -> tuple[Proposal, ...]:
    """The proposals for a golden that are still to be decided, and still about the same call."""
    if not data_folder().is_dir():
        return ()
    with database(data_folder()) as store:
        return tuple(_read(rows.undecided(store, _name(golden), case.id), case))


def decide(number: int, decision: str) -> None:
    """Note what a person decided."""
    with database(ready_data_folder()) as store:
        rows.decide(store, number, decision)


def _read(lines: Sequence[tuple[int, str]], case: Case) -> Iterator[Proposal]:
    for number, line in lines:
        try:
            row = from_json(_Kept, json.loads(line), checked=True)
        except (ValueError, TypeError, KeyError):  # another version wrote it
            continue
        if row.call and row.call == _call(case, row.proposal):
            yield replace(row.proposal, number=number)


def _call(case: Case, proposal: Proposal) -> str:
    """The expected call of a proposal, by name and arguments; "" where the golden has it no more."""
    turn = next((turn for turn in case.turns if turn.place == proposal.turn), None)
    calls = calls_of(turn) if turn is not None else []
    return next((f"{call.name} {canonical_json(call.args)}" for call in calls if call.place == proposal.call), "")


def _name(golden: Path) -> str:
    return str(real_path(golden))
