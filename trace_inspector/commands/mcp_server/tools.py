"""What the server can be asked, each over the same calls as the commands; no file is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from trace_inspector.commands.mcp_server.allowed import allowed_path, shown_path
from trace_inspector.commands.mcp_server.answers import Answer
from trace_inspector.core.errors import UsageError
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.values.json_numbers import json_text
from trace_inspector.flows.runs import golden_proposals
from trace_inspector.library.calls import compare as compare_results
from trace_inspector.library.calls import evaluate, read
from trace_inspector.library.values import CaseResult, ComparedCase, MetricResult, Run, Status, ToolCall, Turn

Folders = Sequence[Path]
_FIRST_LINES = 6
_BAD = (Status.FAILED, Status.ERROR)


def failing(folders: Folders, traces: str, goldens: str = "") -> Answer:
    """The cases that fail, each with the first reason."""
    run = _evaluated(folders, traces, goldens)
    bad = [case for case in run.cases if case.status in _BAD]
    rows = [(f"{_id(folders, case)}: {case.status}; {_first_reason(case)}",) for case in bad]
    counts = ", ".join(f"{count} {status.lower()}" for status, count in run.counts.items() if count)
    return Answer(f"{len(run.cases):,} cases: {counts or 'none'}.", rows, "failing cases")


def explain_turn(folders: Folders, traces: str, case: str, turn: int, goldens: str = "") -> Answer:
    """Every verdict on a turn, and where it parts from what the golden expects."""
    found = _case(_evaluated(folders, traces, goldens), case)
    chosen = [each for each in found.turns if each.index == turn]
    if not chosen:
        known = ", ".join(str(each.index) for each in found.turns if each.index is not None)
        raise UsageError(f"There is no turn {turn} in this case; there are {known or 'none'}, counted from 0.")
    rows: list[Sequence[str]] = [(_metric(metric),) for each in chosen for metric in each.metrics]
    rows += [(line,) for line in found.difference]
    return Answer(f"Turn {turn} of this case: {chosen[0].status}.", rows, "lines")


def diff(folders: Folders, a: str, b: str) -> Answer:
    """All rows that differ between two files, behind the line that sums them up."""
    lines = _differences(folders, a, b)
    return Answer(
        "The first line of all sums up what differs.", [(line,) for line in lines[-1:] + lines[:-1]], "lines"
    )


def first_divergence(folders: Folders, a: str, b: str) -> Answer:
    """The sentence that says where two files part, and the first rows that differ."""
    lines = _differences(folders, a, b)
    return Answer("Where they part first.", [lines[-1:] + lines[:-1][:_FIRST_LINES]], "places")


def evidence(folders: Folders, traces: str, case: str, goldens: str = "") -> Answer:
    """What happened in a case, turn by turn, with the verdicts and without secrets."""
    run = _evaluated(folders, traces, goldens)
    found = _case(run, case)
    file = read(found.trace_path) if found.trace_path else None
    recorded = (*file.traces, *file.goldens) if file is not None else ()  # an eval set can be a set of recordings
    trace = next((each for each in recorded if each.id == found.trace), None)
    verdicts = {turn.index: turn for turn in found.turns}
    rows = []
    for turn in trace.turns if trace is not None else ():
        verdict = verdicts.get(turn.index)
        rows.append((*_turn(turn), *(_metric(metric) for metric in (verdict.metrics if verdict else ()))))
    return Answer(f"This case: {found.status}.", rows, "turns")


def compare_runs(folders: Folders, base: str, new: str) -> Answer:
    """What improved and what regressed between two files or folders of results."""
    compared = compare_results(allowed_path(base, folders), allowed_path(new, folders))
    changed = [case for case in compared.cases if case.change != "unchanged"]
    rows = [(_change(case),) for case in changed]
    counts = ", ".join(f"{count} {change}" for change, count in compared.counts.items())
    chance = "" if compared.chance is None else f" So uneven a change has p = {compared.chance:.3g} by chance."
    return Answer(f"{counts or 'No case is in both'}.{chance}", rows, "cases that are not unchanged")


def propose_matchers(folders: Folders, traces: str, goldens: str, case: str = "") -> Answer:
    """Matchers for arguments that differ between goldens and runs: kept for a person to decide, written nowhere."""
    found = golden_proposals.propose(allowed_path(traces, folders), allowed_path(goldens, folders), case)
    rows = [(f"{each.case_id}: {each.call}, {each.rule}; {each.because}",) for each in found.proposals]
    return Answer(
        f"{found.new:,} new proposals are kept, {len(rows) - found.new:,} were there already. No file was changed: a "
        "person decides in the window, at the golden (Golden, Propose matchers).",
        rows,
        "proposals",
    )


TOOLS: Mapping[str, Callable[..., Answer]] = {
    tool.__name__: tool
    for tool in (failing, explain_turn, diff, first_divergence, evidence, compare_runs, propose_matchers)
}


def answer(tool: str, folders: Folders, given: Mapping[str, Any]) -> Answer:
    """The answer of a tool."""
    return TOOLS[tool](folders, **given)


def _evaluated(folders: Folders, traces: str, goldens: str) -> Run:
    expected = allowed_path(goldens, folders) if goldens else None
    return evaluate(allowed_path(traces, folders), expected)


def _case(run: Run, wanted: str) -> CaseResult:
    name = wanted.rpartition("#")[2]
    found = [case for case in run.cases if case.id == name]
    if not found:
        raise UsageError(f"There is no case “{one_line(name, 80)}” among the {len(run.cases):,} of these files.")
    return next((case for case in found if case.status in _BAD), found[0])


def _id(folders: Folders, case: CaseResult) -> str:
    return f"{shown_path(case.golden_path or case.trace_path, folders)}#{one_line(case.id, 120)}"


def _change(case: ComparedCase) -> str:
    return f"{case.id}: {case.change}; {'/'.join(case.base)} → {'/'.join(case.new)}; {case.reason}"


def _first_reason(case: CaseResult) -> str:
    for turn in case.turns:
        place = f"turn {turn.index}" if turn.index is not None else f"turn {turn.golden_index} of the golden, missing"
        for metric in turn.metrics:
            if metric.status in _BAD:
                return f"{place}: {_metric(metric)}"
        if turn.status in _BAD:
            return f"{place}: {turn.reason or turn.status}"
    whole = next((metric for metric in case.metrics if metric.status in _BAD), None)
    return _metric(whole) if whole else case.reason


def _metric(metric: MetricResult) -> str:
    score = "no score" if metric.score is None else f"{metric.score:.4g}"
    limit = "" if metric.threshold is None else f", threshold {metric.threshold:.4g}"
    return f"{metric.metric} {metric.status} ({score}{limit}) {metric.reason}".rstrip()


def _turn(turn: Turn) -> Iterator[str]:
    yield f"turn {turn.index}, user: {turn.user}"
    for call in turn.calls:
        yield f"  call {_call(call)}"
    yield f"  answer: {turn.answer if turn.answer is not None else 'none stated'}"


def _call(call: ToolCall) -> str:
    return f"{call.name}({json_text(call.arguments)}) → {json_text(call.result)}"


def _differences(folders: Folders, a: str, b: str) -> list[str]:
    from trace_inspector.engine.reports.trace_diff.as_text import lines_of
    from trace_inspector.engine.trace_diff.rule import comparison_named
    from trace_inspector.flows.runs.compare_files import compare

    paths = [allowed_path(a, folders), allowed_path(b, folders)]
    return list(lines_of(compare(paths, comparison_named("exact"), tables=False)))
