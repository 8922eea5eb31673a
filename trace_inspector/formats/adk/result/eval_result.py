"""ADK results: `adk-eval-result`, and any recorded conversation written as one."""

from __future__ import annotations

from msgspec.structs import replace

from trace_inspector.core.alignment.turn_alignment import align_turns
from trace_inspector.core.finding import Finding, error
from trace_inspector.core.golden.golden import Case, as_trace
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.criteria import Criteria
from trace_inspector.core.trace.trace import Trace
from trace_inspector.core.verdict.verdict import CaseVerdict, RunVerdict, Status, TurnVerdict, compose
from trace_inspector.formats.adk.result.eval_result_reader import read
from trace_inspector.formats.adk.result.eval_result_run import write_run
from trace_inspector.formats.adk.session.invocation_writer import Leftovers, invocation_json
from trace_inspector.formats.adk.session.session_invocation import as_invocation
from trace_inspector.formats.common.format import Implementation, Written
from trace_inspector.formats.writing.run_context import Judged, Key

_LOST = {
    "spans": "Spans have no place in a result; messages, calls and results are carried over",
    "cases": "Cases without a recording are left out; a result contains recorded conversations",
    "details": "Values that an invocation has no key for are not carried over",
    "states": "The final state of a session has no place in a result",
    "criteria": "Criteria that decided nothing have no place in a result",
}


def write(contents: Contents) -> Written:
    """Every recorded conversation as a case result, else every script: with the verdict reported of it, if any."""
    losses: list[Finding] = []
    leftovers = Leftovers(losses)
    cases = {(case.suite_id, case.id): case for suite in contents.suites for case in suite.cases}
    reported = {(verdict.trace_id, verdict.trace_place): verdict for verdict in contents.reported}
    listed = [case for suite in contents.suites for case in suite.cases]
    scripts = tuple(as_trace(case) for case in listed if case.scenario is None)
    traces = [_recorded(trace, index, leftovers) for index, trace in enumerate(contents.traces or scripts)]
    verdicts = []
    traces_by_key: dict[Key, Trace] = {}
    goldens: dict[Key, Case] = {}
    for trace in traces:
        golden = cases.get((trace.suite_id or "", trace.case_id or ""))
        verdict = reported.get((trace.id, trace.place)) or _undecided(trace, golden)
        verdicts.append(verdict)
        traces_by_key[verdict.trace_path, verdict.trace_place, trace.id] = trace
        if golden is not None:
            goldens[verdict.golden_path, verdict.golden_place, verdict.case_id] = golden
    criteria = contents.criteria or Criteria()
    run = RunVerdict(
        id=contents.suites[0].id if contents.suites else "recorded",
        status=compose(verdict.status for verdict in verdicts),
        started_s=0.0,
        rules="",
        criteria_source=criteria.source,
        cases=tuple(verdicts),
        criteria=tuple((item.metric, item.threshold, item.options) for item in criteria.items),
    )
    shown = {(trace.suite_id or "", trace.case_id or "") for trace in traces}
    lost = {
        "spans": sum(trace.span_count for trace in traces),
        "cases": len(cases.keys() - shown),
        "details": len(leftovers.values),
        "states": sum(bool(trace.final_state) for trace in traces),
        "criteria": 0 if contents.reported else len(criteria.items),
    }
    losses += [error(f"{what}-lost", f"{_LOST[what]} ({count}).") for what, count in lost.items() if count]
    return Written(write_run(run, Judged(goldens, traces_by_key)), tuple(losses))


def _recorded(trace: Trace, index: int, leftovers: Leftovers) -> Trace:
    """A trace with the events that ADK keeps of it; what an invocation cannot hold goes among what is left."""
    turns = []
    for turn in trace.turns:
        pointer = f"/{index}/{turn.index}"
        turns.append(as_invocation(turn, pointer, leftovers))
        invocation_json(turns[-1], pointer, leftovers)
    return replace(trace, turns=tuple(turns))


def _undecided(trace: Trace, golden: Case | None) -> CaseVerdict:
    pairs = align_turns(golden.turns if golden else (), trace.turns)
    return CaseVerdict(
        case_id=trace.case_id or trace.id,
        suite_id=trace.suite_id or "",
        trace_id=trace.id,
        status=Status.NOT_EVALUATED,
        turns=tuple(
            TurnVerdict(pair.observed, pair.golden, Status.NOT_EVALUATED)
            for pair in pairs
            if pair.observed is not None
        ),
        golden_place=golden.place if golden else "",
        trace_place=trace.place,
        session_id=trace.session_id,
    )


IMPLEMENTATION = Implementation(read=read, write=write)
