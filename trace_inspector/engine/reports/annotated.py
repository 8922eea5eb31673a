"""What is told at a line of a file: each failing turn, and each case that nobody could decide."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, RunVerdict, Status
from trace_inspector.engine.reports.report import BROKEN, case_names, turn_name, turn_sentence, why
from trace_inspector.engine.reports.sources import Sources

_LEVELS = {Status.FAILED: "error", Status.ERROR: "error", Status.PASSED: ""}


class Annotation(Struct, frozen=True):
    """One thing to tell: how bad it is (error or warning), of which case, and where; line 0 where nobody knows it."""

    level: str
    case: CaseVerdict
    name: str  # of the case
    message: str
    rule: str  # the criterion that failed first, or what else it is
    path: str
    line: int
    column: int
    turn: int | None = None  # the golden's, or else the observed one's


def annotations_of(run: RunVerdict, sources: Sources) -> Iterator[Annotation]:
    """All of a run, in the order of its cases, at the golden where there is one."""
    for case, name in zip(run.cases, case_names(run.cases, sources), strict=True):
        level = _LEVELS.get(case.status, "warning")
        if not level:
            continue
        failing = [turn for turn in case.turns if turn.status in BROKEN]
        for turn in failing:
            golden, _observed = sources.turns_of(case, turn)
            place = golden.place if golden else case.golden_place
            message = f"{turn_name(turn)}: {turn_sentence(turn)}"
            number = turn.golden_index if turn.golden_index is not None else turn.index
            yield _annotation(level, case, name, message, _rule(turn.metrics, "turn"), place, sources, number)
        if not failing:
            message = "\n".join([*why(case), *case.hides]) or "nothing was decided"
            yield _annotation(level, case, name, message, _rule(case.metrics, "case"), case.golden_place, sources)


def _annotation(
    level: str,
    case: CaseVerdict,
    name: str,
    message: str,
    rule: str,
    place: str,
    sources: Sources,
    turn: int | None = None,
) -> Annotation:
    path, place = (case.golden_path, place) if case.golden_path else (case.trace_path, case.trace_place)
    line, column = sources.where(path, place) if path else (0, 0)
    return Annotation(level, case, name, message, rule, path, line, column, turn)


def _rule(metrics: tuple[MetricVerdict, ...], otherwise: str) -> str:
    """The first criterion that failed, else the first that could not decide."""
    for statuses in (BROKEN, (Status.NOT_EVALUATED,)):
        for metric in metrics:
            if metric.status in statuses:
                return metric.metric
    return otherwise
