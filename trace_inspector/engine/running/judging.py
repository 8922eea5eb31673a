"""Judges one criterion of one subject; any failure of a metric becomes a verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from trace_inspector.core.errors import PluginError, Stopped
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.verdict.verdict import MetricVerdict, Status
from trace_inspector.engine.scoring.metric import (
    CLASSIFIER,
    MODEL,
    NO_CLASSIFIER,
    SERVICE,
    CannotJudge,
    Judge,
    Judged,
    Metric,
    PairedTurn,
    Rounds,
    Said,
    Subject,
    metric_for,
)

# The reason for no answer, by what a metric needs.
NOBODY: Mapping[str, str] = {
    MODEL: "no judge: name one with --judge, gemini:MODEL, openai:MODEL or recorded:FILE",
    SERVICE: "Vertex AI’s evaluation service is used only for criteria given with --criteria or --only",
    CLASSIFIER: NO_CLASSIFIER,
}
EVERYBODY: Mapping[str, str] = {}


def criterion_rounds(
    criterion: Criterion, subject: Subject, metrics: Sequence[Metric], without: Mapping[str, str]
) -> Rounds[Judged]:
    """The questions of a criterion to a judge, round by round, and its result at the end.

    `without` gives the reason for everything that a metric may need and that is not available.
    """
    adk = subject.rules == "adk"
    try:
        judged = yield from _asked(criterion, subject, metrics, without)
        return _as_information(judged) if criterion.told_only else judged
    except CannotJudge as problem:
        # ADK raises in exactly these cases and hides it behind NOT_EVALUATED: there it gets our mark.
        return _silent(criterion, subject.turns, Status.NOT_EVALUATED, str(problem), crashed=adk)
    except Stopped:
        raise
    except Exception as problem:
        status = Status.NOT_EVALUATED if adk else Status.ERROR
        broke = f"the metric broke: {one_line(f'{type(problem).__name__}: {problem}')}"
        reason = str(problem) if isinstance(problem, PluginError) else broke
        return _silent(criterion, subject.turns, status, reason, crashed=True)


def answered(rounds: Rounds[Said], judge: Judge | None) -> Said:
    """Pass questions to a judge and replies back, one after the other, until there is a result."""
    try:
        questions = next(rounds)
        while True:
            if judge is None:
                raise ValueError("questions without a judge")
            questions = rounds.send(tuple(judge.ask(question) for question in questions))
    except StopIteration as end:
        result: Said = end.value
        return result


def _asked(
    criterion: Criterion, subject: Subject, metrics: Sequence[Metric], without: Mapping[str, str]
) -> Rounds[Judged]:
    metric = metric_for(criterion.metric, metrics)
    if metric is None:
        raise CannotJudge(
            f"there is no built-in metric “{one_line(criterion.metric, 60)}”, and code named by a file is never run"
        )
    if subject.rules == "adk" and metric.same_count:
        _same_count(subject)
    for need, reason in without.items():
        if need in metric.needs:
            raise CannotJudge(reason)
    outcome = metric.judge(subject, criterion)
    judged = outcome if isinstance(outcome, Judged) else (yield from outcome)
    if len(judged.turns) != len(subject.turns):
        raise ValueError(f"{len(judged.turns)} verdicts for {len(subject.turns)} turns")
    return judged if metric.version == 1 else _of_version(judged, metric.version)


def _of_version(judged: Judged, version: int) -> Judged:
    """The same with the version of the metric, which later runs are compared by."""
    turns = tuple(verdict and replace(verdict, stated_version=version) for verdict in judged.turns)
    return Judged(replace(judged.overall, stated_version=version), turns)


_DECIDED = frozenset({Status.PASSED, Status.FAILED})


def _as_information(judged: Judged) -> Judged:
    """The same as information only, where another criterion decides."""
    turns = tuple(None if verdict is None else _informed(verdict) for verdict in judged.turns)
    return Judged(_informed(judged.overall), turns)


def _informed(verdict: MetricVerdict) -> MetricVerdict:
    if verdict.status not in _DECIDED:
        return verdict
    reason = "; ".join(filter(None, (f"google-adk would report {verdict.status.value}", verdict.reason)))
    return replace(verdict, status=Status.INFORMATIONAL, reason=reason)


def _same_count(subject: Subject) -> None:
    if subject.case is None or subject.case.scenario is not None:
        return
    golden = sum(row.golden is not None for row in subject.turns)
    observed = sum(row.observed is not None for row in subject.turns)
    if golden != observed:
        raise CannotJudge(
            f"the golden has {golden} turns and the trace has {observed}; ADK’s rules compare only equal numbers of "
            "turns"
        )


def _silent(
    criterion: Criterion, rows: Sequence[PairedTurn], status: Status, reason: str, *, crashed: bool
) -> Judged:
    verdict = MetricVerdict(criterion.metric, None, status, criterion.threshold, reason, crashed=crashed)
    return Judged(verdict, tuple(verdict if row.observed else None for row in rows))
