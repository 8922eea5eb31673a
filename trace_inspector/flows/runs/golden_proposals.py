"""Proposes matchers for the goldens of a file from recorded runs, as coding agents ask for it, and keeps them."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from trace_inspector.core.errors import UsageError
from trace_inspector.core.golden.bulk_calls import rule_text
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.golden_formats import GOLDEN_FORMATS
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.trace.trace import calls_of
from trace_inspector.core.values.pointer import split
from trace_inspector.core.verdict.verdict import CaseVerdict, Status
from trace_inspector.engine.goldens.matcher_proposals import Proposal
from trace_inspector.flows.goldens.kept_proposals import from_runs, keep
from trace_inspector.flows.opening.given_files import open_given
from trace_inspector.flows.runs.evaluate_files import Request, evaluate
from trace_inspector.flows.runs.save_reports import report_sources

_MOST_RUNS = 50  # of a golden


class ProposedMatcher(Struct, frozen=True):
    """One proposal in words."""

    case_id: str
    call: str
    rule: str
    because: str


class Proposals(Struct, frozen=True):
    """All that were found, and how many of them are new."""

    proposals: tuple[ProposedMatcher, ...]
    new: int


def propose(traces: Path, goldens: Path, case_id: str = "") -> Proposals:
    """Evaluate, compare each golden with its runs, and keep what is proposed. No judge is asked, no file changed."""
    if goldens.is_dir():
        raise UsageError("Name one file with goldens.")
    request = Request(traces=open_given([traces], besides=[goldens]), goldens=open_given([goldens]))
    if any(given.contents.format not in GOLDEN_FORMATS for given in request.goldens):
        raise UsageError("Goldens of this format cannot be edited, so nothing is proposed for them.")
    run, sources = evaluate(request), report_sources(request)
    by_case: dict[tuple[str, str], list[CaseVerdict]] = {}
    for verdict in run.cases:
        if verdict.trace_id is not None and sources.case_of(verdict) is not None:
            by_case.setdefault((verdict.golden_place, verdict.case_id), []).append(verdict)
    wanted = case_id.rpartition("#")[2]
    if wanted and not any(name == wanted for _place, name in by_case):
        raise UsageError(f"There is no case “{one_line(wanted, 80)}” with a recorded run in these files.")
    told: list[ProposedMatcher] = []
    new = 0
    for (_place, name), verdicts in by_case.items():
        case = sources.case_of(verdicts[0])
        if case is None or (wanted and name != wanted):
            continue
        some = verdicts[:_MOST_RUNS]
        recorded = [trace for verdict in some if (trace := sources.trace_of(verdict)) is not None]
        found = from_runs(case, recorded, sum(verdict.status is Status.PASSED for verdict in some))
        new += keep(goldens, case, found)
        told += [_proposed(case, proposal) for proposal in found]
    return Proposals(tuple(told), new)


def _proposed(case: Case, proposal: Proposal) -> ProposedMatcher:
    name = next((call.name for turn in case.turns for call in calls_of(turn) if call.place == proposal.call), "?")
    argument = "/".join(split(proposal.matcher.place))
    return ProposedMatcher(case.id, f"{name} {argument}", rule_text(proposal.matcher), proposal.because)
