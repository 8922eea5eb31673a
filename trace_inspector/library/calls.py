"""The functions of the library, each over the flow that the command of its name uses."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trace_inspector.core.errors import UsageError
from trace_inspector.core.finding import Finding
from trace_inspector.core.golden.golden import Case, as_case, as_trace
from trace_inspector.core.trace import trace as recorded
from trace_inspector.core.values.values import strict
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, RunVerdict
from trace_inspector.library.inputs import Input, PathLike, criteria_of, given
from trace_inspector.library.values import (
    Calibration,
    Calibrations,
    CaseResult,
    ComparedCase,
    Comparison,
    Figure,
    File,
    MetricResult,
    Note,
    Promotion,
    Run,
    Status,
    ToolCall,
    Trace,
    Turn,
    TurnResult,
)

if TYPE_CHECKING:
    from trace_inspector.engine.calibration import calibration as calibrated
    from trace_inspector.engine.calibration.estimate import Estimate
    from trace_inspector.flows.runs.compared_run import ComparedRun
    from trace_inspector.flows.runs.evaluate_files import Request


def read(path: PathLike | Mapping[str, Any] | Sequence[Any]) -> File:
    """What a file of any known format holds: traces, goldens, and what is odd about it."""
    files = given(path)
    if len(files) > 1:
        raise UsageError("“read” reads one file, and this is a folder of several. Name one of them.", path=str(path))
    (first,) = files
    contents = first.contents
    goldens = tuple(
        _trace(as_trace(case), first.path, case) for suite in contents.suites for case in suite.cases if case.turns
    )
    traces = tuple(_trace(trace, first.path) for trace in contents.traces)
    return File(first.path, contents.format, traces, goldens, tuple(map(_note, contents.findings)))


def evaluate(
    traces: Input,
    goldens: Input | None = None,
    criteria: PathLike | Mapping[str, Any] | None = None,
    *,
    only: Sequence[str] = (),
    cases: Sequence[str] = (),
    pairs: Sequence[tuple[str, str]] = (),
    rules: str = "",
    judge: str = "",
) -> Run:
    """Score conversations against goldens, as `trace-inspector evaluate` does; nothing is stored.

    `criteria` is a file, or a mapping from metrics to thresholds; else those beside the golden, else the defaults of
    its system. `only` names metrics, `cases` patterns of case ids, `pairs` ids of a case and of its trace, which are
    otherwise found by ids and texts. No judge is asked unless one is named.
    """
    from trace_inspector.engine.running.planning import Choices
    from trace_inspector.flows.judges.judge_files import JudgeOptions, judge_named
    from trace_inspector.flows.runs.evaluate_files import Request
    from trace_inspector.flows.runs.evaluate_files import evaluate as evaluate_request

    expected = given(goldens) if goldens is not None else ()
    request = Request(
        traces=given(traces, besides=(Path(file.path) for file in expected)),
        goldens=expected,
        criteria=criteria_of(criteria),
        only=tuple(only),
        choices=Choices(rules=rules, cases=tuple(cases), pairs=tuple(f"{case}={trace}" for case, trace in pairs)),
        judge=judge_named(judge, JudgeOptions(asked_for=True)) if judge else None,
    )
    return _run(evaluate_request(request), request)


def compare(base: PathLike | Run, new: PathLike | Run) -> Comparison:
    """Two runs case by case. Each is a file or folder of results, the id or name of a stored run, or a run."""
    from trace_inspector.flows.runs.compare_stored import compare_sides, named_side

    before, after = (_side(each) if isinstance(each, Run) else named_side(str(each)) for each in (base, new))
    compared = compare_sides(before, after)
    return Comparison(
        tuple(
            ComparedCase(
                case.name,
                case.change.value,
                tuple(Status(verdict.status.value) for verdict in case.base),
                tuple(Status(verdict.status.value) for verdict in case.new),
                case.why,
            )
            for case in compared.runs.cases
        ),
        compared.runs.chance,
        compared.notes,
    )


def _side(run: Run) -> ComparedRun:
    from trace_inspector.flows.runs.compared_run import ComparedRun

    verdict = run.made_of
    if not isinstance(verdict, RunVerdict):
        raise UsageError("This run was not made by “evaluate”. Compare files of results, or evaluate again.")
    return ComparedRun(run.id, tuple(verdict.cases), files_apart=verdict.files_apart)


def promote(
    traces: Input,
    into: PathLike,
    *,
    turns: Sequence[int] = (),
    expect: Sequence[str] = (),
    format: str = "",  # noqa: A002 — what the command calls it too
    allow_loss: bool = False,
) -> Promotion:
    """Turn recorded conversations into goldens of a suite, which is made where it is not there yet.

    `turns` are counted from 0. Where something would be lost for good nothing is written unless `allow_loss` is set.
    """
    from trace_inspector.flows.goldens.promote_files import carry_out, conversations, planned_of

    files = given(traces)
    recorded = [each for file in files for each in conversations(file.contents, Path(file.path).name)]
    plan = planned_of(recorded, files[0].path, Path(into), turns=turns, wants=expect, format_name=format)
    writes = allow_loss or not plan.gone
    if writes:
        carry_out(plan)
    return Promotion(str(into), tuple(case.id for case in plan.cases), writes, tuple(map(_note, plan.losses)))


def calibrate(
    results: PathLike | Iterable[PathLike], labels: PathLike | Iterable[PathLike], question: str = ""
) -> Calibrations:
    """How far judges agree with people: results that judges gave, beside files of labels."""
    from trace_inspector.flows.review.calibrating import calibrate_files

    found = calibrate_files([str(path) for path in _paths(results)], _paths(labels), question)
    notes = (f"{path}: {finding.message}" for path, finding in found.findings)
    return Calibrations(tuple(map(_calibration, found.calibrations)), tuple(notes))


def _paths(given_paths: PathLike | Iterable[PathLike]) -> list[Path]:
    if isinstance(given_paths, str | os.PathLike):
        return [Path(given_paths)]
    return [Path(path) for path in given_paths]


def _trace(trace: recorded.Trace, path: str, case: Case | None = None) -> Trace:
    turns = tuple(map(_turn, trace.turns))
    place = trace.place if case is None else case.place
    return Trace(trace.id, turns, path, place, trace.title, is_golden=case is not None)


def _turn(turn: recorded.Turn) -> Turn:
    usage = recorded.turn_usage(turn)
    return Turn(
        index=turn.index,
        user=recorded.user_text(turn),
        answer=None if turn.final_response is None else recorded.answer_text(turn),
        calls=tuple(map(_call, recorded.paired_calls(turn))),
        author=turn.final_author,
        start_s=turn.start_s,
        duration_s=turn.duration_s,
        input_tokens=recorded.input_tokens(usage),
        output_tokens=recorded.output_tokens(usage),
    )


def _call(pair: recorded.PairedCall) -> ToolCall:
    result = pair.result
    return ToolCall(
        pair.call.name,
        strict(pair.call.args),
        None if result is None else strict(result.value),
        pair.call.call_id,
        is_error=result is not None and result.is_error,
    )


def _note(finding: Finding) -> Note:
    return Note(finding.severity.value, finding.code, finding.message, finding.pointer, finding.line)


def _run(verdict: RunVerdict, request: Request) -> Run:
    from trace_inspector.engine.criteria.outcome import exit_code

    differences = _differences(request)
    return Run(
        verdict.id,
        Status(verdict.status.value),
        tuple(_case(case, differences(case)) for case in verdict.cases),
        verdict.rules,
        verdict.notes,
        verdict.unpaired_traces,
        passed=exit_code(verdict, "not-evaluated") == 0,
        made_of=verdict,
    )


def _case(case: CaseVerdict, difference: tuple[str, ...]) -> CaseResult:
    return CaseResult(
        case.case_id,
        case.trace_id,
        Status(case.status.value),
        tuple(map(_metric, case.metrics)),
        tuple(
            TurnResult(
                turn.index,
                turn.golden_index,
                Status(turn.status.value),
                tuple(map(_metric, turn.metrics)),
                turn.reason,
            )
            for turn in case.turns
        ),
        case.reason,
        case.trace_path,
        case.golden_path,
        difference,
    )


def _metric(metric: MetricVerdict) -> MetricResult:
    status = Status(metric.status.value)
    return MetricResult(metric.metric, metric.score, metric.threshold, status, metric.reason, metric.version)


def _differences(request: Request) -> Callable[[CaseVerdict], tuple[str, ...]]:
    """Where a conversation that failed parts from its golden."""
    from trace_inspector.engine.reports.trace_diff.as_text import conversation_lines
    from trace_inspector.engine.trace_diff.compared import compared
    from trace_inspector.engine.trace_diff.rule import comparison_named
    from trace_inspector.flows.runs.evaluate_files import sides

    traces, goldens = sides(request)
    observed = {(each.path, each.trace.place, each.trace.id): each.trace for each in traces}
    expected = {(each.path, each.case.place, each.case.id): each.case for each in goldens}

    def lines(verdict: CaseVerdict) -> tuple[str, ...]:
        trace = observed.get((verdict.trace_path, verdict.trace_place, verdict.trace_id or ""))
        golden = expected.get((verdict.golden_path, verdict.golden_place, verdict.case_id))
        if golden is None or trace is None or verdict.status.value != Status.FAILED:
            return ()
        rule = comparison_named("ces" if golden.matchers else "exact")
        return tuple(conversation_lines(compared(golden, as_case(trace), rule), rule))

    return lines


def _calibration(found: calibrated.Calibration) -> Calibration:
    agreement, counts = found.agreement, found.agreement.counts
    return Calibration(
        found.question,
        found.level.value,
        found.judge.model or "",
        found.compared,
        {"tp": counts.tp, "fp": counts.fp, "fn": counts.fn, "tn": counts.tn},
        _figure(agreement.sensitivity),
        _figure(agreement.specificity),
        _figure(agreement.accuracy),
        _figure(agreement.kappa),
        found.rates.raw,
        _figure(found.rates.ppi),
        found.stale,
    )


def _figure(estimate: Estimate) -> Figure:
    return Figure(estimate.value, estimate.low, estimate.high, estimate.reason)
